package dev.oriel;

import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One value of a row as the object that a caller asks for. The value must not be NULL.
///
/// A type without a zone is never read as an instant, or the other way round, except through the old `java.sql`
/// classes. These use the JVM's zone, or the given calendar's.
final class JavaValues {
    private JavaValues() {}

    /// The object that JDBC names for the column's type.
    static Object objectOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case BOOLEAN -> row.longAt(at) != 0;
            case TINYINT, SMALLINT, INTEGER -> (int) row.longAt(at);
            case BIGINT -> row.longAt(at);
            case REAL -> (float) row.doubleAt(at);
            case DOUBLE -> row.doubleAt(at);
            case DECIMAL ->
                    Values.isNonFinite(row, at, type)
                            ? (Object) Values.doubleOf(row, at, type)
                            : Values.decimalOf(row, at, type);
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB, JSON, INTERVAL, ENUM, BIT, VARBIT ->
                    Values.textOf(row, at, type);
            case BINARY, VARBINARY, BLOB -> Values.bytesOf(row, at, type);
            case UUID -> Values.uuidOf(row, at, type);
            case COMPOSITE -> JdbcStruct.of(type, Values.bytes(row, at));
            case ARRAY -> throw new IllegalStateException("a connection makes arrays");
            case DATE -> sqlDateOf(row, at, type, ZoneId.systemDefault());
            case TIME -> sqlTimeOf(row, at, type, ZoneId.systemDefault());
            case TIME_TZ -> timeWithZoneOf(row, at, type);
            case TIMESTAMP -> sqlTimestampOf(row, at, type, ZoneId.systemDefault());
            case TIMESTAMP_TZ -> timestampWithZoneOf(row, at, type);
        };
    }

    /// The value as an object that tells its type, and sets a parameter of another type.
    static Object exact(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case DATE -> dateOf(row, at, type);
            case TIME -> timeOf(row, at, type);
            case TIME_TZ -> timeWithZoneOf(row, at, type);
            case TIMESTAMP -> timestampOf(row, at, type);
            case TIMESTAMP_TZ -> timestampWithZoneOf(row, at, type);
            case ARRAY -> {
                Type element = java.util.Objects.requireNonNull(type.element());
                yield JdbcArray.exact(element, Values.elementsOf(row, at, type));
            }
            default -> objectOf(row, at, type);
        };
    }

    /// The value as a `wanted`.
    static <T> T as(Row row, int at, Type type, Class<T> wanted) throws SQLException {
        Object value = number(row, at, type, wanted);
        if (value == null) {
            value = moment(row, at, type, wanted);
        }
        if (value == null) {
            value = plain(row, at, type, wanted);
        }
        return wanted.cast(value);
    }

    private static @Nullable Object number(Row row, int at, Type type, Class<?> wanted)
            throws SQLException {
        if (wanted == Integer.class) {
            return (int) Values.integerOf(row, at, type, Integer.MIN_VALUE, Integer.MAX_VALUE);
        } else if (wanted == Long.class) {
            return Values.longOf(row, at, type);
        } else if (wanted == Double.class) {
            return Values.doubleOf(row, at, type);
        } else if (wanted == BigDecimal.class) {
            return Values.decimalOf(row, at, type);
        } else if (wanted == BigInteger.class) {
            return Values.decimalOf(row, at, type).toBigInteger();
        } else if (wanted == Float.class) {
            return (float) Values.doubleOf(row, at, type);
        } else if (wanted == Short.class) {
            return (short) Values.integerOf(row, at, type, Short.MIN_VALUE, Short.MAX_VALUE);
        } else if (wanted == Byte.class) {
            return (byte) Values.integerOf(row, at, type, Byte.MIN_VALUE, Byte.MAX_VALUE);
        }
        return null;
    }

    private static @Nullable Object moment(Row row, int at, Type type, Class<?> wanted)
            throws SQLException {
        if (wanted == LocalDate.class) {
            return dateOf(row, at, type);
        } else if (wanted == LocalTime.class) {
            return timeOf(row, at, type);
        } else if (wanted == OffsetTime.class) {
            return timeWithZoneOf(row, at, type);
        } else if (wanted == LocalDateTime.class) {
            return timestampOf(row, at, type);
        } else if (wanted == OffsetDateTime.class) {
            return timestampWithZoneOf(row, at, type);
        } else if (wanted == Instant.class) {
            OffsetDateTime moment = timestampWithZoneOf(row, at, type);
            return moment.equals(OffsetDateTime.MAX)
                    ? Instant.MAX
                    : moment.equals(OffsetDateTime.MIN) ? Instant.MIN : moment.toInstant();
        } else if (wanted == ZonedDateTime.class) {
            checkFinite(row, at, type);
            return timestampWithZoneOf(row, at, type).atZoneSameInstant(ZoneOffset.UTC);
        } else if (wanted == Timestamp.class || wanted == java.util.Date.class) {
            return sqlTimestampOf(row, at, type, ZoneId.systemDefault());
        } else if (wanted == Date.class) {
            return sqlDateOf(row, at, type, ZoneId.systemDefault());
        } else if (wanted == Period.class) {
            return periodOf(row, at, type);
        } else if (wanted == Duration.class) {
            return durationOf(row, at, type);
        } else if (wanted == Time.class) {
            return sqlTimeOf(row, at, type, ZoneId.systemDefault());
        }
        return null;
    }

    private static Object plain(Row row, int at, Type type, Class<?> wanted) throws SQLException {
        if (wanted == String.class) {
            return Values.textOf(row, at, type);
        } else if (wanted == Boolean.class) {
            return Values.booleanOf(row, at, type);
        } else if (wanted == byte[].class) {
            return Values.bytesOf(row, at, type);
        } else if (wanted.isArray() && type.element() != null) {
            return arrayOf(row, at, type, wanted.getComponentType());
        } else if (wanted == UUID.class) {
            return Values.uuidOf(row, at, type);
        } else if (wanted == java.sql.Struct.class && type.name() == Type.Name.COMPOSITE) {
            return objectOf(row, at, type);
        } else if (wanted == Object.class) {
            return objectOf(row, at, type);
        }
        throw Values.mismatch(type, wanted.getName());
    }

    /// The class of [#objectOf]'s values.
    static Class<?> classOf(Type type) {
        return switch (type.name()) {
            case BOOLEAN -> Boolean.class;
            case TINYINT, SMALLINT, INTEGER -> Integer.class;
            case BIGINT -> Long.class;
            case REAL -> Float.class;
            case DOUBLE -> Double.class;
            case DECIMAL -> BigDecimal.class;
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB, JSON, INTERVAL, ENUM, BIT, VARBIT ->
                    String.class;
            case BINARY, VARBINARY, BLOB -> byte[].class;
            case UUID -> UUID.class;
            case DATE -> Date.class;
            case TIME -> Time.class;
            case TIME_TZ -> OffsetTime.class;
            case TIMESTAMP -> Timestamp.class;
            case TIMESTAMP_TZ -> OffsetDateTime.class;
            case ARRAY -> java.sql.Array.class;
            case COMPOSITE -> java.sql.Struct.class;
        };
    }

    /// An array of Java with elements of the class `of`.
    private static Object arrayOf(Row row, int at, Type type, Class<?> of) throws SQLException {
        Tuple elements = Values.elementsOf(row, at, type);
        Type element = java.util.Objects.requireNonNull(type.element());
        Object array = java.lang.reflect.Array.newInstance(of, elements.columns());
        Class<?> boxed = MethodType.methodType(of).wrap().returnType();
        for (int i = 0; i < elements.columns(); i++) {
            if (!elements.isNull(i)) {
                java.lang.reflect.Array.set(array, i, as(elements, i, element, boxed));
            } else if (of.isPrimitive()) {
                throw Values.mismatch(type, of + "[], since it holds NULL");
            }
        }
        return array;
    }

    /// The value of an interval without a time of day.
    private static Period periodOf(Row row, int at, Type type) throws SQLException {
        IntervalValue value = Values.intervalOf(row, at, type);
        if (value.micros() != 0) {
            throw Values.mismatch(type, "a Period, since it has hours, minutes or seconds");
        }
        return Period.of(value.months() / 12, value.months() % 12, value.days());
    }

    /// The value of an interval without months; its days have 24 hours.
    private static Duration durationOf(Row row, int at, Type type) throws SQLException {
        IntervalValue value = Values.intervalOf(row, at, type);
        if (value.months() != 0) {
            throw Values.mismatch(type, "a Duration, since it has months");
        }
        return Duration.ofDays(value.days()).plus(value.micros(), ChronoUnit.MICROS);
    }

    static LocalDate dateOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case DATE -> StoredValues.date(row.longAt(at));
            case TIMESTAMP -> StoredValues.timestamp(row.longAt(at)).toLocalDate();
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    DateTimes.parseDate(Values.textOf(row, at, type));
            default -> throw Values.mismatch(type, "a date");
        };
    }

    static LocalTime timeOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case TIME -> StoredValues.time(row.longAt(at));
            case TIME_TZ -> StoredValues.zonedTime(row.longAt(at)).toLocalTime();
            case TIMESTAMP -> StoredValues.timestamp(row.longAt(at)).toLocalTime();
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    DateTimes.parseTime(Values.textOf(row, at, type));
            default -> throw Values.mismatch(type, "a time");
        };
    }

    static OffsetTime timeWithZoneOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case TIME_TZ -> StoredValues.zonedTime(row.longAt(at));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    DateTimes.parseTimeWithZone(Values.textOf(row, at, type), null);
            default -> throw Values.mismatch(type, "a time with zone");
        };
    }

    static LocalDateTime timestampOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case TIMESTAMP -> StoredValues.timestamp(row.longAt(at));
            case DATE -> startOf(StoredValues.date(row.longAt(at)));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    DateTimes.parseTimestamp(Values.textOf(row, at, type));
            default -> throw Values.mismatch(type, "a timestamp without zone");
        };
    }

    static OffsetDateTime timestampWithZoneOf(Row row, int at, Type type) throws SQLException {
        return switch (type.name()) {
            case TIMESTAMP_TZ -> StoredValues.moment(row.longAt(at));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    DateTimes.parseTimestampWithZone(Values.textOf(row, at, type), null);
            default -> throw Values.mismatch(type, "a timestamp with zone");
        };
    }

    private static LocalDateTime startOf(LocalDate day) {
        return day.equals(LocalDate.MAX) ? LocalDateTime.MAX : day.atStartOfDay();
    }

    /// Refuses infinite dates, for which the wanted class has no value.
    private static void checkFinite(Row row, int at, Type type) throws SQLException {
        boolean dates =
                type.name() == Type.Name.DATE
                        || type.name() == Type.Name.TIMESTAMP
                        || type.name() == Type.Name.TIMESTAMP_TZ;
        if (dates && NonFinite.is(row.longAt(at), type.name())) {
            throw SqlStates.exception(
                    SqlStates.DATETIME_RANGE,
                    "The value is an infinite "
                            + type
                            + "; read it as a String, or as a LocalDate, LocalDateTime or"
                            + " OffsetDateTime, of which it is MAX or MIN");
        }
    }

    static Timestamp sqlTimestampOf(Row row, int at, Type type, ZoneId zone) throws SQLException {
        checkFinite(row, at, type);
        if (type.name() == Type.Name.TIMESTAMP_TZ) {
            return Timestamp.from(timestampWithZoneOf(row, at, type).toInstant());
        }
        LocalDateTime local = timestampOf(row, at, type);
        return zone.equals(ZoneId.systemDefault())
                ? Timestamp.valueOf(local)
                : Timestamp.from(local.atZone(zone).toInstant());
    }

    static Date sqlDateOf(Row row, int at, Type type, ZoneId zone) throws SQLException {
        checkFinite(row, at, type);
        LocalDate local =
                type.name() == Type.Name.TIMESTAMP_TZ
                        ? timestampWithZoneOf(row, at, type).atZoneSameInstant(zone).toLocalDate()
                        : dateOf(row, at, type);
        return zone.equals(ZoneId.systemDefault())
                ? Date.valueOf(local)
                : new Date(local.atStartOfDay(zone).toInstant().toEpochMilli());
    }

    /// A `java.sql.Time` is that time on the first of January 1970, to the millisecond.
    static Time sqlTimeOf(Row row, int at, Type type, ZoneId zone) throws SQLException {
        if (type.name() == Type.Name.TIME_TZ) {
            OffsetTime time = timeWithZoneOf(row, at, type);
            return new Time(time.atDate(LocalDate.EPOCH).toInstant().toEpochMilli());
        }
        checkFinite(row, at, type);
        LocalTime local =
                type.name() == Type.Name.TIMESTAMP_TZ
                        ? timestampWithZoneOf(row, at, type).atZoneSameInstant(zone).toLocalTime()
                        : timeOf(row, at, type);
        return new Time(LocalDate.EPOCH.atTime(local).atZone(zone).toInstant().toEpochMilli());
    }
}
