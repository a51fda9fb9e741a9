package dev.oriel.graph.value;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The type of a declared property. A value of another class is converted if that is lossless, and refused
/// otherwise.
public enum DataType {
    BOOLEAN(Type.Name.BOOLEAN, Boolean.class),
    BYTE(Type.Name.TINYINT, Byte.class),
    SHORT(Type.Name.SMALLINT, Short.class),
    INT(Type.Name.INTEGER, Integer.class),
    LONG(Type.Name.BIGINT, Long.class),
    FLOAT(Type.Name.REAL, Float.class),
    DOUBLE(Type.Name.DOUBLE, Double.class),
    TEXT(Type.Name.VARCHAR, String.class),
    BLOB(Type.Name.BLOB, byte[].class),
    DATE(Type.Name.TIMESTAMP_TZ, Date.class),
    UUID(Type.Name.UUID, UUID.class),
    /// Any value of a schemaless property. It has no column and no index.
    OBJECT(null, Object.class);

    private static final long MICROS_A_MILLI = 1000;

    private static final int MILLI_DIGITS = 3;
    private static final long MILLIS_A_SECOND = 1000;
    private static final int NANOS_A_MILLI = 1_000_000;

    /// Largest milliseconds whose microseconds fit a column.
    private static final long MILLIS_MAX = Long.MAX_VALUE / MICROS_A_MILLI;

    private final Type.@Nullable Name column;
    private final Class<?> javaClass;

    DataType(Type.@Nullable Name column, Class<?> javaClass) {
        this.column = column;
        this.javaClass = javaClass;
    }

    /// The type that files call `word`, in lower case.
    ///
    /// @throws IllegalArgumentException if there is none
    public static DataType ofWord(String word) {
        return switch (word) {
            case "boolean", "bool" -> BOOLEAN;
            case "byte" -> BYTE;
            case "short" -> SHORT;
            case "int", "integer" -> INT;
            case "long" -> LONG;
            case "float" -> FLOAT;
            case "double" -> DOUBLE;
            case "text", "string" -> TEXT;
            case "blob" -> BLOB;
            case "date", "datetime" -> DATE;
            case "uuid" -> UUID;
            default ->
                    throw new IllegalArgumentException(
                            "There is no type %s; there are boolean, byte, short, int, long, float, double, text, blob, date and uuid"
                                    .formatted(word));
        };
    }

    public boolean hasColumn() {
        return column != null;
    }

    /// The type of its column. Date columns have exactly milliseconds, for SQL too: otherwise an index would
    /// distinguish moments that are the same date.
    public Type columnType() {
        Type.Name name = column;
        if (name == null) {
            throw new IllegalStateException("no column");
        }
        return this == DATE ? Type.temporal(name, MILLI_DIGITS) : Type.of(name);
    }

    /// The class of values that are read.
    public Class<?> javaClass() {
        return javaClass;
    }

    boolean isNumber() {
        return Number.class.isAssignableFrom(javaClass);
    }

    /// `value` converted to this type; null if it is of another kind, or the conversion is lossy. -0.0 becomes
    /// 0.0, because Gremlin distinguishes them and an index cannot. Dates must lie within 292,000 years of 1970.
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    public @Nullable Object convert(Object value) {
        if (javaClass.isInstance(value)) {
            return switch (this) {
                case FLOAT -> (Float) value + 0.0f;
                case DOUBLE -> (Double) value + 0.0;
                case DATE -> isWithin(((Date) value).getTime()) ? value : null;
                default -> value;
            };
        }
        if (this == DATE) {
            return switch (value) {
                case OffsetDateTime moment -> date(moment.toInstant());
                case Instant moment -> date(moment);
                default -> null;
            };
        }
        return value instanceof Number number && isNumber() ? convertNumber(number) : null;
    }

    /// `moment` as a date; null if it is finer than milliseconds, or out of range.
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    private static @Nullable Date date(Instant moment) {
        long seconds = moment.getEpochSecond();
        boolean fits =
                seconds < MILLIS_MAX / MILLIS_A_SECOND
                        && seconds > -MILLIS_MAX / MILLIS_A_SECOND
                        && moment.getNano() % NANOS_A_MILLI == 0;
        return fits ? Date.from(moment) : null;
    }

    private static boolean isWithin(long millis) {
        return millis <= MILLIS_MAX && millis >= -MILLIS_MAX;
    }

    private @Nullable Object convertNumber(Number number) {
        Object converted =
                switch (this) {
                    case BYTE -> number.byteValue();
                    case SHORT -> number.shortValue();
                    case INT -> number.intValue();
                    case LONG -> number.longValue();
                    case FLOAT -> number.floatValue() + 0.0f;
                    case DOUBLE -> number.doubleValue() + 0.0;
                    case BOOLEAN, TEXT, BLOB, DATE, UUID, OBJECT -> number;
                };
        Number back = (Number) converted;
        if (number instanceof Float || number instanceof Double) {
            return back.doubleValue() == number.doubleValue() ? converted : null;
        }
        boolean same =
                back.longValue() == number.longValue()
                        && back.doubleValue() == number.doubleValue();
        return same ? converted : null;
    }

    /// Writes a value of [#javaClass()] to column `at` of `out`.
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    public void put(Tuple out, int at, Object value) {
        switch (this) {
            case TEXT -> out.setText(at, (String) value);
            case INT, LONG, BYTE, SHORT -> out.setLong(at, ((Number) value).longValue());
            case FLOAT, DOUBLE -> out.setDouble(at, ((Number) value).doubleValue());
            case BOOLEAN -> out.setLong(at, (Boolean) value ? 1 : 0);
            case BLOB -> out.setBytes(at, (byte[]) value);
            case DATE -> out.setLong(at, ((Date) value).getTime() * MICROS_A_MILLI);
            case UUID -> out.setBytes(at, uuidBytes((UUID) value));
            case OBJECT -> throw new IllegalStateException("no column");
        }
    }

    private static byte[] uuidBytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /// The value in column `at` of `row`; null if there is none.
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    public @Nullable Object take(Row row, int at) {
        if (row.isNull(at)) {
            return null;
        }
        return switch (this) {
            case TEXT -> row.symbolAt(at); // texts often repeat, such as cities and kinds
            case INT -> (int) row.longAt(at);
            case LONG -> row.longAt(at);
            case BYTE -> (byte) row.longAt(at);
            case SHORT -> (short) row.longAt(at);
            case FLOAT -> (float) row.doubleAt(at);
            case DOUBLE -> row.doubleAt(at);
            case BOOLEAN -> row.longAt(at) != 0;
            case BLOB -> row.bytesAt(at);
            case DATE -> new Date(Math.floorDiv(row.longAt(at), MICROS_A_MILLI));
            case UUID -> uuid(row.bytesAt(at));
            case OBJECT -> throw new IllegalStateException("no column");
        };
    }

    private static @Nullable UUID uuid(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new UUID(in.getLong(), in.getLong());
    }
}
