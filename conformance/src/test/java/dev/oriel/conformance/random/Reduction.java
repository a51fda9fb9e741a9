package dev.oriel.conformance.random;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Makes a query that fails smaller, for as long as it fails.
///
/// A piece gives way to one of its own sort that stands within it, to NULL or TRUE, a clause to
/// nothing, a list to the list without one element. What makes no sense of that is an error in the
/// database, and so no failure of the kind that is looked for.
final class Reduction {
    private static final int ATTEMPTS_MAX = 3_000;

    private Reduction() {}

    /// `failing`, or something smaller that fails too.
    static Piece smallest(Piece failing, Predicate<Piece> fails) {
        Piece least = failing;
        int attempts = 0;
        boolean smaller = true;
        while (smaller && attempts < ATTEMPTS_MAX) {
            smaller = false;
            int size = least.size();
            for (Piece candidate : (Iterable<Piece>) smaller(least)::iterator) {
                if (++attempts > ATTEMPTS_MAX) {
                    break;
                }
                if (candidate.size() <= size && fails.test(candidate)) {
                    least = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return least;
    }

    /// All that is one step smaller, the greatest steps first.
    static Stream<Piece> smaller(Piece piece) {
        if (piece.sort() == Sort.FIXED) {
            return Stream.empty();
        }
        Stream<Piece> within = Stream.empty();
        for (int i = 0; i < piece.parts().size(); i++) {
            int index = i;
            within =
                    Stream.concat(
                            within,
                            smaller(piece.parts().get(i)).map(part -> piece.with(index, part)));
        }
        return Stream.concat(whole(piece).stream(), within);
    }

    private static List<Piece> whole(Piece piece) {
        List<Piece> all = new ArrayList<>();
        switch (piece.sort()) {
            case CLAUSE -> {
                if (!piece.equals(Piece.NONE)) {
                    all.add(Piece.NONE);
                }
            }
            case LIST -> {
                for (int i = 0; i < piece.parts().size() && piece.parts().size() > 1; i++) {
                    all.add(piece.without(i));
                }
            }
            case QUERY, SOURCE -> all.addAll(alike(piece));
            case PART, FIXED, SMALL, PATTERN -> {}
            case INTEGER, BIGINT, DECIMAL, DOUBLE, TEXT, BOOLEAN, DATE, TIMESTAMP -> {
                if (!piece.parts().isEmpty() && piece.parts().getFirst().sort() != Sort.FIXED) {
                    if (piece.sort() == Sort.BOOLEAN) {
                        all.add(Piece.leaf(Sort.BOOLEAN, "TRUE"));
                    }
                    all.addAll(alike(piece));
                    all.add(Literals.nothing(piece.sort()));
                }
            }
        }
        return all;
    }

    private static List<Piece> alike(Piece piece) {
        return piece.all()
                .skip(1)
                .filter(part -> part.sort() == piece.sort())
                .sorted((a, b) -> Integer.compare(a.size(), b.size()))
                .toList();
    }
}
