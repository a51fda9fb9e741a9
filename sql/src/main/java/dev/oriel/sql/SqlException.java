package dev.oriel.sql;

import dev.oriel.store.UsageException;
import org.jspecify.annotations.Nullable;

/// A statement that is invalid or cannot be carried out. The message ends with the line of SQL and a caret under
/// the position, if there is one.
public final class SqlException extends UsageException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final int position;

    /// SQLState that the statement itself has chosen; null for that of the kind.
    private final @Nullable String state;

    /// An error at a position of a text.
    ///
    /// @param position index of the offending character in the statement's text, or -1
    public SqlException(Kind kind, String message, int position, @Nullable Throwable cause) {
        super(message, "", cause);
        this.kind = kind;
        this.position = position;
        this.state = null;
    }

    /// An error that a statement raises by SIGNAL.
    public SqlException(String state, String message) {
        super(message, "", null);
        this.kind = Kind.RAISED;
        this.position = -1;
        this.state = state;
    }

    /// The SQLState that the statement itself has chosen; null for that of the kind.
    public @Nullable String state() {
        return state;
    }

    public Kind kind() {
        return kind;
    }

    /// Index of the offending character in the statement's text, or -1.
    public int position() {
        return position;
    }

    /// The kind of error; the JDBC driver maps it to an SQLState.
    public enum Kind {
        SYNTAX,
        /// The statement is too large, or nested too deep, to be planned.
        TOO_COMPLEX,
        UNKNOWN_TABLE,
        UNKNOWN_COLUMN,
        /// No function of that name, or no function or operator that takes these arguments.
        UNKNOWN_FUNCTION,
        /// A constraint, or another object that is no table, view, sequence or index.
        UNKNOWN_OBJECT,
        /// Several functions take the arguments of a call, or have the name in a definition.
        AMBIGUOUS_FUNCTION,
        DUPLICATE_FUNCTION,
        /// A function of SQL whose parts do not fit together.
        FUNCTION_DEFINITION,
        UNKNOWN_SCHEMA,
        DUPLICATE_SCHEMA,
        /// A name reserved for the database's own objects.
        RESERVED_NAME,
        UNKNOWN_SAVEPOINT,
        UNKNOWN_CURSOR,
        /// A cursor that has no row to be changed.
        CURSOR_STATE,
        /// No statement of this name was prepared.
        UNKNOWN_STATEMENT,
        DUPLICATE_NAME,
        DUPLICATE_COLUMN,
        DUPLICATE_OBJECT,
        DUPLICATE_ALIAS,
        AMBIGUOUS_ALIAS,
        AMBIGUOUS_COLUMN,
        /// A reference to a select item, a column or a key that does not exist.
        INVALID_REFERENCE,
        /// An aggregate, or a column outside of one, in a clause that does not allow it.
        GROUPING,
        /// A window, or a window function, in a clause that does not allow it.
        WINDOWING,
        TYPE_MISMATCH,
        /// There is no CAST between two types.
        NO_CONVERSION,
        /// Text that is not a valid value of a type.
        INVALID_VALUE,
        /// Text that is not a date, time or interval.
        INVALID_DATETIME,
        OUT_OF_RANGE,
        /// A date, time or interval that does not exist or is out of range.
        DATETIME_RANGE,
        /// Text of an interval that is too long.
        INTERVAL_RANGE,
        DIVISION_BY_ZERO,
        /// A logarithm of a number that has none.
        LOGARITHM,
        /// A power or a root that is not a number.
        POWER,
        /// Invalid bounds or number of buckets of WIDTH_BUCKET.
        WIDTH_BUCKET,
        NTILE,
        NTH_VALUE,
        /// The distance of a frame is negative.
        FRAME_DISTANCE,
        /// NULL for a value that is required.
        NULL_VALUE,
        /// NULL for a value of a domain that is NOT NULL.
        DOMAIN_NULL,
        /// A value fails a check of a domain.
        DOMAIN_CHECK,
        NEGATIVE_LIMIT,
        NEGATIVE_OFFSET,
        /// An invalid substring of a text.
        SUBSTRING,
        /// A subscript or slice outside of an array or bytes.
        SUBSCRIPT,
        /// An invalid escape character of LIKE, or an invalid escape sequence.
        ESCAPE,
        REGULAR_EXPRESSION,
        /// A JSON path finds nothing, but a value is needed.
        NO_JSON_ITEM,
        /// A JSON path finds more than one value, but one is needed.
        SEVERAL_JSON_ITEMS,
        /// A JSON value of the wrong kind.
        JSON_KIND,
        /// A strict JSON path leads to a missing element or member.
        JSON_PATH,
        /// A JSON value that is no date or time in `.datetime()`.
        JSON_DATE,
        /// More than one row instead of one, or the same row changed twice.
        TOO_MANY_ROWS,
        PARAMETER_COUNT,
        WRONG_STATEMENT_KIND,
        NOT_SUPPORTED,
        INVALID_RECURSION,
        INVALID_DEFINITION,
        /// Parts of a definition that exclude each other, such as bounds of partitions that overlap.
        OBJECT_DEFINITION,
        /// Another object depends on the one to be dropped.
        DEPENDENT,
        /// The object is not of the expected kind, such as a table or a view.
        WRONG_OBJECT,
        /// An invalid option of a definition, or an invalid argument of a function.
        INVALID_PARAMETER,
        /// A foreign key refers to columns that are not a key.
        NO_KEY,
        /// A value for a column that is GENERATED ALWAYS.
        GENERATED_ALWAYS,
        /// A file is not in the declared format.
        BAD_FILE_FORMAT,
        INVALID_ENCODING,
        UNKNOWN_FILE,
        /// A file cannot be read or written.
        FILE_ACCESS,
        /// A file that the statement is not allowed to use.
        FILE_REFUSED,
        OBJECT_STATE,
        /// Not allowed while a transaction is open.
        TRANSACTION_STATE,
        /// Needs an open transaction.
        NO_TRANSACTION,
        /// The transaction can only be rolled back.
        FAILED_TRANSACTION,
        READ_ONLY,
        /// A function written in Java has failed.
        EXTERNAL,
        /// Raised by SIGNAL.
        RAISED,
        /// A trigger has changed the row that fired it.
        TRIGGERED_CHANGE,
        CANCELLED
    }
}
