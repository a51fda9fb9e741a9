package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When backups are due, and what is kept of them.
final class BackupScheduleTest {
    private static ZonedDateTime at(String time) {
        return ZonedDateTime.parse(time);
    }

    private static String next(String words, String now) {
        return BackupSchedule.of(words).next(at(now)).toString();
    }

    @Test
    void theNextOneIsTheFirstAfterNow() {
        String zone = "+01:00[Europe/Berlin]";
        assertEquals(
                "2026-11-28T02:30" + zone,
                next("daily 02:30 /b keep 7", "2026-11-28T02:29:59" + zone));
        assertEquals(
                "2026-11-29T02:30" + zone,
                next("daily 02:30 /b keep 7", "2026-11-28T02:30:00" + zone));
        assertEquals(
                "2026-11-28T12:15" + zone, next("hourly :15 /b", "2026-11-28T11:15:00" + zone));
        assertEquals( // a Saturday
                "2026-11-29T02:30" + zone,
                next("weekly sun 02:30 /b", "2026-11-28T11:15:00" + zone));
        assertEquals(
                "2026-12-06T02:30" + zone,
                next("weekly sun 02:30 /b", "2026-11-29T02:30:00" + zone));
        assertEquals( // there is no half past two in the night when clocks are put forward
                "2026-03-29T03:30+02:00[Europe/Berlin]",
                next("daily 02:30 /b", "2026-03-28T12:00:00" + zone));
    }

    @Test
    void wordsAreRead() {
        BackupSchedule schedule = BackupSchedule.of("daily 02:30 /with space/b keep 3 rate 50");
        assertEquals(Path.of("/with space/b"), schedule.folder());
        assertEquals(3, schedule.keep());
        assertEquals(50, schedule.megabytesASecond());
        assertEquals(7, BackupSchedule.of("hourly :05 b").keep());
        for (String wrong :
                List.of(
                        "daily 24:00 /b",
                        "daily /b",
                        "daily 02:30",
                        "weekly x 02:30 /b",
                        "daily 02:30 /b keep 0",
                        "")) {
            assertThrows(UsageException.class, () -> BackupSchedule.of(wrong), wrong);
        }
    }

    /// A clock that a test puts forward.
    private static final class Hands extends Clock {
        private Instant now = Instant.parse("2026-11-28T02:29:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneId.of("UTC");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void schedulesHaveFoldersOfTheirOwn() {
        BackupSchedule daily = BackupSchedule.of("daily 02:30 /backups/day");
        BackupSchedule weekly = BackupSchedule.of("weekly sun 02:30 /backups/week");
        BackupSchedule hourly = BackupSchedule.of("hourly :30 /backups/hour/../day");
        assertEquals(
                List.of(daily, weekly),
                AdminOptions.NONE.withSchedules(List.of(daily, weekly)).schedules());
        assertThrows(
                UsageException.class,
                () -> AdminOptions.NONE.withSchedules(List.of(daily, hourly)));
    }

    @Test
    void theNewestAreKeptAndRestored(@TempDir Path folder) throws Exception {
        Path copies = folder.resolve("copies");
        BackupSchedule schedule = BackupSchedule.of("daily 02:30 " + copies + " keep 2");
        Hands clock = new Hands();
        try (Database database = Database.open(folder.resolve("db"));
                OrielServer server =
                        OrielServer.start(
                                database,
                                ServerOptions.defaults().withPorts(0, -1, -1),
                                new ServerLog(null))) {
            database.bucket("default").upsert("a", new byte[] {1});
            ScheduledBackups backups = new ScheduledBackups(server, schedule, clock);
            backups.look();
            assertTrue(server.jobs().all().isEmpty(), "none is due");
            Files.createDirectories(copies.resolve("mine")); // is nobody's to delete
            for (int i = 0; i < 3; i++) {
                clock.now = Instant.parse("2026-11-%dT02:30:00Z".formatted(28 + i));
                backups.look();
                await(server.jobs().all().getFirst());
                backups.look();
            }
            assertEquals(3, server.jobs().backups.sum());
        }
        assertEquals(
                List.of("mine", "oriel-2026-11-29T023000Z", "oriel-2026-11-30T023000Z"),
                names(copies));
        try (Database database = Database.open(folder.resolve("db"));
                OrielServer server =
                        OrielServer.start(
                                database,
                                ServerOptions.defaults()
                                        .withPorts(0, -1, -1)
                                        .withAdmin(
                                                AdminOptions.NONE.withSchedules(List.of(schedule))),
                                new ServerLog(null))) {
            assertEquals( // also after a restart
                    Instant.parse("2026-11-30T02:30:00Z").getEpochSecond() * 1_000_000,
                    server.jobs().backedUpMicros());
        }
        Path restored = folder.resolve("restored");
        Database.restore(copies.resolve("oriel-2026-11-30T023000Z"), restored);
        try (Database database = Database.open(restored)) {
            assertArrayEquals(new byte[] {1}, database.bucket("default").get("a"));
            assertEquals(List.of(), database.check());
        }
    }

    static void await(Job job) {
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (job.isRunning()) {
            assertTrue(System.nanoTime() < deadline, "it ends");
            Thread.onSpinWait();
        }
    }

    @Test
    void aJobKeepsToItsRateAndEndsWhenItIsCancelled() {
        Job slow =
                new Job(
                        1,
                        "test",
                        "me",
                        0,
                        1_000,
                        job -> {
                            for (int i = 0; i <= 200; i++) {
                                job.at(i, 200);
                            }
                            return "done";
                        });
        assertEquals(null, slow.run());
        assertTrue(slow.millis() >= 200, "200 pages at 1,000 a second: " + slow.millis());
        assertEquals(Job.State.DONE, slow.state());
        Job endless =
                new Job(
                        2,
                        "test",
                        "me",
                        0,
                        0,
                        job -> {
                            while (true) {
                                job.at(1, 2);
                                job.cancel();
                            }
                        });
        assertEquals(null, endless.run());
        assertEquals(Job.State.CANCELLED, endless.state());
    }
}
