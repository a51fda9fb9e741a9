package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.IntervalValue;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Spans of time, as INTERVAL writes them, and what they make of dates and times.
public final class Intervals {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final Pattern PART =
            Pattern.compile("\\s*([+-]?)\\s*(\\d+(?:\\.\\d+)?|\\.\\d+)\\s*([A-Za-z]+)\\s*");
    private static final Pattern CLOCK =
            Pattern.compile("\\s*([+-]?)(\\d+):(\\d{1,2})(?::(\\d{1,2}(?:\\.\\d+)?))?\\s*");
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d+(?:\\.\\d+)?\\s*");
    private static final Pattern YEAR_MONTH = Pattern.compile("\\s*([+-]?)(\\d+)-(\\d+)\\s*");
    private static final List<String> FIELDS =
            List.of("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

    private Intervals() {}

    /// A span of time: months and days are as long as the calendar has them.
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

    /// The span that `text` writes, as `1 day 02:30`; `fields` is what followed it.
    ///
    /// @throws DateTimeException if it is none
    /// @throws ArithmeticException if it is too long
    public static Span parse(String text, String fields) {
        try {
            return read(text, fields);
        } catch (IllegalArgumentException unfit) {
            throw new DateTimeException("no interval", unfit);
        }
    }

    private static Span read(String text, String fields) {
        if (!fields.isEmpty()) {
            return ofFields(text, fields.toUpperCase(Locale.ROOT));
        }
        if (YEAR_MONTH.matcher(text).matches()) {
            return ofFields(text, "YEAR TO MONTH");
        } else if (NUMBER.matcher(text).matches()) {
            return of(new BigDecimal(text.strip()), "SECOND");
        }
        Span span = new Span(0, 0, 0);
        int at = 0;
        boolean any = false;
        while (at < text.length()) {
            Matcher part = PART.matcher(text).region(at, text.length());
            Matcher clock = CLOCK.matcher(text).region(at, text.length());
            if (clock.lookingAt()) {
                span = span.plus(ofClock(clock));
                at = clock.end();
            } else if (part.lookingAt()) {
                span = span.plus(of(signed(part.group(1), part.group(2)), part.group(3)));
                at = part.end();
            } else if (text.substring(at).isBlank()) {
                break;
            } else {
                throw new IllegalArgumentException(text);
            }
            any = true;
        }
        if (!any) {
            throw new IllegalArgumentException(text);
        }
        return span;
    }

    private static Span ofFields(String text, String fields) {
        Matcher clock = CLOCK.matcher(text);
        Matcher yearMonth = YEAR_MONTH.matcher(text);
        if (fields.equals("YEAR TO MONTH") && yearMonth.matches()) {
            long months =
                    Math.addExact(
                            Math.multiplyExact(Long.parseLong(yearMonth.group(2)), 12L),
                            Long.parseLong(yearMonth.group(3)));
            return new Span(yearMonth.group(1).equals("-") ? -months : months, 0, 0);
        } else if (fields.contains(" TO ")) {
            if (clock.matches() && fields.startsWith("HOUR")) {
                return ofClock(clock);
            }
            int space = text.strip().indexOf(' ');
            if (fields.startsWith("DAY") && space > 0) {
                String trimmed = text.strip();
                return of(new BigDecimal(trimmed.substring(0, space)), "DAY")
                        .plus(read(trimmed.substring(space + 1), ""));
            }
            throw new IllegalArgumentException(text);
        }
        return of(new BigDecimal(text.strip()), fields);
    }

    private static BigDecimal signed(String sign, String digits) {
        BigDecimal value = new BigDecimal(digits);
        return sign.equals("-") ? value.negate() : value;
    }

    private static Span ofClock(Matcher clock) {
        BigDecimal seconds =
                clock.group(4) == null ? BigDecimal.ZERO : new BigDecimal(clock.group(4));
        long micros =
                Math.addExact(
                        Math.multiplyExact(
                                Long.parseLong(clock.group(2)), 3_600 * MICROS_PER_SECOND),
                        Math.addExact(
                                Long.parseLong(clock.group(3)) * 60 * MICROS_PER_SECOND,
                                whole(seconds.movePointRight(6))));
        return new Span(0, 0, clock.group(1).equals("-") ? -micros : micros);
    }

    private static long whole(BigDecimal value) {
        return value.setScale(0, RoundingMode.HALF_UP).longValueExact();
    }

    private static Span of(BigDecimal count, String unit) {
        return switch (unit.toUpperCase(Locale.ROOT)) {
            case "MILLENNIUM", "MILLENNIUMS", "MILLENNIA" -> months(count, 12_000);
            case "CENTURY", "CENTURIES" -> months(count, 1_200);
            case "DECADE", "DECADES" -> months(count, 120);
            case "YEAR", "YEARS", "Y", "YR", "YRS" -> months(count, 12);
            case "QUARTER", "QUARTERS" -> months(count, 3);
            case "MONTH", "MONTHS", "MON", "MONS" -> months(count, 1);
            case "WEEK", "WEEKS", "W" -> days(count, 7);
            case "DAY", "DAYS", "D" -> days(count, 1);
            case "HOUR", "HOURS", "H", "HR", "HRS" -> micros(count, 3_600 * MICROS_PER_SECOND);
            case "MINUTE", "MINUTES", "M", "MIN", "MINS" -> micros(count, 60 * MICROS_PER_SECOND);
            case "SECOND", "SECONDS", "S", "SEC", "SECS" -> micros(count, MICROS_PER_SECOND);
            case "MILLISECOND", "MILLISECONDS", "MS" -> micros(count, 1_000);
            case "MICROSECOND", "MICROSECONDS", "US" -> micros(count, 1);
            default -> throw new IllegalArgumentException(unit);
        };
    }

    private static Span months(BigDecimal count, long each) {
        return new Span(whole(count.multiply(BigDecimal.valueOf(each))), 0, 0);
    }

    private static Span days(BigDecimal count, long each) {
        BigDecimal days = count.multiply(BigDecimal.valueOf(each));
        long whole = days.setScale(0, RoundingMode.DOWN).longValueExact();
        BigDecimal rest = days.subtract(BigDecimal.valueOf(whole));
        return new Span(
                0, whole, whole(rest.multiply(BigDecimal.valueOf(Temporals.MICROS_PER_DAY))));
    }

    private static Span micros(BigDecimal count, long each) {
        return new Span(0, 0, whole(count.multiply(BigDecimal.valueOf(each))));
    }

    /// `timestamp` (microseconds since 1970) and `span` later; the last day of a month where the
    /// month has no such day.
    ///
    /// @throws ArithmeticException if that is too far
    public static long later(long timestamp, Span span) {
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

    public static Span span(byte[] bytes) {
        IntervalValue value = IntervalValue.of(bytes);
        return new Span(value.months(), value.days(), value.micros());
    }

    /// A span as rows hold it.
    ///
    /// @throws ArithmeticException if it is too long
    public static byte[] bytes(Span span) {
        return new IntervalValue(
                        Math.toIntExact(span.months()), Math.toIntExact(span.days()), span.micros())
                .toBytes();
    }

    /// The time of day that is left of a span.
    public static long time(byte[] bytes) {
        return Math.floorMod(IntervalValue.of(bytes).micros(), Temporals.MICROS_PER_DAY);
    }

    /// The span that `text` writes.
    ///
    /// @throws DateTimeException if it is none
    /// @throws ArithmeticException if it is too long
    public static byte[] parse(String text) {
        return bytes(parse(text, ""));
    }

    /// `bytes` with the fields that `type` holds.
    public static byte[] fit(byte[] bytes, Type type) {
        if (type.length() == 0) {
            return bytes;
        }
        IntervalValue value = IntervalValue.of(bytes);
        return type.length() == Typing.YEAR_MONTH
                ? new IntervalValue(value.months(), 0, 0).toBytes()
                : new IntervalValue(0, value.days(), value.micros()).toBytes();
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
                    // As PostgreSQL counts: a year has 365.25 days, a month that is left 30.
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
