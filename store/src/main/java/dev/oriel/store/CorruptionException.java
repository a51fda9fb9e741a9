package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// The data on the disk is damaged: the message says which page or record.
public final class CorruptionException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public CorruptionException(String message, String context) {
        this(message, context, null);
    }

    public CorruptionException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
