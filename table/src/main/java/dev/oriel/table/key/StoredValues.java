package dev.oriel.table.key;

import dev.oriel.store.CorruptionException;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import dev.oriel.table.value.IntervalValue;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import org.jspecify.annotations.Nullable;

/// Values of rows: tests that they are valid for their types, and conversions of dates and times to and from
/// `java.time`.
public final class StoredValues {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    private static final Type TIME = Type.of(Type.Name.TIME);
    private static final Type TIME_TZ = Type.of(Type.Name.TIME_TZ);

    private StoredValues() {}

    /// The time of day of a TIME of `micros` microseconds.
    ///
    /// @throws CorruptionException if it is out of range
    public static LocalTime time(long micros) {
        check(TIME, micros);
        return LocalTime.ofNanoOfDay(micros * 1000);
    }

    /// The time of day of a TIME WITH TIME ZONE.
    ///
    /// @throws CorruptionException if it is out of range
    public static OffsetTime zonedTime(long value) {
        check(TIME_TZ, value);
        return time(ZonedTime.local(value))
                .atOffset(ZoneOffset.ofTotalSeconds(ZonedTime.east(value)));
    }

    /// The day of a DATE; an infinite one is the last or the first of the class.
    public static LocalDate date(long days) {
        if (NonFinite.isDay(days)) {
            return days > 0 ? LocalDate.MAX : LocalDate.MIN;
        }
        return LocalDate.ofEpochDay(days);
    }

    /// The local time of a TIMESTAMP; an infinite one is the last or the first of the class.
    public static LocalDateTime timestamp(long micros) {
        if (NonFinite.isMoment(micros)) {
            return micros > 0 ? LocalDateTime.MAX : LocalDateTime.MIN;
        }
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, SECOND_MICROS),
                (int) Math.floorMod(micros, SECOND_MICROS) * 1000,
                ZoneOffset.UTC);
    }

    /// The moment of a TIMESTAMP WITH TIME ZONE, in UTC; an infinite one is the last or the first of the class.
    public static OffsetDateTime moment(long micros) {
        if (NonFinite.isMoment(micros)) {
            return micros > 0 ? OffsetDateTime.MAX : OffsetDateTime.MIN;
        }
        return timestamp(micros).atOffset(ZoneOffset.UTC);
    }

    /// Days since 1970; the last and the first of the class are infinite.
    ///
    /// @throws ArithmeticException if it is out of range
    public static long days(LocalDate value) {
        if (value.equals(LocalDate.MAX)) {
            return NonFinite.LAST_DAY;
        }
        if (value.equals(LocalDate.MIN)) {
            return NonFinite.FIRST_DAY;
        }
        int days = Math.toIntExact(value.toEpochDay());
        if (NonFinite.isDay(days)) {
            throw new ArithmeticException("a day beyond all dates");
        }
        return days;
    }

    /// Micros since midnight, nanoseconds rounded; the last half microsecond of the day is cut, for it has no next
    /// one.
    public static long micros(LocalTime value) {
        return Math.min((value.toNanoOfDay() + 500) / 1000, DAY_MICROS - 1);
    }

    /// The number of a TIME WITH TIME ZONE, nanoseconds rounded as in [#micros(LocalTime)].
    public static long zonedTime(OffsetTime value) {
        return ZonedTime.of(micros(value.toLocalTime()), value.getOffset().getTotalSeconds());
    }

    /// Micros since 1970, nanoseconds rounded; the last and the first of the class are infinite.
    ///
    /// @throws ArithmeticException if it is out of range
    public static long micros(LocalDateTime value) {
        if (value.equals(LocalDateTime.MAX)) {
            return NonFinite.LAST_MOMENT;
        }
        return value.equals(LocalDateTime.MIN)
                ? NonFinite.FIRST_MOMENT
                : micros(
                        value.toEpochSecond(ZoneOffset.UTC), value.get(ChronoField.NANO_OF_SECOND));
    }

    /// Like [#micros(LocalDateTime)].
    public static long micros(OffsetDateTime value) {
        if (value.equals(OffsetDateTime.MAX)) {
            return NonFinite.LAST_MOMENT;
        }
        return value.equals(OffsetDateTime.MIN)
                ? NonFinite.FIRST_MOMENT
                : micros(value.toEpochSecond(), value.getNano());
    }

    /// Like [#micros(LocalDateTime)].
    public static long micros(Instant value) {
        if (value.equals(Instant.MAX)) {
            return NonFinite.LAST_MOMENT;
        }
        return value.equals(Instant.MIN)
                ? NonFinite.FIRST_MOMENT
                : micros(value.getEpochSecond(), value.getNano());
    }

    private static long micros(long seconds, int nanos) {
        long whole = Math.multiplyExact(seconds, SECOND_MICROS);
        long micros = Math.addExact(whole, (nanos + 500) / 1000);
        if (NonFinite.isMoment(micros)) {
            throw new ArithmeticException("a moment beyond all timestamps");
        }
        return micros;
    }

    /// Whether `text` is no longer than `type` allows; a BIT(n) has n bits.
    public static boolean fits(String text, Type type) {
        int most = type.length();
        if (most == 0) {
            return true;
        }
        int length = text.codePointCount(0, text.length());
        return type.name() == Type.Name.BIT ? length == most : length <= most;
    }

    /// Checks a stored number.
    ///
    /// @throws CorruptionException if a value of `type` cannot be `value`
    public static void check(Type type, long value) {
        boolean possible =
                switch (type.name()) {
                    case BOOLEAN -> value == 0 || value == 1;
                    case TIME -> value >= 0 && value < DAY_MICROS;
                    case TIME_TZ -> ZonedTime.isValid(value);
                    default -> true;
                };
        if (!possible) {
            throw new CorruptionException(
                    "A row holds a value that its column cannot have; run check",
                    type + "=" + value);
        }
    }

    /// Checks stored bytes.
    ///
    /// @throws CorruptionException if a value of `type` cannot be `bytes`
    public static void check(Type type, byte @Nullable [] bytes) {
        if (bytes == null) {
            return;
        }
        if (type.element() != null) {
            ArrayValue.elements(type.element(), bytes);
        } else if (type.name() == Type.Name.COMPOSITE) {
            CompositeValue.attributes(type.composite(), bytes);
        } else if (type.name() == Type.Name.INTERVAL) {
            IntervalValue.of(bytes);
        }
    }
}
