package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.store.StoreStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folder of a database after a quiet minute.
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

    @Test
    void afterAPauseTheFolderIsLittleLargerThanItsData() throws Exception {
        AtomicLong now = new AtomicLong();
        try (Database database = Database.open(folder.resolve("db"))) {
            QuietSpace quiet = new QuietSpace(database, new ServerLog(null), now::get);
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < ENTRIES; i++) {
                    database.bucket("default")
                            .upsert("k" + (i * 7_919L % ENTRIES), new byte[1_000]);
                }
            }
            quiet.look();
            StoreStats before = database.stats();
            assertTrue(
                    folderBytes(folder) > 1.6 * before.dataBytes(),
                    "there is something to give back");
            now.addAndGet(QuietSpace.QUIET_NANOS - 1);
            quiet.look();
            assertEquals(before.shadowBytes(), database.stats().shadowBytes(), "not yet");
            now.addAndGet(1);
            quiet.look();
            assertEquals(0, database.stats().shadowBytes());
            long bytes = folderBytes(folder);
            assertTrue(
                    bytes <= 1.6 * database.stats().dataBytes(),
                    bytes + " bytes, " + database.stats());
            assertEquals(List.of(), database.check());
        }
    }
}
