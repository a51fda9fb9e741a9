package dev.oriel;

import dev.oriel.io.LockedException;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.engine.Exhaustion;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.table.definition.ConstraintException;
import java.io.IOException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import org.jspecify.annotations.Nullable;

/// The one table from the engine's errors to SQLStates, which are PostgreSQL's if it has one. It also maps the
/// class of an SQLState to JDBC's subclass of SQLException.
final class SqlStates {
    static final String WARNING = "01000";
    static final String CONNECTION_FAILED = "08001";
    static final String CONNECTION_CLOSED = "08003";
    static final String CONNECTION_LOST = "08006";
    static final String NOT_SUPPORTED = "0A000";
    static final String PARAMETER_MISSING = "07001";
    static final String WRONG_STATEMENT = "07005";
    static final String WRONG_TYPE = "07006";
    static final String OUT_OF_RANGE = "22003";
    static final String INVALID_DATETIME = "22007";
    static final String DATETIME_RANGE = "22008";
    static final String INVALID_ARGUMENT = "22023";
    static final String INVALID_TEXT = "22P02";
    static final String INVALID_ENCODING = "22021";
    static final String CURSOR_STATE = "24000";
    static final String NO_TRANSACTION = "25P01";
    static final String FAILED_TRANSACTION = "25P02";
    static final String READ_ONLY = "25006";
    static final String STATEMENT_CLOSED = "26000";
    static final String SAVEPOINT = "3B001";
    static final String NO_USERS = "28000";
    static final String UNKNOWN_SCHEMA = "3F000";
    static final String NO_RIGHT = "42501";
    static final String SYNTAX = "42601";
    static final String UNKNOWN_COLUMN = "42703";
    static final String OUT_OF_MEMORY = "53200";
    static final String TOO_DEEP = "54001";
    static final String IN_USE = "55006";
    static final String CANCELLED = "57014";
    static final String INTERNAL = "XX000";

    private SqlStates() {}

    /// The SQLState of an error of the engine.
    static String of(DatabaseException e) {
        return switch (e) {
            case CorruptionException _ -> "XX001";
            case ConflictException conflict -> of(conflict.reason());
            case StorageException _ -> "58030";
            case ClosedException _ -> CONNECTION_CLOSED;
            case LimitException limit -> ofLimit(limit);
            case SqlException sql -> sql.state() == null ? of(sql.kind()) : sql.state();
            case ConstraintException constraint -> of(constraint.kind());
            case UsageException _ -> "55000";
        };
    }

    /// An interrupt is no 40001: a caller that retries on 40001 would do so for ever, since the interrupt flag
    /// stays.
    private static String of(ConflictException.Reason reason) {
        return switch (reason) {
            case CHANGED, SNAPSHOT_TOO_OLD -> "40001";
            case DEADLOCK -> "40P01";
            case LOCKED -> "55P03";
            case IDLE -> "25P03";
            case INTERRUPTED -> CANCELLED;
        };
    }

    private static String ofLimit(LimitException e) {
        return switch (e.getCause()) {
            case LockedException _ -> IN_USE;
            case IOException _ -> "53100";
            case LimitException earlier -> ofLimit(earlier);
            case OutOfMemoryError _ -> OUT_OF_MEMORY;
            case StackOverflowError _ -> TOO_DEEP;
            case null, default -> "54000";
        };
    }

    private static String ofTransaction(SqlException.Kind kind) {
        return switch (kind) {
            case READ_ONLY -> READ_ONLY;
            case TRANSACTION_STATE -> "25001";
            case NO_TRANSACTION -> NO_TRANSACTION;
            case FAILED_TRANSACTION -> FAILED_TRANSACTION;
            default -> throw new IllegalStateException(kind + " is of no transaction");
        };
    }

    private static String ofJson(SqlException.Kind kind) {
        return switch (kind) {
            case NO_JSON_ITEM -> "22035";
            case SEVERAL_JSON_ITEMS -> "22034";
            case JSON_KIND -> "2203F";
            case JSON_PATH -> "2203A";
            case JSON_DATE -> "22031";
            default -> throw new IllegalStateException(kind + " is of no JSON");
        };
    }

