package dev.oriel.sql.engine;

import dev.oriel.sql.Session;
import dev.oriel.sql.syntax.TokenReader;
import dev.oriel.sql.syntax.TypeParser;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.table.definition.Type;
import org.jspecify.annotations.Nullable;

/// Text form of arrays, as in PostgreSQL: `{1,NULL,"with, comma"}`. Used by the layers above.
public final class ArrayLiteral {
    private ArrayLiteral() {}

    /// Text of `value`, which has the array or composite type `type`.
    ///
    /// @param session session in whose zone moments are written; null for UTC
    public static String text(byte[] value, Type type, @Nullable Session session) {
        return TextFormat.ofBytes(value, type, MomentLiteral.zone(session));
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
    /// @param session session whose zone applies to moments without a zone; null for UTC
    /// @throws RuntimeException if it is malformed
    public static byte[] parse(String text, Type type, @Nullable Session session) {
        return TextFormat.parseBytes(text, type, MomentLiteral.zone(session));
    }
}
