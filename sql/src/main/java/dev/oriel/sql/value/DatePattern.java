package dev.oriel.sql.value;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;

/// The patterns of TO_CHAR, TO_DATE and TO_TIMESTAMP: `YYYY-MM-DD HH24:MI:SS`.
public final class DatePattern {
    /// Longest first, so that HH24 is not taken for HH.
    private static final List<String> FIELDS =
            List.of(
                    "HH24", "HH12", "YYYY", "IYYY", "MONTH", "Month", "month", "DDD", "DAY", "Day",
                    "day", "MON", "Mon", "mon", "YYY", "YY", "MM", "DD", "HH", "MI", "SS", "MS",
                    "US", "AM", "PM", "am", "pm", "DY", "Dy", "dy", "WW", "IW", "ID", "FM", "D",
                    "Q", "Y");

    private DatePattern() {}

    private static String field(String pattern, int at) {
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

    /// A day, counted from 1970, and a time of it in microseconds, as `pattern` says.
    public static String written(long day, long time, String pattern) {
        LocalDate date = LocalDate.ofEpochDay(day);
        StringBuilder out = new StringBuilder();
        boolean fill = true;
        int at = 0;
        while (at < pattern.length()) {
            if (pattern.charAt(at) == '"') {
                int end = quoteEnd(pattern, at);
                out.append(pattern, at + 1, end);
                at = Math.min(end + 1, pattern.length());
                continue;
            }
            String field = field(pattern, at);
            if (field.isEmpty()) {
                out.append(pattern.charAt(at++));
                continue;
            }
            at += field.length();
            if (field.equals("FM")) {
                fill = false;
            } else {
                out.append(value(field, date, time, fill));
                fill = true;
            }
        }
        return out.toString();
    }

    /// Where the text ends whose first quote is at `at`.
    private static int quoteEnd(String pattern, int at) {
        int end = pattern.indexOf('"', at + 1);
        return end < 0 ? pattern.length() : end;
    }

    private static String value(String field, LocalDate date, long time, boolean fill) {
        long hour = time / 3_600_000_000L;
        return switch (field) {
            case "YYYY" -> digits(date.getYear(), 4, fill);
            case "YYY" -> digits(date.getYear() % 1_000, 3, fill);
            case "YY" -> digits(date.getYear() % 100, 2, fill);
            case "Y" -> digits(date.getYear() % 10, 1, fill);
            case "IYYY" -> digits(date.get(IsoFields.WEEK_BASED_YEAR), 4, fill);
            case "MM" -> digits(date.getMonthValue(), 2, fill);
            case "DD" -> digits(date.getDayOfMonth(), 2, fill);
            case "DDD" -> digits(date.getDayOfYear(), 3, fill);
            case "D" -> digits(date.getDayOfWeek().getValue() % 7 + 1, 1, fill);
            case "ID" -> digits(date.getDayOfWeek().getValue(), 1, fill);
            case "Q" -> digits((date.getMonthValue() + 2) / 3, 1, fill);
            case "WW" -> digits((date.getDayOfYear() - 1) / 7 + 1, 2, fill);
            case "IW" -> digits(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, fill);
            case "HH24" -> digits(hour, 2, fill);
            case "HH12", "HH" -> digits((hour + 11) % 12 + 1, 2, fill);
            case "MI" -> digits(time / 60_000_000 % 60, 2, fill);
            case "SS" -> digits(time / 1_000_000 % 60, 2, fill);
            case "MS" -> digits(time / 1_000 % 1_000, 3, fill);
            case "US" -> digits(time % 1_000_000, 6, fill);
            case "AM", "PM" -> hour < 12 ? "AM" : "PM";
            case "am", "pm" -> hour < 12 ? "am" : "pm";
            default -> name(field, date, fill);
        };
    }

    /// Names of months and days, in the case of the pattern and filled up with blanks.
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

    /// The microseconds that `text` writes in the form `pattern`. Text in quotes stands for as many
    /// characters, whatever they are.
    ///
    /// @throws DateTimeException if there is no such date
    /// @throws IllegalArgumentException if it is not of that form
    public static long parse(String text, String pattern) {
        Parts parts = new Parts();
        int from = 0;
        int at = 0;
        while (at < pattern.length()) {
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
            boolean more = at < pattern.length() && !field(pattern, at).isEmpty();
            from = parts.read(field, text, from, more);
        }
        if (!text.substring(from).isBlank()) {
            throw new IllegalArgumentException(text);
        }
        return parts.micros();
    }

    /// What a text says, while it is read.
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

        /// Reads one field, and returns where it ends.
        ///
        /// @param more whether another field follows at once, so that only so many digits are read
        private int read(String field, String text, int start, boolean more) {
            int from = start;
            while (from < text.length() && text.charAt(from) == ' ') {
                from++;
            }
            return switch (field) {
                case "FM" -> start;
                case "AM", "PM", "am", "pm" -> half(text, from);
                case "MON", "Mon", "mon", "MONTH", "Month", "month" -> month(text, from);
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

        private int half(String text, int from) {
            String word = text.substring(from, Math.min(from + 2, text.length()));
            if (!word.equalsIgnoreCase("am") && !word.equalsIgnoreCase("pm")) {
                throw new IllegalArgumentException(word);
            }
            afternoon = word.equalsIgnoreCase("pm");
            return from + 2;
        }

        private static int width(String field) {
            return switch (field) {
                case "HH24", "HH12" -> 2;
                case "US" -> 6;
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
                case "US" -> micros = fraction(digits, 6);
                default -> throw new IllegalArgumentException(field);
            }
        }

        /// The year with those last digits that is nearest to 2020, as PostgreSQL has it.
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
            LocalDate date =
                    dayOfYear > 0
                            ? LocalDate.ofYearDay(year, dayOfYear)
                            : LocalDate.of(year, month, day);
            return Temporals.startOfDay(date.toEpochDay())
                    + ((hours * 60 + minute) * 60 + second) * 1_000_000
                    + micros;
        }
    }
}
