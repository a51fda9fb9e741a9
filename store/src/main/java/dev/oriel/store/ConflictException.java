package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// Another transaction was in the way: run the transaction again.
public final class ConflictException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    /// The kind of conflict.
    public enum Reason {
        /// An entry that the transaction read or wants to write was changed after its snapshot.
        CHANGED,
        /// Transactions waited for each other in a cycle, and this one closed it.
        DEADLOCK,
        /// Another transaction held the lock for longer than the caller wanted to wait.
        LOCKED,
        /// The snapshot is older than the database allows.
        SNAPSHOT_TOO_OLD,
        /// The thread was interrupted while it waited; its interrupt flag is set.
        INTERRUPTED,
        /// An exclusive transaction was idle for longer than the database allows, and was ended.
        IDLE
    }

    private final Reason reason;

    public ConflictException(Reason reason, String message, String context) {
        this(reason, message, context, null);
    }

    public ConflictException(
            Reason reason, String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
        this.reason = reason;
    }

    /// Whether running the transaction again may succeed.
    public boolean mayPass() {
        return switch (reason) {
            case CHANGED, DEADLOCK, SNAPSHOT_TOO_OLD -> true;
            case LOCKED, INTERRUPTED, IDLE -> false;
        };
    }

    /// The kind of conflict.
    public Reason reason() {
        return reason;
    }
}
