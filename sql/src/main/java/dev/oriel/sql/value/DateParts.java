package dev.oriel.sql.value;

import dev.oriel.sql.value.DatePattern.UnknownField;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The fields that a [DatePattern] has read from a text so far.
final class DateParts {
    /// Hours of the greatest distance from UTC.
    private static final int ZONE_HOURS_MAX = 15;

    private int year; // 1 BC, as in PostgreSQL
    private boolean shortYear;
    private int month = 1;
    private int day = 1;
    private int dayOfYear;
    private int century;

    /// Week and day of the week or of the year, by ISO 8601; 0 if they are not given.
    private int isoWeek;

    private int isoDay;
    private int isoDayOfYear;

    /// Whether a date has been read by the usual calendar, or by the weeks of ISO 8601.
    private boolean usual;

    private boolean byWeeks;
    private long hour;
    private long minute;
    private long second;
    private long micros;
    private int fractionDigits = 6;
    private boolean twelve;
    private boolean afternoon;
    private boolean beforeChrist;
    private long secondOfDay = -1;
    private long julianDay = -1;
    private boolean west;
    private int zoneHours;

    /// Whether the distance from UTC was read.
    private boolean zoned;

    private int zoneMinutes;

    /// Reads one field and returns the index after it.
    ///
    /// @param more whether another field follows directly, so that the number of digits is limited
    int read(String field, String text, int start, boolean more) {
        int from = start;
        while (from < text.length() && text.charAt(from) == ' ') {
            from++;
        }
        return switch (field) {
            case "FM", "TM" -> start;
            case "TZ", "tz", "OF" -> throw new UnknownField(field);
            case "AM", "PM", "am", "pm", "A.M.", "P.M.", "a.m.", "p.m." -> half(text, from);
            case "AD", "BC", "ad", "bc", "A.D.", "B.C.", "a.d.", "b.c." -> era(text, from);
            case "MON", "Mon", "mon", "MONTH", "Month", "month" -> month(text, from);
            case "RM", "rm" -> roman(text, from);
            case "DAY", "Day", "day", "DY", "Dy", "dy" -> weekday(text, from);
            case "Y,YYY" -> thousands(text, from);
            case "TZH", "tzh" -> zone(text, from);
            default -> number(field, text, from, more ? width(field) : 9);
        };
    }

    /// Reads the digits of a field, at most `most`.
    private int number(String field, String text, int from, int most) {
        int end = from;
        while (end < text.length() && end - from < most && Character.isDigit(text.charAt(end))) {
            end++;
        }
        set(field, text.substring(from, end));
        return end;
    }

