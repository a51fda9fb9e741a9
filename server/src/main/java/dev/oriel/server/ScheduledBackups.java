package dev.oriel.server;

import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the backups of a [BackupSchedule], and deletes old ones. It is called each second or so; a backup that
/// fell due while the server did not run is skipped. Used by one thread.
final class ScheduledBackups {
    /// Marker file of an incomplete backup; a complete one has none.
    private static final String MARKER = ".oriel-backup";

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'oriel-'yyyy-MM-dd'T'HHmmss'Z'", Locale.ROOT);
    private static final Pattern NAMES =
            Pattern.compile("oriel-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z");

    private final OrielServer server;
    private final BackupSchedule schedule;
    private final Clock clock;
    private ZonedDateTime due;
    private @Nullable Job running;

    ScheduledBackups(OrielServer server, BackupSchedule schedule, Clock clock) {
        this.server = server;
        this.schedule = schedule;
        this.clock = clock;
        this.due = schedule.next(ZonedDateTime.now(clock));
        try {
            Files.createDirectories(schedule.folder());
            for (Path path : complete()) {
                server.jobs().backedUp(micros(path));
            }
            if (!Files.isWritable(schedule.folder())) {
                server.log()
                        .warned(
                                "The folder of scheduled backups cannot be written; give the server's"
                                        + " user the right to",
                                "folder",
                                schedule.folder().toString());
            }
        } catch (IOException | UncheckedIOException e) { // it may be mounted later
            server.log()
                    .failed(
                            "The folder of scheduled backups cannot be used; make it writable",
                            e,
                            "folder",
                            schedule.folder().toString());
        }
    }

    /// When the backup in `folder` was begun, in microseconds since 1970; 0 if its name is no time.
    private static long micros(Path folder) {
        try {
            return LocalDateTime.parse(folder.getFileName().toString(), NAME)
                            .toEpochSecond(ZoneOffset.UTC)
                    * 1_000_000;
        } catch (DateTimeParseException e) { // made by hand
            return 0;
        }
    }

    /// The complete backups, newest first.
    private List<Path> complete() throws IOException {
        try (Stream<Path> found = Files.list(schedule.folder())) {
            return found.filter(path -> NAMES.matcher(path.getFileName().toString()).matches())
                    .filter(path -> Files.isRegularFile(path.resolve("data")))
                    .filter(path -> !Files.exists(path.resolve(MARKER)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /// Time of the next one.
    ZonedDateTime due() {
        return due;
    }

    /// Begins a due backup, and deletes old ones after a successful one.
    void look() {
        Job last = running;
        if (last != null && !last.isRunning()) {
            running = null;
            if (last.state() == Job.State.DONE) {
                deleteOld();
            }
        }
        ZonedDateTime now = ZonedDateTime.now(clock);
        if (running != null || now.isBefore(due)) {
            return;
        }
        try {
            Files.createDirectories(schedule.folder());
            Path target =
                    schedule.folder().resolve(NAME.format(now.withZoneSameInstant(ZoneOffset.UTC)));
            running = server.jobs().backup(target, schedule.megabytesASecond(), "schedule");
            due = schedule.next(now);
        } catch (LimitException e) { // another job is running
            server.log().said("A scheduled backup waits", "reason", String.valueOf(e.getMessage()));
            due = now.plusMinutes(1);
        } catch (DatabaseException | IOException e) {
            server.jobs().failures.increment();
            server.log().failed("A scheduled backup has not begun; it is tried again", e);
            due = now.plusMinutes(1);
        }
    }

    private void deleteOld() {
        try {
            List<Path> newest = complete();
            for (Path old :
                    newest.subList(Math.min(schedule.keep(), newest.size()), newest.size())) {
                delete(old);
                server.log().said("An old backup was deleted", "path", old.toString());
            }
        } catch (IOException e) {
            server.log().failed("Old backups could not be deleted", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file); // a backup has no folders in it
            }
        }
        Files.delete(folder);
    }
}
