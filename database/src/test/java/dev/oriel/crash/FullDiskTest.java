package dev.oriel.crash;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A load fills the disk: it fails with the SQLState for that, what was acknowledged stays readable,
/// the database opens again, on the full disk too, and goes on once there is room.
///
/// `-Dfull.disk=` is an empty folder of a file system of a few megabytes; scripts/mount-test makes
/// one.
@EnabledIfSystemProperty(named = "full.disk", matches = ".+")
class FullDiskTest {
    private static final long SEED = 3;
    private static final DatabaseOptions OPTIONS =
            DatabaseOptions.defaults()
                    .withDurability(Durability.WRITTEN)
                    .withCheckpointBytes(256 << 10);

    /// Leaves less than what the ledger comes to, which is bounded: else it would go on until a commit comes that is
    /// larger than the disk.
    private static final int BALLAST_BYTES = 13 << 20;

    private final Path folder = Path.of(System.getProperty("full.disk", ""));
    private final Path path = folder.resolve("database");
    private final Path ballast = folder.resolve("ballast");
    private final Path rest = folder.resolve("rest");
    private final Ledger ledger = new Ledger(SEED);

    @Test
    void fullDiskFailsTheStatementAndNothingElse() throws Exception {
        Files.write(ballast, new byte[BALLAST_BYTES]);
        try (Database database = Database.open(path, OPTIONS)) {
            createSpareRows(database);
            loadUntilFull(database);
            fillTheRest();
            deleteOnFullDisk(database);
        }
        fillTheRest();
        try (Database database = Database.open(path, OPTIONS)) {
            LedgerCheck.check(database, ledger);
            loadUntilFull(database);
            Files.delete(ballast);
            Files.delete(rest);
            load(database, ledger.commit() + 20);
        }
        try (Database database = Database.open(path, OPTIONS)) {
            LedgerCheck.check(database, ledger);
        }
    }

    private static void createSpareRows(Database database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE spare (id INTEGER PRIMARY KEY)");
            for (int id = 0; id < 100; id++) {
                statement.execute("INSERT INTO spare VALUES (" + id + ")");
            }
        }
    }

    /// Commits until the disk is full; then every acknowledged commit is there.
    private void loadUntilFull(Database database) throws SQLException {
        SQLException full = assertThrows(SQLException.class, () -> load(database, Long.MAX_VALUE));
        assertEquals("53100", full.getSQLState(), full::toString);
        assertEquals(ledger.commit(), LedgerCheck.commits(database));
        LedgerCheck.check(database, ledger);
        System.out.println("After commit " + ledger.commit() + ": " + full.getMessage());
    }

    private void load(Database database, long last) throws SQLException {
        try (LedgerTables tables = connect(database)) {
            while (ledger.commit() < last) {
                tables.commit(ledger.commit() + 1);
                ledger.advance(ledger.commit() + 1);
            }
        }
    }

    private static LedgerTables connect(Database database) throws SQLException {
        Connection connection = database.connect();
        LedgerTables.create(connection);
        return new LedgerTables(connection, SEED, new SplittableRandom(SEED));
    }

    /// The log's reserve is there, though somebody else has taken all of the disk.
    private void deleteOnFullDisk(Database database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (int id = 0; id < 10; id++) {
                statement.execute("DELETE FROM spare WHERE id = " + id);
            }
            assertEquals(90, statement.executeUpdate("DELETE FROM spare"));
        }
        LedgerCheck.check(database, ledger);
        System.out.println("Deletions on the full disk are done.");
    }

    /// Takes the last free byte of the disk.
    private void fillTheRest() throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(rest, CREATE, APPEND)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            System.out.println("The disk is full: " + e.getMessage());
        }
    }
}
