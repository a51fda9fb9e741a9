package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Participant in the session's transaction other than its statements, to be notified of its end. Belongs to one
/// session.
final class Sharer {
    private @Nullable Consumer<Boolean> ended;

    /// @param has whether there is a transaction
    void begin(boolean has, Consumer<Boolean> toBeTold) {
        if (!has) {
            throw new SqlException(
                    Kind.NO_TRANSACTION,
                    "There is no transaction to join; BEGIN one, or turn auto-commit off",
                    -1,
                    null);
        }
        ended = toBeTold;
    }

    /// The transaction has ended.
    void end(boolean committed) {
        Consumer<Boolean> told = ended;
        ended = null;
        if (told != null) {
            told.accept(committed);
        }
    }
}
