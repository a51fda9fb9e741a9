package dev.oriel.sql.text;

import java.util.List;

/// Tells from the tokens whether a statement may be nested deeply enough, or have long enough chains of operators,
/// to need a large stack for recursion. Rows and lists of any length do not.
public final class Nesting {
    /// Length from which a text without tokens is assumed to be deep.
    private static final int TEXT_LENGTH = 500;

    private static final int PARENTHESES = 30;
    private static final int OPERATORS = 150;

    private Nesting() {}

    /// Whether a statement of these tokens may be deep.
    public static boolean isDeep(List<Token> tokens) {
        if (tokens.size() < 2 * PARENTHESES) {
            return false;
        }
        int open = 0;
        int operators = 0;
        for (Token token : tokens) {
            if (token.isSymbol("(")) {
                open++;
            } else if (token.isSymbol(")")) {
                open--;
            } else if (isOperator(token)) {
                operators++;
            }
            if (open > PARENTHESES || operators > OPERATORS) {
                return true;
            }
        }
        return false;
    }

    /// Whether the statement `source` may be deep, judged by its length alone.
    public static boolean isDeep(SqlText source) {
        return source.text().length() > TEXT_LENGTH;
    }

    private static boolean isOperator(Token token) {
        if (token.kind() == Token.Kind.SYMBOL) {
            return switch (token.text()) {
                case ",", ".", ";", "]", "=", "<", "<=", ">", ">=", "<>" -> false;
                default -> true;
            };
        }
        return switch (token.keyword()) {
            case NOT, IS, CASE, SELECT, UNION, EXCEPT, INTERSECT, JOIN -> true;
            case null, default -> false;
        };
    }
}
