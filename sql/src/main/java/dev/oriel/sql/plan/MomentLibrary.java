package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// Makes moments of numbers, assigns them to bins, and computes their differences by the calendar.
public final class MomentLibrary {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final int MONTHS = 12;
    private static final int MONTH_DAYS = 30;

    /// Maximum number of seconds that fit as microseconds.
    private static final double SECONDS_MAX = 9e12;

    private MomentLibrary() {}

    /// MAKE_TIME: microseconds since midnight. There is no 24:00.
    public static Long time(Object[] values, int from, boolean whole, Place place) {
        long hour = (Long) values[from];
        long minute = (Long) values[from + 1];
        double second = (Double) values[from + 2];
        long micros =
                second >= 0 && second <= 60
                        ? Math.round(second * SECOND)
                        : Temporals.MICROS_PER_DAY + 1;
        boolean fits = hour >= 0 && hour <= 24 && minute >= 0 && minute < 60;
        long time = fits ? hour * HOUR + minute * MINUTE + micros : -1;
        long most = whole ? Temporals.MICROS_PER_DAY : Temporals.MICROS_PER_DAY - 1;
        if (time < 0 || time > most) {
            throw place.error(
                    Kind.DATETIME_RANGE,
                    "There is no time " + hour + ":" + minute + ":" + values[from + 2]);
        }
        return time;
    }

    /// MAKE_TIMESTAMP.
    public static Long timestamp(Object[] values, Place place) {
        long day = DateLibrary.made(values, place);
        long time = time(values, 3, true, place);
        try {
            return Math.addExact(Temporals.startOfDay(day), time);
        } catch (ArithmeticException | DateTimeException beyond) {
            throw place.error(Kind.DATETIME_RANGE, "There is no such timestamp");
        }
    }

    /// MAKE_INTERVAL.
    public static byte[] span(Object[] values, Place place) {
        long[] numbers = new long[6];
        for (int i = 0; i < Math.min(6, values.length); i++) {
            numbers[i] = (Long) values[i];
        }
        double seconds = values.length > 6 ? (Double) values[6] : 0;
        if (!Double.isFinite(seconds) || Math.abs(seconds) > SECONDS_MAX) {
            throw place.error(Kind.DATETIME_RANGE, "There is no such interval");
        }
        return Intervals.bytes(
                new Intervals.Span(
                        numbers[0] * MONTHS + numbers[1],
                        numbers[2] * 7 + numbers[3],
                        numbers[4] * HOUR + numbers[5] * MINUTE + Math.round(seconds * SECOND)));
    }

    /// DATE_TRUNC of an interval, or of a time of day as the interval since midnight.
    public static byte[] truncated(String field, Object value, Place place) {
        Intervals.Span span =
                value instanceof byte[] interval
                        ? Intervals.span(interval)
                        : new Intervals.Span(0, 0, (Long) value);
        long months = span.months();
        Intervals.Span cut =
                switch (DateLibrary.standard(field)) {
                    case "MICROSECONDS", "MICROSECOND" -> span;
                    case "MILLISECONDS", "MILLISECOND" -> ofClock(span, 1_000);
                    case "SECOND", "SECONDS" -> ofClock(span, SECOND);
                    case "MINUTE", "MINUTES" -> ofClock(span, MINUTE);
                    case "HOUR", "HOURS" -> ofClock(span, HOUR);
                    case "DAY", "DAYS" -> new Intervals.Span(months, span.days(), 0);
                    case "MONTH", "MONTHS" -> ofMonths(months, 1);
                    case "QUARTER" -> ofMonths(months, 3);
                    case "YEAR", "YEARS" -> ofMonths(months, MONTHS);
                    case "DECADE" -> ofMonths(months, 10 * MONTHS);
                    case "CENTURY" -> ofMonths(months, 100 * MONTHS);
                    case "MILLENNIUM" -> ofMonths(months, 1_000 * MONTHS);
                    default -> throw DateLibrary.unknown(field, place);
                };
        return Intervals.bytes(cut);
    }

    private static Intervals.Span ofClock(Intervals.Span span, long unit) {
        long micros = span.micros();
        return new Intervals.Span(span.months(), span.days(), micros - micros % unit);
    }

    private static Intervals.Span ofMonths(long months, long unit) {
        return new Intervals.Span(months - months % unit, 0, 0);
    }

    /// JUSTIFY_HOURS makes days of 24 hours, JUSTIFY_DAYS months of 30 days, and JUSTIFY_INTERVAL both, with one sign
    /// for all.
    public static byte[] justified(Function function, Intervals.Span span) {
        long months = span.months();
        long days = span.days();
        long micros = span.micros();
        boolean all = function == Function.JUSTIFY_INTERVAL;
        if (all) {
            // Days first, so that days added from hours do not overflow.
            boolean same = (days > 0 && micros > 0) || (days < 0 && micros < 0);
            if (same) {
                months += days / MONTH_DAYS;
                days %= MONTH_DAYS;
            }
        }
        if (function != Function.JUSTIFY_DAYS) {
            days = Math.addExact(days, micros / Temporals.MICROS_PER_DAY);
            micros %= Temporals.MICROS_PER_DAY;
        }
        if (function != Function.JUSTIFY_HOURS) {
            months = Math.addExact(months, days / MONTH_DAYS);
            days %= MONTH_DAYS;
        }
        if (all && months > 0 && (days < 0 || (days == 0 && micros < 0))) {
            days += MONTH_DAYS;
            months--;
        } else if (all && months < 0 && (days > 0 || (days == 0 && micros > 0))) {
            days -= MONTH_DAYS;
            months++;
        }
        if (function == Function.JUSTIFY_DAYS) {
            if (months > 0 && days < 0) {
                days += MONTH_DAYS;
                months--;
            } else if (months < 0 && days > 0) {
                days -= MONTH_DAYS;
                months++;
            }
        } else if (days > 0 && micros < 0) {
            micros += Temporals.MICROS_PER_DAY;
            days--;
        } else if (days < 0 && micros > 0) {
            micros -= Temporals.MICROS_PER_DAY;
            days++;
        }
        return Intervals.bytes(new Intervals.Span(months, days, micros));
    }

