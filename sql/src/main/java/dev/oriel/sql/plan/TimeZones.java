package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.ZonedTime;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// AT TIME ZONE: the local time at a moment, and the moment of a local time. Zones are named as in PostgreSQL:
/// `Europe/Berlin` in any case, an abbreviation with a fixed offset, or an offset. `+02` or `UTC+2` lies *west* of
/// Greenwich (as in POSIX); an INTERVAL lies east.
public final class TimeZones {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long DAY_SECONDS = Temporals.MICROS_PER_DAY / MICROS_PER_SECOND;
    private static final int HOUR = 3_600;

    /// Maximum offset of a zone, in seconds.
    private static final int DISTANCE_MAX = 18 * HOUR;

    private static final Pattern POSIX =
            Pattern.compile("[A-Za-z]{0,10}([+-]?)(\\d{1,2})(?::(\\d{2}))?(?::(\\d{2}))?");

    /// Abbreviations that the JDK does not know, or knows differently or with summer time; in hours east of
    /// Greenwich.
    private static final Map<String, Integer> HOURS =
            Map.ofEntries(
                    Map.entry("Z", 0),
                    Map.entry("UT", 0),
                    Map.entry("ZULU", 0),
                    Map.entry("WET", 0),
                    Map.entry("WEST", 1),
                    Map.entry("BST", 1),
                    Map.entry("CET", 1),
                    Map.entry("MET", 1),
                    Map.entry("CEST", 2),
                    Map.entry("EET", 2),
                    Map.entry("EEST", 3),
                    Map.entry("MSD", 4),
                    Map.entry("JST", 9),
                    Map.entry("EST", -5),
                    Map.entry("EDT", -4),
                    Map.entry("CST", -6),
                    Map.entry("CDT", -5),
                    Map.entry("MST", -7),
                    Map.entry("MDT", -6),
                    Map.entry("PST", -8),
                    Map.entry("PDT", -7));

    private TimeZones() {}

    /// The local TIMESTAMP in `zone` at the moment `micros`.
    public static Long local(Object zone, long micros, Place place) {
        try {
            return zone(zone, place).local(micros);
        } catch (ArithmeticException beyond) {
            throw beyond(place);
        }
    }

    /// The moment of the local TIMESTAMP `micros` in `zone`. An ambiguous local time is the later moment; a
    /// skipped one has the offset before the gap.
    public static Long moment(Object zone, long micros, Place place) {
        try {
            return zone(zone, place).moment(micros);
        } catch (ArithmeticException beyond) {
            throw beyond(place);
        }
    }

    /// The TIME WITH TIME ZONE `time` in `zone`, at its distance at the moment `now`.
    public static Long time(Object zone, long time, long now, Place place) {
        int east = zone(zone, place).seconds(now);
        long local = ZonedTime.utc(time) + east * MICROS_PER_SECOND;
        return ZonedTime.of(Math.floorMod(local, Temporals.MICROS_PER_DAY), east);
    }

    private static SqlException beyond(Place place) {
        return place.error(Kind.DATETIME_RANGE, "There is no such timestamp");
    }

    /// The zone called `zone`, or an INTERVAL east of Greenwich.
    public static Zone zone(Object zone, Place place) {
        return Zone.of(rules(zone, place));
    }

    private static ZoneRules rules(Object zone, Place place) {
        if (zone instanceof byte[] bytes) {
            return ofSpan(Intervals.span(bytes), place);
        }
        String name = ((String) zone).strip();
        Integer hours = HOURS.get(name.toUpperCase(Locale.ROOT));
        if (hours != null) {
            return ZoneOffset.ofHours(hours).getRules();
        }
        if (name.equalsIgnoreCase("MSK")) {
            return Zone.MSK.rules();
        }
        String known = Zone.known(name);
        if (known != null) {
            return ZoneId.of(known).getRules();
        }
        Matcher posix = POSIX.matcher(name);
        if (!posix.matches()) {
            return named(name, place);
        }
        int seconds =
                Integer.parseInt(posix.group(2)) * HOUR + part(posix, 3) * 60 + part(posix, 4);
        return ofSeconds(posix.group(1).equals("-") ? seconds : -seconds, name, place);
    }

    /// The rules of a zone that only SET TIME ZONE knows, as `<+05>-05`.
    private static ZoneRules named(String name, Place place) {
        if (!name.startsWith("<")) {
            throw unknown(name, place);
        }
        try {
            return Zone.of(name).rules();
        } catch (DateTimeException none) {
            throw unknown(name, place);
        }
    }

    private static int part(Matcher posix, int group) {
        return posix.group(group) == null ? 0 : Integer.parseInt(posix.group(group));
    }

    private static ZoneRules ofSpan(Intervals.Span span, Place place) {
        if (span.months() != 0 || span.days() != 0) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "A time zone lies hours from Greenwich, not days or months");
        }
        long seconds = Math.clamp(span.micros() / MICROS_PER_SECOND, -DAY_SECONDS, DAY_SECONDS);
        return ofSeconds((int) seconds, span.toString(), place);
    }

    private static ZoneRules ofSeconds(int seconds, String name, Place place) {
        if (Math.abs(seconds) > DISTANCE_MAX) {
            throw unknown(name, place);
        }
        try {
            return ZoneOffset.ofTotalSeconds(seconds).getRules();
        } catch (DateTimeException unfit) {
            throw unknown(name, place);
        }
    }

    private static SqlException unknown(String name, Place place) {
        return place.error(
                Kind.INVALID_PARAMETER,
                "There is no time zone '"
                        + name
                        + "'; use a name such as 'Europe/Berlin' or 'UTC'");
    }
}
