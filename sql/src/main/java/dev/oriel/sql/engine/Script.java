package dev.oriel.sql.engine;

import dev.oriel.sql.text.AtomicBody;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;

/// A text of several statements, separated by semicolons.
public final class Script {
    private Script() {}

    /// The statements in `text`, in order, without their semicolons; empty ones are left out.
    ///
    /// @throws dev.oriel.sql.SqlException if lexing fails
    public static List<String> statements(String text) {
        List<String> statements = new ArrayList<>();
        int begin = -1;
        AtomicBody body = new AtomicBody();
        for (Token token : Lexer.tokens(new SqlText(text))) {
            boolean ends =
                    token.kind() == Token.Kind.END || (token.isSymbol(";") && !body.isOpen());
            if (ends) {
                body.reset();
            } else {
                body.take(token);
            }
            if (ends && begin >= 0) {
                statements.add(text.substring(begin, token.position()).strip());
                begin = -1;
            } else if (!ends && begin < 0) {
                begin = token.position();
            }
        }
        return List.copyOf(statements);
    }
}
