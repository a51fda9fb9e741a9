package dev.oriel.sql.value;

import dev.oriel.table.definition.NonFinite;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A time zone: converts between moments and the local time that clocks show. Both are microseconds since 1970.
/// Immutable.
public final class Zone {
    /// The zone of a new session, and of stored definitions.
    public static final Zone UTC = new Zone("UTC", ZoneOffset.UTC.getRules(), "UTC");

    /// The zone of MSK, which was four hours from Greenwich from 2011 to 2014.
    public static final Zone MSK = new Zone("MSK", moscow(), "MSK");

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int HOUR = 3_600;

    /// Maximum distance from UTC, in seconds: that of [ZoneOffset].
    private static final int DISTANCE_MAX = 18 * HOUR;

    private final String name;
    private final ZoneRules rules;

    /// Abbreviated name, if it is the same at all times.
    private final String abbreviation;

    /// Whether the distance from UTC is always [#distance].
    private final boolean fixed;

    private final long distance;

    private Zone(String name, ZoneRules rules, String abbreviation) {
        this.name = name;
        this.rules = rules;
        this.abbreviation = abbreviation;
        this.fixed = rules.isFixedOffset();
        this.distance =
                fixed ? rules.getOffset(Instant.EPOCH).getTotalSeconds() * MICROS_PER_SECOND : 0;
    }

    private static ZoneRules moscow() {
        ZoneOffset three = ZoneOffset.ofHours(3);
        ZoneOffset four = ZoneOffset.ofHours(4);
        List<ZoneOffsetTransition> changes =
                List.of(
                        ZoneOffsetTransition.of(LocalDateTime.of(2011, 3, 27, 2, 0), three, four),
                        ZoneOffsetTransition.of(LocalDateTime.of(2014, 10, 26, 2, 0), four, three));
        return ZoneRules.of(three, three, changes, changes, List.of());
    }

    /// Names of zones: most sessions need none.
    private static final class Names {
        /// The JDK's zones, by their capitals.
        private static final Map<String, String> ALL = all();

        /// A number of hours east of Greenwich.
        private static final Pattern HOURS = Pattern.compile("[+-]?(\\d{1,3})(\\.\\d{1,6})?");

        /// POSIX's form: an abbreviation, and a distance west of Greenwich.
        private static final Pattern POSIX =
                Pattern.compile(
                        "(?:<([A-Za-z0-9+:-]{1,20})>|([A-Za-z]{3,10}|))([+-]?)(\\d{1,2})"
                                + "(?::(\\d{2}))?(?::(\\d{2}))?");

        private static Map<String, String> all() {
            Map<String, String> names = new HashMap<>();
            for (String name : ZoneId.getAvailableZoneIds()) {
                names.put(name.toUpperCase(Locale.ROOT), name);
            }
            return Map.copyOf(names);
        }
    }

    /// The zone that SET TIME ZONE calls `text`. It is a name in any case, or a number of hours *east* of Greenwich.
    /// POSIX's form, as `UTC+2`, has a distance *west* of it.
    ///
    /// @throws DateTimeException if there is none
    public static Zone of(String text) {
        String name = text.strip();
        if (name.equalsIgnoreCase("UTC")) {
            return UTC;
        }
        Matcher hours = Names.HOURS.matcher(name);
        if (hours.matches()) {
            return ofSeconds(Math.round(Double.parseDouble(name) * HOUR));
        }
        String known = known(name);
        if (known != null) {
            return new Zone(known, ZoneId.of(known).getRules(), "");
        }
        if (name.equalsIgnoreCase("Z") || name.equalsIgnoreCase("ZULU")) {
            return new Zone("Zulu", ZoneOffset.UTC.getRules(), "UTC");
        }
        Matcher posix = Names.POSIX.matcher(name);
        if (!posix.matches()) {
            throw new DateTimeException("no time zone: " + name);
        }
        long seconds =
                Long.parseLong(posix.group(4)) * HOUR + part(posix, 5) * 60L + part(posix, 6);
        String brief = posix.group(1) == null ? posix.group(2) : posix.group(1);
        return new Zone(name, offset(posix.group(3).equals("-") ? seconds : -seconds), brief);
    }

