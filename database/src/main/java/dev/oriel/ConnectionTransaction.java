package dev.oriel;

import dev.oriel.table.TableTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The transaction of a connection, for other faces: the owner of the connection, or its own open transaction as a
/// [Transaction] made on demand.
final class ConnectionTransaction {
    private final JdbcConnection connection;
    private final CallLock guard;
    private final @Nullable Transaction around;
    private @Nullable Transaction shared;

    /// @param around the transaction that the connection belongs to; null if it has transactions of its own
    ConnectionTransaction(JdbcConnection connection, CallLock guard, @Nullable Transaction around) {
        this.connection = connection;
        this.guard = guard;
        this.around = around;
    }

    @SuppressWarnings("ReferenceEquality") // the very one
    boolean isOf(Transaction other) {
        return around == other || shared == other;
    }

    /// The open transaction.
    ///
    /// @throws SQLException if each statement is a transaction of its own
    Transaction open() throws SQLException {
        connection.enter();
        try {
            connection.checkOpen();
            Transaction known = around != null ? around : shared;
            return known != null && !known.hasEnded() ? known : share();
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } finally {
            connection.exit();
        }
    }

    private Transaction share() {
        Transaction[] begun = new Transaction[1];
        TableTransaction rows =
                connection
                        .session()
                        .share(committed -> {
                            Transaction ended = begun[0];
                            if (ended != null) {
                                shared = null;
                                ended.endWithConnection(committed);
                            }
                        });
        Engine engine = connection.origin().engine().get();
        Transaction made = Transaction.over(connection, engine, rows, guard);
        begun[0] = made;
        shared = made;
        return made;
    }

    /// Rolls back the transaction that the connection belongs to, if it belongs to one: the connection was aborted.
    void abort() {
        if (around != null) {
            around.close();
        }
    }

    /// Makes open results keep their rows, before a change of the rows that they read.
    void keepResults() {
        connection.results().detach();
        connection.session().keepResults();
    }

    /// Prepares for a rollback to a savepoint unknown to the session: open results copy their rows, and results that
    /// read the transaction's own changes are closed.
    void letGoOfResults() {
        connection.results().detach();
        connection.session().closeWrittenResults();
    }
}
