package dev.oriel.conformance.random;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/// SQL as a tree: a form with holes `$1`, `$2`, and what stands in them. Nothing here knows what the
/// forms mean, so that a tree can be written in another dialect, or made smaller, by rules alone.
///
/// @param form text with holes; of a LIST what stands between its parts. Without parts it is written
///     as it is
record Piece(Sort sort, String form, List<Piece> parts) {
    /// Nothing, where a clause could be.
    static final Piece NONE = new Piece(Sort.CLAUSE, "", List.of());

    static Piece leaf(Sort sort, String text) {
        return new Piece(sort, text, List.of());
    }

    static Piece of(Sort sort, String form, Piece... parts) {
        return new Piece(sort, form, List.of(parts));
    }

    static Piece clause(String form, Piece... parts) {
        return new Piece(Sort.CLAUSE, form, List.of(parts));
    }

    static Piece list(String separator, List<Piece> parts) {
        return new Piece(Sort.LIST, separator, List.copyOf(parts));
    }

    /// Text that stays as it is.
    static Piece fixed(String text) {
        return leaf(Sort.FIXED, text);
    }

    /// This piece in `dialect`.
    String sql(Dialect dialect) {
        if (sort == Sort.LIST) {
            StringJoiner joined = new StringJoiner(form);
            parts.forEach(part -> joined.add(part.sql(dialect)));
            return joined.toString();
        }
        String text = dialect.form(sort, form);
        if (parts.isEmpty()) {
            return text;
        }
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '$' && i + 1 < text.length() && Character.isDigit(text.charAt(i + 1))) {
                i++;
                sql.append(parts.get(text.charAt(i) - '1').sql(dialect));
            } else {
                sql.append(c);
            }
        }
        return sql.toString();
    }

    /// This piece and all below it.
    Stream<Piece> all() {
        return Stream.concat(Stream.of(this), parts.stream().flatMap(Piece::all));
    }

    /// How many pieces there are.
    int size() {
        return 1 + parts.stream().mapToInt(Piece::size).sum();
    }

    /// This piece with another one at `index`.
    Piece with(int index, Piece part) {
        List<Piece> changed = new ArrayList<>(parts);
        changed.set(index, part);
        return new Piece(sort, form, List.copyOf(changed));
    }

    /// This piece without the one at `index`.
    Piece without(int index) {
        List<Piece> changed = new ArrayList<>(parts);
        changed.remove(index);
        return new Piece(sort, form, List.copyOf(changed));
    }

    /// What a query's columns are, from its form.
    List<Sort> columns() {
        return switch (form) {
            case Select.FORM -> parts.get(Select.ITEMS).parts.stream().map(Piece::sort).toList();
            case Select.ORDERED -> parts.get(0).columns();
            case Select.WITH, Select.RECURSIVE -> parts.get(1).columns();
            default -> parts.getFirst().columns();
        };
    }

    @Override
    public String toString() {
        return sql(Dialect.ORIEL);
    }
}
