package dev.oriel.sql.value;

import dev.oriel.sql.value.Intervals.Span;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads intervals in PostgreSQL's forms: `1 year 2 mons -3 days 04:05:06`, `1-2`, `1 day ago`, and ISO 8601's
/// `P1Y2M3DT4H5M6.5S`. A fraction of a month becomes days, of which it has 30. A fraction of a day becomes time. A
/// fraction of a year is rounded to months.
public final class IntervalText {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final BigDecimal MONTH_DAYS = BigDecimal.valueOf(30);

    /// Greatest minute and second of a clock; 60 seconds are a minute.
    private static final int MINUTES_MAX = 59;

    private static final int SECONDS_MAX = 60;

    private static final Pattern PART =
            Pattern.compile("([+-]?)\\s*(\\d+(?:\\.\\d*)?|\\.\\d+)\\s*([A-Za-z]*)[\\s,]*");
    private static final Pattern CLOCK =
            Pattern.compile("([+-]?)(\\d+):(\\d{1,2})(?::(\\d{1,2}(?:\\.\\d*)?))?[\\s,]*");

    /// Minutes and seconds, of MINUTE TO SECOND.
    private static final Pattern MINUTE_CLOCK =
            Pattern.compile("([+-]?)(\\d+):(\\d{1,2}(?:\\.\\d*)?)(?![:\\d.])[\\s,]*");

