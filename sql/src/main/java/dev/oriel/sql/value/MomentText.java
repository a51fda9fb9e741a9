package dev.oriel.sql.value;

import dev.oriel.table.definition.ZonedTime;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.JulianFields;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads dates and timestamps in PostgreSQL's forms other than ISO's, in the order month, day, year: `Feb 10
/// 17:32:01 1997 PST`, `10-Feb-1997`, `2/10/97`, `19970210T173201`, `1997.041`, `J2450490`, `0044-03-15 BC`.
final class MomentText {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private static final Pattern TIME =
            Pattern.compile("(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(\\.\\d*)?)?");
    private static final Pattern DIGITS_TIME =
            Pattern.compile("(\\d{2})(\\d{2})(?:(\\d{2})(\\.\\d*)?)?");
    private static final Pattern OFFSET =
            Pattern.compile("([-+])(\\d{1,2})(?::?(\\d{2}))?(?::?(\\d{2}))?");
    private static final Pattern NUMBERS =
            Pattern.compile("(\\d{1,6})([-/.])(\\d{1,2}|[A-Za-z]{3,9})\\2(\\d{1,6})");
    private static final Pattern MONTH_FIRST =
            Pattern.compile("([A-Za-z]{3,9})([-/.])(\\d{1,2})\\2(\\d{1,6})");
    private static final Pattern DAY_OF_YEAR = Pattern.compile("(\\d{4})[.-](\\d{3})(?!\\d)");
    private static final Pattern JULIAN = Pattern.compile("[Jj](\\d{1,9})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(?!\\d)");
    private static final Pattern ZONE =
            Pattern.compile("[A-Za-z]{3}\\d[A-Za-z]{3}|[A-Za-z_]+(?:/[A-Za-z_]+)+|[A-Za-z]+");

    private static final String[] MONTHS = {
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december"
    };

    private static final String[] DAYS = {
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"
    };

    /// Offsets from UTC of abbreviated zones, in minutes.
    private static final Map<String, Integer> ABBREVIATIONS =
            Map.ofEntries(
                    Map.entry("z", 0),
                    Map.entry("zulu", 0),
                    Map.entry("utc", 0),
                    Map.entry("ut", 0),
                    Map.entry("gmt", 0),
                    Map.entry("est", -300),
                    Map.entry("edt", -240),
                    Map.entry("cst", -360),
                    Map.entry("cdt", -300),
                    Map.entry("mst", -420),
                    Map.entry("mdt", -360),
                    Map.entry("pst", -480),
                    Map.entry("pdt", -420),
                    Map.entry("msd", 240),
                    Map.entry("cet", 60),
                    Map.entry("cest", 120));

    private static final Map<String, String> ZONES = zones();

    private static final Pattern BEFORE_CHRIST = Pattern.compile("(?i)(?<![a-z])bc(?![a-z])");

    private final String text;
    private final boolean beforeChrist;
    private int at;
    private @Nullable LocalDate date;
    private int month;
    private int day;
    private @Nullable Integer year;

    /// Microseconds since midnight; negative if no time has been read yet.
    private long micros = -1;

    /// Whether BC or AD has been read.
    private boolean era;

    private @Nullable Integer offsetSeconds;
    private @Nullable ZoneRules zone;

    private MomentText(String text) {
        this.text = text.strip();
        this.beforeChrist = BEFORE_CHRIST.matcher(text).find();
    }

    private static Map<String, String> zones() {
        Map<String, String> zones = new TreeMap<>();
        for (String name : ZoneId.getAvailableZoneIds()) {
            zones.put(name.toLowerCase(Locale.ROOT), name);
        }
        return Map.copyOf(zones);
    }

    /// Days since 1970-01-01 of `text`, which may also contain a time.
    ///
    /// @param iso error of the attempt to read ISO's form
    /// @throws DateTimeException `iso`, if `text` is no date
    static long date(String text, DateTimeException iso) {
        try {
            return new MomentText(text).read().toEpochDay();
        } catch (DateTimeException none) {
            iso.addSuppressed(none);
            throw iso;
        }
    }

    /// Microseconds since 1970 of `text`.
    ///
    /// @param here zone of a moment whose text names none; null for a local time
    /// @param iso error of the attempt to read ISO's form
    /// @throws DateTimeException `iso`, if `text` is no timestamp
    static long timestamp(String text, @Nullable Zone here, DateTimeException iso) {
        try {
            return timestamp(text, here);
        } catch (DateTimeException none) {
            iso.addSuppressed(none);
            throw iso;
        }
    }

    private static long timestamp(String text, @Nullable Zone here) {
        MomentText moment = new MomentText(text);
        LocalDate date = moment.read();
        long clock = Math.max(0, moment.micros);
        try {
            long local =
                    Math.addExact(
                            Math.multiplyExact(date.toEpochDay(), Temporals.MICROS_PER_DAY), clock);
            if (here == null || !moment.zoned()) {
                return Temporals.there(local, here);
            }
            long ahead = moment.offset(date, clock) * MICROS_PER_SECOND;
            return Math.subtractExact(local, ahead);
        } catch (ArithmeticException tooFar) {
            throw new DateTimeException("beyond the range of timestamps", tooFar);
        }
    }

