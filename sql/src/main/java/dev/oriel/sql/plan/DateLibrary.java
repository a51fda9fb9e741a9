package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.DatePattern;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.IntervalPattern;
import dev.oriel.sql.value.IntervalText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Parts of dates and times, and distances between them.
public final class DateLibrary {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = Temporals.MICROS_PER_DAY;

    private DateLibrary() {}

    /// Days since 1970 of a value of type `of`: dates go further than timestamps.
    private static long days(long value, Type.Name of) {
        return of == Type.Name.DATE ? value : Math.floorDiv(value, DAY);
    }

    /// Microseconds since midnight.
    private static long time(long value, Type.Name of) {
        return of == Type.Name.DATE ? 0 : Math.floorMod(value, DAY);
    }

    /// The moment of a number of seconds after 1970.
    public static Object ofSeconds(double seconds, Place place) {
        if (Double.isInfinite(seconds)) {
            return seconds > 0 ? NonFinite.LAST_MOMENT : NonFinite.FIRST_MOMENT;
        }
        double micros = Math.rint(seconds * SECOND);
        if (!(Math.abs(micros) < Long.MAX_VALUE)) {
            throw place.error(
                    Kind.DATETIME_RANGE, "There is no moment " + seconds + " seconds after 1970");
        }
        return (long) micros;
    }

    static SqlException unknown(String field, Place place) {
        return place.error(
                Kind.INVALID_PARAMETER,
                "'" + field + "' is not a field of a date, such as 'year', 'month' or 'hour'");
    }

    /// EXTRACT.
    public static @Nullable BigDecimal extracted(
            String field, long value, Type.Name of, Place place) {
        if (of != Type.Name.TIME && NonFinite.is(value, of)) {
            return ofInfinity(field, value > 0, of, place);
        }
        long days = days(value, of);
        long time = time(value, of);
        return switch (field) {
            case "HOUR", "HOURS" -> BigDecimal.valueOf(time / HOUR);
            case "MINUTE", "MINUTES" -> BigDecimal.valueOf(time / MINUTE % 60);
            case "SECOND", "SECONDS" -> BigDecimal.valueOf(time % MINUTE, 6);
            case "MILLISECONDS", "MILLISECOND" -> BigDecimal.valueOf(time % MINUTE, 3);
            case "MICROSECONDS", "MICROSECOND" -> BigDecimal.valueOf(time % MINUTE);
            case "EPOCH" -> {
                BigDecimal midnight = BigDecimal.valueOf(days * (DAY / SECOND));
                yield of == Type.Name.DATE ? midnight : midnight.add(BigDecimal.valueOf(time, 6));
            }
            case "JULIAN" -> {
                if (of == Type.Name.TIME) {
                    throw unknown(field, place);
                }
                BigDecimal midnight = BigDecimal.valueOf(days + DatePattern.JULIAN_DAYS);
                yield of == Type.Name.DATE
                        ? midnight
                        : midnight.add(
                                Decimals.divide(BigDecimal.valueOf(time), BigDecimal.valueOf(DAY)));
            }
            case "TIMEZONE", "TIMEZONE_HOUR", "TIMEZONE_MINUTE" -> throw unknown(field, place);
            default -> {
                if (of == Type.Name.TIME) {
                    throw place.error(
                            Kind.INVALID_PARAMETER,
                            "A TIME has no field '"
                                    + field
                                    + "'; use 'hour', 'minute' or 'second'");
                }
                yield BigDecimal.valueOf(part(field, LocalDate.ofEpochDay(days), place));
            }
        };
    }

    /// EXTRACT of a TIME WITH TIME ZONE, whose EPOCH is that of UTC.
    public static BigDecimal ofZonedTime(String field, long value, Place place) {
        long seconds = ZonedTime.east(value);
        return switch (field) {
            case "EPOCH" -> BigDecimal.valueOf(ZonedTime.utc(value), 6);
            case "TIMEZONE" -> BigDecimal.valueOf(seconds);
            case "TIMEZONE_HOUR" -> BigDecimal.valueOf(seconds / 3_600);
            case "TIMEZONE_MINUTE" -> BigDecimal.valueOf(seconds / 60 % 60);
            default ->
                    Objects.requireNonNull(
                            extracted(field, ZonedTime.local(value), Type.Name.TIME, place));
        };
    }

