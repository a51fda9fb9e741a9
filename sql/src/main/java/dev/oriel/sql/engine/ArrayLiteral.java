package dev.oriel.sql.engine;

import dev.oriel.sql.syntax.TokenReader;
import dev.oriel.sql.syntax.TypeParser;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.ArrayText;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.table.Type;

/// Arrays as text, as PostgreSQL writes them: `{1,NULL,"with, comma"}`. For the layers above.
public final class ArrayLiteral {
    private ArrayLiteral() {}

    /// What `value`, of the array type `type`, is as text.
    public static String text(byte[] value, Type type) {
        return ArrayText.text(value, type);
    }

    /// The type that is called `name`, as in CREATE TABLE.
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

    /// The value of the array or INTERVAL type `type` that `text` is.
    ///
    /// @throws RuntimeException if it is none
    public static byte[] parse(String text, Type type) {
        return TextFormat.parseBytes(text, type);
    }
}
