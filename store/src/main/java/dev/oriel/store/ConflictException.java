package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// Another transaction was in the way: run the transaction again.
public final class ConflictException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public ConflictException(String message, String context) {
        this(message, context, null);
    }

    public ConflictException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
