package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A database that may only be read, because its opener says so or its folder does: it shows every
/// commit, recovered in memory where a kill has left them in the log, and no file of it changes.
class ReadOnlyTest {
    private static final long SEED = 2;
    private static final DatabaseOptions READING = DatabaseOptions.defaults().withReadOnly(true);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void closedDatabaseIsReadWithoutBeingWritten() throws Exception {
        Path path = folder.resolve("closed");
        try (Database database = Database.open(path);
                Connection connection = database.connect()) {
            LedgerTables.create(connection);
            try (LedgerTables tables =
                    new LedgerTables(connection, SEED, new SplittableRandom(SEED))) {
                for (long number = 1; number <= 20; number++) {
                    tables.commit(number);
                }
            }
        }
        readsTwiceWithoutWriting(path);
    }

    @Test
    void killedDatabaseIsRecoveredInMemoryAlone() throws Exception {
        readsTwiceWithoutWriting(killed());
    }

    @Test
    void folderWithoutWritePermissionServesReaders() throws Exception {
        Path path = killed();
        assertTrue(path.toFile().setWritable(false));
        try {
            assumeFalse(Files.isWritable(path), "permissions do not bind this user");
            readsTwiceWithoutWriting(path);
        } finally {
            assertTrue(path.toFile().setWritable(true));
        }
    }

    /// The database in `-Dread.only=` was left by a killed [KillTarget] of seed 2, and lies on a file
    /// system that is mounted for reading; scripts/mount-test makes it.
    @Test
    @EnabledIfSystemProperty(named = "read.only", matches = ".+")
    void readOnlyFileSystemServesReaders() throws Exception {
        Path path = Path.of(System.getProperty("read.only"));
        readsTwiceWithoutWriting(path);
        DatabaseException refused =
                assertThrows(DatabaseException.class, () -> Database.open(path).close());
        System.out.println("Opened for writing, it says: " + refused.getMessage());
    }

    @Test
    void readerCreatesNothing() {
        Path missing = folder.resolve("missing");
        assertThrows(UsageException.class, () -> Database.open(missing, READING).close());
        assertTrue(Files.notExists(missing));
    }

    private Path killed() throws Exception {
        Path path = folder.resolve("killed");
        String url = "jdbc:oriel:" + path + "?durability=written&checkpointBytes=65536";
        try (Victim victim = Victim.start(folder, url, SEED, SEED, Long.MAX_VALUE / 2)) {
            victim.awaitCommit(20);
            assertTrue(victim.killAfter(0));
        }
        return path;
    }

    private static void readsTwiceWithoutWriting(Path path) throws Exception {
        Map<String, Long> before = checksums(path);
        for (int i = 0; i < 2; i++) {
            try (Database database = Database.open(path, READING);
                    Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                long found = LedgerCheck.commits(database);
                assertTrue(found >= 20, () -> "found commit " + found);
                Ledger ledger = new Ledger(SEED);
                ledger.advance(found);
                LedgerCheck.check(database, ledger);
                SQLException refused =
                        assertThrows(
                                SQLException.class, () -> statement.execute("DELETE FROM ledger"));
                assertEquals("25006", refused.getSQLState(), refused::toString);
            }
        }
        assertEquals(before, checksums(path));
    }

    private static Map<String, Long> checksums(Path path) throws IOException {
        Map<String, Long> checksums = new HashMap<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                CRC32C crc = new CRC32C();
                crc.update(Files.readAllBytes(file));
                checksums.put(String.valueOf(file.getFileName()), crc.getValue());
            }
        }
        checksums.remove("lock"); // names whoever opened it last
        return checksums;
    }
}