    /// EXTRACT of an infinite date: infinite if the field grows with the time, else NULL.
    private static @Nullable BigDecimal ofInfinity(
            String field, boolean last, Type.Name of, Place place) {
        extracted(field, 0, of, place); // there is such a field
        return switch (field) {
            case "YEAR", "YEARS", "DECADE", "CENTURY", "MILLENNIUM", "JULIAN", "ISOYEAR", "EPOCH" ->
                    last ? NonFinite.INFINITY : NonFinite.NEGATIVE_INFINITY;
            default -> null;
        };
    }

    /// EXTRACT of a moment.
    ///
    /// @param local what clocks show at `moment`
    public static @Nullable BigDecimal extracted(
            String field, long moment, long local, Place place) {
        if (NonFinite.isMoment(moment) && field.startsWith("TIMEZONE")) {
            return null;
        }
        long seconds = (local - moment) / SECOND;
        return switch (field) {
            case "EPOCH" -> extracted(field, moment, Type.Name.TIMESTAMP, place);
            case "TIMEZONE" -> BigDecimal.valueOf(seconds);
            case "TIMEZONE_HOUR" -> BigDecimal.valueOf(seconds / 3_600);
            case "TIMEZONE_MINUTE" -> BigDecimal.valueOf(seconds / 60 % 60);
            default -> extracted(field, local, Type.Name.TIMESTAMP, place);
        };
    }

    /// The name of a field in capitals; one of other databases in our terms.
    static String standard(String field) {
        String upper = field.toUpperCase(Locale.ROOT);
        return switch (upper) {
            case "YYYY", "YY" -> "YEAR";
            case "Q", "QQ" -> "QUARTER";
            case "MM", "MON" -> "MONTH";
            case "DD", "DAY_OF_MONTH", "DAY_OF_YEAR", "DAYOFYEAR", "DAY_OF_WEEK" -> "DAY";
            case "ISO_WEEK", "WW", "WK" -> "WEEK";
            case "HH" -> "HOUR";
            case "MI" -> "MINUTE";
            case "SS" -> "SECOND";
            case "MS" -> "MILLISECOND";
            case "MCS" -> "MICROSECOND";
            default -> upper;
        };
    }

    private static long part(String field, LocalDate date, Place place) {
        return switch (field) {
            case "YEAR", "YEARS" -> date.getYear();
            case "MONTH", "MONTHS" -> date.getMonthValue();
            case "DAY", "DAYS" -> date.getDayOfMonth();
            case "QUARTER" -> (date.getMonthValue() + 2) / 3;
            case "DAY_OF_MONTH", "DAYOFMONTH" -> date.getDayOfMonth();
            case "DOW" -> date.getDayOfWeek().getValue() % 7;
            case "DAY_OF_WEEK", "DAYOFWEEK" -> date.getDayOfWeek().getValue() % 7 + 1;
            case "ISODOW", "ISO_DAY_OF_WEEK" -> date.getDayOfWeek().getValue();
            case "DOY", "DAY_OF_YEAR", "DAYOFYEAR" -> date.getDayOfYear();
            case "WEEK", "ISO_WEEK" -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case "ISOYEAR", "ISO_YEAR", "ISO_WEEK_YEAR" -> date.get(IsoFields.WEEK_BASED_YEAR);
            case "DECADE" -> Math.floorDiv(date.getYear(), 10);
            case "CENTURY" -> era(date.getYear(), 100);
            case "MILLENNIUM" -> era(date.getYear(), 1_000);
            default -> throw unknown(field, place);
        };
    }

    /// There is no year 0, so centuries begin with a year that ends in 01.
    private static long era(int year, int years) {
        return year > 0 ? (year + years - 1) / years : -((years - year) / years);
    }

