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
        /// A constraint, or something else that is no table, view, sequence or index.
        UNKNOWN_OBJECT,
        DUPLICATE_NAME,
        DUPLICATE_COLUMN,
        DUPLICATE_OBJECT,
        DUPLICATE_ALIAS,
        AMBIGUOUS_COLUMN,
        TYPE_MISMATCH,
        INVALID_VALUE,
        OUT_OF_RANGE,
        DIVISION_BY_ZERO,
        /// A JSON path finds nothing where something is needed.
        NO_JSON_ITEM,
        /// A JSON path finds more than one value where one is needed.
        SEVERAL_JSON_ITEMS,
        /// A JSON value is of another kind than is needed.
        JSON_KIND,
        /// A strict JSON path goes where there is nothing.
        JSON_PATH,
        /// More than one row where one is needed, or the same row changed twice.
        TOO_MANY_ROWS,
        PARAMETER_COUNT,
        WRONG_STATEMENT_KIND,
        NOT_SUPPORTED,
        INVALID_RECURSION,
        INVALID_DEFINITION,
        /// Something else needs what is to go.
        DEPENDENT,
        /// It is no table, or no view, or the like.
        WRONG_OBJECT,
        /// An option of a definition makes no sense.
        INVALID_PARAMETER,
        /// ON CONFLICT or a foreign key names columns that are no key.
        NO_KEY,
        /// A value is given for a column that is always generated.
        GENERATED_ALWAYS,
        /// A file does not hold what it was said to hold.
        BAD_FILE_FORMAT,
        INVALID_ENCODING,
        UNKNOWN_FILE,
        /// A file that cannot be read or written.
        FILE_ACCESS,
        OBJECT_STATE,
        TRANSACTION_STATE,
        READ_ONLY,
        /// A function that is written in Java has failed.
        EXTERNAL,
        CANCELLED
    }
}
