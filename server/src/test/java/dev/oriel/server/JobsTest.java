package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks while the server runs: their progress, their end before time, and what they find.
final class JobsTest {
    private static final ServerOptions OPTIONS = ServerOptions.defaults().withPorts(0, -1, -1);
    private static final int ENTRIES = 2_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Database filled() {
        DatabaseOptions options = DatabaseOptions.defaults().withDurability(Durability.WRITTEN);
        Database database = Database.open(folder.resolve("db"), options);
        byte[] value = new byte[1_000];
        for (int i = 0; i < ENTRIES; i++) {
            database.bucket("default").upsert("k" + i, value);
        }
        return database;
    }

    @Test
    void aCheckTellsItsProgressToTheEnd() throws Exception {
        try (Database database = filled();
                OrielServer server = OrielServer.start(database, OPTIONS, new ServerLog(null))) {
            Job job = server.jobs().check(0, "ada");
            BackupScheduleTest.await(job);
            assertEquals("All is well", job.result());
            assertTrue(
                    job.total() > ENTRIES / 16, job.total() + " pages, and as many steps for rows");
            assertTrue(job.done() > job.total() / 2 && job.done() <= job.total(), job.done() + "");
        }
    }

    @Test
    void aSlowCheckEndsWhenItIsCancelled() throws Exception {
        try (Database database = filled();
                OrielServer server = OrielServer.start(database, OPTIONS, new ServerLog(null))) {
            Job job = server.jobs().check(1, "ada"); // takes seconds
            while (job.done() == 0) {
                Thread.onSpinWait();
            }
            job.cancel();
            assertTrue(job.awaitEnd(TimeUnit.MINUTES.toNanos(1)));
            assertEquals(Job.State.CANCELLED, job.state());
        }
    }

    @Test
    void theEndOfTheServerEndsAJobBeforeTheDatabaseIsClosed() {
        Job job;
        try (Database database = filled()) {
            OrielServer server = OrielServer.start(database, OPTIONS, new ServerLog(null));
            job = server.jobs().check(1, "ada");
            server.close();
            assertEquals(Job.State.CANCELLED, job.state());
        }
        try (Database again = Database.open(folder.resolve("db"))) { // it was closed, so it opens
            assertEquals(List.of(), again.check());
        }
    }

    /// It must not look as if it ran: then no other could begin.
    @Test
    void aJobWithoutAThreadHasFailed() {
        Job job = new Job(1, "check", "ada", 0, 0, running -> "All is well");
        Thread none =
                new Thread() {
                    @Override
                    public void start() {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                };
        assertThrows(LimitException.class, () -> job.runOn(none));
        assertEquals(Job.State.FAILED, job.state());
        assertTrue(job.awaitEnd(0));
    }

    @Test
    void damageIsReportedAsDamage() throws Exception {
        filled().close();
        damage(folder.resolve("db").resolve("data"));
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerLog events = new ServerLog(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Database database = Database.open(folder.resolve("db"));
                OrielServer server = OrielServer.start(database, OPTIONS, events)) {
            Job job = server.jobs().check(0, "ada");
            BackupScheduleTest.await(job);
            assertTrue(job.awaitEnd(TimeUnit.MINUTES.toNanos(1)));
            assertEquals(Job.State.FAILED, job.state());
            assertTrue(job.result().startsWith("The database is damaged; "), job.result());
            String said = log.toString(StandardCharsets.UTF_8);
            assertTrue(said.contains("\"error\":\"dev.oriel.store.CorruptionException: "), said);
        }
    }

    /// Changes a byte in the middle of the value of an entry.
    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2 / 8192 * 8192 + 5_000] ^= 1;
        Files.write(file, bytes);
    }
}
