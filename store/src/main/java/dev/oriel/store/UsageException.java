package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// The request cannot be carried out: the caller, or the SQL text, has to change. Layers above add their own
/// kinds, with facts for their users (a constraint's name, a position in a text).
public non-sealed class UsageException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message, String context) {
        this(message, context, null);
    }

    public UsageException(String message, String context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
