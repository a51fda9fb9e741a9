package dev.oriel;

import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The types of SQL that Java's values have by themselves.
final class ValueType {
    static final Type BOOLEAN = Type.of(Type.Name.BOOLEAN);
    static final Type SMALLINT = Type.of(Type.Name.SMALLINT);
    static final Type INTEGER = Type.of(Type.Name.INTEGER);
    static final Type BIGINT = Type.of(Type.Name.BIGINT);
    static final Type DECIMAL = Type.of(Type.Name.DECIMAL);
    static final Type REAL = Type.of(Type.Name.REAL);
    static final Type DOUBLE = Type.of(Type.Name.DOUBLE);
    static final Type TEXT = Type.varchar(0);
    static final Type BYTES = Type.of(Type.Name.VARBINARY);
    static final Type DATE = Type.of(Type.Name.DATE);
    static final Type TIME = Type.of(Type.Name.TIME);
    static final Type TIME_TZ = Type.of(Type.Name.TIME_TZ);
    static final Type TIMESTAMP = Type.of(Type.Name.TIMESTAMP);
    static final Type TIMESTAMP_TZ = Type.of(Type.Name.TIMESTAMP_TZ);
    static final Type INTERVAL = Type.of(Type.Name.INTERVAL);
    static final Type UUID_TYPE = Type.of(Type.Name.UUID);

    private ValueType() {}

    /// The type of an array of `elements`: that of its Java class, else of its first element; TEXT if neither tells.
    static Type ofElements(@Nullable Object[] elements) {
        Type element = of(elements.getClass().getComponentType());
        for (int i = 0; element == null && i < elements.length; i++) {
            Object value = elements[i];
            element = value == null ? null : of(value.getClass());
        }
        return Type.array(element == null ? TEXT : element);
    }

    /// The type of the values of `of`; null if it has none of its own.
    private static @Nullable Type of(Class<?> of) {
        Type number = ofNumber(of);
        if (number != null) {
            return number;
        } else if (of == Boolean.class) {
            return BOOLEAN;
        } else if (of == String.class || of == Character.class) {
            return TEXT;
        } else if (of == UUID.class) {
            return UUID_TYPE;
        } else if (of == byte[].class) {
            return BYTES;
        }
        return ofTime(of);
    }

    private static @Nullable Type ofNumber(Class<?> of) {
        if (of == Integer.class) {
            return INTEGER;
        } else if (of == Long.class) {
            return BIGINT;
        } else if (of == Short.class || of == Byte.class) {
            return SMALLINT;
        } else if (of == Double.class) {
            return DOUBLE;
        } else if (of == Float.class) {
            return REAL;
        }
        boolean decimal = BigDecimal.class.isAssignableFrom(of) || of == BigInteger.class;
        return decimal ? DECIMAL : null;
    }

    private static @Nullable Type ofTime(Class<?> of) {
        if (of == LocalDate.class || of == java.sql.Date.class) {
            return DATE;
        } else if (of == LocalTime.class || of == java.sql.Time.class) {
            return TIME;
        } else if (of == OffsetTime.class) {
            return TIME_TZ;
        } else if (of == OffsetDateTime.class || of == ZonedDateTime.class || of == Instant.class) {
            return TIMESTAMP_TZ;
        } else if (of == Period.class || of == Duration.class) {
            return INTERVAL;
        }
        boolean moment =
                of == LocalDateTime.class
                        || java.util.Date.class.isAssignableFrom(of)
                        || Calendar.class.isAssignableFrom(of);
        return moment ? TIMESTAMP : null;
    }
}
