package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// A limit was reached: a length, a size, the disk, a timeout.
public final class LimitException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public LimitException(String message, String context) {
        this(message, context, null);
    }

    public LimitException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
