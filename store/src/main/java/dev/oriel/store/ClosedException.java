package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// The database, transaction, statement or cursor has been closed.
public final class ClosedException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public ClosedException(String message, String context) {
        this(message, context, null);
    }

    public ClosedException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
