package dev.oriel.sql.text;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tokens of a statement without its literals, so that statements that differ only in literals have the same
/// shape. A literal counts by its kind, an integer by the smallest type that fits it. White space and comments do
/// not count; the case of names does. Immutable.
public final class StatementShape {
    /// Number of digits that always fit an INTEGER.
    private static final int INTEGER_DIGITS = 9;

    private final List<Token> tokens;
    private final @Nullable List<String> keys;
    private final int hash;

    private StatementShape(List<Token> tokens, @Nullable List<String> keys, int hash) {
        this.tokens = tokens;
        this.keys = keys;
        this.hash = hash;
    }

    /// The shape of a query or a change of rows that has literals and no parameters. Null for all other statements,
    /// which are identified by their text.
    ///
    /// @param keys columns of the generated keys it returns
    public static @Nullable StatementShape of(List<Token> tokens, @Nullable List<String> keys) {
        if (!begins(tokens.getFirst())) {
            return null;
        }
        int hash = keys == null ? 0 : keys.hashCode();
        boolean literals = false;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.kind() == Token.Kind.PARAMETER) {
                return null;
            }
            boolean literal = isLiteral(token);
            literals |= literal;
            hash =
                    31 * hash
                            + (literal
                                    ? token.kind().hashCode() + size(token)
                                    : token.text().hashCode());
        }
        return literals ? new StatementShape(tokens, keys, hash) : null;
    }

    private static boolean begins(Token token) {
        return token.is(Keyword.SELECT)
                || token.is(Keyword.INSERT)
                || token.is(Keyword.UPDATE)
                || token.is(Keyword.DELETE)
                || token.is(Keyword.WITH)
                || token.isSymbol("(")
                || token.text().equalsIgnoreCase("UPSERT");
    }

    public static boolean isLiteral(Token token) {
        return switch (token.kind()) {
            case INTEGER, DECIMAL, DOUBLE, STRING, BYTES -> true;
            case WORD, QUOTED, PARAMETER, SYMBOL, END -> false;
        };
    }

    /// A number for the integer's type: 0 for INTEGER and for other tokens, 1 for BIGINT, 2 for DECIMAL.
    private static int size(Token token) {
        if (token.kind() != Token.Kind.INTEGER || token.text().length() <= INTEGER_DIGITS) {
            return 0;
        }
        try {
            long exact = Long.parseLong(token.text());
            return exact == (int) exact ? 0 : 1;
        } catch (NumberFormatException tooLong) {
            return 2;
        }
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof StatementShape shape)
                || shape.hash != hash
                || shape.tokens.size() != tokens.size()
                || !Objects.equals(shape.keys, keys)) {
            return false;
        }
        for (int i = 0; i < tokens.size(); i++) {
            Token own = tokens.get(i);
            Token its = shape.tokens.get(i);
            boolean same =
                    own.kind() == its.kind()
                            && (isLiteral(own)
                                    ? size(own) == size(its)
                                    : own.text().equals(its.text()));
            if (!same) {
                return false;
            }
        }
        return true;
    }
}
