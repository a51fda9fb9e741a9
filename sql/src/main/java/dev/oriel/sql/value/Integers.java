package dev.oriel.sql.value;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Type;

/// Ranges of the types of LONG shape.
public final class Integers {
    private Integers() {}

    /// Least value of `type`.
    static long least(Type type) {
        return switch (type.name()) {
            case TINYINT -> Byte.MIN_VALUE;
            case SMALLINT -> Short.MIN_VALUE;
            case INTEGER, DATE -> Integer.MIN_VALUE;
            case BOOLEAN, TIME -> 0;
            case BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARCHAR_IGNORECASE,
                    CLOB,
                    BINARY,
                    VARBINARY,
                    BLOB,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    INTERVAL,
                    ENUM,
                    COMPOSITE,
                    BIT,
                    VARBIT ->
                    Long.MIN_VALUE;
        };
    }

    /// Greatest value of `type`.
    static long greatest(Type type) {
        return switch (type.name()) {
            case TINYINT -> Byte.MAX_VALUE;
            case SMALLINT -> Short.MAX_VALUE;
            case INTEGER, DATE -> Integer.MAX_VALUE;
            case BOOLEAN -> 1;
            case TIME -> 86_399_999_999L;
            case BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARCHAR_IGNORECASE,
                    CLOB,
                    BINARY,
                    VARBINARY,
                    BLOB,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    INTERVAL,
                    ENUM,
                    COMPOSITE,
                    BIT,
                    VARBIT ->
                    Long.MAX_VALUE;
        };
    }

    /// `value`, after a check that it is in the range of `type`.
    public static long checked(long value, Type type, Place place) {
        if (value < least(type) || value > greatest(type)) {
            throw outOfRange(type, place);
        }
        return value;
    }

    /// The error for a value that does not fit `type`.
    public static SqlException outOfRange(Type type, Place place) {
        Kind kind = Typing.isTemporal(type) ? Kind.DATETIME_RANGE : Kind.OUT_OF_RANGE;
        return place.error(kind, "The value is out of the range of " + type);
    }
}