    /// The number of a TIME WITH TIME ZONE. A zone whose offset changes needs a date.
    ///
    /// @param here zone of a text that names none
    /// @param iso error of the attempt to read ISO's form
    /// @throws DateTimeException `iso`, if `text` is no time
    static long zonedTime(String text, Zone here, long now, DateTimeException iso) {
        try {
            return zonedTime(text, here, now);
        } catch (DateTimeException none) {
            iso.addSuppressed(none);
            throw iso;
        }
    }

    private static long zonedTime(String text, Zone here, long now) {
        MomentText moment = new MomentText(text);
        moment.scan();
        boolean dated = moment.date != null || moment.month != 0 || moment.year != null;
        if (moment.micros < 0 || (!dated && moment.zone != null)) {
            throw moment.wrong();
        }
        long clock = Math.min(moment.micros, Temporals.MICROS_PER_DAY - 1);
        if (moment.zoned()) {
            LocalDate day = dated ? moment.whole() : LocalDate.EPOCH;
            return ZonedTime.of(clock, (int) moment.offset(day, clock));
        }
        long at = dated ? Temporals.there(timestamp(text, null), here) : now;
        return ZonedTime.of(clock, here.seconds(at));
    }

    /// Offset of the zone from UTC, in seconds.
    private long offset(LocalDate date, long clock) {
        ZoneRules rules = zone;
        if (rules == null) {
            return offsetSeconds == null ? 0 : offsetSeconds;
        }
        LocalDateTime local = date.atStartOfDay().plusNanos(clock * 1_000);
        ZoneOffsetTransition change = rules.getTransition(local);
        ZoneOffset offset =
                change == null
                        ? rules.getOffset(local)
                        : change.isGap() ? change.getOffsetBefore() : change.getOffsetAfter();
        return offset.getTotalSeconds();
    }

    private LocalDate read() {
        scan();
        return whole();
    }

