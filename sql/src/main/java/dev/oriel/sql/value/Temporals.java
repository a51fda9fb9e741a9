package dev.oriel.sql.value;

import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.ZonedTime;
import dev.oriel.table.key.StoredValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts dates and times between text and the stored numbers: days, and microseconds. A TIMESTAMP WITH TIME ZONE
/// is kept in UTC, and read and written in a [Zone].
public final class Temporals {
    public static final long MICROS_PER_DAY = 86_400_000_000L;

    private static final DateTimeFormatter DATE =
            new DateTimeFormatterBuilder()
                    .appendValue(ChronoField.YEAR, 4, 9, SignStyle.NORMAL)
                    .appendPattern("-M-d")
                    .toFormatter(Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder()
                    .appendPattern("H:mm[:ss]")
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
                    .toFormatter(Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);

    private static final Pattern MIDNIGHT = Pattern.compile("24:00(:00(\\.0{0,9})?)?");

    private static final Pattern LEAP_SECOND =
            Pattern.compile("(\\d{1,2}:\\d{2}:)60((?:\\.\\d{0,9})?)");

    private static final Pattern COMPACT_TIME =
            Pattern.compile("(\\d{2})(\\d{2})(\\d{2}(?:\\.\\d{0,9})?)?");

    private static final Pattern EARLY = Pattern.compile("-(\\d{1,3})-\\d{1,2}-\\d{1,2}");

    private Temporals() {}

    /// Days since 1970-01-01 of `2024-02-29`, optionally followed by a time.
    ///
    /// @throws DateTimeException if `text` is no date
    static long parseDate(String text) {
        try {
            return parseIsoDate(text);
        } catch (DateTimeException otherForm) {
            int infinity = infinity(text);
            if (infinity != 0) {
                return infinity > 0 ? NonFinite.LAST_DAY : NonFinite.FIRST_DAY;
            }
            String padded = withWholeYear(text.strip());
            return padded == null ? MomentText.date(text, otherForm) : parseIsoDate(padded);
        }
    }

    /// `text` with four digits in a year before the year 0 that has fewer; null if it is no such date.
    private static @Nullable String withWholeYear(String text) {
        Matcher early = EARLY.matcher(text);
        return early.matches()
                ? "-" + "0".repeat(4 - early.group(1).length()) + text.substring(1)
                : null;
    }

    private static long parseIsoDate(String text) {
        String trimmed = text.strip();
        int end = endOfDate(trimmed);
        if (end < trimmed.length()) {
            parseIso(trimmed, null);
        }
        return finite(LocalDate.parse(trimmed.substring(0, end), DATE).toEpochDay());
    }

    /// `days`, which was computed of a date.
    ///
    /// @throws DateTimeException if it would be infinite
    private static long finite(long days) {
        if (NonFinite.isDay(days)) {
            throw new DateTimeException("", new ArithmeticException("beyond the range of dates"));
        }
        return days;
    }

    /// Microseconds since midnight of `23:59:59.999999`, or of a timestamp.
    ///
    /// @throws DateTimeException if `text` is no time
    static long parseTime(String text) {
        try {
            return Math.min(micros(LocalTime.parse(text.strip(), TIME)), MICROS_PER_DAY - 1);
        } catch (DateTimeException other) {
            if (text.indexOf(':') < 0) {
                return withoutColons(text.strip(), other);
            }
            // A timestamp has a time too; a mere date has none. A zone is ignored.
            return ZonedTime.local(parseZonedTime(text, Zone.UTC));
        }
    }

    static long parseZonedTime(String text, Zone here) {
        return parseZonedTime(text, here, StoredValues.micros(Instant.now()));
    }

    /// The number of a TIME WITH TIME ZONE: `12:30:00.5+02`, or a timestamp.
    ///
    /// @param here zone of a text that names none
    /// @param now moment whose distance from UTC counts if the text has no date either
    /// @throws DateTimeException if `text` is no time
    static long parseZonedTime(String text, Zone here, long now) {
        String trimmed = text.strip();
        int zone = startOfZone(trimmed);
        try {
            String clock = trimmed.substring(0, zone).strip();
            long local =
                    clock.indexOf(':') < 0
                            ? withoutColons(clock, new DateTimeException("no time: " + clock))
                            : micros(LocalTime.parse(clock, TIME));
            int east =
                    zone == trimmed.length()
                            ? here.seconds(now)
                            : secondsOf(trimmed.substring(zone));
            return ZonedTime.of(Math.min(local, MICROS_PER_DAY - 1), east);
        } catch (DateTimeException other) {
            return MomentText.zonedTime(text, here, now, other);
        }
    }

    /// Seconds east of Greenwich of `Z` or `+02:00`.
    private static int secondsOf(String name) {
        return name.equalsIgnoreCase("z") ? 0 : ZoneOffset.of(name).getTotalSeconds();
    }

    /// Microseconds since midnight of `123000.5` or `1230`.
    private static long withoutColons(String text, DateTimeException other) {
        Matcher digits = COMPACT_TIME.matcher(text);
        if (!digits.matches()) {
            throw other;
        }
        String seconds = digits.group(3) == null ? "" : ":" + digits.group(3);
        return micros(LocalTime.parse(digits.group(1) + ":" + digits.group(2) + seconds, TIME));
    }

    /// Microseconds since 1970 of `2024-02-29 12:30:00.5`, with a `T` or blanks between, and a zone (`Z`, `+02`,
    /// `+02:00`). The result is a local time, for which a zone in the text is ignored, or a moment.
    ///
    /// @param here zone of a moment whose text names none; null for a local time
    /// @throws DateTimeException if `text` is no timestamp
    static long parseTimestamp(String text, @Nullable Zone here) {
        try {
            return parseIso(text, here);
        } catch (DateTimeException otherForm) {
            int infinity = infinity(text);
            if (infinity != 0) {
                return infinity > 0 ? NonFinite.LAST_MOMENT : NonFinite.FIRST_MOMENT;
            }
            return MomentText.timestamp(text, here, otherForm);
        }
    }

    /// Whether the moment `text` is the same in all zones, as it names one.
    ///
    /// @throws DateTimeException if `text` is no timestamp
    public static boolean namesZone(String text) {
        return parseTimestamp(text, Zone.UTC) == parseTimestamp(text, Zone.ofSeconds(3_600));
    }

    /// Like [#namesZone(String)], of the text of a TIME WITH TIME ZONE.
    public static boolean timeNamesZone(String text) {
        return parseZonedTime(text, Zone.UTC) == parseZonedTime(text, Zone.ofSeconds(3_600));
    }

    private static long parseIso(String text, @Nullable Zone here) {
        String trimmed = text.strip();
        int end = endOfDate(trimmed);
        long days = LocalDate.parse(trimmed.substring(0, end), DATE).toEpochDay();
        String rest = end < trimmed.length() ? trimmed.substring(end + 1).strip() : "";
        if (rest.isEmpty()) {
            return there(atTime(days, 0), here);
        }
        int zone = startOfZone(rest);
        long micros = clock(rest.substring(0, zone).strip());
        if (zone == rest.length()) {
            return there(atTime(days, micros), here);
        }
        int seconds = secondsOf(rest.substring(zone));
        return atTime(days, micros - (here == null ? 0 : seconds * 1_000_000L));
    }

    /// The moment at which clocks in `zone` show `local`; `local` itself without a zone.
    static long there(long local, @Nullable Zone zone) {
        try {
            return zone == null ? local : zone.moment(local);
        } catch (ArithmeticException tooFar) {
            throw new DateTimeException("beyond the range of timestamps", tooFar);
        }
    }

    /// Microseconds since midnight of `text`. A timestamp may also have the time `24:00`, and 60 seconds, as in
    /// PostgreSQL: both denote the start of the next day or minute.
    private static long clock(String text) {
        if (text.startsWith("24:") && MIDNIGHT.matcher(text).matches()) {
            return MICROS_PER_DAY;
        }
        Matcher leap = text.contains(":60") ? LEAP_SECOND.matcher(text) : null;
        if (leap != null && leap.matches()) {
            String before = leap.group(1) + "59" + leap.group(2);
            long micros = micros(LocalTime.parse(before, TIME)) + 1_000_000;
            if (micros <= MICROS_PER_DAY) {
                return micros;
            }
        }
        return micros(LocalTime.parse(text, TIME));
    }

    /// 1 for `infinity`, -1 for `-infinity`, 0 for any other text.
    private static int infinity(String text) {
        String word = text.strip();
        return word.equalsIgnoreCase("infinity") ? 1 : word.equalsIgnoreCase("-infinity") ? -1 : 0;
    }

    private static String infinity(boolean last) {
        return last ? "infinity" : "-infinity";
    }

    static String formatDate(long days) {
        if (NonFinite.isDay(days)) {
            return infinity(days > 0);
        }
        StringBuilder out = new StringBuilder();
        appendDate(out, days);
        return out.toString();
    }

    static String formatTime(long micros) {
        StringBuilder out = new StringBuilder();
        appendTime(out, micros);
        return out.toString();
    }

    static String formatZonedTime(long value) {
        return formatTime(ZonedTime.local(value)) + Zone.distance(ZonedTime.east(value));
    }

    /// @param zone zone of the moment `given`; null if this is a local time
    static String formatTimestamp(long given, @Nullable Zone zone) {
        if (NonFinite.isMoment(given)) {
            return infinity(given > 0);
        }
        long micros = zone == null ? given : zone.local(given);
        StringBuilder out = new StringBuilder();
        appendDate(out, Math.floorDiv(micros, MICROS_PER_DAY));
        out.append(' ');
        appendTime(out, Math.floorMod(micros, MICROS_PER_DAY));
        return zone == null
                ? out.toString()
                : out.append(Zone.distance(zone.seconds(given))).toString();
    }

    /// The TIMESTAMP at the start of a DATE.
    ///
    /// @throws DateTimeException if it is out of range
    public static long startOfDay(long days) {
        if (NonFinite.isDay(days)) {
            return days > 0 ? NonFinite.LAST_MOMENT : NonFinite.FIRST_MOMENT;
        }
        return atTime(days, 0);
    }

    /// The DATE of a TIMESTAMP.
    public static long day(long micros) {
        return NonFinite.isMoment(micros)
                ? micros > 0 ? NonFinite.LAST_DAY : NonFinite.FIRST_DAY
                : Math.floorDiv(micros, MICROS_PER_DAY);
    }

    private static long atTime(long days, long micros) {
        try {
            return Math.addExact(Math.multiplyExact(days, MICROS_PER_DAY), micros);
        } catch (ArithmeticException tooFar) {
            throw new DateTimeException("beyond the range of timestamps", tooFar);
        }
    }

    /// Rounds to microseconds, half to even; the result is at most a whole day.
    private static long micros(LocalTime time) {
        long nanos = time.toNanoOfDay();
        long micros = nanos / 1_000;
        long left = nanos % 1_000;
        return left > 500 || (left == 500 && (micros & 1) == 1) ? micros + 1 : micros;
    }

    private static int endOfDate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ' || c == 'T' || c == 't') {
                return i;
            }
        }
        return text.length();
    }

    private static int startOfZone(String time) {
        for (int i = 0; i < time.length(); i++) {
            char c = time.charAt(i);
            if (c == '+' || c == '-' || c == 'Z' || c == 'z') {
                return i;
            }
        }
        return time.length();
    }

    private static void appendDate(StringBuilder out, long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        int year = date.getYear();
        if (year < 0) {
            out.append('-');
        }
        appendPadded(out, Math.abs(year), 4);
        out.append('-');
        appendPadded(out, date.getMonthValue(), 2);
        out.append('-');
        appendPadded(out, date.getDayOfMonth(), 2);
    }

    private static void appendTime(StringBuilder out, long micros) {
        long seconds = micros / 1_000_000;
        appendPadded(out, seconds / 3_600, 2);
        out.append(':');
        appendPadded(out, seconds / 60 % 60, 2);
        out.append(':');
        appendPadded(out, seconds % 60, 2);
        long fraction = micros % 1_000_000;
        if (fraction != 0) {
            out.append('.');
            appendPadded(out, fraction, 6);
            int end = out.length();
            while (out.charAt(end - 1) == '0') {
                end--;
            }
            out.setLength(end);
        }
    }

    private static void appendPadded(StringBuilder out, long value, int digits) {
        String text = Long.toString(value);
        out.append("0".repeat(Math.max(0, digits - text.length()))).append(text);
    }
}
