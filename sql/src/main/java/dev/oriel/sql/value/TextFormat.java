package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts values to and from text, in PostgreSQL's forms. The `parse` methods throw [IllegalArgumentException],
/// [ArithmeticException] or [DateTimeException] for text that is not a value of the type.
public final class TextFormat {
    private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]+");

    /// Maximum length of the text of a DECIMAL or DOUBLE, in characters, and maximum scale.
    private static final int DECIMAL_CHARS_MAX = 100_000;

    private TextFormat() {}

    /// Like [#ofLong(long, Type, Zone)], in UTC.
    public static String ofLong(long value, Type type) {
        return ofLong(value, type, null);
    }

    public static String ofLong(long value, Type type, @Nullable Zone zone) {
        return switch (type.name()) {
            case BOOLEAN -> value != 0 ? "true" : "false";
            case DATE -> Temporals.formatDate(value);
            case TIME -> Temporals.formatTime(value);
            case TIME_TZ -> Temporals.formatZonedTime(value);
            case TIMESTAMP -> Temporals.formatTimestamp(value, null);
            case TIMESTAMP_TZ -> Temporals.formatTimestamp(value, orUtc(zone));
            case ENUM -> type.labels().at(value);
            case TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
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
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    BIT,
                    VARBIT ->
                    Long.toString(value);
        };
    }

    /// UTC is loaded when it is needed: most statements have no moments.
    private static Zone orUtc(@Nullable Zone zone) {
        return zone == null ? Zone.UTC : zone;
    }

    /// The shortest digits that parse to `value`: `0.1`, `3`, `1e+20`, `NaN`, `Infinity`.
    public static String ofDouble(double value, Type type) {
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        boolean real = type.name() == Type.Name.REAL;
        BigDecimal digits =
                new BigDecimal(real ? Float.toString((float) value) : Double.toString(value))
                        .stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= -4 && exponent < (real ? 6 : 15)) {
            return digits.toPlainString();
        }
        String mantissa = digits.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        String sign = exponent < 0 ? "-" : "+";
        return mantissa + "e" + sign + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /// Like [#ofBytes(byte[], Type, Zone)], in UTC.
    public static String ofBytes(byte[] value, Type type) {
        return ofBytes(value, type, null);
    }

    public static String ofBytes(byte[] value, Type type, @Nullable Zone zone) {
        if (type.name() == Type.Name.UUID && value.length == 16) {
            ByteBuffer buffer = ByteBuffer.wrap(value);
            return new UUID(buffer.getLong(), buffer.getLong()).toString();
        }
        if (type.name() == Type.Name.JSON) {
            return Json.text(value);
        }
        if (type.element() != null) {
            return ArrayText.text(value, type, orUtc(zone));
        }
        if (type.name() == Type.Name.INTERVAL) {
            return IntervalValue.of(value).toString();
        }
        if (type.name() == Type.Name.COMPOSITE) {
            return CompositeText.text(value, type.composite(), orUtc(zone));
        }
        return "\\x" + HexFormat.of().formatHex(value);
    }

    /// Like [#parseLong(String, Type, Zone)], in UTC.
    public static long parseLong(String text, Type type) {
        return parseLong(text, type, null);
    }

    /// Reads a TIME WITH TIME ZONE.
    ///
    /// @param zone zone of a text that names none
    /// @param now moment whose distance from UTC counts if the text has no date either
    public static long parseZonedTime(String text, Zone zone, long now) {
        return Temporals.parseZonedTime(text, zone, now);
    }

    /// Reads a value of the LONG shape.
    ///
    /// @param zone zone of a moment whose text names none
    public static long parseLong(String text, Type type, @Nullable Zone zone) {
        return switch (type.name()) {
            case BOOLEAN -> parseBoolean(text) ? 1 : 0;
            case DATE -> Temporals.parseDate(text);
            case TIME -> Temporals.parseTime(text);
            case TIME_TZ -> Temporals.parseZonedTime(text, orUtc(zone));
            case TIMESTAMP -> Temporals.parseTimestamp(text, null);
            case TIMESTAMP_TZ -> Temporals.parseTimestamp(text, orUtc(zone));
            case ENUM -> {
                int label = type.labels().indexOf(text);
                if (label < 0) {
                    throw new IllegalArgumentException("no label");
                }
                yield type.labels().labels().get(label).place();
            }
            case TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
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
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    BIT,
                    VARBIT -> {
                long value = parseDigits(text.strip());
                if (value < Integers.least(type) || value > Integers.greatest(type)) {
                    throw new ArithmeticException("out of range");
                }
                yield value;
            }
        };
    }

    public static double parseDouble(String text, Type type) {
        String trimmed = text.strip();
        return switch (trimmed.toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan" -> Double.NaN;
            case "infinity", "inf", "+infinity", "+inf" -> Double.POSITIVE_INFINITY;
            case "-infinity", "-inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                // BigDecimal rejects Java's own forms such as "1d" or "0x1p3".
                BigDecimal exact = parsed(trimmed);
                boolean real = type.name() == Type.Name.REAL;
                double value = real ? exact.floatValue() : exact.doubleValue();
                if (Double.isInfinite(value)) {
                    throw new ArithmeticException("out of range");
                }
                boolean negative = value == 0 && trimmed.startsWith("-"); // a decimal has no -0
                yield negative ? -0.0 : value;
            }
        };
    }

    /// Parsing takes time quadratic in the length.
    private static BigDecimal parsed(String digits) {
        if (digits.length() > DECIMAL_CHARS_MAX) {
            throw new ArithmeticException("out of range");
        }
        return new BigDecimal(digits);
    }

    /// Sets column `i` of `row` to the value of `type` that `text` denotes.
    ///
    /// @param zone zone of a moment whose text names none
    public static void parse(String text, Type type, Zone zone, Tuple row, int i) {
        switch (type.shape()) {
            case LONG -> row.setLong(i, parseLong(text, type, zone));
            case DOUBLE -> row.setDouble(i, parseDouble(text, type));
            case DECIMAL -> row.setDecimal(i, parseDecimal(text));
            case TEXT, FOLDED -> row.setText(i, Typing.isBits(type) ? BitText.parse(text) : text);
            case BYTES -> row.setBytes(i, parseBytes(text, type, zone));
        }
    }

    public static BigDecimal parseDecimal(String text) {
        BigDecimal value;
        try {
            value = parsed(text.strip());
        } catch (NumberFormatException noNumber) {
            BigDecimal other = NonFinite.of(text);
            if (other != null) {
                return other;
            }
            throw noNumber;
        }
        if (Math.abs((long) value.scale()) > DECIMAL_CHARS_MAX) {
            throw new ArithmeticException("out of range");
        }
        return value.scale() < 0 ? value.setScale(0) : value;
    }

    /// Like [#parseBytes(String, Type, Zone)], in UTC.
    public static byte[] parseBytes(String text, Type type) {
        return parseBytes(text, type, null);
    }

    /// Reads the forms of [BytesText], JSON, an array, a composite value or an interval.
    ///
    /// @param zone zone of moments in an array or a composite value whose text names none
    public static byte[] parseBytes(String text, Type type, @Nullable Zone zone) {
        if (type.name() == Type.Name.UUID) {
            return BytesText.uuid(text);
        }
        if (type.name() == Type.Name.JSON) {
            return Json.parse(text);
        }
        if (type.element() != null) {
            return ArrayText.value(text, type, orUtc(zone));
        }
        if (type.name() == Type.Name.INTERVAL) {
            return Intervals.parse(text, type);
        }
        if (type.name() == Type.Name.COMPOSITE) {
            return CompositeText.value(text, type.composite(), orUtc(zone));
        }
        return BytesText.bytes(text);
    }

    private static long parseDigits(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException unfit) {
            if (DIGITS.matcher(text).matches()) {
                throw (ArithmeticException)
                        new ArithmeticException("out of range").initCause(unfit);
            }
            throw unfit;
        }
    }

    /// The kind of the error `unfit`, thrown by a `parse` method for a value of `type`: malformed text, or a value
    /// beyond its range.
    public static Kind kind(RuntimeException unfit, Type type) {
        if (unfit instanceof DateTimeException) {
            // A well-formed text without such a day has the parser's exception as its cause.
            boolean none =
                    unfit.getCause() instanceof DateTimeException
                            || unfit.getCause() instanceof ArithmeticException;
            return none ? Kind.DATETIME_RANGE : Kind.INVALID_DATETIME;
        } else if (unfit instanceof ArithmeticException) {
            return switch (Typing.family(type)) {
                case DATE, TIME, TIME_TZ -> Kind.DATETIME_RANGE;
                case INTERVAL -> Kind.INTERVAL_RANGE;
                default -> Kind.OUT_OF_RANGE;
            };
        }
        return Kind.INVALID_VALUE;
    }

    private static boolean parseBoolean(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "y", "on", "1" -> true;
            case "false", "f", "no", "n", "off", "0" -> false;
            default -> throw new IllegalArgumentException("no boolean");
        };
    }

    /// The text of a value in files; null for NULL.
    public static @Nullable String of(Row row, int i, Type type, Zone zone) {
        if (row.isNull(i)) {
            return null;
        }
        return switch (type.shape()) {
            case LONG ->
                    type.name() == Type.Name.BOOLEAN
                            ? row.longAt(i) != 0 ? "t" : "f"
                            : ofLong(row.longAt(i), type, zone);
            case DOUBLE -> ofDouble(row.doubleAt(i), type);
            case DECIMAL -> {
                BigDecimal decimal = row.decimalAt(i);
                yield decimal == null ? null : NonFinite.text(decimal);
            }
            case TEXT, FOLDED -> row.textAt(i);
            case BYTES -> {
                byte[] bytes = row.bytesAt(i);
                yield bytes == null ? null : ofBytes(bytes, type, zone);
            }
        };
    }
}
