package dev.oriel.conformance.random;

import java.util.ArrayList;
import java.util.List;

/// A query whose literals are parameters, and their values.
record Parameters(Piece query, List<String> values) {
    /// `query` with a parameter in the place of each literal that is no NULL.
    static Parameters of(Piece query) {
        List<String> values = new ArrayList<>();
        Piece replaced = replaced(query, values);
        return new Parameters(replaced, List.copyOf(values));
    }

    /// Whether another query would be asked: a form names one of its parts twice, so that a parameter would count
    /// twice, or a literal is part of what is grouped by, of which no two parameters are the same.
    static boolean another(Piece query) {
        return query.all()
                .anyMatch(piece ->
                        piece.form().matches("(?s).*\\$1.*\\$1.*")
                                || (piece.form().equals(Select.GROUP_BY)
                                        && piece.all()
                                                .anyMatch(part ->
                                                        part.sort().isValue() && isLiteral(part))));
    }

    private static Piece replaced(Piece piece, List<String> values) {
        if (piece.sort().isValue() && isLiteral(piece)) {
            values.add(value(piece));
            return Piece.leaf(piece.sort(), "CAST(? AS " + piece.sort().type + ")");
        }
        List<Piece> parts = new ArrayList<>();
        for (Piece part : piece.parts()) {
            parts.add(replaced(part, values));
        }
        return new Piece(piece.sort(), piece.form(), List.copyOf(parts));
    }

    private static boolean isLiteral(Piece piece) {
        if (!piece.parts().isEmpty()) {
            return piece.parts().size() == 1
                    && piece.parts().getFirst().sort() == Sort.FIXED
                    && piece.parts().getFirst().parts().isEmpty();
        }
        char first = piece.form().charAt(0);
        return Character.isDigit(first)
                || first == '('
                || piece.form().equals("TRUE")
                || piece.form().equals("FALSE");
    }

    /// The literal's value without quotes and parentheses.
    private static String value(Piece piece) {
        String text = piece.parts().isEmpty() ? piece.form() : piece.parts().getFirst().form();
        if (text.startsWith("'")) {
            return text.substring(1, text.length() - 1).replace("''", "'");
        }
        return text.startsWith("(") ? text.substring(1, text.length() - 1) : text;
    }
}
