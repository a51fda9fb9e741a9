package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folder of a database after a pause.
final class QuietSpaceTest {
    private static final int ENTRIES = 40_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static long folderBytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /// Waits for a checkpoint, which another thread makes.
    private static void awaitShadow(Database database) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (database.stats().shadowBytes() <= 1 << 20) {
            assertTrue(System.nanoTime() < deadline, "there is something to give back");
            Thread.onSpinWait();
        }
    }

    @Test
    void afterAPauseTheFolderIsLittleLargerThanItsData() throws Exception {
        AtomicLong now = new AtomicLong();
        DatabaseOptions options = DatabaseOptions.defaults().withDurability(Durability.WRITTEN);
        try (Database database = Database.open(folder.resolve("db"), options)) {
            QuietSpace quiet = new QuietSpace(database, new ServerLog(null), now::get);
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < ENTRIES; i++) {
                    database.bucket("default")
                            .upsert("k" + (i * 7_919L % ENTRIES), new byte[1_000]);
                }
            }
            quiet.look();
            awaitShadow(database);
            long newest = database.stats().txid();
            now.addAndGet(QuietSpace.QUIET_NANOS);
            quiet.look();
            assertEquals(newest, database.stats().txid(), "it commits nothing");
            assertEquals(0, database.stats().shadowBytes());
            long bytes = folderBytes(folder);
            assertTrue(
                    bytes <= 1.6 * database.stats().dataBytes(),
                    bytes + " bytes, " + database.stats());
            assertEquals(List.of(), database.check());
        }
    }

    @Test
    void onceInEachPauseAndNotBefore() {
        AtomicLong now = new AtomicLong();
        AtomicLong newest = new AtomicLong(7);
        AtomicLong given = new AtomicLong();
        QuietSpace quiet =
                new QuietSpace(newest::get, given::incrementAndGet, new ServerLog(null), now::get);
        quiet.look();
        now.addAndGet(QuietSpace.QUIET_NANOS - 1);
        quiet.look();
        assertEquals(0, given.get());
        now.addAndGet(1);
        quiet.look();
        assertEquals(1, given.get());
        now.addAndGet(QuietSpace.QUIET_NANOS);
        quiet.look();
        assertEquals(1, given.get());
    }

    /// The commit of a client while space is given back begins another pause.
    @Test
    void aCommitMeanwhileIsNotTakenForItsOwn() {
        AtomicLong now = new AtomicLong();
        AtomicLong newest = new AtomicLong(7);
        AtomicLong given = new AtomicLong();
        Runnable giveBack =
                () -> {
                    given.incrementAndGet();
                    newest.set(8);
                };
        QuietSpace quiet = new QuietSpace(newest::get, giveBack, new ServerLog(null), now::get);
        quiet.look();
        now.addAndGet(QuietSpace.QUIET_NANOS);
        quiet.look();
        assertEquals(1, given.get());
        quiet.look();
        now.addAndGet(QuietSpace.QUIET_NANOS);
        quiet.look();
        assertEquals(2, given.get());
    }
}
