package dev.oriel;

import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// JDBC's names and figures for the types of Oriel.
final class JdbcTypes {
    private JdbcTypes() {}

    /// The code of [Types]. Large texts and bytes are LONGVARCHAR and LONGVARBINARY, which callers
    /// read with `getString` and `getBytes`, not through locators.
    static int code(Type type) {
        return switch (type.name()) {
            case BOOLEAN -> Types.BOOLEAN;
            case TINYINT -> Types.TINYINT;
            case SMALLINT -> Types.SMALLINT;
            case INTEGER -> Types.INTEGER;
            case BIGINT -> Types.BIGINT;
            case DECIMAL -> Types.DECIMAL;
            case REAL -> Types.REAL;
            case DOUBLE -> Types.DOUBLE;
            case CHAR -> Types.CHAR;
            case VARCHAR, VARCHAR_IGNORECASE, ENUM -> Types.VARCHAR;
            case CLOB -> Types.LONGVARCHAR;
            case BIT, VARBIT -> Types.VARCHAR;
            case BINARY -> Types.BINARY;
            case VARBINARY -> Types.VARBINARY;
            case BLOB -> Types.LONGVARBINARY;
            case DATE -> Types.DATE;
            case TIME -> Types.TIME;
            case TIME_TZ -> Types.TIME_WITH_TIMEZONE;
            case TIMESTAMP -> Types.TIMESTAMP;
            case TIMESTAMP_TZ -> Types.TIMESTAMP_WITH_TIMEZONE;
            case UUID, JSON, INTERVAL -> Types.OTHER;
            case ARRAY -> Types.ARRAY;
            case COMPOSITE -> Types.STRUCT;
        };
    }

    /// The class of values from `getObject`.
    static String className(Type type) {
        return switch (type.name()) {
            case BOOLEAN -> Boolean.class.getName();
            case TINYINT, SMALLINT, INTEGER -> Integer.class.getName();
            case BIGINT -> Long.class.getName();
            case DECIMAL -> BigDecimal.class.getName();
            case REAL -> Float.class.getName();
            case DOUBLE -> Double.class.getName();
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB, JSON, INTERVAL, ENUM, BIT, VARBIT ->
                    String.class.getName();
            case BINARY, VARBINARY, BLOB -> "[B";
            case DATE -> Date.class.getName();
            case TIME -> Time.class.getName();
            case TIME_TZ -> OffsetTime.class.getName();
            case TIMESTAMP -> Timestamp.class.getName();
            case TIMESTAMP_TZ -> OffsetDateTime.class.getName();
            case UUID -> UUID.class.getName();
            case ARRAY -> java.sql.Array.class.getName();
            case COMPOSITE -> java.sql.Struct.class.getName();
        };
    }

    /// The type's name without length and scale.
    static String name(Type type) {
        if (type.element() != null) {
            return name(type.element()) + "[]";
        }
        return switch (type.name()) {
            case ENUM -> type.labels().name();
            case COMPOSITE -> type.composite().name();
            default -> Type.of(type.name()).toString();
        };
    }

    /// Greatest number of digits, characters or bytes.
    static int precision(Type type) {
        return switch (type.name()) {
            case BOOLEAN -> 1;
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INTEGER -> 10;
            case BIGINT -> 19;
            case REAL -> 9;
            case DOUBLE -> 17;
            case DECIMAL,
                    CHAR,
                    VARCHAR,
                    VARCHAR_IGNORECASE,
                    CLOB,
                    BINARY,
                    VARBINARY,
                    BLOB,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    BIT,
                    VARBIT ->
                    type.length() > 0 ? type.length() : Integer.MAX_VALUE;
            case DATE -> 10;
            case TIME -> 8 + fraction(type);
            case TIME_TZ -> 14 + fraction(type);
            case TIMESTAMP -> 19 + fraction(type);
            case TIMESTAMP_TZ -> 22 + fraction(type);
            case UUID -> 16;
            case INTERVAL -> 6;
            case ENUM -> longest(type);
        };
    }

    /// Number of characters of the longest label.
    private static int longest(Type type) {
        int longest = 0;
        for (EnumType.Label label : type.labels().labels()) {
            longest = Math.max(longest, label.text().length());
        }
        return longest;
    }

    static int scale(Type type) {
        return switch (type.name()) {
            case DECIMAL -> type.scale();
            case TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> type.secondDigits();
            case INTERVAL -> 6;
            default -> 0;
        };
    }

    /// Number of characters of the digits of a second and their point.
    private static int fraction(Type type) {
        return type.secondDigits() == 0 ? 0 : 1 + type.secondDigits();
    }

    /// DECIMAL_DIGITS of a column of numbers, times or timestamps.
    static @Nullable Integer decimalDigits(Type type) {
        return switch (type.name()) {
            case TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> scale(type);
            default -> isSigned(type) ? scale(type) : null;
        };
    }

    /// Greatest number of characters that `getString` returns.
    static int displaySize(Type type) {
        int precision = precision(type);
        return switch (type.name()) {
            case BOOLEAN -> 5;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> precision + 1;
            case REAL -> 15;
            case DOUBLE -> 24;
            case DECIMAL -> precision == Integer.MAX_VALUE ? precision : precision + 3;
            case BINARY, VARBINARY, BLOB -> (int) Math.min(Integer.MAX_VALUE, 2L + 2L * precision);
            case UUID -> 36;
            case INTERVAL -> 64;
            case CHAR,
                    VARCHAR,
                    VARCHAR_IGNORECASE,
                    CLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    ENUM,
                    BIT,
                    VARBIT ->
                    precision;
        };
    }

    static boolean isSigned(Type type) {
        return switch (type.name()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE -> true;
            default -> false;
        };
    }

    /// Whether an identity column may have the type.
    static boolean countsUp(Type type) {
        return switch (type.name()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> true;
            default -> false;
        };
    }

    static boolean isBytes(Type type) {
        return switch (type.name()) {
            case BINARY, VARBINARY, BLOB -> true;
            default -> false;
        };
    }

    static boolean isCaseSensitive(Type type) {
        return type.shape() == Type.Shape.TEXT;
    }

    static boolean isText(Type type) {
        return type.shape().isText();
    }
}
