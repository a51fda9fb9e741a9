package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.TransactionModes;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;

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

    /// Checks that a transaction can take `modes`.
    ///
    /// @param level its level so far
    /// @param readOnly whether it is read-only so far
    /// @param forGood whether the session stays read-only
    /// @param worked whether it has read or written
    static void check(
            TransactionModes modes,
            Isolation level,
            boolean readOnly,
            boolean forGood,
            boolean worked) {
        if (worked && modes.isolation() != null && modes.isolation() != level) {
            throw state("The level of isolation is said before the first statement");
        }
        boolean writes = modes.readOnly() != null && !modes.readOnly();
        if (writes && forGood) {
            throw new SqlException(Kind.READ_ONLY, readOnly(true), -1, null);
        } else if (writes && readOnly && worked) {
            throw state("A read-only transaction cannot begin to write: end it first");
        }
    }

    /// Error of a statement that the state of the transaction does not allow.
    static SqlException state(String message) {
        return new SqlException(Kind.TRANSACTION_STATE, message, -1, null);
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
