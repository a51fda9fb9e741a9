package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.store.ConflictException;

/// Errors of statements that the state of their session refuses.
final class Refusals {
    private Refusals() {}

    /// Message of a change in a read-only session.
    ///
    /// @param forGood whether the session stays read-only
    static String readOnly(boolean forGood) {
        return forGood
                ? "The database was opened for reading only; open it for writing to change it"
                : "The session is read-only: Connection.setReadOnly(false) lets it write";
    }

    /// Error of a change of the session inside a transaction.
    static SqlException changedReadOnly() {
        String message =
                "Whether the session is read-only cannot change inside a transaction: end it first";
        return new SqlException(Kind.TRANSACTION_STATE, message, -1, null);
    }

    /// Error of a savepoint without a transaction.
    static SqlException noSavepoint() {
        String message = "A savepoint needs a transaction: BEGIN one, or turn auto-commit off";
        return new SqlException(Kind.NO_TRANSACTION, message, -1, null);
    }

    /// Error of a statement in a transaction that can only be rolled back.
    ///
    /// @param reason error of the statement that failed
    static SqlException failed(Throwable reason) {
        String message =
                "The transaction has failed, and does nothing more; end it with ROLLBACK and run it"
                        + " again";
        return new SqlException(Kind.FAILED_TRANSACTION, message, -1, reason);
    }

    /// Error of a COMMIT that has rolled such a transaction back.
    ///
    /// @param reason error of the statement that failed
    static RuntimeException rolledBack(Throwable reason) {
        String message =
                "The transaction was rolled back and not committed, because a statement in it had"
                        + " failed; run it again";
        return reason instanceof ConflictException conflict
                ? new ConflictException(conflict.reason(), message, "", conflict)
                : new SqlException(Kind.FAILED_TRANSACTION, message, -1, reason);
    }
}
