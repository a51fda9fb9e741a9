package dev.oriel.sql;

import dev.oriel.io.FileAccess;
import dev.oriel.store.Isolation;
import dev.oriel.table.Catalog;
import dev.oriel.table.TableTransaction;
import java.util.List;
import java.util.function.Consumer;

/// One client's conversation: its transaction, its settings, its prepared statements.
///
/// In auto-commit mode each statement is a transaction of its own; a query's ends when its result
/// is closed. Otherwise the first statement begins a transaction. At READ COMMITTED, the level that a
/// session begins with, each statement reads what was committed before it, and one that meets a row
/// that has changed since runs again by itself; above it, that is an error, and the transaction is to
/// be run again. A statement that fails changes nothing, and leaves the transaction usable.
///
/// Belongs to one thread at a time; `cancel` alone may be called by any.
public interface Session extends AutoCloseable {
    /// Parses, binds and plans one statement (a closing semicolon is allowed).
    ///
    /// @throws SqlException if it cannot be understood
    Prepared prepare(String sql);

    /// As [#prepare(String)]; a change of rows that has no RETURNING of its own keeps `keys` of the rows
    /// it changes, see [Prepared#generatedKeys()].
    ///
    /// @param keys names of columns of its table, or their positions as `#1`; empty for its identity columns, or else its primary key
    Prepared prepare(String sql, List<String> keys);

    /// The definitions that its next statement sees, what its transaction has changed of them included.
    Catalog catalog();

    boolean autoCommit();

    /// Turning it on commits what is open.
    void autoCommit(boolean on);

    void commit();

    /// Closes the results that read what its transaction has written, before that is undone from outside.
    default void closeWrittenResults() {}

    /// Has open results that read what its transaction has written keep their rows, before something else writes in
    /// the transaction or moves its snapshot.
    default void keepResults() {}

    /// Lets others work in its transaction, which is begun for writing if it is not yet, until that ends.
    ///
    /// @param ended is told of the end, and whether it was a commit
    /// @throws SqlException if each statement is a transaction of its own, and none of them writes just now
    default TableTransaction share(Consumer<Boolean> ended) {
        throw new UnsupportedOperationException("a session without a transaction of tables");
    }

    /// Who asks for its statements: what `Sql.runningOwner` answers while one of them runs.
    default void owner(Object owner) {}

    /// Throws if its transaction belongs to a caller who ends it beside the session.
    default void checkEndsTransactions() {}

    void rollback();

    /// Sets a savepoint in the open transaction, beginning one where there is none.
    void savepoint(String name);

    void rollbackTo(String name);

    void releaseSavepoint(String name);

    /// Sets the level of the transactions to come.
    void isolation(Isolation level);

    Isolation isolation();

    /// Whether the session refuses to write. It cannot change within a transaction.
    void readOnly(boolean on);

    /// Begins an execution, which may prepare a statement and runs one: a cancel is for it from here on, and earlier
    /// ones are forgotten. Without it an execution begins with each `prepare`, and again with each run.
    ///
    /// @param timeoutMillis time after which the caller will cancel it, for those who look from outside; 0 for never
    default void beginExecution(long timeoutMillis) {}

    /// Sets how many bytes of memory the operators of each statement may take for the rows that they keep,
    /// before these are put aside to files; 0 for what the database allows.
    default void queryBytesMax(long bytes) {}

    /// Sets which files its statements may read and write, of those that are prepared from now on.
    default void files(FileAccess access) {}

    /// Sets whether a transaction of several statements that has met another one can only be rolled back: its
    /// statements are refused with [SqlException.Kind#FAILED_TRANSACTION] then, and a commit rolls back and says so.
    default void rollbackAfterConflict(boolean on) {}

    /// Makes the statement that is prepared, runs or returns rows fail with [SqlException.Kind#CANCELLED] soon.
    void cancel();

    /// Rolls back what is open, and closes all results.
    @Override
    void close();
}
