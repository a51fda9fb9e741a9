package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Backup and compaction of a database that is being used.
class OperationsTest {
    private static final int ROWS = 3000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static void fill(Statement statement, String table) throws SQLException {
        statement.execute("CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, t VARCHAR(400))");
        statement.execute("CREATE INDEX " + table + "_t ON " + table + " (t)");
        StringBuilder rows = new StringBuilder("INSERT INTO " + table + " VALUES ");
        for (int i = 0; i < ROWS; i++) {
            rows.append(i == 0 ? "" : ",").append("(%d, 'text %d')".formatted(i, i));
        }
        statement.execute(rows.toString());
    }

    private static long count(Statement statement, String table) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    @Test
    void databaseInUseIsBackedUpAndRestored() throws SQLException {
        Path copy = folder.resolve("copy");
        try (Database database = Database.open(folder.resolve("db"));
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            fill(statement, "a");
            long[] last = {0, 0};
            database.backup(
                    copy,
                    (done, total) -> {
                        last[0] = done;
                        last[1] = total;
                    });
            assertTrue(last[0] > 10 && last[0] == last[1]);
            statement.execute("DROP TABLE a");
        }
        Path restored = folder.resolve("restored");
        Database.restore(copy, restored);
        try (Database database = Database.open(restored);
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertEquals(ROWS, count(statement, "a"));
            assertEquals(List.of(), database.check());
        }
    }

    @Test
    void databaseInUseIsCompactedUnderAnOpenResult() throws SQLException {
        Path path = folder.resolve("db");
        try (Database database = Database.open(path);
                Connection connection = database.connect();
                Statement statement = connection.createStatement();
                Connection other = database.connect();
                Statement reading = other.createStatement()) {
            fill(statement, "kept");
            fill(statement, "gone");
            try (ResultSet rows = reading.executeQuery("SELECT id, t FROM gone")) {
                assertTrue(rows.next());
                statement.execute("DROP TABLE gone");
                database.compact();
                int seen = 1;
                while (rows.next()) {
                    assertEquals("text " + rows.getInt(1), rows.getString(2));
                    seen++;
                }
                assertEquals(ROWS, seen);
            }
            LimitException refusal =
                    assertThrows(LimitException.class, () -> Database.compact(path, Progress.NONE));
            assertTrue(String.valueOf(refusal.getMessage()).contains("in use"));
            database.compact();
            assertEquals(ROWS, count(statement, "kept"));
            assertTrue(database.stats().freePages() < database.stats().pages() / 4);
            assertEquals(List.of(), database.check());
        }
    }
}
