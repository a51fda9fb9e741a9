package dev.oriel.sql;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Spans of time, as INTERVAL writes them, and what they make of dates and times.
final class Intervals {
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
    record Span(long months, long days, long micros) {
        Span negated() {
            return new Span(
                    Math.negateExact(months), Math.negateExact(days), Math.negateExact(micros));
        }

        Span plus(Span other) {
            return new Span(
                    Math.addExact(months, other.months),
                    Math.addExact(days, other.days),
                    Math.addExact(micros, other.micros));
        }

        Span times(long factor) {
            return new Span(
                    Math.multiplyExact(months, factor),
                    Math.multiplyExact(days, factor),
                    Math.multiplyExact(micros, factor));
        }

        boolean isNegative() {
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
    static boolean isField(String word) {
        return FIELDS.contains(word.toUpperCase(Locale.ROOT));
    }

    /// The span that `text` writes, as `1 day 02:30`; `fields` is what followed it.
    ///
    /// @throws IllegalArgumentException if it is none
    /// @throws ArithmeticException if it is too long
    static Span parse(String text, String fields) {
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
                        .plus(parse(trimmed.substring(space + 1), ""));
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
    static long later(long timestamp, Span span) {
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

    /// The span of what is an INTERVAL all by itself; null where `expression` is none.
    static @Nullable Span constant(Expression expression, SqlText source) {
        if (expression instanceof Expression.IntervalLiteral literal) {
            try {
                return parse(literal.text(), literal.fields());
            } catch (IllegalArgumentException | ArithmeticException unfit) {
                throw source.error(
                        SqlException.Kind.INVALID_VALUE,
                        literal.position(),
                        "'" + literal.text() + "' is no interval, as '1 day' or '02:30' is");
            }
        } else if (expression instanceof Expression.Negation negation) {
            Span span = constant(negation.operand(), source);
            return span == null ? null : span.negated();
        }
        return null;
    }
}
