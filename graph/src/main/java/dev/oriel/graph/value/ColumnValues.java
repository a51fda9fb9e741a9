package dev.oriel.graph.value;

import dev.oriel.store.CorruptionException;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Values of columns as Java objects: the classes that JDBC returns, with `java.time`. JSON is its text, an array
/// is a list.
public final class ColumnValues {
    private ColumnValues() {}

    /// The value of column `at`, which is of `type`; null for NULL.
    public static @Nullable Object take(Row row, int at, Type type) {
        if (row.isNull(at)) {
            return null;
        }
        return switch (type.name()) {
            case BOOLEAN -> row.longAt(at) != 0;
            case TINYINT -> (byte) row.longAt(at);
            case SMALLINT -> (short) row.longAt(at);
            case INTEGER -> (int) row.longAt(at);
            case BIGINT -> row.longAt(at);
            case DECIMAL -> number(row.decimalAt(at));
            case REAL -> (float) row.doubleAt(at);
            case DOUBLE -> row.doubleAt(at);
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB, BIT, VARBIT -> row.textAt(at);
            case BINARY, VARBINARY, BLOB -> row.bytesAt(at);
            case DATE -> StoredValues.date(row.longAt(at));
            case TIME -> StoredValues.time(row.longAt(at));
            case TIME_TZ -> StoredValues.zonedTime(row.longAt(at));
            case TIMESTAMP -> StoredValues.timestamp(row.longAt(at));
            case TIMESTAMP_TZ -> StoredValues.moment(row.longAt(at));
            case UUID -> uuid(row.bytesAt(at));
            case JSON -> Json.text(bytes(row, at));
            case ARRAY -> elements(bytes(row, at), type);
            case COMPOSITE -> attributes(bytes(row, at), type.composite());
            case INTERVAL -> IntervalValue.of(bytes(row, at));
            case ENUM -> type.labels().at(row.longAt(at));
        };
    }

    /// NaN and the infinities, which no BigDecimal has, are doubles.
    private static @Nullable Object number(@Nullable BigDecimal value) {
        return value != null && NonFinite.is(value) ? (Object) NonFinite.toDouble(value) : value;
    }

    private static byte[] bytes(Row row, int at) {
        return Objects.requireNonNull(row.bytesAt(at));
    }

    /// An array as a list, which may hold null.
    private static List<@Nullable Object> elements(byte[] array, Type type) {
        Type of = Objects.requireNonNull(type.element());
        Tuple elements = ArrayValue.elements(of, array);
        List<@Nullable Object> all = new ArrayList<>(elements.columns());
        for (int i = 0; i < elements.columns(); i++) {
            all.add(take(elements, i, of));
        }
        return Collections.unmodifiableList(all);
    }

    /// A composite value as a map, which may hold null.
    private static Map<String, @Nullable Object> attributes(byte[] value, CompositeType type) {
        Tuple attributes = CompositeValue.attributes(type, value);
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (int i = 0; i < type.size(); i++) {
            all.put(type.attributes().get(i).name(), take(attributes, i, type.type(i)));
        }
        return Collections.unmodifiableMap(all);
    }

    private static @Nullable UUID uuid(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new UUID(in.getLong(), in.getLong());
    }

