package dev.oriel.sql;

import dev.oriel.store.UsageException;
import org.jspecify.annotations.Nullable;

/// A statement that cannot be understood or carried out as it stands. The message ends with the
/// line of SQL and a caret under the place, where there is one.
public final class SqlException extends UsageException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final int position;

    /// An error at a place in a text.
    ///
    /// @param position index of the offending character in the statement's text, or -1
    public SqlException(Kind kind, String message, int position, @Nullable Throwable cause) {
        super(message, "", cause);
        this.kind = kind;
        this.position = position;
    }

    public Kind kind() {
        return kind;
    }

    /// Index of the offending character in the statement's text, or -1.
    public int position() {
        return position;
    }

    /// What is wrong; the JDBC front maps it to an SQLState.
    public enum Kind {
        SYNTAX,
        UNKNOWN_TABLE,
        UNKNOWN_COLUMN,
        UNKNOWN_FUNCTION,
        DUPLICATE_NAME,
        DUPLICATE_ALIAS,
        AMBIGUOUS_COLUMN,
        TYPE_MISMATCH,
        INVALID_VALUE,
        OUT_OF_RANGE,
        DIVISION_BY_ZERO,
        TOO_MANY_ROWS,
        PARAMETER_COUNT,
        WRONG_STATEMENT_KIND,
        NOT_SUPPORTED,
        INVALID_RECURSION,
        TRANSACTION_STATE,
        READ_ONLY,
        CANCELLED
    }
}
