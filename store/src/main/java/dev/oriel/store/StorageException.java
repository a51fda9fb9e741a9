package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// The operating system refused a read, a write or a sync. After a failed write the database must be reopened.
public final class StorageException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public StorageException(String message, String context) {
        this(message, context, null);
    }

    public StorageException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
