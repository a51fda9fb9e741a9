package dev.oriel.sql.engine;

import dev.oriel.sql.syntax.TokenReader;
import dev.oriel.sql.syntax.TypeParser;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.ArrayText;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.table.Type;

/// Text form of arrays, as in PostgreSQL: `{1,NULL,"with, comma"}`. Used by the layers above.
public final class ArrayLiteral {
    private ArrayLiteral() {}

    /// Text of `value`, which has the array type `type`.
    public static String text(byte[] value, Type type) {
        return ArrayText.text(value, type);
    }

    /// The type called `name`, as in CREATE TABLE.
    ///
    /// @throws dev.oriel.sql.SqlException if there is none
    public static Type type(String name) {
        TokenReader tokens = new TokenReader(new SqlText(name));
        Type type = new TypeParser(tokens).type();
        if (tokens.peek().kind() != Token.Kind.END) {
            throw tokens.unexpected();
        }
        return type;
    }

    /// Parses `text` as a value of the array or INTERVAL type `type`.
    ///
    /// @throws RuntimeException if it is malformed
    public static byte[] parse(String text, Type type) {
        return TextFormat.parseBytes(text, type);
    }
}
