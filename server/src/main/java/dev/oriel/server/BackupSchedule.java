package dev.oriel.server;

import dev.oriel.store.UsageException;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Schedule of the server's automatic backups, and their folder.
///
/// ```
/// hourly :30 /backups/shop
/// daily 02:30 /backups/shop keep 7
/// weekly sun 02:30 /backups/shop keep 4 rate 50
/// ```
///
/// @param every the time between two
/// @param day for a weekly one; else null
/// @param at time of the day, of an hourly one the minute alone counts
/// @param folder each backup becomes a folder in it, named by its time
/// @param keep how many stay; older ones are deleted after one that has succeeded
/// @param megabytesASecond limit of the reading speed; 0 for none
public record BackupSchedule(
        Every every,
        @Nullable DayOfWeek day,
        LocalTime at,
        Path folder,
        int keep,
        int megabytesASecond) {
    /// The time between two backups.
    public enum Every {
        HOUR,
        DAY,
        WEEK
    }

    private static final int KEEP_USUAL = 7;

    private static final Pattern FORM =
            Pattern.compile(
                    "(?:hourly +:(?<minute>[0-5][0-9])"
                            + "|daily +(?<daily>[0-9:]+)"
                            + "|weekly +(?<day>[a-z]+) +(?<weekly>[0-9:]+))"
                            + " +(?<folder>/?.*?)"
                            + "(?: +keep +(?<keep>[0-9]{1,6}))?(?: +rate +(?<rate>[0-9]{1,6}))?");

    public BackupSchedule {
        if (keep < 1) {
            throw new UsageException(
                    "The number of backups to keep must be 1 or more", "keep=" + keep);
        }
    }

    /// Reads the words of a configuration.
    ///
    /// @throws UsageException if they are invalid
    public static BackupSchedule of(String words) {
        Matcher matcher = FORM.matcher(words.strip());
        if (!matcher.matches() || matcher.group("folder").isEmpty()) {
            throw wrong(words);
        }
        int keep = matcher.group("keep") == null ? KEEP_USUAL : number(matcher, "keep");
        int rate = matcher.group("rate") == null ? 0 : number(matcher, "rate");
        Path folder = Path.of(matcher.group("folder"));
        if (matcher.group("minute") != null) {
            LocalTime minute = LocalTime.of(0, number(matcher, "minute"));
            return new BackupSchedule(Every.HOUR, null, minute, folder, keep, rate);
        }
        if (matcher.group("daily") != null) {
            LocalTime at = time(matcher.group("daily"), words);
            return new BackupSchedule(Every.DAY, null, at, folder, keep, rate);
        }
        DayOfWeek day = day(matcher.group("day"), words);
        LocalTime at = time(matcher.group("weekly"), words);
        return new BackupSchedule(Every.WEEK, day, at, folder, keep, rate);
    }

    private static int number(Matcher matcher, String group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static LocalTime time(String word, String words) {
        Matcher matcher = Pattern.compile("([01][0-9]|2[0-3]):([0-5][0-9])").matcher(word);
        if (!matcher.matches()) {
            throw wrong(words);
        }
        return LocalTime.of(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    private static DayOfWeek day(String word, String words) {
        return Arrays.stream(DayOfWeek.values())
                .filter(day ->
                        word.length() >= 3 && day.name().startsWith(word.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> wrong(words));
    }

    private static UsageException wrong(String words) {
        return new UsageException(
                "A schedule is 'daily HH:MM FOLDER keep COUNT', 'weekly DAY HH:MM FOLDER' or"
                        + " 'hourly :MM FOLDER'",
                "backup=" + words);
    }

    /// The first moment after `now` at which a backup is due. On a day without that time of the day, because
    /// clocks are put forward, it is due as much later.
    public ZonedDateTime next(ZonedDateTime now) {
        return switch (every) {
            case HOUR -> {
                ZonedDateTime due =
                        now.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofMinutes(at.getMinute()));
                yield due.isAfter(now) ? due : due.plus(Duration.ofHours(1));
            }
            case DAY -> {
                ZonedDateTime due = now.toLocalDate().atTime(at).atZone(now.getZone());
                yield due.isAfter(now)
                        ? due
                        : now.toLocalDate().plusDays(1).atTime(at).atZone(now.getZone());
            }
            case WEEK -> {
                DayOfWeek wanted = day == null ? DayOfWeek.SUNDAY : day;
                var date = now.toLocalDate().with(TemporalAdjusters.nextOrSame(wanted));
                ZonedDateTime due = date.atTime(at).atZone(now.getZone());
                yield due.isAfter(now) ? due : date.plusWeeks(1).atTime(at).atZone(now.getZone());
            }
        };
    }
}