    private static String ofWindow(SqlException.Kind kind) {
        return switch (kind) {
            case NTILE -> "22014";
            case NTH_VALUE -> "22016";
            case FRAME_DISTANCE -> "22013";
            default -> throw new IllegalStateException(kind + " is of no window");
        };
    }

    private static String ofRoutine(SqlException.Kind kind) {
        return switch (kind) {
            case EXTERNAL -> "38000";
            case RAISED -> "45000";
            case TRIGGERED_CHANGE -> "27000";
            default -> throw new IllegalStateException(kind + " is of no routine");
        };
    }

    private static String ofFile(SqlException.Kind kind) {
        return switch (kind) {
            case BAD_FILE_FORMAT -> "22P04";
            case UNKNOWN_FILE -> "58P01";
            case FILE_ACCESS -> "58030";
            case FILE_REFUSED -> NO_RIGHT;
            default -> throw new IllegalStateException(kind + " is of no file");
        };
    }

    private static String of(SqlException.Kind kind) {
        return switch (kind) {
            case SYNTAX -> SYNTAX;
            case TOO_COMPLEX -> TOO_DEEP;
            case UNKNOWN_TABLE -> "42P01";
            case UNKNOWN_COLUMN -> UNKNOWN_COLUMN;
            case UNKNOWN_FUNCTION -> "42883";
            case UNKNOWN_OBJECT -> "42704";
            case AMBIGUOUS_FUNCTION -> "42725";
            case DUPLICATE_FUNCTION -> "42723";
            case FUNCTION_DEFINITION -> "42P13";
            case UNKNOWN_CURSOR -> "34000";
            case CURSOR_STATE -> CURSOR_STATE;
            case UNKNOWN_STATEMENT -> STATEMENT_CLOSED;
            case UNKNOWN_SAVEPOINT -> SAVEPOINT;
            case DUPLICATE_NAME -> "42P07";
            case DUPLICATE_COLUMN -> "42701";
            case UNKNOWN_SCHEMA -> UNKNOWN_SCHEMA;
            case DUPLICATE_SCHEMA -> "42P06";
            case RESERVED_NAME -> "42939";
            case DUPLICATE_OBJECT -> "42710";
            case DUPLICATE_ALIAS -> "42712";
            case AMBIGUOUS_COLUMN -> "42702";
            case AMBIGUOUS_ALIAS -> "42P09";
            case INVALID_REFERENCE -> "42P10";
            case GROUPING -> "42803";
            case WINDOWING -> "42P20";
            case TYPE_MISMATCH -> "42804";
            case NO_CONVERSION -> "42846";
            case INVALID_VALUE -> INVALID_TEXT;
            case INVALID_DATETIME -> INVALID_DATETIME;
            case OUT_OF_RANGE -> OUT_OF_RANGE;
            case DATETIME_RANGE -> DATETIME_RANGE;
            case SUBSCRIPT -> "2202E";
            case DOMAIN_NULL -> "23502";
            case DOMAIN_CHECK -> "23514";
            case INTERVAL_RANGE -> "22015";
            case DIVISION_BY_ZERO -> "22012";
            case LOGARITHM -> "2201E";
            case POWER -> "2201F";
            case WIDTH_BUCKET -> "2201G";
            case NTILE, NTH_VALUE, FRAME_DISTANCE -> ofWindow(kind);
            case NULL_VALUE -> "22004";
            case NEGATIVE_LIMIT -> "2201W";
            case NEGATIVE_OFFSET -> "2201X";
            case SUBSTRING -> "22011";
            case ESCAPE -> "22025";
            case REGULAR_EXPRESSION -> "2201B";
            case NO_JSON_ITEM, SEVERAL_JSON_ITEMS, JSON_KIND, JSON_PATH, JSON_DATE -> ofJson(kind);
            case TOO_MANY_ROWS -> "21000";
            case PARAMETER_COUNT -> PARAMETER_MISSING;
            case WRONG_STATEMENT_KIND -> WRONG_STATEMENT;
            case NOT_SUPPORTED -> NOT_SUPPORTED;
            case INVALID_RECURSION -> "42P19";
            case INVALID_DEFINITION -> "42P16";
            case OBJECT_DEFINITION -> "42P17";
            case DEPENDENT -> "2BP01";
            case WRONG_OBJECT -> "42809";
            case INVALID_PARAMETER -> INVALID_ARGUMENT;
            case NO_KEY -> "42830";
            case GENERATED_ALWAYS -> "428C9";
            case INVALID_ENCODING -> INVALID_ENCODING;
            case BAD_FILE_FORMAT, UNKNOWN_FILE, FILE_ACCESS, FILE_REFUSED -> ofFile(kind);
            case OBJECT_STATE -> "55000";
            case READ_ONLY, TRANSACTION_STATE, NO_TRANSACTION, FAILED_TRANSACTION ->
                    ofTransaction(kind);
            case CANCELLED -> CANCELLED;
            case EXTERNAL, RAISED, TRIGGERED_CHANGE -> ofRoutine(kind);
        };
    }

