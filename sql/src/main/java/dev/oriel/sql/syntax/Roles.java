package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statements about roles and their rights, of which there are none. A right that is granted exists already. All others
/// are refused: a program that takes rights away must not believe that it has.
final class Roles {
    private Roles() {}

    /// Refuses the statement that begins here, if it is about roles.
    static void refuse(TokenReader tokens) {
        boolean definition =
                tokens.peek().is(Keyword.CREATE)
                        || tokens.peek().is(Keyword.DROP)
                        || tokens.atWord(0, "ALTER");
        boolean role =
                definition
                        && (tokens.atWord(1, "ROLE")
                                || tokens.atWord(1, "USER")
                                || tokens.peek(1).is(Keyword.GROUP));
        boolean rights =
                tokens.atWord(0, "REVOKE")
                        || (tokens.atWord(0, "REASSIGN") && tokens.atWord(1, "OWNED"))
                        || (tokens.peek().is(Keyword.DROP) && tokens.atWord(1, "OWNED"))
                        || (tokens.atWord(0, "ALTER")
                                && tokens.atWord(1, "DEFAULT")
                                && tokens.atWord(2, "PRIVILEGES"));
        boolean noneIsDropped =
                role
                        && tokens.peek().is(Keyword.DROP)
                        && tokens.peek(2).is(Keyword.IF)
                        && tokens.peek(3).is(Keyword.EXISTS);
        if ((role && !noneIsDropped) || rights) {
            throw none(tokens, tokens.position());
        }
    }

    /// Parses GRANT or DROP ROLE IF EXISTS, if one begins here; neither has an effect.
    static @Nullable Statement ignored(TokenReader tokens, int position) {
        if (tokens.acceptWord("GRANT")) {
            granted(tokens);
        } else if (tokens.peek().is(Keyword.DROP)
                && tokens.peek(2).is(Keyword.IF)
                && (tokens.atWord(1, "ROLE")
                        || tokens.atWord(1, "USER")
                        || tokens.peek(1).is(Keyword.GROUP))) {
            tokens.take();
            tokens.take();
            tokens.take();
            tokens.expect(Keyword.EXISTS);
            names(tokens);
        } else {
            return null;
        }
        return new Statement.Maintain(position, List.of(), List.of());
    }

    private static void granted(TokenReader tokens) {
        tokens.take();
        while (!tokens.peek().is(Keyword.TO)) {
            if (tokens.peek().kind() == Token.Kind.END || tokens.peek().isSymbol(";")) {
                tokens.expect(Keyword.TO);
            }
            tokens.take();
        }
        tokens.take();
        names(tokens);
        if (tokens.accept(Keyword.WITH)) {
            tokens.take(); // GRANT, ADMIN
            tokens.expectWord("OPTION");
        }
        if (tokens.acceptWord("GRANTED")) {
            tokens.expect(Keyword.BY);
            names(tokens);
        }
    }

    private static void names(TokenReader tokens) {
        do {
            tokens.accept(Keyword.GROUP);
            tokens.name("the name of a role");
        } while (tokens.accept(","));
    }

    /// The error that there are no roles.
    static SqlException none(TokenReader tokens, int position) {
        return tokens.error(
                Kind.NOT_SUPPORTED,
                position,
                "There are no roles: every user of the database may do everything; leave out the"
                        + " statement");
    }

    /// Reads OWNER TO and a name, if they are next; they have no effect.
    static boolean passOwner(TokenReader tokens) {
        if (!tokens.acceptWord("OWNER")) {
            return false;
        }
        tokens.expect(Keyword.TO);
        tokens.name("the name of a role");
        return true;
    }
}