    /// Writes a value to column `at`, which is of `type`.
    ///
    /// @throws IllegalArgumentException if the type has no such value
    public static void put(Tuple out, int at, Type type, Object value) {
        boolean fits;
        try {
            fits = isPut(out, at, type, value);
        } catch (ArithmeticException beyond) {
            fits = false;
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "A column of the type %s takes no %s: %s"
                            .formatted(type, value.getClass().getSimpleName(), value));
        }
    }

    private static boolean isPut(Tuple out, int at, Type type, Object value) {
        return switch (type.name()) {
            case BOOLEAN -> value instanceof Boolean truth && set(out, at, truth ? 1 : 0);
            case TINYINT -> whole(out, at, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> whole(out, at, value, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> whole(out, at, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> whole(out, at, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case DECIMAL -> decimal(out, at, value);
            case REAL, DOUBLE -> real(out, at, value);
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> text(out, at, value);
            case BIT, VARBIT ->
                    value instanceof String bits
                            && bits.chars().allMatch(c -> c == '0' || c == '1')
                            && text(out, at, value);
            case BINARY, VARBINARY, BLOB -> bytes(out, at, value);
            case DATE -> value instanceof LocalDate day && set(out, at, StoredValues.days(day));
            case TIME -> value instanceof LocalTime time && set(out, at, StoredValues.micros(time));
            case TIME_TZ ->
                    value instanceof OffsetTime time && set(out, at, StoredValues.zonedTime(time));
            case TIMESTAMP ->
                    value instanceof LocalDateTime local
                            && set(out, at, StoredValues.micros(local));
            case TIMESTAMP_TZ -> moment(out, at, value);
            case UUID -> uuid(out, at, value);
            case JSON -> value instanceof String json && set(out, at, Json.parse(json));
            case ARRAY -> array(out, at, type, value);
            case COMPOSITE -> false;
            case INTERVAL -> interval(out, at, type, value);
            case ENUM -> label(out, at, type, value);
        };
    }

    private static boolean set(Tuple out, int at, long value) {
        out.setLong(at, value);
        return true;
    }

    private static boolean set(Tuple out, int at, byte[] value) {
        out.setBytes(at, value);
        return true;
    }

    private static boolean array(Tuple out, int at, Type type, Object value) {
        if (!(value instanceof Collection<?> values)) {
            return false;
        }
        Type of = Objects.requireNonNull(type.element());
        Tuple elements = new Tuple(values.size());
        int next = 0;
        for (Object element : values) {
            if (element == null) {
                elements.setNull(next);
            } else {
                put(elements, next, of, element);
                if (!isWithin(elements, next, of)) {
                    return false;
                }
            }
            next++;
        }
        return set(out, at, ArrayValue.of(of, elements, next));
    }

    /// Whether an element fits the length of its type, which is not checked later. Decimals are rounded to its
    /// scale, times to its precision.
    private static boolean isWithin(Tuple elements, int at, Type type) {
        if (type.length() == 0) {
            return true;
        }
        if (type.shape() == Type.Shape.LONG) {
            elements.setLong(at, TimePrecision.rounded(elements.longAt(at), type));
            return true;
        }
        String text = type.shape().isText() ? elements.textAt(at) : null;
        BigDecimal decimal = type.shape() == Type.Shape.DECIMAL ? elements.decimalAt(at) : null;
        boolean binary = type.name() == Type.Name.BINARY || type.name() == Type.Name.VARBINARY;
        byte[] bytes = binary ? elements.bytesAt(at) : null;
        if (decimal != null) {
            decimal = decimal.setScale(type.scale(), RoundingMode.HALF_UP);
            elements.setDecimal(at, decimal);
        }
        return (text == null || StoredValues.fits(text, type))
                && (bytes == null || bytes.length <= type.length())
                && (decimal == null || decimal.precision() <= type.length());
    }

    private static boolean label(Tuple out, int at, Type type, Object value) {
        int label = value instanceof String text ? type.labels().indexOf(text) : -1;
        return label >= 0 && set(out, at, type.labels().labels().get(label).place());
    }

    @SuppressWarnings("JavaPeriodGetDays") // its months are read too
    private static boolean interval(Tuple out, int at, Type type, Object value) {
        IntervalValue interval =
                switch (value) {
                    case IntervalValue v -> v;
                    case Period v ->
                            new IntervalValue(Math.toIntExact(v.toTotalMonths()), v.getDays(), 0);
                    case Duration v ->
                            new IntervalValue(0, 0, StoredValues.micros(Instant.EPOCH.plus(v)));
                    default -> null;
                };
        if (interval == null
                || (type.length() == 1 && (interval.days() != 0 || interval.micros() != 0))
                || (type.length() == 2 && interval.months() != 0)) {
            return false;
        }
        return set(out, at, interval.toBytes());
    }

    private static boolean whole(Tuple out, int at, Object value, long least, long most) {
        long number;
        switch (value) {
            case Byte v -> number = v;
            case Short v -> number = v;
            case Integer v -> number = v;
            case Long v -> number = v;
            case BigInteger v when v.bitLength() < Long.SIZE -> number = v.longValue();
            default -> {
                return false;
            }
        }
        return number >= least && number <= most && set(out, at, number);
    }

    private static boolean decimal(Tuple out, int at, Object value) {
        BigDecimal decimal =
                switch (value) {
                    case BigDecimal v -> v;
                    case BigInteger v -> new BigDecimal(v);
                    case Byte v -> BigDecimal.valueOf(v);
                    case Short v -> BigDecimal.valueOf(v);
                    case Integer v -> BigDecimal.valueOf(v);
                    case Long v -> BigDecimal.valueOf(v);
                    case Float v when Float.isFinite(v) -> new BigDecimal(v.toString());
                    case Double v when Double.isFinite(v) -> BigDecimal.valueOf(v);
                    default -> null;
                };
        out.setDecimal(at, decimal);
        return decimal != null;
    }

    private static boolean real(Tuple out, int at, Object value) {
        if (value instanceof Number number) {
            out.setDouble(at, number.doubleValue());
            return true;
        }
        return false;
    }

    private static boolean text(Tuple out, int at, Object value) {
        if (value instanceof String || value instanceof Character) {
            out.setText(at, value.toString());
            return true;
        }
        return false;
    }

    private static boolean bytes(Tuple out, int at, Object value) {
        if (value instanceof byte[] bytes) {
            out.setBytes(at, bytes);
            return true;
        }
        return false;
    }

    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    private static boolean moment(Tuple out, int at, Object value) {
        return switch (value) {
            case OffsetDateTime v -> set(out, at, StoredValues.micros(v));
            case Instant v -> set(out, at, StoredValues.micros(v));
            case Date v -> set(out, at, StoredValues.micros(v.toInstant()));
            default -> false;
        };
    }

    private static boolean uuid(Tuple out, int at, Object value) {
        if (value instanceof UUID uuid) {
            out.setBytes(
                    at,
                    ByteBuffer.allocate(16)
                            .putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits())
                            .array());
            return true;
        }
        return false;
    }

    /// Parses a part of an id, written by [#print], as a value of `type`; null if it is none. Arrays are not
    /// supported.
    public static @Nullable Object parse(String text, Type type) {
        try {
            return switch (type.name()) {
                case BOOLEAN ->
                        text.equals("true") ? (Boolean) true : text.equals("false") ? false : null;
                case TINYINT -> Byte.valueOf(text);
                case SMALLINT -> Short.valueOf(text);
                case INTEGER -> Integer.valueOf(text);
                case BIGINT -> Long.valueOf(text);
                case DECIMAL -> new BigDecimal(text);
                case REAL -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB, BIT, VARBIT -> text;
                case BINARY, VARBINARY, BLOB -> HexFormat.of().parseHex(text);
                case DATE -> LocalDate.parse(text);
                case TIME -> LocalTime.parse(text);
                case TIME_TZ -> OffsetTime.parse(text);
                case TIMESTAMP -> LocalDateTime.parse(text);
                case TIMESTAMP_TZ -> OffsetDateTime.parse(text);
                case UUID -> UUID.fromString(text);
                case JSON, ENUM -> text;
                case ARRAY, COMPOSITE -> null;
                case INTERVAL -> IntervalValue.of(HexFormat.of().parseHex(text));
            };
        } catch (IllegalArgumentException | DateTimeException | CorruptionException e) {
            return null; // not an id of this type
        }
    }

    /// Formats a value for [#parse].
    public static String print(Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case IntervalValue interval -> HexFormat.of().formatHex(interval.toBytes());
            default -> value.toString();
        };
    }
}
