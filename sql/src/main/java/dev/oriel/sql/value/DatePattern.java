package dev.oriel.sql.value;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;

/// The patterns of TO_CHAR, TO_DATE and TO_TIMESTAMP: `YYYY-MM-DD HH24:MI:SS`. Fields are PostgreSQL's. Unsupported
/// fields are refused, since they would be read as other fields.
public final class DatePattern {
    /// Longest first, so that HH24 is not taken for HH.
    private static final List<String> FIELDS =
            List.of(
                    "SSSSS", "Y,YYY", "HH24", "HH12", "YYYY", "IYYY", "IDDD", "SSSS", "MONTH",
                    "Month", "month", "A.M.", "P.M.", "a.m.", "p.m.", "A.D.", "B.C.", "a.d.",
                    "b.c.", "DDD", "DAY", "Day", "day", "MON", "Mon", "mon", "YYY", "IYY", "FF1",
                    "FF2", "FF3", "FF4", "FF5", "FF6", "YY", "IY", "MM", "DD", "HH", "MI", "SS",
                    "MS", "US", "AM", "PM", "am", "pm", "AD", "BC", "ad", "bc", "DY", "Dy", "dy",
                    "WW", "IW", "ID", "CC", "FM", "D", "Q", "Y", "I", "W", "J");

    private static final List<String> TIMES =
            List.of(
                    "SSSSS", "SSSS", "HH", "MI", "SS", "MS", "US", "AM", "PM", "am", "pm", "A.M.",
                    "P.M.", "a.m.", "p.m.");

    private static final List<String> REFUSED = List.of("TM", "FX", "RM", "TZ", "OF");

    /// Julian day number of 1970-01-01.
    private static final long JULIAN_DAYS = 2_440_588;

    private DatePattern() {}

