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
        /// The statement is larger, or nested deeper, than can be planned.
        TOO_COMPLEX,
        UNKNOWN_TABLE,
        UNKNOWN_COLUMN,
        /// No function of that name, or no function or operator that takes these arguments.
        UNKNOWN_FUNCTION,
        /// A constraint, or something else that is no table, view, sequence or index.
        UNKNOWN_OBJECT,
        UNKNOWN_SCHEMA,
        DUPLICATE_SCHEMA,
        /// A name that is kept for what the database itself defines.
        RESERVED_NAME,
        UNKNOWN_SAVEPOINT,
        UNKNOWN_CURSOR,
        /// No statement of this name was prepared.
        UNKNOWN_STATEMENT,
        DUPLICATE_NAME,
        DUPLICATE_COLUMN,
        DUPLICATE_OBJECT,
        DUPLICATE_ALIAS,
        AMBIGUOUS_ALIAS,
        AMBIGUOUS_COLUMN,
        /// A place in the select list, a column or a key that is not there to be referred to.
        INVALID_REFERENCE,
        /// An aggregate, or a column outside of one, where the groups of the query have no place for it.
        GROUPING,
        /// A window, or a function over one, where it cannot be.
        WINDOWING,
        TYPE_MISMATCH,
        /// There is no CAST between two types.
        NO_CONVERSION,
        /// Text that is no value of a type.
        INVALID_VALUE,
        /// Text that is no date, time or interval.
        INVALID_DATETIME,
        OUT_OF_RANGE,
        /// A date, time or interval that there is not, or that is too far.
        DATETIME_RANGE,
        /// Text of an interval that is too long.
        INTERVAL_RANGE,
        DIVISION_BY_ZERO,
        /// A logarithm of what has none.
        LOGARITHM,
        /// A power or a root that is no number.
        POWER,
        /// Bounds or a number of parts that WIDTH_BUCKET cannot divide.
        WIDTH_BUCKET,
        NTILE,
        NTH_VALUE,
        /// The distance of a frame is negative.
        FRAME_DISTANCE,
        /// NULL where there has to be a value.
        NULL_VALUE,
        /// NULL is no value of a domain.
        DOMAIN_NULL,
        /// A value fails a check of a domain.
        DOMAIN_CHECK,
        NEGATIVE_LIMIT,
        NEGATIVE_OFFSET,
        /// A part of a text that cannot be.
        SUBSTRING,
        /// The number of an element, or of bounds, that an array or bytes do not have.
        SUBSCRIPT,
        /// The escape character of LIKE, or what follows it.
        ESCAPE,
        REGULAR_EXPRESSION,
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
        /// An option of a definition, or an argument of a function, makes no sense.
        INVALID_PARAMETER,
        /// A foreign key names columns that are no key.
        NO_KEY,
        /// A value is given for a column that is always generated.
        GENERATED_ALWAYS,
        /// A file does not hold what it was said to hold.
        BAD_FILE_FORMAT,
        INVALID_ENCODING,
        UNKNOWN_FILE,
        /// A file that cannot be read or written.
        FILE_ACCESS,
        /// A file that a statement may not use.
        FILE_REFUSED,
        OBJECT_STATE,
        /// It cannot be while a transaction is open.
        TRANSACTION_STATE,
        /// It needs a transaction that is open.
        NO_TRANSACTION,
        /// The transaction can only be rolled back.
        FAILED_TRANSACTION,
        READ_ONLY,
        /// A function that is written in Java has failed.
        EXTERNAL,
        CANCELLED
    }
}
