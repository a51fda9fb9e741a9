package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls within `next()`, and beside it: a Java function runs in its second row.
@Timeout(120)
class ReentrantNextTest {
    private static final String QUERY = "SELECT id, act(id) FROM t";

    private final Database database = Database.inMemory();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @SuppressWarnings("NullAway.Init")
    private Action action;

    private @Nullable Throwable thrown;

    private interface Action {
        void run() throws Exception;
    }

    @BeforeEach
    void open() throws SQLException {
        connection = database.connect();
        database.functions().add("act", List.of(int.class), int.class, this::act);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            statement.execute("INSERT INTO t VALUES (1), (2), (3)");
        }
    }

    private @Nullable Object act(@Nullable Object[] arguments) {
        if (Integer.valueOf(2).equals(arguments[0])) {
            try {
                action.run();
            } catch (Exception | Error e) {
                thrown = e;
            }
        }
        return arguments[0];
    }

    @AfterEach
    void close() throws SQLException {
        other.shutdownNow();
        connection.close();
        assertEquals(List.of(), database.check());
        database.close();
    }

    private long sessions() throws SQLException {
        try (Connection asking = database.connect();
                Statement statement = asking.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM sys.sessions")) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    /// Stays until the test lets it go on.
    private void stay() throws InterruptedException {
        running.countDown();
        assertTrue(goOn.await(60, TimeUnit.SECONDS));
    }

    @Test
    void aConnectionThatIsClosedWithinNextEndsAfterIt() throws Exception {
        action = () -> connection.close();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            assertTrue(rows.next());
            assertTrue(rows.next(), "the row was there");
            assertThrows(SQLException.class, () -> rows.getInt(1));
        }
        assertEquals(1, sessions(), "the asking one");
    }

    @Test
    void aCloseThatGivesUpIsDoneWhenNextEnds() throws Exception {
        action = this::stay;
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(QUERY);
        assertTrue(rows.next());
        Future<?> closing =
                other.submit(() -> {
                    assertTrue(running.await(60, TimeUnit.SECONDS));
                    connection.close();
                    assertEquals(2, sessions(), "it still runs");
                    goOn.countDown();
                    return null;
                });
        assertThrows(
                SQLException.class,
                () -> {
                    rows.next();
                    rows.next();
                });
        closing.get();
        assertEquals(1, sessions(), "the asking one");
    }

    /// The function closes the result itself, so the connection has no open result any more while `next()` runs.
    @Test
    void anotherThreadWaitsForNext() throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QUERY);
                Statement others = connection.createStatement()) {
            Action close = rows::close;
            action =
                    () -> {
                        close.run();
                        Future<Boolean> waiting = other.submit(() -> others.execute("SELECT 1"));
                        assertThrows(
                                TimeoutException.class, () -> waiting.get(1, TimeUnit.SECONDS));
                    };
            assertTrue(rows.next());
            SQLException closed = assertThrows(SQLException.class, rows::next);
            assertEquals("24000", closed.getSQLState(), closed.toString());
            assertTrue(other.submit(() -> others.execute("SELECT 1")).get());
        }
        if (thrown != null) {
            throw new AssertionError(thrown);
        }
    }

    @Test
    void statementsWithinNextRunOnTheSameConnection() throws Exception {
        action =
                () -> {
                    try (Statement inner = connection.createStatement();
                            ResultSet rows = inner.executeQuery("SELECT COUNT(*) FROM t")) {
                        assertTrue(rows.next());
                        assertEquals(3, rows.getInt(1));
                    }
                };
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            for (int i = 1; i <= 3; i++) {
                assertTrue(rows.next());
                assertEquals(i, rows.getInt(2));
            }
            assertFalse(rows.next());
        }
        if (thrown != null) {
            throw new AssertionError(thrown);
        }
    }
}
