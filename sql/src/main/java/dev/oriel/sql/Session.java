package dev.oriel.sql;

import dev.oriel.io.FileAccess;
import dev.oriel.store.Isolation;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import java.util.List;
import java.util.function.Consumer;

/// A client's session: its transaction, settings and prepared statements.
///
/// In auto-commit mode each statement is a transaction of its own; a query's ends when its result is closed.
/// Otherwise the first statement begins a transaction.
///
/// A session begins at READ COMMITTED: each statement reads a snapshot of its own, and runs again automatically if
/// it meets a row changed since. At higher levels that is an error, and the transaction has to be retried. A
/// statement that fails changes nothing, and leaves the transaction usable.
///
/// Belongs to one thread at a time; only `cancel` may be called by any.
public interface Session extends AutoCloseable {
    /// Parses, binds and plans one statement (a closing semicolon is allowed).
    ///
    /// @throws SqlException if it is invalid
    Prepared prepare(String sql);

    /// Same as [#prepare(String)]; a change of rows without RETURNING also keeps `keys` of the rows it changes, see
    /// [Prepared#generatedKeys()].
    ///
    /// @param keys names of columns of its table, or their positions as `#1`; empty for its identity columns, or
    /// else its primary key
    Prepared prepare(String sql, List<String> keys);

    /// The definitions visible to its next statement, including the changes of its transaction.
    Catalog catalog();

    boolean autoCommit();

    /// Turning it on commits the open transaction.
    void autoCommit(boolean on);

    void commit();

    /// Closes the results that read writes of its transaction, before the caller undoes these from outside.
    default void closeWrittenResults() {}

    /// Buffers the rows of open results that read writes of its transaction, before a caller writes in the
    /// transaction or moves its snapshot.
    default void keepResults() {}

    /// Shares its transaction with other writers until it ends; begins it for writing if needed.
    ///
    /// @param ended receives the end, and whether it was a commit
    /// @throws SqlException in auto-commit mode, unless a statement is writing now
    default TableTransaction share(Consumer<Boolean> ended) {
        throw new UnsupportedOperationException("a session without a transaction of tables");
    }

    /// Sets the owner of its statements, which `Sql.runningOwner` returns while one of them runs.
    default void owner(Object owner) {}

    /// Throws if its transaction belongs to a caller that ends it outside the session.
    default void checkEndsTransactions() {}

    void rollback();

    /// Sets a savepoint in the open transaction; begins a transaction first if none is open.
    void savepoint(String name);

    void rollbackTo(String name);

    void releaseSavepoint(String name);

    /// Sets the isolation level of later transactions.
    void isolation(Isolation level);

    Isolation isolation();

    /// Sets whether the session refuses to write. It cannot change within a transaction.
    void readOnly(boolean on);

    /// Makes the session refuse to write for good: nothing that it executes, and no later [#readOnly], changes that.
    void refuseWrites();

    /// Whether the session refuses to write outside transactions that say so themselves.
    boolean readOnly();

    /// Begins an execution: an optional preparation and a run of a statement. A cancel applies to it from now on,
    /// and earlier cancels are forgotten. Without this call each `prepare` begins an execution, and so does each
    /// run.
    ///
    /// @param timeoutMillis time after which the caller will cancel it, shown to observers; 0 for never
    default void beginExecution(long timeoutMillis) {}

    /// Sets the memory that the operators of each statement may use for buffered rows before spilling them to
    /// files, in bytes; 0 for the database's limit.
    default void queryBytesMax(long bytes) {}

    /// Sets the files that statements prepared from now on may read and write.
    default void files(FileAccess access) {}

    /// Sets whether a conflict dooms a transaction of several statements, so that it can only be rolled back. Its
    /// statements then fail with [SqlException.Kind#FAILED_TRANSACTION], and a commit rolls back and reports it.
    default void rollbackAfterConflict(boolean on) {}

    /// Cancels the statement that is prepared, runs or returns rows; it soon fails with
    /// [SqlException.Kind#CANCELLED].
    void cancel();

    /// Rolls back the open transaction, and closes all results.
    @Override
    void close();
}
