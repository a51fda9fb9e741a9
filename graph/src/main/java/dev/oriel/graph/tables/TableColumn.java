package dev.oriel.graph.tables;

import dev.oriel.graph.range.IndexedProperty;
import dev.oriel.graph.value.ColumnValues;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A property of a user's table, as seen by conditions and indexes.
///
/// @param name the name of the property
/// @param type the type of the column
record TableColumn(String name, Type type) implements IndexedProperty {
    /// Largest magnitude up to which all integers are exact as doubles.
    private static final long EXACT_MAX = 1L << 53;

    private static final int NANOS_A_MICRO = 1_000;

    /// Only values that the column can hold exactly: others, such as an equal number of another kind, are tested
    /// by Gremlin's comparison.
    @Override
    public @Nullable Object value(@Nullable Object wanted) {
        return switch (type.name()) {
            case BOOLEAN -> wanted instanceof Boolean ? wanted : null;
            case TINYINT -> whole(wanted, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> whole(wanted, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> whole(wanted, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> whole(wanted, Long.MIN_VALUE, Long.MAX_VALUE);
            case DECIMAL -> decimal(wanted);
            case REAL, DOUBLE -> fraction(wanted);
            case CHAR, VARCHAR, CLOB, BIT, VARBIT -> wanted instanceof String ? wanted : null;
            case DATE -> wanted instanceof LocalDate ? wanted : null;
            case TIME -> wanted instanceof LocalTime time && isOfMicros(time) ? time : null;
            case TIME_TZ ->
                    wanted instanceof OffsetTime time && isOfMicros(time.toLocalTime())
                            ? time
                            : null;
            case TIMESTAMP ->
                    wanted instanceof LocalDateTime moment && isOfMicros(moment) ? moment : null;
            case TIMESTAMP_TZ ->
                    wanted instanceof OffsetDateTime moment
                                    && moment.getOffset().equals(ZoneOffset.UTC)
                                    && isOfMicros(moment)
                            ? moment
                            : null;
            case UUID -> wanted instanceof UUID ? wanted : null;
            case VARCHAR_IGNORECASE -> null; // Gremlin compares with case
            case BINARY, VARBINARY, BLOB, JSON, ARRAY, INTERVAL, ENUM, COMPOSITE -> null;
        };
    }

    private static boolean isOfMicros(TemporalAccessor moment) {
        return moment.get(ChronoField.NANO_OF_SECOND) % NANOS_A_MICRO == 0;
    }

    private static @Nullable Long whole(@Nullable Object wanted, long least, long most) {
        BigDecimal number = decimal(wanted);
        boolean fits =
                number != null
                        && number.scale() <= 0
                        && number.compareTo(BigDecimal.valueOf(least)) >= 0
                        && number.compareTo(BigDecimal.valueOf(most)) <= 0;
        return fits && number != null ? (Long) number.longValue() : null;
    }

    private static @Nullable BigDecimal decimal(@Nullable Object wanted) {
        BigDecimal number =
                switch (wanted) {
                    case Byte v -> BigDecimal.valueOf(v);
                    case Short v -> BigDecimal.valueOf(v);
                    case Integer v -> BigDecimal.valueOf(v);
                    case Long v -> BigDecimal.valueOf(v);
                    case BigInteger v -> new BigDecimal(v);
                    case BigDecimal v -> v;
                    case null, default -> null;
                };
        return number == null ? null : number.stripTrailingZeros(); // equal numbers get one form
    }

    private static @Nullable Double fraction(@Nullable Object wanted) {
        return switch (wanted) {
            case Double v when !v.isNaN() -> v;
            case Float v when !v.isNaN() -> v.doubleValue();
            case Byte v -> v.doubleValue();
            case Short v -> v.doubleValue();
            case Integer v -> v.doubleValue();
            case Long v when Math.abs(v) <= EXACT_MAX -> v.doubleValue();
            case null, default -> null;
        };
    }

    @Override
    public void put(Tuple to, int place, Object value) {
        switch (value) {
            case Long number when type.shape() == Type.Shape.LONG -> to.setLong(place, number);
            case BigDecimal number when type.shape() == Type.Shape.DECIMAL ->
                    to.setDecimal(place, number);
            case Double number when type.shape() == Type.Shape.DOUBLE ->
                    to.setDouble(place, number);
            default -> ColumnValues.put(to, place, type, value);
        }
    }

    /// False if Java orders the values differently: UUIDs by signed halves, JSON as text, texts without case by
    /// their characters, bytes and arrays not at all.
    @Override
    public boolean isOrdered() {
        return switch (type.name()) {
            case UUID, JSON, ARRAY, COMPOSITE, BINARY, VARBINARY, BLOB, ENUM -> false;
            case VARCHAR_IGNORECASE -> false;
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    CLOB,
                    BIT,
                    VARBIT,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    INTERVAL ->
                    true;
        };
    }

    @Override
    public boolean isText() {
        return type.shape().isText();
    }

    @Override
    public boolean hasFractions() {
        return type.shape() == Type.Shape.DOUBLE;
    }
}