    private void scan() {
        while (true) {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == ',')) {
                at++;
            }
            if (at >= text.length()) {
                return;
            }
            char c = text.charAt(at);
            if (Character.isDigit(c)) {
                number();
            } else if (Character.isLetter(c)) {
                word();
            } else if ((c == '+' || c == '-') && micros >= 0 && !zoned()) {
                offset();
            } else {
                throw wrong();
            }
        }
    }

    private LocalDate whole() {
        LocalDate known = date;
        if (known != null) {
            if (month != 0 || day != 0 || year != null) {
                throw wrong();
            }
            return known;
        }
        Integer of = year;
        if (of == null || month == 0 || day == 0) {
            throw wrong();
        }
        return LocalDate.of(of, month, day);
    }

    private DateTimeException wrong() {
        return new DateTimeException("no date or timestamp: " + text);
    }

    private boolean zoned() {
        return offsetSeconds != null || zone != null;
    }

    private @Nullable Matcher next(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            return null;
        }
        at = matcher.end();
        return matcher;
    }

    private void number() {
        Matcher matcher = next(TIME);
        if (matcher != null) {
            clock(matcher);
            return;
        }
        matcher = date == null && month == 0 && year == null ? next(NUMBERS) : null;
        if (matcher != null) {
            parts(matcher.group(1), matcher.group(3), matcher.group(4));
            return;
        }
        matcher = date == null && month == 0 && year == null ? next(DAY_OF_YEAR) : null;
        if (matcher != null) {
            int of = yearOf(matcher.group(1));
            date = LocalDate.ofYearDay(of, Integer.parseInt(matcher.group(2)));
            return;
        }
        matcher = next(NUMBER);
        if (matcher == null) {
            throw wrong();
        }
        digits(matcher.group());
    }

    private void parts(String first, String second, String third) {
        boolean named = Character.isLetter(second.charAt(0));
        if (named) {
            boolean yearFirst = first.length() > 2;
            date =
                    LocalDate.of(
                            yearOf(yearFirst ? first : third),
                            monthOf(second),
                            dayOf(yearFirst ? third : first));
        } else if (first.length() > 2) {
            date = LocalDate.of(yearOf(first), Integer.parseInt(second), dayOf(third));
        } else {
            date = LocalDate.of(yearOf(third), Integer.parseInt(first), dayOf(second));
        }
    }

    /// Digits only: a whole date, a time after one, a day or a year.
    private void digits(String digits) {
        boolean none = date == null && month == 0 && day == 0 && year == null;
        if (none && digits.length() == 8) {
            date =
                    LocalDate.of(
                            yearOf(digits.substring(0, 4)),
                            Integer.parseInt(digits.substring(4, 6)),
                            Integer.parseInt(digits.substring(6)));
            timeMark();
        } else if (none && digits.length() == 6) {
            date =
                    LocalDate.of(
                            yearOf(digits.substring(0, 2)),
                            Integer.parseInt(digits.substring(2, 4)),
                            Integer.parseInt(digits.substring(4)));
            timeMark();
        } else if (date != null && micros < 0 && (digits.length() == 6 || digits.length() == 4)) {
            at -= digits.length();
            Matcher matcher = next(DIGITS_TIME);
            if (matcher == null) {
                throw wrong();
            }
            clock(matcher);
        } else if (date == null && digits.length() > 2 && year == null) {
            year = yearOf(digits);
        } else if (date == null && month == 0) {
            month = Integer.parseInt(digits);
        } else if (date == null && day == 0) {
            day = dayOf(digits);
        } else if (date == null && year == null) {
            year = yearOf(digits);
        } else {
            throw wrong();
        }
    }

    /// Skips the T between a date and a time.
    private void timeMark() {
        if (at + 1 < text.length()
                && (text.charAt(at) == 'T' || text.charAt(at) == 't')
                && Character.isDigit(text.charAt(at + 1))) {
            at++;
        }
    }

    private static int dayOf(String digits) {
        if (digits.length() > 2) {
            throw new DateTimeException("no day: " + digits);
        }
        return Integer.parseInt(digits);
    }

    /// The year by ISO 8601, in which 0 is 1 BC.
    private int yearOf(String digits) {
        int year = Integer.parseInt(digits);
        if (year == 0) {
            throw new DateTimeException("there is no year 0");
        }
        if (beforeChrist) {
            return 1 - year;
        }
        return digits.length() > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
    }

    private void clock(Matcher matcher) {
        int hour = Integer.parseInt(matcher.group(1));
        int minute = Integer.parseInt(matcher.group(2));
        int second = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
        String fraction = matcher.group(4) == null ? "" : matcher.group(4).substring(1);
        if (micros >= 0 || hour > 23 || minute > 59 || second > 59 || fraction.length() > 6) {
            throw wrong();
        }
        String six = (fraction + "000000").substring(0, 6);
        micros = ((hour * 60L + minute) * 60 + second) * MICROS_PER_SECOND + Integer.parseInt(six);
    }

    private void offset() {
        Matcher matcher = next(OFFSET);
        if (matcher == null) {
            throw wrong();
        }
        String digits = matcher.group(2);
        int seconds = Integer.parseInt(digits) * 3_600;
        seconds += matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3)) * 60;
        seconds += matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4));
        if (seconds >= 16 * 3_600) {
            throw wrong();
        }
        offsetSeconds = matcher.group(1).equals("-") ? -seconds : seconds;
    }

    private void word() {
        boolean fresh = date == null && month == 0 && year == null;
        Matcher matcher = fresh ? next(JULIAN) : null;
        if (matcher != null) {
            long days = Long.parseLong(matcher.group(1));
            date = LocalDate.EPOCH.with(JulianFields.JULIAN_DAY, days);
            return;
        }
        matcher = fresh ? next(MONTH_FIRST) : null;
        if (matcher != null) {
            date =
                    LocalDate.of(
                            yearOf(matcher.group(4)),
                            monthOf(matcher.group(1)),
                            dayOf(matcher.group(3)));
            return;
        }
        matcher = next(ZONE);
        word(matcher == null ? "" : matcher.group().toLowerCase(Locale.ROOT));
    }

    private void word(String word) {
        int named = index(MONTHS, word);
        if (named >= 0 && date == null) {
            if (month != 0 && day == 0) {
                day = month; // the day came before the name of the month
            } else if (month != 0) {
                throw wrong();
            }
            month = named + 1;
        } else if ((word.equals("am") || word.equals("pm")) && micros >= 0) {
            half(word.equals("pm"));
        } else if (word.equals("t") && date != null && micros < 0) {
            return; // between a date and a time
        } else if ((word.equals("bc") || word.equals("ad")) && !era) {
            era = true;
        } else if (index(DAYS, word) < 0) {
            zone(word);
        }
    }

    private void half(boolean afternoon) {
        long hours = micros / (3_600 * MICROS_PER_SECOND);
        if (hours == 0 || hours > 12) {
            throw wrong();
        }
        long shift = afternoon ? (hours == 12 ? 0 : 12) : (hours == 12 ? -12 : 0);
        micros += shift * 3_600 * MICROS_PER_SECOND;
    }

    private void zone(String word) {
        Integer minutes = ABBREVIATIONS.get(word);
        String name = ZONES.get(word);
        boolean early = micros < 0 && date == null;
        boolean moscow = word.equals("msk");
        if (zoned() || early || (minutes == null && name == null && !moscow)) {
            throw wrong();
        }
        if (minutes != null) {
            offsetSeconds = minutes * 60;
        } else if (moscow) {
            zone = Zone.MSK.rules();
        } else {
            zone = ZoneId.of(name).getRules();
        }
    }

    private static int monthOf(String word) {
        int month = index(MONTHS, word.toLowerCase(Locale.ROOT));
        if (month < 0) {
            throw new DateTimeException("no month: " + word);
        }
        return month + 1;
    }

    /// Index of `word`, or its first three letters, in `names`; -1 if it is not there.
    private static int index(String[] names, String word) {
        for (int i = 0; i < names.length; i++) {
            boolean shortened = word.length() == 3 || word.equals("sept");
            if (names[i].equals(word) || (shortened && names[i].startsWith(word))) {
                return i;
            }
        }
        return -1;
    }
}