    /// Thrown for an unsupported field of a pattern.
    public static final class UnknownField extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private UnknownField(String field) {
            super("A pattern with the field " + field + " is not supported");
        }
    }

    private static String field(String pattern, int at) {
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
    private static boolean isOrdinal(String pattern, int at) {
        return pattern.startsWith("TH", at) || pattern.startsWith("th", at);
    }

    /// Formats a day since 1970-01-01 and a time of day in microseconds by `pattern`.
    ///
    /// @throws UnknownField if the pattern has an unsupported field
    public static String written(long day, long time, String pattern) {
        PatternText text = new PatternText(pattern);
        return text.restored(fieldsWritten(day, time, text.bare()));
    }

    private static String fieldsWritten(long day, long time, String pattern) {
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
            if (field.equals("FM")) {
                fill = false;
            } else {
                String value = value(field, date, time, fill);
                out.append(value);
                fill = true;
                if (isOrdinal(pattern, at)) {
                    out.append(ordinal(value, pattern.charAt(at) == 'T'));
                    at += 2;
                }
            }
        }
        return out.toString();
    }

    /// The index of the closing quote for the one at `at`.
    private static int quoteEnd(String pattern, int at) {
        int end = pattern.indexOf('"', at + 1);
        return end < 0 ? pattern.length() : end;
    }

    /// The ordinal suffix of a number; empty for names.
    private static String ordinal(String value, boolean upper) {
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

    private static String value(String field, LocalDate date, long time, boolean fill) {
        return Character.isDigit(field.charAt(field.length() - 1)) || TIMES.contains(field)
                ? ofTime(field, time, fill)
                : ofDate(field, date, fill);
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

    private static String digits(long value, int width, boolean fill) {
        String text = Long.toString(Math.abs(value));
        String padded =
                fill && text.length() < width ? "0".repeat(width - text.length()) + text : text;
        return value < 0 ? "-" + padded : padded;
    }

    /// Parses `text` by `pattern` to microseconds since 1970. Quoted text of the pattern skips as many characters,
    /// whatever they are.
    ///
    /// @param whole whether both must match completely; else, as in PostgreSQL, an excess of either is ignored
    /// @throws UnknownField if the pattern has an unsupported field
    /// @throws DateTimeException if there is no such date
    /// @throws IllegalArgumentException if `text` does not match
    public static long parse(String text, String pattern, boolean whole) {
        Parts parts = new Parts();
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
        return parts.micros();
    }

    /// The fields read from a text so far.
    private static final class Parts {
        private int year = 1;
        private int month = 1;
        private int day = 1;
        private int dayOfYear;
        private long hour;
        private long minute;
        private long second;
        private long micros;
        private boolean twelve;
        private boolean afternoon;
        private boolean beforeChrist;
        private long secondOfDay = -1;
        private long julianDay = -1;

        /// Reads one field and returns the index after it.
        ///
        /// @param more whether another field follows directly, so that the number of digits is limited
        private int read(String field, String text, int start, boolean more) {
            int from = start;
            while (from < text.length() && text.charAt(from) == ' ') {
                from++;
            }
            return switch (field) {
                case "FM" -> start;
                case "AM", "PM", "am", "pm", "A.M.", "P.M.", "a.m.", "p.m." -> half(text, from);
                case "AD", "BC", "ad", "bc", "A.D.", "B.C.", "a.d.", "b.c." -> era(text, from);
                case "MON", "Mon", "mon", "MONTH", "Month", "month" -> month(text, from);
                case "DAY", "Day", "day", "DY", "Dy", "dy" -> weekday(text, from);
                case "Y,YYY" -> thousands(text, from);
                default -> {
                    int end = from;
                    int most = more ? width(field) : 9;
                    while (end < text.length()
                            && end - from < most
                            && Character.isDigit(text.charAt(end))) {
                        end++;
                    }
                    set(field, text.substring(from, end));
                    yield end;
                }
            };
        }

        /// Reads a year with a comma after its thousands.
        private int thousands(String text, int from) {
            int comma = text.indexOf(',', from);
            if (comma < 0 || comma - from > 6) {
                throw new IllegalArgumentException(text);
            }
            int end = Math.min(comma + 4, text.length());
            int high = Integer.parseInt(text.substring(from, comma));
            year = 1_000 * high + Integer.parseInt(text.substring(comma + 1, end));
            return end;
        }

        private int half(String text, int from) {
            afternoon = second(text, from, "am", "pm");
            return from + (dotted(text, from) ? 4 : 2);
        }

        private int era(String text, int from) {
            beforeChrist = second(text, from, "ad", "bc");
            return from + (dotted(text, from) ? 4 : 2);
        }

        /// Whether the word is `other` rather than `one`, both of two letters; each letter may be followed by a
        /// dot.
        private static boolean second(String text, int from, String one, String other) {
            boolean dotted = dotted(text, from);
            String word = text.substring(from, Math.min(from + (dotted ? 4 : 2), text.length()));
            String letters = dotted ? word.replace(".", "") : word;
            if (!letters.equalsIgnoreCase(one) && !letters.equalsIgnoreCase(other)) {
                throw new IllegalArgumentException(word);
            }
            return letters.equalsIgnoreCase(other);
        }

        private static boolean dotted(String text, int from) {
            return text.startsWith(".", from + 1) && text.startsWith(".", from + 3);
        }

        private static int width(String field) {
            return switch (field) {
                case "HH24", "HH12" -> 2;
                case "US" -> 6;
                case "SSSS" -> 5;
                case "J" -> 7;
                case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> field.charAt(2) - '0';
                default -> field.length();
            };
        }

        private int month(String text, int from) {
            for (Month candidate : Month.values()) {
                String name = candidate.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
                for (String form : List.of(name, name.substring(0, 3))) {
                    if (text.regionMatches(true, from, form, 0, form.length())) {
                        month = candidate.getValue();
                        return from + form.length();
                    }
                }
            }
            throw new IllegalArgumentException(text);
        }

        /// Skips the name of a day, which the date implies.
        private static int weekday(String text, int from) {
            for (DayOfWeek candidate : DayOfWeek.values()) {
                String name = candidate.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
                for (String form : List.of(name, name.substring(0, 3))) {
                    if (text.regionMatches(true, from, form, 0, form.length())) {
                        return from + form.length();
                    }
                }
            }
            throw new IllegalArgumentException(text);
        }

        private void set(String field, String digits) {
            int value = Integer.parseInt(digits);
            switch (field) {
                case "YYYY" -> year = value;
                case "YYY", "YY", "Y" -> year = digits.length() < 4 ? nearest(value) : value;
                case "MM" -> month = value;
                case "DD" -> day = value;
                case "DDD" -> dayOfYear = value;
                case "HH24" -> hour = value;
                case "HH12", "HH" -> {
                    hour = value;
                    twelve = true;
                }
                case "MI" -> minute = value;
                case "SS" -> second = value;
                case "MS" -> micros = fraction(digits, 3) * 1_000;
                case "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> micros = fraction(digits, 6);
                case "SSSS", "SSSSS" -> secondOfDay = value;
                case "J" -> julianDay = value;
                default -> throw new UnknownField(field);
            }
        }

        /// The year nearest to 2020 that ends in these digits, as in PostgreSQL.
        private static int nearest(int digits) {
            return digits + (digits < 70 ? 2000 : digits < 100 ? 1900 : digits < 520 ? 2000 : 1000);
        }

        private static long fraction(String digits, int width) {
            String cut = digits.length() > width ? digits.substring(0, width) : digits;
            return Long.parseLong(cut + "0".repeat(width - cut.length()));
        }

        private long micros() {
            long hours = twelve ? hour % 12 + (afternoon ? 12 : 0) : hour;
            if (hours > 23 || minute > 59 || second > 59 || (twelve && (hour < 1 || hour > 12))) {
                throw new DateTimeException("no time of day");
            }
            if (secondOfDay >= 86_400) {
                throw new IllegalArgumentException("no time of day");
            }
            long seconds = secondOfDay >= 0 ? secondOfDay : (hours * 60 + minute) * 60 + second;
            return Temporals.startOfDay(epochDay()) + seconds * 1_000_000 + micros;
        }

        private long epochDay() {
            int astronomical = beforeChrist ? 1 - year : year;
            return julianDay >= 0
                    ? julianDay - JULIAN_DAYS
                    : dayOfYear > 0
                            ? LocalDate.ofYearDay(astronomical, dayOfYear).toEpochDay()
                            : LocalDate.of(astronomical, month, day).toEpochDay();
        }
    }
}