    private static String of(ConstraintException.Kind kind) {
        return switch (kind) {
            case DUPLICATE_KEY -> "23505";
            case NOT_NULL -> "23502";
            case CHECK -> "23514";
            case VIEW_CHECK -> "44000";
            case FOREIGN_KEY -> "23503";
            case VALUE_TOO_LONG -> "22001";
            case OUT_OF_RANGE -> OUT_OF_RANGE;
            case DUPLICATE_NAME -> "42P07";
            case DUPLICATE_OBJECT -> "42710";
            case UNKNOWN_NAME -> "42704";
            case DEPENDENT -> "2BP01";
            case NO_KEY -> "42830";
            case TYPE_MISMATCH -> "42804";
            case INVALID_DEFINITION -> "42P16";
            case SEQUENCE_END -> "2200H";
        };
    }

    /// JDBC's exception for `e`, its cause. An error that is none of the engine's own is a bug of ours, and says
    /// so.
    static SQLException exception(RuntimeException e) {
        return e instanceof DatabaseException known
                ? exception(of(known), String.valueOf(known.getMessage()), known)
                : exception(INTERNAL, "Internal error, please report it: " + e, e);
    }

    /// JDBC's exception for memory or stack that has run out; other errors of the JVM are rethrown.
    static SQLException exception(Error e) {
        return exception(Exhaustion.limit(e));
    }

    static SQLException exception(String state, String message) {
        return exception(state, message, null);
    }

    static SQLException exception(String state, String message, @Nullable Throwable cause) {
        return switch (state.substring(0, 2)) {
            case "08" -> new SQLNonTransientConnectionException(message, state, cause);
            case "0A" -> new SQLFeatureNotSupportedException(message, state, cause);
            case "22" -> new SQLDataException(message, state, cause);
            case "23" -> new SQLIntegrityConstraintViolationException(message, state, cause);
            case "28" -> new SQLInvalidAuthorizationSpecException(message, state, cause);
            case "40" -> new SQLTransactionRollbackException(message, state, cause);
            case "42" -> new SQLSyntaxErrorException(message, state, cause);
            case "53", "55" -> new SQLTransientException(message, state, cause);
            default -> new SQLException(message, state, cause);
        };
    }

    /// An argument that JDBC does not allow to be null.
    ///
    /// @param what the argument in the message
    static <T> T given(@Nullable T argument, String what) throws SQLException {
        if (argument == null) {
            throw exception(INVALID_ARGUMENT, "The " + what + " is null; give one");
        }
        return argument;
    }

    static SQLException unsupported(String message) {
        return exception(NOT_SUPPORTED, message);
    }

    static SQLTimeoutException timeout(long seconds, @Nullable Throwable cause) {
        String message = "The statement ran longer than its timeout of " + seconds + " seconds";
        return new SQLTimeoutException(message, CANCELLED, cause);
    }
}
