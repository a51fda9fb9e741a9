package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.IntervalValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/// INTERVAL values and their arithmetic with dates and times.
public final class Intervals {
    private static final List<String> FIELDS =
            List.of("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

    private Intervals() {}

    /// An interval. The length of its months and days depends on the calendar.
    public record Span(long months, long days, long micros) {
        public Span negated() {
            return new Span(
                    Math.negateExact(months), Math.negateExact(days), Math.negateExact(micros));
        }

        public Span plus(Span other) {
            return new Span(
                    Math.addExact(months, other.months),
                    Math.addExact(days, other.days),
                    Math.addExact(micros, other.micros));
        }

        public Span times(long factor) {
            return new Span(
                    Math.multiplyExact(months, factor),
                    Math.multiplyExact(days, factor),
                    Math.multiplyExact(micros, factor));
        }

        public boolean isNegative() {
            return months < 0 || days < 0 || micros < 0;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("INTERVAL '");
            append(text, months, "month");
            append(text, days, "day");
            if (micros != 0 || (months == 0 && days == 0)) {
                BigDecimal seconds = BigDecimal.valueOf(micros, 6).stripTrailingZeros();
                text.append(seconds.toPlainString()).append(" seconds");
            }
            return text.toString().stripTrailing() + "'";
        }

        private static void append(StringBuilder text, long count, String unit) {
            if (count != 0) {
                text.append(count).append(' ').append(unit).append(count == 1 ? " " : "s ");
            }
        }
    }

    /// Whether `word` may follow the string of an INTERVAL.
    public static boolean isField(String word) {
        return FIELDS.contains(word.toUpperCase(Locale.ROOT));
    }

    /// `timestamp` (microseconds since 1970) plus `span`, on the last day of a month that is too short for its day.
    ///
    /// @throws ArithmeticException if the result is out of range
    public static long later(long timestamp, Span span) {
        if (NonFinite.isMoment(timestamp)) {
            return timestamp;
        }
        try {
            long days = Math.floorDiv(timestamp, Temporals.MICROS_PER_DAY);
            long time = Math.floorMod(timestamp, Temporals.MICROS_PER_DAY);
            if (span.months() != 0) {
                days = LocalDate.ofEpochDay(days).plusMonths(span.months()).toEpochDay();
            }
            days = Math.addExact(days, span.days());
            return Math.addExact(
                    Math.addExact(Math.multiplyExact(days, Temporals.MICROS_PER_DAY), time),
                    span.micros());
        } catch (DateTimeException tooFar) {
            ArithmeticException overflow = new ArithmeticException(tooFar.getMessage());
            overflow.initCause(tooFar);
            throw overflow;
        }
    }

    /// The moment `micros` plus `span`: months and days by the calendar of `zone`, the rest as time that passes.
    ///
    /// @throws ArithmeticException if the result is out of range
    public static long later(long micros, Span span, Zone zone) {
        if (NonFinite.isMoment(micros)) {
            return micros;
        }
        long moment = micros;
        if (span.months() != 0) {
            moment = zone.moment(later(zone.local(moment), new Span(span.months(), 0, 0)));
        }
        if (span.days() != 0) {
            moment = zone.moment(later(zone.local(moment), new Span(0, span.days(), 0)));
        }
        return Math.addExact(moment, span.micros());
    }

    public static Span span(byte[] bytes) {
        IntervalValue value = IntervalValue.of(bytes);
        return new Span(value.months(), value.days(), value.micros());
    }

    /// An interval in its stored form.
    ///
    /// @throws ArithmeticException if it is too long
    public static byte[] bytes(Span span) {
        return new IntervalValue(
                        Math.toIntExact(span.months()), Math.toIntExact(span.days()), span.micros())
                .toBytes();
    }

    /// The time part of an interval, as a time of day.
    public static long time(byte[] bytes) {
        return Math.floorMod(IntervalValue.of(bytes).micros(), Temporals.MICROS_PER_DAY);
    }

    /// Parses `text` to a value of `type`.
    ///
    /// @throws DateTimeException if it is no interval
    /// @throws ArithmeticException if it is too long
    public static byte[] parse(String text, Type type) {
        return bytes(IntervalText.parse(text, type.length() == 0 ? "" : type.intervalFields()));
    }

    /// `bytes` truncated to the last field of `type`.
    public static byte[] fit(byte[] bytes, Type type) {
        if (type.length() == 0) {
            return bytes;
        }
        String fields = type.intervalFields();
        String last = fields.substring(fields.lastIndexOf(' ') + 1);
        return bytes(IntervalText.cut(span(bytes), last));
    }

    /// EXTRACT of an interval.
    public static BigDecimal extracted(String field, byte[] bytes, Place place) {
        IntervalValue value = IntervalValue.of(bytes);
        long micros = value.micros();
        long minute = 60_000_000L;
        return switch (field) {
            case "MILLENNIUM" -> BigDecimal.valueOf(value.months() / 12_000);
            case "CENTURY" -> BigDecimal.valueOf(value.months() / 1_200);
            case "DECADE" -> BigDecimal.valueOf(value.months() / 120);
            case "YEAR", "YEARS" -> BigDecimal.valueOf(value.months() / 12);
            case "QUARTER" -> BigDecimal.valueOf(value.months() % 12 / 3 + 1);
            case "MONTH", "MONTHS" -> BigDecimal.valueOf(value.months() % 12);
            case "DAY", "DAYS" -> BigDecimal.valueOf(value.days());
            case "HOUR", "HOURS" -> BigDecimal.valueOf(micros / (60 * minute));
            case "MINUTE", "MINUTES" -> BigDecimal.valueOf(micros / minute % 60);
            case "SECOND", "SECONDS" -> BigDecimal.valueOf(micros % minute, 6);
            case "MILLISECONDS", "MILLISECOND" -> BigDecimal.valueOf(micros % minute, 3);
            case "MICROSECONDS", "MICROSECOND" -> BigDecimal.valueOf(micros % minute);
            case "EPOCH" ->
                    // As in PostgreSQL: a year has 365.25 days, a remaining month 30.
                    BigDecimal.valueOf(value.months() / 12)
                            .multiply(new BigDecimal("31557600"))
                            .add(BigDecimal.valueOf(value.months() % 12 * 2_592_000L))
                            .add(BigDecimal.valueOf(value.days() * 86_400L))
                            .add(BigDecimal.valueOf(micros, 6));
            default ->
                    throw place.error(
                            Kind.INVALID_PARAMETER, "An interval has no field \"" + field + "\"");
        };
    }
}
