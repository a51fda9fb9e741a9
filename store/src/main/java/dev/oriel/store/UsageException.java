package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// What was asked for cannot be done: the caller, or the SQL text, has to change. Layers above add
/// their own kinds, with the facts that their users need (a constraint's name, a position in a text).
public non-sealed class UsageException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message, String context) {
        this(message, context, null);
    }

    public UsageException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
