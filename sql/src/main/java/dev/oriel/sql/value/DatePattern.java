package dev.oriel.sql.value;

import dev.oriel.table.definition.Type;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The patterns of TO_CHAR, TO_DATE and TO_TIMESTAMP: `YYYY-MM-DD HH24:MI:SS`. Fields are PostgreSQL's. Unsupported
/// fields are refused, since they would be read as other fields. TM changes nothing but the padding of names.
public final class DatePattern {
    /// Longest first, so that HH24 is not taken for HH.
    private static final List<String> FIELDS =
            List.of(
                    "SSSSS", "Y,YYY", "HH24", "HH12", "YYYY", "IYYY", "IDDD", "SSSS", "MONTH",
                    "Month", "month", "A.M.", "P.M.", "a.m.", "p.m.", "A.D.", "B.C.", "a.d.",
                    "b.c.", "DDD", "DAY", "Day", "day", "MON", "Mon", "mon", "YYY", "IYY", "FF1",
                    "FF2", "FF3", "FF4", "FF5", "FF6", "TZH", "TZM", "tzh", "tzm", "TZ", "tz", "OF",
                    "RM", "rm", "YY", "IY", "MM", "DD", "HH", "MI", "SS", "MS", "US", "AM", "PM",
                    "am", "pm", "AD", "BC", "ad", "bc", "DY", "Dy", "dy", "WW", "IW", "ID", "CC",
                    "FM", "TM", "D", "Q", "Y", "I", "W", "J");

    private static final List<String> TIMES =
            List.of(
                    "SSSSS", "SSSS", "HH", "MI", "SS", "MS", "US", "AM", "PM", "am", "pm", "A.M.",
                    "P.M.", "a.m.", "p.m.");

    private static final List<String> REFUSED = List.of("FX");

    /// Months as Roman numerals, from January.
    static final List<String> ROMAN =
            List.of("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII");

    /// Julian day number of 1970-01-01.
    public static final long JULIAN_DAYS = 2_440_588;

    private DatePattern() {}