    /// ADD_MONTHS; the last day of a month that has no such day.
    ///
    /// @param zone time zone of a moment; null for a date or a local time
    public static Long laterByMonths(Object[] values, Type type, @Nullable Zone zone, Place place) {
        boolean date = type.name() == Type.Name.DATE;
        long micros = date ? Temporals.startOfDay((Long) values[0]) : (Long) values[0];
        try {
            Intervals.Span span = new Intervals.Span((Long) values[1], 0, 0);
            long later =
                    zone == null
                            ? Intervals.later(micros, span)
                            : Intervals.later(micros, span, zone);
            return date ? Temporals.day(later) : later;
        } catch (ArithmeticException beyond) {
            throw place.error(Kind.DATETIME_RANGE, "There is no such date");
        }
    }

    /// DATE_BIN: the start of the bin of `micros`; bins are as long as `stride`, and one begins at `origin`.
    public static Long bin(Intervals.Span stride, long micros, long origin, Place place) {
        if (stride.months() != 0) {
            throw place.error(
                    Kind.NOT_SUPPORTED, "DATE_BIN takes no months, because their lengths differ");
        }
        if (NonFinite.isMoment(origin)) {
            throw place.error(Kind.DATETIME_RANGE, "The origin of DATE_BIN cannot be infinite");
        }
        try {
            long length =
                    Math.addExact(
                            Math.multiplyExact(stride.days(), Temporals.MICROS_PER_DAY),
                            stride.micros());
            if (length <= 0) {
                throw place.error(Kind.DATETIME_RANGE, "The stride of DATE_BIN must be above 0");
            }
            if (NonFinite.isMoment(micros)) {
                return micros;
            }
            long distance = Math.subtractExact(micros, origin);
            return micros - Math.floorMod(distance, length);
        } catch (ArithmeticException beyond) {
            throw place.error(Kind.DATETIME_RANGE, "There is no such timestamp");
        }
    }

    /// AGE: years, months and days from `earlier` to `later`, counted as in PostgreSQL: a borrowed month is as
    /// long as the month of the earlier moment.
    public static byte[] age(long later, long earlier, Place place) {
        if (NonFinite.isMoment(later) || NonFinite.isMoment(earlier)) {
            throw place.error(
                    Kind.DATETIME_RANGE,
                    "There is no INTERVAL between infinite timestamps; test with ISFINITE first");
        }
        if (later < earlier) {
            return Intervals.bytes(between(earlier, later).negated());
        }
        return Intervals.bytes(between(later, earlier));
    }

    private static Intervals.Span between(long later, long earlier) {
        LocalDate to = LocalDate.ofEpochDay(Math.floorDiv(later, Temporals.MICROS_PER_DAY));
        LocalDate from = LocalDate.ofEpochDay(Math.floorDiv(earlier, Temporals.MICROS_PER_DAY));
        long time =
                Math.floorMod(later, Temporals.MICROS_PER_DAY)
                        - Math.floorMod(earlier, Temporals.MICROS_PER_DAY);
        long days = (long) to.getDayOfMonth() - from.getDayOfMonth();
        long months =
                (long) MONTHS * (to.getYear() - from.getYear())
                        + to.getMonthValue()
                        - from.getMonthValue();
        if (time < 0) {
            time += Temporals.MICROS_PER_DAY;
            days--;
        }
        if (days < 0) {
            days += from.lengthOfMonth();
            months--;
        }
        return new Intervals.Span(months, days, time);
    }

    /// Whether two periods share a moment: 1 or 0, or null if a bound that decides is unknown. A period contains its
    /// start; it contains its end only if both are equal. Its bounds may come in either order.
    ///
    /// @param bounds both bounds of the one and of the other, null if unknown
    public static @Nullable Long overlap(@Nullable Long[] bounds) {
        @Nullable Long[] ordered = new Long[4];
        for (int i = 0; i < 4; i += 2) {
            Long start = bounds[i];
            Long end = bounds[i + 1];
            boolean turned = start == null || (end != null && start > end);
            ordered[i] = turned ? end : start;
            ordered[i + 1] = turned ? start : end;
        }
        Long first = ordered[0];
        Long second = ordered[2];
        if (first == null || second == null) {
            return null;
        }
        if (first.equals(second)) {
            return ordered[1] == null || ordered[3] == null ? null : (Long) 1L;
        }
        boolean later = first > second;
        Long end = later ? ordered[3] : ordered[1];
        Long other = later ? ordered[1] : ordered[3];
        if (end == null) {
            return null;
        }
        return Math.max(first, second) < end ? (Long) 1L : other == null ? null : (Long) 0L;
    }
}
