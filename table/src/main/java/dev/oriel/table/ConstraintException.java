package dev.oriel.table;

import dev.oriel.store.UsageException;

/// A row that its table does not accept. Nothing was written.
public final class ConstraintException extends UsageException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    public ConstraintException(Kind kind, String message, String context) {
        super(message, context);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /// What was violated.
    public enum Kind {
        DUPLICATE_KEY,
        NOT_NULL,
        VALUE_TOO_LONG,
        OUT_OF_RANGE,
        /// A table, column or index of that name exists, or does not.
        DUPLICATE_NAME,
        UNKNOWN_NAME
    }
}