    /// Reads the hours from UTC, with or without a sign.
    private int zone(String text, int from) {
        boolean signed = text.startsWith("+", from) || text.startsWith("-", from);
        west = text.startsWith("-", from);
        return number("TZH", text, signed ? from + 1 : from, 2);
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
        usual = true;
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

    /// Whether the word is `other` rather than `one`, both of two letters; each letter may be followed by a dot.
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
            case "IDDD" -> 3;
            case "ID" -> 1;
            case "TZM", "tzm" -> 2;
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
                    usual = true;
                    return from + form.length();
                }
            }
        }
        throw new IllegalArgumentException(text);
    }

    /// Reads a month in Roman numerals: the longest one that stands there.
    private int roman(String text, int from) {
        int length = 0;
        for (int i = 0; i < DatePattern.ROMAN.size(); i++) {
            String form = DatePattern.ROMAN.get(i);
            if (form.length() > length && text.regionMatches(true, from, form, 0, form.length())) {
                length = form.length();
                month = i + 1;
            }
        }
        if (length == 0) {
            throw new IllegalArgumentException(text);
        }
        usual = true;
        return from + length;
    }

    /// Reads the name of a day, which only a week needs.
    private int weekday(String text, int from) {
        for (DayOfWeek candidate : DayOfWeek.values()) {
            String name = candidate.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            for (String form : List.of(name, name.substring(0, 3))) {
                if (text.regionMatches(true, from, form, 0, form.length())) {
                    isoDay = candidate.getValue();
                    return from + form.length();
                }
            }
        }
        throw new IllegalArgumentException(text);
    }

    private void set(String field, String digits) {
        int value = Integer.parseInt(digits);
        switch (field) {
            case "YYYY", "YYY", "YY", "Y" -> {
                year = field.equals("YYYY") || digits.length() > 3 ? value : nearest(value);
                shortYear = digits.length() <= 2;
                usual = true;
            }
            case "MM" -> {
                month = value;
                usual = true;
            }
            case "DD", "W" -> {
                day = field.equals("W") ? 7 * value - 6 : value;
                usual = true;
            }
            case "DDD", "WW" -> {
                dayOfYear = field.equals("WW") ? 7 * value - 6 : value;
                usual = true;
            }
            case "D" -> usual = true;
            case "CC" -> century = value;
            case "Q" -> {
                // The month says more; a quarter alone means nothing.
            }
            case "IYYY", "IYY", "IY", "I", "IW", "ID", "IDDD" -> setIso(field, digits, value);
            case "J" -> julianDay = value;
            default -> setTime(field, digits, value);
        }
    }

    private void setIso(String field, String digits, int value) {
        byWeeks = true;
        switch (field) {
            case "IW" -> isoWeek = value;
            case "ID" -> isoDay = value;
            case "IDDD" -> isoDayOfYear = value;
            default -> year = field.equals("IYYY") || digits.length() > 3 ? value : nearest(value);
        }
    }

    private void setTime(String field, String digits, int value) {
        switch (field) {
            case "HH24" -> hour = value;
            case "HH12", "HH" -> {
                hour = value;
                twelve = true;
            }
            case "MI" -> minute = value;
            case "SS" -> second = value;
            case "MS" -> micros = fraction(digits, 3) * 1_000;
            case "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> {
                micros = fraction(digits, 6);
                fractionDigits = field.equals("US") ? 6 : field.charAt(2) - '0';
            }
            case "SSSS", "SSSSS" -> secondOfDay = value;
            case "TZH" -> {
                zoneHours = value;
                zoned = true;
            }
            case "TZM", "tzm" -> {
                zoneMinutes = value;
                zoned = true;
            }
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

    /// Microseconds since 1970.
    ///
    /// @param here zone of a moment whose text names none; null for a local time
    long micros(@Nullable Zone here) {
        long time = timeOfDay();
        long east = east();
        long local = Temporals.startOfDay(epochDay()) + time;
        return here != null && zoned ? local - east * 1_000_000 : Temporals.there(local, here);
    }

    /// Microseconds since midnight.
    long timeOfDay() {
        long hours = twelve ? hour % 12 + (afternoon ? 12 : 0) : hour;
        if (hours > 23 || minute > 59 || second > 59 || (twelve && (hour < 1 || hour > 12))) {
            throw new DateTimeException("no time of day");
        }
        if (secondOfDay >= 86_400) {
            throw new IllegalArgumentException("no time of day");
        }
        long seconds = secondOfDay >= 0 ? secondOfDay : (hours * 60 + minute) * 60 + second;
        long step = 1;
        for (int digits = fractionDigits; digits < 6; digits++) {
            step *= 10;
        }
        return seconds * 1_000_000 + (micros + step / 2) / step * step;
    }

    /// Seconds east of Greenwich.
    int east() {
        if (zoneHours > ZONE_HOURS_MAX || zoneMinutes > 59) {
            throw new DateTimeException("no time zone");
        }
        return (zoneHours * 60 + zoneMinutes) * (west ? -60 : 60);
    }

    /// Days since 1970.
    long epochDay() {
        if (julianDay >= 0) {
            return julianDay - DatePattern.JULIAN_DAYS;
        }
        if (usual && byWeeks) {
            throw new IllegalArgumentException("two calendars");
        }
        int astronomical = astronomicalYear();
        if (byWeeks && (isoWeek > 0 || isoDayOfYear > 0)) {
            LocalDate first =
                    LocalDate.of(astronomical, 1, 4)
                            .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1)
                            .with(DayOfWeek.MONDAY);
            long weeks = isoDayOfYear > 0 ? 0 : isoWeek - 1L;
            int days = isoDayOfYear > 0 ? isoDayOfYear : Math.max(isoDay, 1);
            if (isoWeek > 53 || isoDay > 7 || isoDayOfYear > 371) {
                throw new DateTimeException("no such week");
            }
            return first.toEpochDay() + 7 * weeks + days - 1;
        }
        return dayOfYear > 0
                ? LocalDate.ofYearDay(astronomical, dayOfYear).toEpochDay()
                : LocalDate.of(astronomical, month, day).toEpochDay();
    }

    /// The year by ISO 8601, in which 0 is 1 BC. A century counts for a year of two digits, or alone.
    private int astronomicalYear() {
        int inEra = year;
        if (century > 0 && shortYear) {
            int two = year % 100;
            inEra = two > 0 ? (century - 1) * 100 + two : century * 100;
        } else if (century > 0 && !usual && !byWeeks) {
            inEra = (century - 1) * 100 + 1;
        }
        return beforeChrist ? 1 - inEra : inEra;
    }
}