    /// DATE_TRUNC, in microseconds since 1970.
    public static Long truncated(String field, long micros, Place place) {
        if (NonFinite.isMoment(micros)) {
            truncated(field, 0, place); // there is such a field
            return micros;
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(micros, DAY));
        return switch (standard(field)) {
            case "MICROSECONDS", "MICROSECOND" -> micros;
            case "MILLISECONDS", "MILLISECOND" -> micros - Math.floorMod(micros, 1_000L);
            case "SECOND", "SECONDS" -> micros - Math.floorMod(micros, SECOND);
            case "MINUTE", "MINUTES" -> micros - Math.floorMod(micros, MINUTE);
            case "HOUR", "HOURS" -> micros - Math.floorMod(micros, HOUR);
            case "DAY", "DAYS" -> micros - Math.floorMod(micros, DAY);
            case "WEEK", "WEEKS" ->
                    start(date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)));
            case "MONTH", "MONTHS" -> start(date.withDayOfMonth(1));
            case "ISO_WEEK_YEAR", "ISO_YEAR", "ISOYEAR" ->
                    start(
                            LocalDate.of(date.get(IsoFields.WEEK_BASED_YEAR), 1, 4)
                                    .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)));
            case "QUARTER" ->
                    start(LocalDate.of(date.getYear(), (date.getMonthValue() - 1) / 3 * 3 + 1, 1));
            case "YEAR", "YEARS" -> start(LocalDate.of(date.getYear(), 1, 1));
            case "DECADE" -> start(LocalDate.of(Math.floorDiv(date.getYear(), 10) * 10, 1, 1));
            case "CENTURY" -> start(LocalDate.of(firstOf(date.getYear(), 100), 1, 1));
            case "MILLENNIUM" -> start(LocalDate.of(firstOf(date.getYear(), 1_000), 1, 1));
            default -> throw unknown(field, place);
        };
    }

    /// DATE_TRUNC of a moment in `zone`. A field shorter than a day keeps the moment's distance from UTC, so that an
    /// hour which clocks show twice has two beginnings.
    public static Long truncated(String field, long moment, Zone zone, Place place) {
        long local = zone.local(moment);
        long start = truncated(field, local, place);
        return isOfClock(field) && !NonFinite.isMoment(moment)
                ? moment - (local - start)
                : zone.moment(start);
    }

    private static boolean isOfClock(String field) {
        return switch (standard(field)) {
            case "MICROSECONDS", "MICROSECOND", "MILLISECONDS", "MILLISECOND" -> true;
            case "SECOND", "SECONDS", "MINUTE", "MINUTES", "HOUR", "HOURS" -> true;
            default -> false;
        };
    }

    private static int firstOf(int year, int years) {
        return Math.floorDiv(year - 1, years) * years + 1;
    }

    private static long start(LocalDate date) {
        return Temporals.startOfDay(date.toEpochDay());
    }

    /// DATEADD.
    ///
    /// @param zone time zone of a moment; null for a local time
    public static Long added(Object[] values, Type type, @Nullable Zone zone, Place place) {
        try {
            Intervals.Span span = IntervalText.one((String) values[0]).times((Long) values[1]);
            return zone == null
                    ? Intervals.later((Long) values[2], span)
                    : Intervals.later((Long) values[2], span, zone);
        } catch (DateTimeException unfit) {
            throw unknown((String) values[0], place);
        } catch (ArithmeticException beyond) {
            throw Integers.outOfRange(type, place);
        }
    }

    /// DATEADD of a TIME WITH TIME ZONE.
    public static Long addedToZonedTime(Object[] values, Place place) {
        long time = (Long) values[2];
        Object[] local = {values[0], values[1], ZonedTime.local(time)};
        return ZonedTime.of(addedToTime(local, place), ZonedTime.east(time));
    }

    /// DATEADD of a TIME, which wraps around at midnight.
    public static Long addedToTime(Object[] values, Place place) {
        try {
            Intervals.Span span = IntervalText.one((String) values[0]);
            if (span.months() != 0 || span.days() != 0) {
                throw unknown((String) values[0], place);
            }
            long distance = span.times((Long) values[1]).micros();
            return Math.floorMod(Math.addExact((Long) values[2], distance), DAY);
        } catch (DateTimeException unfit) {
            throw unknown((String) values[0], place);
        } catch (ArithmeticException beyond) {
            throw Integers.outOfRange(Type.of(Type.Name.TIME), place);
        }
    }

    /// DATEDIFF of two moments: days and longer parts are those of the local times behind the moments.
    public static Long differenceInZone(Object[] values, Place place) {
        int from = isOfClock((String) values[0]) ? 1 : 3;
        return difference(new Object[] {values[0], values[from], values[from + 1]}, place);
    }

    /// DATEDIFF of two TIMEs, which have parts of the clock only.
    public static Long differenceOfTimes(Object[] values, Place place) {
        if (!isOfClock((String) values[0])) {
            throw unknown((String) values[0], place);
        }
        return difference(values, place);
    }

    /// DATEDIFF: number of boundaries of the date part between two local times.
    public static Long difference(Object[] values, Place place) {
        String field = standard((String) values[0]);
        long from = (Long) values[1];
        long to = (Long) values[2];
        if (NonFinite.isMoment(from) || NonFinite.isMoment(to)) {
            throw place.error(
                    Kind.DATETIME_RANGE,
                    "There is no difference between infinite timestamps; test with ISFINITE first");
        }
        LocalDate first = LocalDate.ofEpochDay(Math.floorDiv(from, DAY));
        LocalDate second = LocalDate.ofEpochDay(Math.floorDiv(to, DAY));
        long months = months(second) - months(first);
        return switch (field) {
            case "MICROSECOND", "MICROSECONDS" -> Math.subtractExact(to, from);
            case "MILLISECOND", "MILLISECONDS" -> borders(from, to, 1_000);
            case "SECOND", "SECONDS" -> borders(from, to, SECOND);
            case "MINUTE", "MINUTES" -> borders(from, to, MINUTE);
            case "HOUR", "HOURS" -> borders(from, to, HOUR);
            case "DAY", "DAYS" -> borders(from, to, DAY);
            case "WEEK", "WEEKS" ->
                    (truncated("WEEK", to, place) - truncated("WEEK", from, place)) / (7 * DAY);
            case "MONTH", "MONTHS" -> months;
            case "QUARTER" -> Math.floorDiv(months(second), 3L) - Math.floorDiv(months(first), 3L);
            case "YEAR", "YEARS" -> (long) second.getYear() - first.getYear();
            case "DECADE" ->
                    Math.floorDiv(second.getYear(), 10L) - Math.floorDiv(first.getYear(), 10L);
            case "CENTURY" -> era(second.getYear(), 100) - era(first.getYear(), 100);
            case "MILLENNIUM" -> era(second.getYear(), 1_000) - era(first.getYear(), 1_000);
            default -> throw unknown(field, place);
        };
    }

    private static long borders(long from, long to, long length) {
        return Math.floorDiv(to, length) - Math.floorDiv(from, length);
    }

    private static long months(LocalDate date) {
        return date.getYear() * 12L + date.getMonthValue() - 1;
    }

    public static Long lastDay(long day, Place place) {
        if (NonFinite.isDay(day)) {
            return day;
        }
        LocalDate date = LocalDate.ofEpochDay(day);
        return checked(date.withDayOfMonth(date.lengthOfMonth()), place);
    }

    private static long checked(LocalDate date, Place place) {
        long days = date.toEpochDay();
        if (NonFinite.isDay(days)) {
            throw Integers.outOfRange(Type.of(Type.Name.DATE), place);
        }
        return Integers.checked(days, Type.of(Type.Name.DATE), place);
    }

    /// MAKE_DATE.
    public static Long made(Object[] values, Place place) {
        try {
            return checked(
                    LocalDate.of(
                            Math.toIntExact((Long) values[0]),
                            Math.toIntExact((Long) values[1]),
                            Math.toIntExact((Long) values[2])),
                    place);
        } catch (DateTimeException | ArithmeticException unfit) {
            throw place.error(
                    Kind.DATETIME_RANGE,
                    "There is no date " + values[0] + "-" + values[1] + "-" + values[2]);
        }
    }

    /// TO_CHAR of a value of type `of`.
    public static @Nullable String written(
            long value, Type.Name of, Zone zone, String pattern, Place place) {
        if (of != Type.Name.TIME && NonFinite.is(value, of)) {
            return null;
        }
        try {
            return DatePattern.written(value, of, zone, pattern);
        } catch (DatePattern.UnknownField unknown) {
            throw place.error(Kind.NOT_SUPPORTED, String.valueOf(unknown.getMessage()));
        }
    }

    /// TO_CHAR of an interval.
    public static String written(Intervals.Span span, String pattern, Place place) {
        try {
            return IntervalPattern.written(span, pattern);
        } catch (DatePattern.UnknownField unknown) {
            throw place.error(
                    Kind.INVALID_DATETIME,
                    unknown.getMessage() + " for an interval, which is no date");
        }
    }

    /// TO_DATE in days, TO_TIMESTAMP in microseconds, ISVALIDDATETIME as a truth value.
    ///
    /// @param zone zone of a moment whose text names none; null for a local time
    public static Object parsed(
            Function function, Object[] values, @Nullable Zone zone, Place place) {
        boolean asks = function == Function.ISVALIDDATETIME;
        try {
            long micros = DatePattern.parse((String) values[0], (String) values[1], zone, asks);
            if (asks) {
                return 1L;
            }
            return function == Function.TO_DATE
                    ? Math.floorDiv(micros, Temporals.MICROS_PER_DAY)
                    : micros;
        } catch (DatePattern.UnknownField unknown) {
            throw place.error(Kind.NOT_SUPPORTED, String.valueOf(unknown.getMessage()));
        } catch (DateTimeException | IllegalArgumentException unfit) {
            if (asks) {
                return 0L;
            }
            throw place.error(
                    unfit instanceof DateTimeException
                            ? Kind.DATETIME_RANGE
                            : Kind.INVALID_DATETIME,
                    "'" + values[0] + "' is not a date in the form '" + values[1] + "'");
        }
    }
}
