package dev.oriel.sql.json;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.value.DateTemplate;
import dev.oriel.sql.value.DateTemplate.Moment;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/// Dates and times in JSON paths, as `.datetime()` makes them of strings.
final class JsonMoments {
    /// Order of a date and a time, which do not compare.
    static final int INCOMPARABLE = 2;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private static final String[] DATES = {
        "yyyy-mm-dd", "yyyy-mm-dd HH24:MI:SS", "yyyy-mm-dd\"T\"HH24:MI:SS", "HH24:MI:SS"
    };

    private static final String[] BEHIND = {
        "", "TZH", "TZH:TZM", ".US", ".USTZH", ".USTZH:TZM",
    };

    private JsonMoments() {}

    /// The session that a comparison takes place in.
    ///
    /// @param now moment of the statement
    record Here(Zone zone, long now) {}

    /// The date or time that the string `text` holds.
    ///
    /// @param template null for the forms of ISO 8601
    /// @throws JsonPathRun.Failure if there is none
    static Moment read(String text, @Nullable String template) {
        if (template == null) {
            return iso(text);
        }
        try {
            return DateTemplate.read(text, template);
        } catch (DateTimeException none) {
            throw new JsonPathRun.Failure(
                    Kind.DATETIME_RANGE, "datetime() finds no date or time in '" + text + "'");
        } catch (NumberFormatException noNumber) {
            throw new JsonPathRun.Failure(
                    Kind.INVALID_DATETIME,
                    "'" + text + "' does not match the template '" + template + "'");
        } catch (IllegalArgumentException unfit) {
            throw new JsonPathRun.Failure(
                    Kind.INVALID_DATETIME, String.valueOf(unfit.getMessage()));
        }
    }

    private static Moment iso(String text) {
        for (String date : DATES) {
            for (String behind : BEHIND) {
                if (behind.isEmpty() || date.endsWith("SS")) {
                    Moment moment = attempted(text, date + behind);
                    if (moment != null) {
                        return moment;
                    }
                }
            }
        }
        throw new JsonPathRun.Failure(
                Kind.JSON_DATE,
                "'"
                        + text
                        + "' has no form of a date or time in ISO 8601; give datetime() a template");
    }

    private static @Nullable Moment attempted(String text, String template) {
        try {
            return DateTemplate.read(text, template);
        } catch (IllegalArgumentException | DateTimeException unfit) {
            return null;
        }
    }

    /// Name of the type, as `.type()` returns it.
    static String typeName(Moment moment) {
        return switch (moment.type()) {
            case DATE -> "date";
            case TIME -> "time without time zone";
            case TIME_TZ -> "time with time zone";
            case TIMESTAMP -> "timestamp without time zone";
            default -> "timestamp with time zone";
        };
    }

    /// The text in ISO 8601.
    static String text(Moment moment) {
        String date =
                isTime(moment) ? "" : TextFormat.ofLong(moment.day(), Type.of(Type.Name.DATE));
        if (moment.type() == Type.Name.DATE) {
            return date;
        }
        String time = TextFormat.ofLong(moment.micros(), Type.of(Type.Name.TIME));
        String whole = date.isEmpty() ? time : date + "T" + time;
        if (!isZoned(moment)) {
            return whole;
        }
        String distance = Zone.distance(moment.east());
        return whole + distance + (distance.indexOf(':') < 0 ? ":00" : "");
    }

    private static boolean isTime(Moment moment) {
        return moment.type() == Type.Name.TIME || moment.type() == Type.Name.TIME_TZ;
    }

    private static boolean isZoned(Moment moment) {
        return moment.type() == Type.Name.TIME_TZ || moment.type() == Type.Name.TIMESTAMP_TZ;
    }

    /// Whether one value has a time zone and the other has none, so that the session's zone decides.
    static boolean needsZone(Moment a, Moment b) {
        return isTime(a) == isTime(b) && isZoned(a) != isZoned(b);
    }

    /// The order of two moments, or [#INCOMPARABLE].
    ///
    /// @param here null if no two values need a zone
    static int compare(Moment a, Moment b, @Nullable Here here) {
        if (isTime(a) != isTime(b)) {
            return INCOMPARABLE;
        }
        boolean zoned = isZoned(a) || isZoned(b);
        return isTime(a)
                ? Long.compare(time(a, zoned, here), time(b, zoned, here))
                : compareDates(a, b, zoned, here);
    }

    private static long time(Moment time, boolean zoned, @Nullable Here here) {
        if (!zoned) {
            return time.micros();
        }
        if (isZoned(time) || here == null) {
            return ZonedTime.of(time.micros(), time.east());
        }
        return ZonedTime.of(time.micros(), here.zone().seconds(here.now()));
    }

    /// Compares by days first, since a timestamp cannot hold each date.
    private static int compareDates(Moment a, Moment b, boolean zoned, @Nullable Here here) {
        long first = a.micros() - (zoned ? east(a, here) : 0) * MICROS_PER_SECOND;
        long second = b.micros() - (zoned ? east(b, here) : 0) * MICROS_PER_SECOND;
        int days =
                Long.compare(
                        a.day() + Math.floorDiv(first, MICROS_PER_DAY),
                        b.day() + Math.floorDiv(second, MICROS_PER_DAY));
        return days != 0
                ? days
                : Long.compare(
                        Math.floorMod(first, MICROS_PER_DAY),
                        Math.floorMod(second, MICROS_PER_DAY));
    }

    /// Seconds east of Greenwich; a local time has those of the session's zone.
    private static long east(Moment moment, @Nullable Here here) {
        if (isZoned(moment) || here == null) {
            return moment.east();
        }
        try {
            long local =
                    Math.addExact(
                            Math.multiplyExact(moment.day(), MICROS_PER_DAY), moment.micros());
            return (local - here.zone().moment(local)) / MICROS_PER_SECOND;
        } catch (ArithmeticException tooFar) {
            return here.zone().seconds(here.now());
        }
    }
}
