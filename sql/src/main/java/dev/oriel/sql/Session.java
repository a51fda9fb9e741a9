package dev.oriel.sql;

/// One client's conversation: its transaction, its settings, its prepared statements.
///
/// In auto-commit mode each statement is a transaction of its own; a query's ends when its result
/// is closed. Otherwise the first statement begins a transaction. Isolation is READ COMMITTED: each
/// statement reads the newest committed state; from its first write on, the transaction holds the
/// store's write role, so that what it reads stays true until it ends. A statement that fails
/// changes nothing, and leaves the transaction usable.
///
/// Belongs to one thread at a time; `cancel` alone may be called by any.
public interface Session extends AutoCloseable {
    /// Parses, binds and plans one statement (a closing semicolon is allowed).
    ///
    /// @throws SqlException if it cannot be understood
    Prepared prepare(String sql);

    boolean autoCommit();

    /// Turning it on commits what is open.
    void autoCommit(boolean on);

    void commit();

    void rollback();

    /// Sets a savepoint in the open transaction, beginning one where there is none.
    void savepoint(String name);

    void rollbackTo(String name);

    void releaseSavepoint(String name);

    /// Whether the session refuses to write.
    void readOnly(boolean on);

    /// Makes the running statement fail with [SqlException.Kind#CANCELLED] soon.
    void cancel();

    /// Rolls back what is open, and closes all results.
    @Override
    void close();
}
