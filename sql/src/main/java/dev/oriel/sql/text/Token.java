package dev.oriel.sql.text;

import org.jspecify.annotations.Nullable;

/// One token of a statement.
///
/// @param text of a WORD, a number or a SYMBOL as written; of a QUOTED name or a STRING without
///     quotes; of BYTES its hexadecimal digits
/// @param position index of its first character in the statement
/// @param keyword keyword that a WORD equals, or null
public record Token(Kind kind, String text, int position, @Nullable Keyword keyword) {
    public enum Kind {
        WORD,
        QUOTED,
        INTEGER,
        DECIMAL,
        DOUBLE,
        STRING,
        BYTES,
        PARAMETER,
        SYMBOL,
        END
    }

    public boolean is(Keyword wanted) {
        return keyword == wanted;
    }

    public boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /// Whether it can be the name of a table, a column or the like.
    public boolean isName() {
        return switch (kind) {
            case QUOTED -> true;
            case WORD -> keyword == null || !keyword.reserved();
            case INTEGER, DECIMAL, DOUBLE, STRING, BYTES, PARAMETER, SYMBOL, END -> false;
        };
    }

    /// The token as error messages name it.
    public String describe() {
        return switch (kind) {
            case WORD -> keyword != null && keyword.reserved() ? keyword.name() : text;
            case QUOTED -> "\"" + text + "\"";
            case INTEGER, DECIMAL, DOUBLE -> "the number " + text;
            case STRING -> "the string '" + text.replace("'", "''") + "'";
            case BYTES -> "the bytes X'" + text + "'";
            case PARAMETER -> "a parameter \"" + text + "\"";
            case SYMBOL -> "\"" + text + "\"";
            case END -> "the end of the statement";
        };
    }
}