    /// The JDK's name of the zone `name`, in any case; null if it has none.
    public static @Nullable String known(String name) {
        return Names.ALL.get(name.toUpperCase(Locale.ROOT));
    }

    private static int part(Matcher posix, int group) {
        return posix.group(group) == null ? 0 : Integer.parseInt(posix.group(group));
    }

    /// The zone at `seconds` east of Greenwich.
    ///
    /// @throws DateTimeException if it is too far away
    public static Zone ofSeconds(long seconds) {
        ZoneRules rules = offset(seconds);
        String east = distance((int) seconds);
        return new Zone("<" + east + ">" + distance((int) -seconds), rules, east);
    }

    private static ZoneRules offset(long seconds) {
        if (Math.abs(seconds) > DISTANCE_MAX) {
            throw new DateTimeException("no time zone at " + seconds + " seconds from Greenwich");
        }
        return ZoneOffset.ofTotalSeconds((int) seconds).getRules();
    }

    /// The zone of `rules`, which is called by no name.
    public static Zone of(ZoneRules rules) {
        return new Zone("", rules, "");
    }

    public ZoneRules rules() {
        return rules;
    }

    /// As SHOW prints it.
    public String name() {
        return name;
    }

    /// The local time at `moment`.
    ///
    /// @throws ArithmeticException if it is out of range
    public long local(long moment) {
        if (NonFinite.isMoment(moment)) {
            return moment;
        }
        return Math.addExact(moment, fixed ? distance : seconds(moment) * MICROS_PER_SECOND);
    }

    /// The moment of a local time. An ambiguous one is the later moment; a skipped one has the offset before the gap.
    ///
    /// @throws ArithmeticException if it is out of range
    public long moment(long local) {
        if (NonFinite.isMoment(local)) {
            return local;
        }
        return Math.subtractExact(
                local, fixed ? distance : secondsOfLocal(local) * MICROS_PER_SECOND);
    }

    private long secondsOfLocal(long local) {
        LocalDateTime shown =
                LocalDateTime.ofEpochSecond(
                        Math.floorDiv(local, MICROS_PER_SECOND), 0, ZoneOffset.UTC);
        ZoneOffsetTransition change = rules.getTransition(shown);
        ZoneOffset offset =
                change == null
                        ? rules.getOffset(shown)
                        : change.isGap() ? change.getOffsetBefore() : change.getOffsetAfter();
        return offset.getTotalSeconds();
    }

    /// Distance from UTC at `moment` in seconds, positive to the east.
    public int seconds(long moment) {
        return fixed
                ? (int) (distance / MICROS_PER_SECOND)
                : rules.getOffset(Instant.ofEpochSecond(Math.floorDiv(moment, MICROS_PER_SECOND)))
                        .getTotalSeconds();
    }

    /// The distance `seconds` in PostgreSQL's form: `+02`, `-02:30`.
    public static String distance(int seconds) {
        int rest = Math.abs(seconds);
        StringBuilder out = new StringBuilder(9);
        out.append(seconds < 0 ? '-' : '+');
        two(out, rest / HOUR);
        if (rest % HOUR != 0) {
            two(out.append(':'), rest / 60 % 60);
        }
        if (rest % 60 != 0) {
            two(out.append(':'), rest % 60);
        }
        return out.toString();
    }

    private static void two(StringBuilder out, int value) {
        out.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
    }

    /// The abbreviated name at `moment`: `CET` or `CEST`, or the distance if there is none.
    public String abbreviation(long moment) {
        if (!abbreviation.isEmpty()) {
            return abbreviation;
        }
        Instant at = Instant.ofEpochSecond(Math.floorDiv(moment, MICROS_PER_SECOND));
        String brief =
                name.isEmpty()
                        ? ""
                        : TimeZone.getTimeZone(name)
                                .getDisplayName(
                                        rules.isDaylightSavings(at),
                                        TimeZone.SHORT,
                                        Locale.ENGLISH);
        boolean plain = !brief.isEmpty() && brief.chars().allMatch(Character::isLetter);
        return plain ? brief : distance(seconds(moment));
    }
}
