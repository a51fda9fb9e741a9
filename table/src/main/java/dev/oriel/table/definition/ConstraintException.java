package dev.oriel.table.definition;

import dev.oriel.store.UsageException;

/// A row that its table does not accept, or a definition that does not fit the others.
public final class ConstraintException extends UsageException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String sentence;
    private final int position;

    /// Excerpt of the statement's text.
    private final String shown;

    public ConstraintException(Kind kind, String message, String context) {
        super(message, context);
        this.kind = kind;
        this.sentence = message;
        this.position = -1;
        this.shown = "";
    }

    private ConstraintException(
            ConstraintException cause, String context, int position, String shown) {
        super(cause.sentence, context, cause);
        this.kind = cause.kind;
        this.sentence = cause.sentence;
        this.position = position;
        this.shown = shown;
    }

    /// This error with the origin of the row added.
    public ConstraintException at(String where) {
        String facts = context().isEmpty() ? where : context() + " " + where;
        return new ConstraintException(this, facts, position, shown);
    }

    /// This error with its place in the text of the statement.
    ///
    /// @param place index of the character in the statement's text
    /// @param line follows the message: the text at this place, and its position
    public ConstraintException at(int place, String line) {
        return new ConstraintException(this, context(), place, line);
    }

    @Override
    public String getMessage() {
        return super.getMessage() + shown;
    }

    /// Index of the offending character in the statement's text, or -1 if a row is to blame.
    public int position() {
        return position;
    }

    public Kind kind() {
        return kind;
    }

    /// The rule that was violated.
    public enum Kind {
        DUPLICATE_KEY,
        NOT_NULL,
        CHECK,
        FOREIGN_KEY,
        /// The CHECK OPTION of a view.
        VIEW_CHECK,
        VALUE_TOO_LONG,
        OUT_OF_RANGE,
        /// A table, view, sequence or index of that name exists, or does not.
        DUPLICATE_NAME,
        /// A constraint of that name exists.
        DUPLICATE_OBJECT,
        UNKNOWN_NAME,
        /// Other definitions depend on it.
        DEPENDENT,
        /// A foreign key refers to columns that are no key.
        NO_KEY,
        /// The columns of a foreign key are of other types than the key.
        TYPE_MISMATCH,
        /// A definition that makes no sense by itself.
        INVALID_DEFINITION,
        /// A sequence is exhausted.
        SEQUENCE_END
    }
}
