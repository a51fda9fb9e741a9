package dev.oriel.sql;

import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Converts SQL values to and from Java objects, for functions written in Java.
public final class JavaObjects {
    private static final Map<Class<?>, Type> TYPES = types();

    private JavaObjects() {}

    /// The type for values of `javaClass`, one of: boolean, byte, short, int, long, float, double and their boxes,
    /// BigDecimal, String, byte[], LocalDate, LocalTime, LocalDateTime, OffsetDateTime, UUID.
    ///
    /// @throws IllegalArgumentException if it is none of these classes
    public static Type type(Class<?> javaClass) {
        Type type = TYPES.get(javaClass);
        if (type == null) {
            throw new IllegalArgumentException(
                    "There is no type of SQL for " + javaClass.getName());
        }
        return type;
    }

    private static Map<Class<?>, Type> types() {
        Map<Class<?>, Type> types = new LinkedHashMap<>();
        both(types, boolean.class, Boolean.class, Type.Name.BOOLEAN);
        both(types, byte.class, Byte.class, Type.Name.TINYINT);
        both(types, short.class, Short.class, Type.Name.SMALLINT);
        both(types, int.class, Integer.class, Type.Name.INTEGER);
        both(types, long.class, Long.class, Type.Name.BIGINT);
        both(types, float.class, Float.class, Type.Name.REAL);
        both(types, double.class, Double.class, Type.Name.DOUBLE);
        types.put(BigDecimal.class, Type.of(Type.Name.DECIMAL));
        types.put(String.class, Type.varchar(0));
        types.put(byte[].class, Type.of(Type.Name.VARBINARY));
        types.put(LocalDate.class, Type.of(Type.Name.DATE));
        types.put(LocalTime.class, Type.of(Type.Name.TIME));
        types.put(LocalDateTime.class, Type.of(Type.Name.TIMESTAMP));
        types.put(OffsetDateTime.class, Type.of(Type.Name.TIMESTAMP_TZ));
        types.put(OffsetTime.class, Type.of(Type.Name.TIME_TZ));
        types.put(UUID.class, Type.of(Type.Name.UUID));
        return Map.copyOf(types);
    }

    private static void both(
            Map<Class<?>, Type> types, Class<?> primitive, Class<?> box, Type.Name name) {
        types.put(primitive, Type.of(name));
        types.put(box, Type.of(name));
    }

    /// The value of `column`, which has type `type` and is not NULL, as an object.
    public static @Nullable Object of(Row row, int column, Type type) {
        return switch (type.shape()) {
            case LONG -> ofLong(row.longAt(column), type);
            case DOUBLE ->
                    type.name() == Type.Name.REAL
                            ? (Object) (float) row.doubleAt(column)
                            : row.doubleAt(column);
            case DECIMAL -> finite(row.decimalAt(column));
            case TEXT, FOLDED -> row.textAt(column);
            case BYTES -> {
                byte[] value = row.bytesAt(column);
                yield value == null || type.name() != Type.Name.UUID ? value : uuid(value);
            }
        };
    }

    private static @Nullable BigDecimal finite(@Nullable BigDecimal value) {
        if (value != null && NonFinite.is(value)) {
            throw new SqlException(SqlException.Kind.OUT_OF_RANGE, noDecimal(value), -1, null);
        }
        return value;
    }

    /// The error for `value`, NaN or an infinity.
    public static String noDecimal(BigDecimal value) {
        return NonFinite.text(value) + " is no BigDecimal; cast it to DOUBLE";
    }

    public static Object ofLong(long value, Type type) {
        return switch (type.name()) {
            case BOOLEAN -> value != 0;
            case TINYINT -> (byte) value;
            case SMALLINT -> (short) value;
            case INTEGER -> (int) value;
            case DATE -> StoredValues.date(value);
            case TIME -> StoredValues.time(value);
            case TIME_TZ -> StoredValues.zonedTime(value);
            case TIMESTAMP -> StoredValues.timestamp(value);
            case TIMESTAMP_TZ -> StoredValues.moment(value);
            default -> value;
        };
    }

    public static UUID uuid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /// Stores `value` into `column`, which has type `type`.
    ///
    /// @throws ClassCastException if the class of `value` is not the type's
    public static void store(@Nullable Object value, Type type, Tuple out, int column) {
        if (value == null) {
            out.setNull(column);
            return;
        }
        switch (type.shape()) {
            case LONG -> out.setLong(column, toLong(value, type));
            case DOUBLE -> out.setDouble(column, ((Number) value).doubleValue());
            case DECIMAL -> out.setDecimal(column, (BigDecimal) value);
            case TEXT, FOLDED -> out.setText(column, (String) value);
            case BYTES -> out.setBytes(column, toBytes(value));
        }
    }

    /// `value` as a value of the LONG shape.
    ///
    /// @throws ClassCastException if the class of `value` is not the type's
    public static long toLong(Object value, Type type) {
        return switch (type.name()) {
            case BOOLEAN -> (Boolean) value ? 1 : 0;
            case DATE -> StoredValues.days((LocalDate) value);
            case TIME -> StoredValues.micros((LocalTime) value);
            case TIME_TZ -> StoredValues.zonedTime((OffsetTime) value);
            case TIMESTAMP -> StoredValues.micros((LocalDateTime) value);
            case TIMESTAMP_TZ -> StoredValues.micros((OffsetDateTime) value);
            default -> ((Number) value).longValue();
        };
    }

    /// `value` as a value of the BYTES shape.
    public static byte[] toBytes(Object value) {
        return value instanceof UUID uuid
                ? ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array()
                : (byte[]) value;
    }
}
