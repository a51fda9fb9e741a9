package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Getters of one thread beside calls of another one on the same connection. `-Dseconds=` for a longer run.
@Timeout(900)
class GetterThreadsTest {
    private static final long SECONDS = Long.getLong("seconds", 3);
    private static final int ROWS = 300;
    private static final int STRANGERS = 3;

    private final ExecutorService others = Executors.newFixedThreadPool(STRANGERS);

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        database = Database.inMemory();
        connection = database.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, again TEXT)");
            statement.execute("CREATE INDEX t_name ON t (name, id)");
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setInt(1, i);
                insert.setString(2, name(i));
                insert.setString(3, name(i));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /// Names of different lengths.
    private static String name(int i) {
        return ("n" + i + " ").repeat(1 + i % 40);
    }

    @AfterEach
    void close() throws SQLException {
        others.shutdownNow();
        connection.close();
        database.close();
    }

    @Test
    void resultsMayBeHandedOver() throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name FROM t ORDER BY id")) {
            for (int i = 0; i < ROWS; i++) {
                assertTrue(rows.next());
                assertEquals(name(i), others.submit(() -> rows.getString(1)).get());
                assertEquals(name(i), rows.getString("name"));
            }
            assertFalse(others.submit(rows::next).get());
        }
    }

    /// Strangers read the rows at which the owner stands. Every row of the owner is whole; each value of a stranger is
    /// one of the table's.
    @Test
    void strangersDoNotDisturbTheOwner() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Future<Long>> strangers = new ArrayList<>();
        long rowsRead = 0;
        try (PreparedStatement scan =
                        connection.prepareStatement("SELECT id, name, again FROM t WHERE id >= 0");
                PreparedStatement look =
                        connection.prepareStatement(
                                "SELECT name, id, again FROM t WHERE name >= 'n' ORDER BY name")) {
            Shared shared = new Shared();
            for (int i = 0; i < STRANGERS; i++) {
                strangers.add(others.submit(reader(shared, end)));
            }
            while (System.nanoTime() < end) {
                try (ResultSet rows =
                        (rowsRead & 1) == 0 ? scan.executeQuery() : look.executeQuery()) {
                    shared.rows = rows;
                    while (rows.next()) {
                        String expected = name(rows.getInt("id"));
                        assertEquals(expected, rows.getString("name"));
                        assertEquals(expected, rows.getString("again"));
                        rowsRead++;
                    }
                }
                rowsRead++;
            }
            for (Future<Long> stranger : strangers) {
                assertTrue(stranger.get() > 0);
            }
        }
        assertTrue(rowsRead > ROWS);
    }

    private static final class Shared {
        private volatile @Nullable ResultSet rows;
    }

    private static Callable<Long> reader(Shared shared, long end) {
        return () -> {
            long read = 0;
            while (System.nanoTime() < end) {
                ResultSet rows = shared.rows;
                if (rows == null) {
                    continue;
                }
                try {
                    String name = rows.getString("name");
                    int number = Integer.parseInt(name.substring(1, name.indexOf(' ')));
                    assertEquals(name(number), name);
                    read++;
                } catch (SQLException e) {
                    assertEquals("24000", e.getSQLState(), e.toString());
                }
            }
            return read;
        };
    }
}