    /// A literal within the text, as H2 writes intervals.
    private static final Pattern LITERAL =
            Pattern.compile(
                    "INTERVAL\\s*([+-]?)\\s*'([^']*)'\\s*(\\w+(?:\\s+TO\\s+\\w+)?)",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern YEAR_MONTH =
            Pattern.compile("([+-]?)(\\d+)-(\\d+)(?:[\\s,]+|\\z)");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(?:\\.\\d*)?");
    private static final Pattern AGO = Pattern.compile("ago\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern ISO_DATE =
            Pattern.compile("P(\\d+)-(\\d+)-(\\d+)(?:T(\\d+):(\\d+):(\\d+(?:\\.\\d*)?))?");
    private static final List<String> ISO_FIELDS =
            List.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");
    private static final Pattern ISO_PART =
            Pattern.compile("([+-]?)(\\d+(?:\\.\\d*)?|\\.\\d+)([YMWDHS])");

    private final String text;
    private final String fields;
    private Span span = new Span(0, 0, 0);
    private int at;

    /// Units read so far: each may occur once.
    private final Set<String> units = new HashSet<>();

    private IntervalText(String text, String fields) {
        this.text = text;
        this.fields = fields;
    }

    /// The interval `text`; `fields` are the fields written after it, such as `DAY TO SECOND`, or empty.
    ///
    /// @throws DateTimeException if it is no interval
    /// @throws ArithmeticException if it is too long
    public static Span parse(String text, String fields) {
        String stripped = text.strip();
        Matcher literal = LITERAL.matcher(stripped);
        if (literal.matches()) {
            String own = literal.group(3).replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
            Span span = parse(literal.group(2), own);
            Span signed = literal.group(1).equals("-") ? span.negated() : span;
            return new IntervalText(stripped, fields.toUpperCase(Locale.ROOT)).cut(signed);
        }
        IntervalText reader = new IntervalText(stripped, fields.toUpperCase(Locale.ROOT));
        Span span = stripped.startsWith("P") ? reader.iso() : reader.words();
        Math.toIntExact(span.months());
        Math.toIntExact(span.days());
        return reader.cut(span);
    }

    /// One `unit` of time, as a day.
    ///
    /// @throws DateTimeException if there is no such unit
    public static Span one(String unit) {
        return of(BigDecimal.ONE, unit);
    }

    private Span words() {
        if (text.startsWith("@")) {
            at = text.length() - text.substring(1).stripLeading().length();
        }
        if (at == text.length()) {
            throw unfit();
        }
        while (at < text.length()) {
            Matcher clock = matcher(CLOCK);
            Matcher yearMonth = matcher(YEAR_MONTH);
            Matcher part = matcher(PART);
            Matcher minutes = matcher(MINUTE_CLOCK);
            if (fields.equals("MINUTE TO SECOND") && minutes.lookingAt()) {
                at = minutes.end();
                once("HOUR");
                once("MINUTE");
                once("SECOND");
                add(of(signed(minutes, 2), "MINUTE").plus(of(signed(minutes, 3), "SECOND")));
            } else if (clock.lookingAt()) {
                at = clock.end();
                once("HOUR");
                once("MINUTE");
                once("SECOND");
                add(ofClock(clock));
            } else if (yearMonth.lookingAt()) {
                at = yearMonth.end();
                once("MONTH");
                BigDecimal years = signed(yearMonth.group(1), yearMonth.group(2));
                add(of(years, "YEAR").plus(of(signed(yearMonth, 3), "MONTH")));
            } else if (part.lookingAt()) {
                at = part.end();
                String unit = part.group(3).isEmpty() ? unitOfNumber() : part.group(3);
                once(called(unit));
                add(of(signed(part.group(1), part.group(2)), unit));
            } else if (at > 0 && matcher(AGO).matches()) {
                return span.negated();
            } else {
                throw unfit();
            }
        }
        return span;
    }

    private void once(String unit) {
        if (!units.add(unit)) {
            throw unfit();
        }
    }

    /// The unit of a number without one: days before a clock or before hours, else the last field, or seconds.
    private String unitOfNumber() {
        boolean hours = fields.equals("DAY TO HOUR") && matcher(NUMBER).matches();
        if (hours || matcher(CLOCK).lookingAt()) {
            return "DAY";
        } else if (at < text.length() && !matcher(AGO).matches()) {
            throw unfit();
        }
        return fields.isEmpty() ? "SECOND" : lastField();
    }

    private String lastField() {
        return fields.substring(fields.lastIndexOf(' ') + 1);
    }

    private Span ofClock(Matcher clock) {
        if (!isBelow(clock.group(3), MINUTES_MAX) || !isBelow(clock.group(4), SECONDS_MAX)) {
            throw new ArithmeticException("a minute or second of a clock is out of range");
        }
        Span sum = of(signed(clock, 2), "HOUR").plus(of(signed(clock, 3), "MINUTE"));
        return clock.group(4) == null ? sum : sum.plus(of(signed(clock, 4), "SECOND"));
    }

    private static boolean isBelow(@Nullable String digits, int most) {
        return digits == null || new BigDecimal(digits).compareTo(BigDecimal.valueOf(most)) <= 0;
    }

    private Span iso() {
        Matcher date = ISO_DATE.matcher(text);
        if (date.matches()) {
            for (int i = 1; i <= 6; i++) {
                if (date.group(i) != null) {
                    add(of(new BigDecimal(date.group(i)), ISO_FIELDS.get(i - 1)));
                }
            }
            return span;
        }
        boolean time = false;
        at = 1;
        while (at < text.length()) {
            Matcher part = matcher(ISO_PART);
            if (!time && text.charAt(at) == 'T') {
                time = true;
                at++;
            } else if (part.lookingAt()) {
                at = part.end();
                add(of(signed(part.group(1), part.group(2)), isoUnit(part.group(3), time)));
            } else {
                throw unfit();
            }
        }
        if (at == 1) {
            throw unfit();
        }
        return span;
    }

    private String isoUnit(String letter, boolean time) {
        return switch (letter) {
            case "M" -> time ? "MINUTE" : "MONTH";
            case "Y", "W", "D" -> unless(time, letter);
            default -> unless(!time, letter);
        };
    }

    private String unless(boolean wrong, String letter) {
        if (wrong) {
            throw unfit();
        }
        return letter;
    }

    private Matcher matcher(Pattern pattern) {
        return pattern.matcher(text).region(at, text.length());
    }

    private void add(Span part) {
        span = span.plus(part);
    }

    private static BigDecimal signed(Matcher matcher, int group) {
        return signed(matcher.group(1), matcher.group(group));
    }

    private static BigDecimal signed(String sign, String digits) {
        BigDecimal value = new BigDecimal(digits);
        return sign.equals("-") ? value.negate() : value;
    }

    private Span cut(Span whole) {
        return cut(whole, fields.isEmpty() ? "" : lastField());
    }

    /// `whole` down to the field `last`.
    static Span cut(Span whole, String last) {
        return switch (last) {
            case "YEAR" -> new Span(whole.months() - whole.months() % 12, 0, 0);
            case "MONTH" -> new Span(whole.months(), 0, 0);
            case "DAY" -> new Span(whole.months(), whole.days(), 0);
            case "HOUR" -> cut(whole, HOUR);
            case "MINUTE" -> cut(whole, MINUTE);
            default -> whole;
        };
    }

    private static Span cut(Span whole, long micros) {
        return new Span(whole.months(), whole.days(), whole.micros() - whole.micros() % micros);
    }

    private static Span of(BigDecimal count, String unit) {
        return switch (called(unit)) {
            case "MILLENNIUM" -> years(count, 1_000);
            case "CENTURY" -> years(count, 100);
            case "DECADE" -> years(count, 10);
            case "YEAR" -> years(count, 1);
            case "QUARTER" -> months(count.multiply(BigDecimal.valueOf(3)));
            case "MONTH" -> months(count);
            case "WEEK" -> days(0, count.multiply(BigDecimal.valueOf(7)));
            case "DAY" -> days(0, count);
            case "HOUR" -> micros(count, HOUR);
            case "MINUTE" -> micros(count, MINUTE);
            case "SECOND" -> micros(count, SECOND);
            case "MILLISECOND" -> micros(count, 1_000);
            default -> micros(count, 1);
        };
    }

    /// The usual name of `unit`.
    ///
    /// @throws DateTimeException if there is no such unit
    private static String called(String unit) {
        return switch (unit.toUpperCase(Locale.ROOT)) {
            case "MILLENNIUM", "MILLENNIUMS", "MILLENNIA" -> "MILLENNIUM";
            case "CENTURY", "CENTURIES" -> "CENTURY";
            case "DECADE", "DECADES" -> "DECADE";
            case "YEAR", "YEARS", "Y", "YR", "YRS" -> "YEAR";
            case "QUARTER", "QUARTERS" -> "QUARTER";
            case "MONTH", "MONTHS", "MON", "MONS" -> "MONTH";
            case "WEEK", "WEEKS", "W" -> "WEEK";
            case "DAY", "DAYS", "D" -> "DAY";
            case "HOUR", "HOURS", "H", "HR", "HRS" -> "HOUR";
            case "MINUTE", "MINUTES", "M", "MIN", "MINS" -> "MINUTE";
            case "SECOND", "SECONDS", "S", "SEC", "SECS" -> "SECOND";
            case "MILLISECOND", "MILLISECONDS", "MS" -> "MILLISECOND";
            case "MICROSECOND", "MICROSECONDS", "US" -> "MICROSECOND";
            default -> throw new DateTimeException("no unit of time: " + unit);
        };
    }

    private static Span years(BigDecimal count, int each) {
        BigDecimal months = count.multiply(BigDecimal.valueOf(12L * each));
        return new Span(months.setScale(0, RoundingMode.HALF_EVEN).longValueExact(), 0, 0);
    }

    private static Span months(BigDecimal count) {
        BigDecimal whole = count.setScale(0, RoundingMode.DOWN);
        return days(whole.longValueExact(), count.subtract(whole).multiply(MONTH_DAYS));
    }

    private static Span days(long months, BigDecimal count) {
        BigDecimal whole = count.setScale(0, RoundingMode.DOWN);
        long micros = micros(count.subtract(whole), Temporals.MICROS_PER_DAY).micros();
        return new Span(months, whole.longValueExact(), micros);
    }

    private static Span micros(BigDecimal count, long each) {
        BigDecimal micros = count.multiply(BigDecimal.valueOf(each));
        return new Span(0, 0, micros.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    private DateTimeException unfit() {
        return new DateTimeException("no interval: " + text);
    }
}
