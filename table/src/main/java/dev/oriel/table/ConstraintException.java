package dev.oriel.table;

import dev.oriel.store.UsageException;

/// A row that its table does not accept, or a definition that does not fit the others.
public final class ConstraintException extends UsageException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    public ConstraintException(Kind kind, String message, String context) {
        super(message, context);
        this.kind = kind;
    }

    private ConstraintException(ConstraintException cause, String message, String context) {
        super(message, context, cause);
        this.kind = cause.kind;
    }

    /// The same error with a fact more: where the row comes from.
    public ConstraintException at(String where) {
        String whole = String.valueOf(getMessage());
        boolean facts = !context().isEmpty();
        String sentence =
                facts ? whole.substring(0, whole.length() - context().length() - 2) : whole;
        return new ConstraintException(this, sentence, facts ? context() + " " + where : where);
    }

    public Kind kind() {
        return kind;
    }

    /// What was violated.
    public enum Kind {
        DUPLICATE_KEY,
        NOT_NULL,
        CHECK,
        FOREIGN_KEY,
        VALUE_TOO_LONG,
        OUT_OF_RANGE,
        /// A table, view, sequence or index of that name exists, or does not.
        DUPLICATE_NAME,
        /// A constraint of that name exists.
        DUPLICATE_OBJECT,
        UNKNOWN_NAME,
        /// Others would be left without what they need.
        DEPENDENT,
        /// A foreign key refers to columns that are no key.
        NO_KEY,
        /// The columns of a foreign key are of other types than the key.
        TYPE_MISMATCH,
        /// A sequence has come to its end.
        SEQUENCE_END
    }
}
