package dev.oriel.sql.value;

import java.util.Locale;

/// TO_CHAR of an interval: the fields of a [DatePattern] that count something. Hours are all hours of the interval, and
/// days all of its days. A negative part has its own sign, as in PostgreSQL.
public final class IntervalPattern {
    private static final long MICROS_PER_HOUR = 3_600_000_000L;

    private static final int DAYS_PER_MONTH = 30;

    private IntervalPattern() {}

    /// Formats `span` by `pattern`.
    ///
    /// @throws DatePattern.UnknownField if the pattern has a field of dates alone, as a name of a month
    public static String written(Intervals.Span span, String pattern) {
        PatternText text = new PatternText(pattern);
        String bare = text.bare();
        StringBuilder out = new StringBuilder();
        boolean fill = true;
        int at = 0;
        while (at < bare.length()) {
            String field = DatePattern.field(bare, at);
            if (field.isEmpty()) {
                out.append(bare.charAt(at++));
                continue;
            }
            at += field.length();
            if (field.equals("FM") || field.equals("TM")) {
                fill = false;
                continue;
            }
            String shown = value(field, span, fill);
            out.append(shown);
            fill = true;
            if (DatePattern.isOrdinal(bare, at)) {
                out.append(DatePattern.ordinal(shown, bare.charAt(at) == 'T'));
                at += 2;
            }
        }
        return text.restored(out.toString());
    }

    private static String value(String field, Intervals.Span span, boolean fill) {
        long years = span.months() / 12;
        long months = span.months() % 12;
        long inYears = span.months() * DAYS_PER_MONTH + span.days();
        return switch (field) {
            case "Y,YYY" ->
                    digits(years / 1_000, 1, fill) + "," + digits(Math.abs(years % 1_000), 3, true);
            case "YYYY" -> digits(years, 4, fill);
            case "YYY" -> digits(years % 1_000, 3, fill);
            case "YY" -> digits(years % 100, 2, fill);
            case "Y" -> digits(years % 10, 1, fill);
            case "CC" -> digits(years / 100, 2, fill);
            case "MM" -> digits(months, 2, fill);
            case "RM", "rm" -> roman(field, (int) (months < 0 ? 13 + months : months), fill);
            case "DD" -> digits(span.days(), span.days() < 0 ? 1 : 2, fill); // a sign fills, too
            case "DDD" -> digits(inYears, inYears < 0 ? 2 : 3, fill);
            case "WW" -> digits((inYears - 1) / 7 + 1, 2, fill);
            default -> ofTime(field, span.micros(), fill);
        };
    }

    private static String roman(String field, int month, boolean fill) {
        if (month == 0) {
            return "";
        }
        String roman = DatePattern.ROMAN.get(month - 1);
        String cased = field.equals("rm") ? roman.toLowerCase(Locale.ROOT) : roman;
        return fill ? cased + " ".repeat(4 - cased.length()) : cased;
    }

    private static String ofTime(String field, long micros, boolean fill) {
        long hours = micros / MICROS_PER_HOUR;
        long fraction = micros % 1_000_000;
        boolean early = hours % 24 < 12;
        return switch (field) {
            case "HH24" -> digits(hours, 2, fill);
            case "HH12", "HH" -> digits(hours % 12 == 0 ? 12 : hours % 12, 2, fill);
            case "MI" -> digits(micros / 60_000_000 % 60, 2, fill);
            case "SS" -> digits(micros / 1_000_000 % 60, 2, fill);
            case "MS" -> digits(fraction / 1_000, 3, fill);
            case "US" -> digits(fraction, 6, fill);
            case "SSSS", "SSSSS" -> digits(micros / 1_000_000, 1, fill);
            case "AM", "PM" -> early ? "AM" : "PM";
            case "am", "pm" -> early ? "am" : "pm";
            case "A.M.", "P.M." -> early ? "A.M." : "P.M.";
            case "a.m.", "p.m." -> early ? "a.m." : "p.m.";
            case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> {
                int width = field.charAt(2) - '0';
                yield digits(Math.abs(fraction), 6, true).substring(0, width);
            }
            default -> throw new DatePattern.UnknownField(field);
        };
    }

    private static String digits(long value, int width, boolean fill) {
        return DatePattern.digits(value, width, fill);
    }
}
