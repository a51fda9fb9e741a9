package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;

/// Refuses statements about roles and their rights, of which there are none: a program that takes rights away must
/// not believe that it has.
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
                tokens.atWord(0, "GRANT")
                        || tokens.atWord(0, "REVOKE")
                        || (tokens.atWord(0, "REASSIGN") && tokens.atWord(1, "OWNED"))
                        || (tokens.peek().is(Keyword.DROP) && tokens.atWord(1, "OWNED"))
                        || (tokens.atWord(0, "ALTER")
                                && tokens.atWord(1, "DEFAULT")
                                && tokens.atWord(2, "PRIVILEGES"));
        if (role || rights) {
            throw none(tokens, tokens.position());
        }
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