    /// Thrown for an unsupported field of a pattern.
    public static final class UnknownField extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        UnknownField(String field) {
            super("A pattern with the field " + field + " is not supported");
        }
    }

    /// The field that begins at `at`; empty if there is none.
    static String field(String pattern, int at) {
        for (String field : REFUSED) {
            if (pattern.startsWith(field, at)
                    || pattern.startsWith(field.toLowerCase(Locale.ROOT), at)) {
                throw new UnknownField(field);
            }
        }
        for (String field : FIELDS) {
            if (pattern.startsWith(field, at)) {
                return field;
            }
        }
        String upper = pattern.substring(at).toUpperCase(Locale.ROOT);
        for (String field : FIELDS) {
            if (upper.startsWith(field)) {
                return field;
            }
        }
        return "";
    }

    /// Whether TH is at `at`, which makes an ordinal (`1st`) of the number before it.
    static boolean isOrdinal(String pattern, int at) {
        return pattern.startsWith("TH", at) || pattern.startsWith("th", at);
    }

    /// Formats a stored value by `pattern`, a moment in `zone`.
    ///
    /// @param of type of the value
    /// @throws UnknownField if the pattern has an unsupported field
    public static String written(long value, Type.Name of, Zone zone, String pattern) {
        PatternText text = new PatternText(pattern);
        return text.restored(fieldsWritten(value, of, zone, text.bare()));
    }

    private static String fieldsWritten(long value, Type.Name of, Zone zone, String pattern) {
        boolean whole = of == Type.Name.DATE;
        long local = of == Type.Name.TIMESTAMP_TZ ? zone.local(value) : value;
        long day = whole ? value : Math.floorDiv(local, Temporals.MICROS_PER_DAY);
        long time = whole ? 0 : Math.floorMod(local, Temporals.MICROS_PER_DAY);
        LocalDate date = LocalDate.ofEpochDay(day);
        StringBuilder out = new StringBuilder();
        boolean fill = true;
        int at = 0;
        while (at < pattern.length()) {
            String field = field(pattern, at);
            if (field.isEmpty()) {
                out.append(pattern.charAt(at++));
                continue;
            }
            at += field.length();
            if (field.equals("FM") || field.equals("TM")) {
                fill = false;
            } else {
                String shown =
                        isZone(field)
                                ? zone(field, of, zone, value)
                                : value(field, date, time, fill);
                out.append(shown);
                fill = true;
                if (isOrdinal(pattern, at)) {
                    out.append(ordinal(shown, pattern.charAt(at) == 'T'));
                    at += 2;
                }
            }
        }
        return out.toString();
    }

    static boolean isZone(String field) {
        return field.equals("OF") || field.toUpperCase(Locale.ROOT).startsWith("TZ");
    }

    /// The name of the time zone of a value of type `of`, or its distance from UTC.
    private static String zone(String field, Type.Name of, Zone zone, long value) {
        if (of == Type.Name.TIME) {
            throw new UnknownField(field);
        }
        boolean none = of != Type.Name.TIMESTAMP_TZ;
        int seconds = none ? 0 : zone.seconds(value);
        String hours = Zone.distance(seconds / 3_600 * 3_600);
        return switch (field) {
            case "TZ" -> none ? "" : zone.abbreviation(value).toUpperCase(Locale.ROOT);
            case "tz" -> none ? "" : zone.abbreviation(value).toLowerCase(Locale.ROOT);
            case "TZM", "tzm" -> digits(Math.abs(seconds) / 60 % 60, 2, true);
            case "OF" -> Zone.distance(seconds / 60 * 60);
            default -> seconds < 0 && seconds > -3_600 ? "-00" : hours;
        };
    }

    /// The index of the closing quote for the one at `at`.
    private static int quoteEnd(String pattern, int at) {
        int end = pattern.indexOf('"', at + 1);
        return end < 0 ? pattern.length() : end;
    }

    /// The ordinal suffix of a number; empty for names.
    static String ordinal(String value, boolean upper) {
        int digits = value.length();
        if (digits == 0 || !Character.isDigit(value.charAt(digits - 1))) {
            return "";
        }
        boolean teen = digits > 1 && value.charAt(digits - 2) == '1';
        String ending =
                switch (teen ? '0' : value.charAt(digits - 1)) {
                    case '1' -> "st";
                    case '2' -> "nd";
                    case '3' -> "rd";
                    default -> "th";
                };
        return upper ? ending.toUpperCase(Locale.ROOT) : ending;
    }

    /// Whether `field` is a part of a time.
    static boolean isTime(String field) {
        return Character.isDigit(field.charAt(field.length() - 1)) || TIMES.contains(field);
    }

    private static String value(String field, LocalDate date, long time, boolean fill) {
        return isTime(field) ? ofTime(field, time, fill) : ofDate(field, date, fill);
    }

    /// The year within its era: BC years have numbers of their own, so 0 is 1 BC.
    private static int inEra(int year) {
        return year > 0 ? year : 1 - year;
    }

    private static String ofDate(String field, LocalDate date, boolean fill) {
        int year = inEra(date.getYear());
        int weekYear = inEra(date.get(IsoFields.WEEK_BASED_YEAR));
        int week = date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
        int weekday = date.getDayOfWeek().getValue();
        return switch (field) {
            case "Y,YYY" -> digits(year / 1_000, 1, fill) + "," + digits(year % 1_000, 3, true);
            case "YYYY" -> digits(year, 4, fill);
            case "YYY" -> digits(year % 1_000, 3, fill);
            case "YY" -> digits(year % 100, 2, fill);
            case "Y" -> digits(year % 10, 1, fill);
            case "IYYY" -> digits(weekYear, 4, fill);
            case "IYY" -> digits(weekYear % 1_000, 3, fill);
            case "IY" -> digits(weekYear % 100, 2, fill);
            case "I" -> digits(weekYear % 10, 1, fill);
            case "CC" -> {
                int century = (year - 1) / 100 + 1;
                yield digits(date.getYear() > 0 ? century : -century, 2, fill);
            }
            case "AD", "BC" -> date.getYear() > 0 ? "AD" : "BC";
            case "ad", "bc" -> date.getYear() > 0 ? "ad" : "bc";
            case "A.D.", "B.C." -> date.getYear() > 0 ? "A.D." : "B.C.";
            case "a.d.", "b.c." -> date.getYear() > 0 ? "a.d." : "b.c.";
            case "J" -> digits(date.toEpochDay() + JULIAN_DAYS, 1, fill);
            case "W" -> digits((date.getDayOfMonth() - 1) / 7 + 1, 1, fill);
            case "IDDD" -> digits((week - 1) * 7 + weekday, 3, fill);
            case "RM", "rm" -> {
                String roman = ROMAN.get(date.getMonthValue() - 1);
                String cased = field.equals("rm") ? roman.toLowerCase(Locale.ROOT) : roman;
                yield fill ? cased + " ".repeat(4 - cased.length()) : cased;
            }
            case "MM" -> digits(date.getMonthValue(), 2, fill);
            case "DD" -> digits(date.getDayOfMonth(), 2, fill);
            case "DDD" -> digits(date.getDayOfYear(), 3, fill);
            case "D" -> digits(weekday % 7 + 1, 1, fill);
            case "ID" -> digits(weekday, 1, fill);
            case "Q" -> digits((date.getMonthValue() + 2) / 3, 1, fill);
            case "WW" -> digits((date.getDayOfYear() - 1) / 7 + 1, 2, fill);
            case "IW" -> digits(week, 2, fill);
            default -> name(field, date, fill);
        };
    }

    private static String ofTime(String field, long time, boolean fill) {
        long hour = time / 3_600_000_000L;
        return switch (field) {
            case "SSSS", "SSSSS" -> digits(time / 1_000_000, 1, fill);
            case "HH24" -> digits(hour, 2, fill);
            case "HH12", "HH" -> digits((hour + 11) % 12 + 1, 2, fill);
            case "MI" -> digits(time / 60_000_000 % 60, 2, fill);
            case "SS" -> digits(time / 1_000_000 % 60, 2, fill);
            case "MS" -> digits(time / 1_000 % 1_000, 3, fill);
            case "US" -> digits(time % 1_000_000, 6, fill);
            case "AM", "PM" -> hour < 12 ? "AM" : "PM";
            case "am", "pm" -> hour < 12 ? "am" : "pm";
            case "A.M.", "P.M." -> hour < 12 ? "A.M." : "P.M.";
            case "a.m.", "p.m." -> hour < 12 ? "a.m." : "p.m.";
            default -> fraction(time % 1_000_000, field.charAt(2) - '0');
        };
    }

    /// The first `width` digits of microseconds.
    private static String fraction(long micros, int width) {
        return digits(micros, 6, true).substring(0, width);
    }

    /// A name of a month or day, in the case of the pattern and padded with blanks.
    private static String name(String field, LocalDate date, boolean fill) {
        boolean month = field.toUpperCase(Locale.ROOT).startsWith("MO");
        String whole =
                month
                        ? date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH)
                        : date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
        boolean brief = field.length() == 2 || field.equalsIgnoreCase("MON");
        String name = brief ? whole.substring(0, 3) : whole;
        if (field.equals(field.toUpperCase(Locale.ROOT))) {
            name = name.toUpperCase(Locale.ROOT);
        } else if (field.equals(field.toLowerCase(Locale.ROOT))) {
            name = name.toLowerCase(Locale.ROOT);
        }
        return brief || !fill ? name : name + " ".repeat(9 - name.length());
    }

    static String digits(long value, int width, boolean fill) {
        String text = Long.toString(Math.abs(value));
        String padded =
                fill && text.length() < width ? "0".repeat(width - text.length()) + text : text;
        return value < 0 ? "-" + padded : padded;
    }

    /// Parses `text` by `pattern` to microseconds since 1970. Quoted text of the pattern skips as many characters,
    /// whatever they are.
    ///
    /// @param here zone of a moment for which TZH and TZM are absent; null for a local time, which ignores them
    /// @param whole whether both must match completely; else, as in PostgreSQL, an excess of either is ignored
    /// @throws UnknownField if the pattern has an unsupported field
    /// @throws DateTimeException if there is no such date
    /// @throws IllegalArgumentException if `text` does not match
    public static long parse(String text, String pattern, @Nullable Zone here, boolean whole) {
        DateParts parts = new DateParts();
        int from = 0;
        int at = 0;
        while (at < pattern.length()) {
            if (!whole && from > 0 && from == text.length()) {
                break;
            }
            if (pattern.charAt(at) == '"') {
                int end = quoteEnd(pattern, at);
                from = Math.min(from + end - at - 1, text.length());
                at = Math.min(end + 1, pattern.length());
                continue;
            }
            String field = field(pattern, at);
            if (field.isEmpty()) {
                if (from < text.length() && !Character.isLetterOrDigit(text.charAt(from))) {
                    from++;
                }
                at++;
                continue;
            }
            at += field.length();
            boolean ordinal = isOrdinal(pattern, at);
            at += ordinal ? 2 : 0;
            boolean more = at < pattern.length() && !field(pattern, at).isEmpty();
            from = parts.read(field, text, from, more && !ordinal);
            from = ordinal ? Math.min(from + 2, text.length()) : from;
        }
        if (whole && !text.substring(from).isBlank()) {
            throw new IllegalArgumentException(text);
        }
        return parts.micros(here);
    }
}
