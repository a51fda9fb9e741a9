package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// Every error of the engine, in six kinds. The message is fixed text that names the problem and its remedy; the
/// context holds the facts of this case.
public abstract sealed class DatabaseException extends RuntimeException
        permits CorruptionException,
                ConflictException,
                StorageException,
                LimitException,
                ClosedException,
                UsageException {
    private static final long serialVersionUID = 1L;

    private final String context;

    DatabaseException(String message, String context, @Nullable Throwable cause) {
        super(context.isEmpty() ? message : message + ": " + context, cause);
        this.context = context;
    }

    /// The facts of this case, as `name=value` pairs or a short phrase; may be empty.
    public final String context() {
        return context;
    }
}
