package dev.oriel;

import dev.oriel.sql.Session;
import dev.oriel.sql.engine.ArrayLiteral;
import dev.oriel.sql.engine.MomentLiteral;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One value of a row, converted to the type that a caller asks for. The value must not be NULL. A conversion with
/// an unexpected loss is an error.
final class Values {
    /// 2 to the power of 63, the first double that is too large for a long.
    private static final double LONG_END = 0x1p63;

    /// Greatest number of digits after the point that a caller may ask for.
    private static final int SCALE_MAX = 1_000;

    /// Greatest number of digits of a number, as in the engine.
    private static final int DIGITS_MAX = 131_072 + 16_383;

    private Values() {}

    /// As a whole number; digits after the decimal point are cut.
    static long longOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> row.longAt(at);
            case REAL, DOUBLE -> longOf(row.doubleAt(at));
            case DECIMAL -> longOf(number(row, at));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> longOf(parseDecimal(text(row, at)));
            case BINARY,
                    VARBINARY,
                    BLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(type, "a number");
        };
    }

    /// Like [#longOf], inside `[min, max]`.
    static long integerOf(Row row, int at, Type type, long min, long max) throws SQLException {
        long value = longOf(row, at, type);
        if (value < min || value > max) {
            throw outOfRange(
                    value,
                    min == Byte.MIN_VALUE ? "byte" : min == Short.MIN_VALUE ? "short" : "int");
        }
        return value;
    }

    static double doubleOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> row.longAt(at);
            case REAL, DOUBLE -> row.doubleAt(at);
            case DECIMAL -> NonFinite.toDouble(decimal(row, at));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> parseDouble(text(row, at));
            case BINARY,
                    VARBINARY,
                    BLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(type, "a number");
        };
    }

    static BigDecimal decimalOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(row.longAt(at));
            case REAL, DOUBLE -> decimalOf(row.doubleAt(at), type);
            case DECIMAL -> number(row, at);
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> parseDecimal(text(row, at));
            case BINARY,
                    VARBINARY,
                    BLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(type, "a number");
        };
    }

    /// A number is true unless it is zero.
    static boolean booleanOf(Row row, int at, Type type) throws SQLException {
        return switch (type.shape()) {
            case TEXT, FOLDED -> parseBoolean(text(row, at));
            case DOUBLE -> row.doubleAt(at) != 0;
            case DECIMAL -> decimal(row, at).signum() != 0;
            case LONG, BYTES -> longOf(row, at, type) != 0;
        };
    }

    /// In PostgreSQL's printed form, moments in UTC.
    static String textOf(Row row, int at, Type type) {
        return textOf(row, at, type, null);
    }

    /// In PostgreSQL's printed form.
    ///
    /// @param session session in whose zone moments are written; null for UTC
    static String textOf(Row row, int at, Type type, @Nullable Session session) {
        return switch (type.name()) {
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB, BIT, VARBIT -> text(row, at);
            case BOOLEAN -> row.longAt(at) != 0 ? "true" : "false";
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(row.longAt(at));
            case REAL -> floatText((float) row.doubleAt(at));
            case DOUBLE -> doubleText(row.doubleAt(at));
            case DECIMAL -> NonFinite.text(decimal(row, at));
            case BINARY, VARBINARY, BLOB -> "\\x" + HexFormat.of().formatHex(bytes(row, at));
            case UUID -> uuid(bytes(row, at)).toString();
            case JSON -> Json.text(bytes(row, at));
            case ARRAY, COMPOSITE -> ArrayLiteral.text(bytes(row, at), type, session);
            case INTERVAL -> IntervalValue.of(bytes(row, at)).toString();
            case ENUM -> type.labels().at(row.longAt(at));
            case DATE -> DateTimes.dateText(row.longAt(at));
            case TIME -> DateTimes.timeText(row.longAt(at));
            case TIME_TZ -> DateTimes.timeWithZoneText(row.longAt(at));
            case TIMESTAMP -> DateTimes.timestampText(row.longAt(at));
            case TIMESTAMP_TZ ->
                    session == null
                            ? DateTimes.timestampWithZoneText(row.longAt(at))
                            : MomentLiteral.text(row.longAt(at), type, session);
        };
    }

    /// The bytes of a binary value or UUID; of a text, JSON or an array the UTF-8 of its text.
    static byte[] bytesOf(Row row, int at, Type type) throws SQLException {
        return switch (type.shape()) {
            case BYTES ->
                    type.name() == Type.Name.JSON
                                    || type.name() == Type.Name.INTERVAL
                                    || type.name() == Type.Name.COMPOSITE
                                    || type.element() != null
                            ? textOf(row, at, type).getBytes(StandardCharsets.UTF_8)
                            : bytes(row, at);
            case TEXT, FOLDED -> text(row, at).getBytes(StandardCharsets.UTF_8);
            case LONG, DOUBLE, DECIMAL -> throw mismatch(type, "bytes");
        };
    }

    static UUID uuidOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case UUID -> uuid(bytes(row, at));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> parseUuid(text(row, at));
            case BINARY, VARBINARY, BLOB -> {
                byte[] bytes = bytes(row, at);
                if (bytes.length != 16) {
                    throw mismatch(type, "a UUID: it has " + bytes.length + " bytes, not 16");
                }
                yield uuid(bytes);
            }
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(type, "a UUID");
        };
    }

    static IntervalValue intervalOf(Row row, int at, Type type) throws SQLException {
        if (type.name() != Type.Name.INTERVAL) {
            throw mismatch(type, "an interval");
        }
        return IntervalValue.of(bytes(row, at));
    }

    /// The elements of an array.
    static Tuple elementsOf(Row row, int at, Type type) throws SQLException {
        if (type.element() == null) {
            throw mismatch(type, "an array");
        }
        return ArrayValue.elements(type.element(), bytes(row, at));
    }

    static UUID uuid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    static byte[] bytes(UUID value) {
        return ByteBuffer.allocate(16)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array();
    }

    static long longOf(double value) throws SQLException {
        if (!(value >= -LONG_END && value < LONG_END)) {
            throw outOfRange(value, "long");
        }
        return (long) value;
    }

    static long longOf(BigDecimal value) throws SQLException {
        // The digits are counted first: 1E999999999 must not be written out.
        if (value.precision() - (long) value.scale() > 20
                || value.toBigInteger().bitLength() > 63) {
            throw outOfRange(value, "long");
        }
        return value.longValue();
    }

    static BigDecimal decimalOf(double value, Type type) throws SQLException {
        if (!Double.isFinite(value)) {
            throw outOfRange(value, "BigDecimal");
        }
        // The digits that print, not the binary fraction behind them.
        boolean real = type.name() == Type.Name.REAL;
        return new BigDecimal(real ? Float.toString((float) value) : Double.toString(value));
    }

    /// `value` rounded to `scale` digits after the point.
    static BigDecimal scaled(BigDecimal value, int scale) throws SQLException {
        if (scale < -SCALE_MAX || scale > SCALE_MAX) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "A scale is at most " + SCALE_MAX + ", not " + scale);
        }
        return value.setScale(scale, RoundingMode.HALF_UP);
    }

    /// `value`, if its digits are few enough to be written out.
    static BigDecimal checked(BigDecimal value, String target) throws SQLException {
        if (Math.abs((long) value.precision() - value.scale()) > DIGITS_MAX
                || value.precision() > DIGITS_MAX) {
            throw outOfRange(value, target);
        }
        return value;
    }

    static BigDecimal parseDecimal(String text) throws SQLException {
        try {
            return new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            throw invalid(text, "number", e);
        }
    }

    static double parseDouble(String text) throws SQLException {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw invalid(text, "number", e);
        }
    }

    static boolean parseBoolean(String text) throws SQLException {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "y", "on", "1" -> true;
            case "false", "f", "no", "n", "off", "0" -> false;
            default -> throw invalid(text, "boolean", null);
        };
    }

    static UUID parseUuid(String text) throws SQLException {
        try {
            return UUID.fromString(text.strip());
        } catch (IllegalArgumentException e) {
            throw invalid(text, "UUID", e);
        }
    }

    private static SQLException invalid(String text, String what, @Nullable Exception cause) {
        String message = "'" + text + "' is not a " + what;
        return SqlStates.exception(SqlStates.INVALID_TEXT, message, cause);
    }

    static SQLException outOfRange(Object value, String target) {
        return SqlStates.exception(
                SqlStates.OUT_OF_RANGE, value + " is out of range for " + target);
    }

    static SQLException mismatch(Type type, String wanted) {
        return SqlStates.exception(
                SqlStates.WRONG_TYPE, "A value of type " + type + " cannot be read as " + wanted);
    }

    /// A DECIMAL that is neither NaN nor infinite.
    private static BigDecimal number(Row row, int at) throws SQLException {
        BigDecimal value = decimal(row, at);
        if (NonFinite.is(value)) {
            throw SqlStates.exception(
                    SqlStates.OUT_OF_RANGE,
                    NonFinite.text(value) + " is no number; read it as a double or a String");
        }
        return value;
    }

    static boolean isNonFinite(Row row, int at, Type type) {
        return type.name() == Type.Name.DECIMAL && NonFinite.is(decimal(row, at));
    }

    private static BigDecimal decimal(Row row, int at) {
        return present(row.decimalAt(at));
    }

    private static String text(Row row, int at) {
        return present(row.textAt(at));
    }

    static byte[] bytes(Row row, int at) {
        return present(row.bytesAt(at));
    }

    /// The caller has tested `isNull` already.
    private static <T> T present(@Nullable T value) {
        return Objects.requireNonNull(value);
    }

    static String doubleText(double value) {
        return Double.isFinite(value) ? floatingText(Double.toString(value), 15) : special(value);
    }

    private static String floatText(float value) {
        return Float.isFinite(value) ? floatingText(Float.toString(value), 6) : special(value);
    }

    private static String special(double value) {
        return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    }

    /// Java's shortest digits in PostgreSQL's notation: plain between 1e-4 and `plainDigits`
    /// digits, else with an exponent of two digits or more.
    private static String floatingText(String shortest, int plainDigits) {
        BigDecimal value = new BigDecimal(shortest).stripTrailingZeros();
        if (value.signum() == 0) {
            return shortest.startsWith("-") ? "-0" : "0";
        }
        int exponent = value.precision() - value.scale() - 1;
        if (exponent >= -4 && exponent < plainDigits) {
            return value.toPlainString();
        }
        String mantissa = value.movePointLeft(exponent).toPlainString();
        String digits = Integer.toString(Math.abs(exponent));
        return mantissa + (exponent < 0 ? "e-" : "e+") + (digits.length() < 2 ? "0" : "") + digits;
    }
}
