package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several databases in one process know nothing of each other.
class SeveralDatabasesTest {
    private static final int DATABASES = 12;
    private static final int COMMITS = 40;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Database open(int number) {
        DatabaseOptions options =
                DatabaseOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withCheckpointBytes(64 << 10);
        return number % 4 == 3
                ? Database.inMemory("several-" + number)
                : Database.open(folder.resolve("database-" + number), options);
    }

    @Test
    void eachHoldsWhatWasWrittenToItWhateverHappensToTheOthers() throws Exception {
        List<Database> databases = new ArrayList<>();
        for (int i = 0; i < DATABASES; i++) {
            databases.add(open(i));
        }
        try (ExecutorService executor = Executors.newFixedThreadPool(DATABASES)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < DATABASES; i++) {
                int number = i;
                writers.add(
                        executor.submit(() -> {
                            write(databases.get(number), number);
                            return null;
                        }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        for (int i = 0; i < DATABASES; i += 2) {
            databases.get(i).close();
        }
        for (int i = 1; i < DATABASES; i += 2) {
            assertHolds(databases.get(i), i);
            databases.get(i).close();
        }
        for (int i = 0; i < DATABASES; i++) {
            if (i % 4 != 3) {
                try (Database again = open(i)) {
                    assertHolds(again, i);
                }
            }
        }
    }

    /// There is one profile at a time in a process.
    @Test
    void aProfileThatOneHasStartedEndsWithIt() throws SQLException {
        for (int i = 0; i < 2; i++) {
            try (Database database = open(i);
                    Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                assertTrue(statement.execute("CALL sys.profile_start('tree')"));
            }
        }
    }

    private static void write(Database database, int number) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, owner INTEGER, s VARCHAR)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
                for (int i = 0; i < COMMITS; i++) {
                    insert.setInt(1, i);
                    insert.setInt(2, number);
                    insert.setString(3, "x".repeat(2_000));
                    insert.executeUpdate();
                }
            }
        }
    }

    private static void assertHolds(Database database, int number) throws SQLException {
        assertEquals(List.of(), database.check());
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT COUNT(*), MIN(owner), MAX(owner) FROM t")) {
            assertTrue(rows.next());
            assertEquals(COMMITS, rows.getInt(1));
            assertEquals(number, rows.getInt(2));
            assertEquals(number, rows.getInt(3));
        }
    }
}
