package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tables of `sys` through JDBC.
class WindowTest {
    private static final String ENDLESS =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n";

    @TempDir private Path folder;

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            StringBuilder text = new StringBuilder();
            while (rows.next()) {
                text.append(text.isEmpty() ? "" : "\n");
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    text.append(i == 1 ? "" : "|").append(rows.getString(i));
                }
            }
            return text.toString();
        }
    }

    @Test
    void errorsAreCountedBySqlState() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT PRIMARY KEY)");
            statement.execute("INSERT INTO t VALUES (1)");
            for (int i = 0; i < 3; i++) {
                assertThrows(
                        SQLException.class, () -> statement.execute("INSERT INTO t VALUES (1)"));
            }
            assertEquals(
                    "4|3|23505: 3",
                    one(
                            connection,
                            "SELECT calls, errors, errors_by_state FROM sys.statements"
                                    + " WHERE statement = 'INSERT INTO t VALUES (?)'"));
        }
    }

    @Test
    void bytesOfLogAreThoseOfTheStatementThatCommits() throws SQLException {
        try (Database database = Database.open(folder.resolve("db"));
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR)");
            long before = logged(database);
            statement.execute("INSERT INTO t VALUES (1, 'x')");
            statement.execute("INSERT INTO t VALUES (2, 'y')");
            checkLogged(connection, "INSERT INTO t VALUES (?, ?)", 2, logged(database) - before);
            before = logged(database);
            statement.executeQuery("INSERT INTO t VALUES (3, 'z') RETURNING a").close();
            checkLogged(
                    connection,
                    "INSERT INTO t VALUES (?, ?) RETURNING a",
                    1,
                    logged(database) - before);
            statement.execute("BEGIN");
            statement.execute("DELETE FROM t");
            before = logged(database);
            statement.execute("COMMIT");
            checkLogged(connection, "COMMIT", 1, logged(database) - before);
            assertEquals(
                    "0",
                    one(
                            connection,
                            "SELECT log_bytes FROM sys.statements"
                                    + " WHERE statement = 'DELETE FROM t'"));
        }
    }

    @Test
    void aCommitWithoutItsTextIsCountedToo() throws SQLException {
        try (Database database = Database.open(folder.resolve("db"));
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR)");
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1, 'x')");
            long before = logged(database);
            connection.commit();
            connection.commit(); // of nothing
            checkLogged(connection, "COMMIT", 1, logged(database) - before);
            statement.execute("INSERT INTO t VALUES (2, 'x')");
            connection.setAutoCommit(true);
            checkLogged(connection, "COMMIT", 2, logged(database) - before);
        }
    }

    private static long logged(Database database) {
        return database.stats().logBytesWritten();
    }

    /// @param written by the log in that time: the records and what fills up between them
    private static void checkLogged(
            Connection connection, String statement, int calls, long written) throws SQLException {
        String[] counted =
                one(
                                connection,
                                "SELECT calls, log_bytes FROM sys.statements WHERE statement = '"
                                        + statement
                                        + "'")
                        .split("\\|", -1);
        assertEquals(calls, Integer.parseInt(counted[0]));
        long bytes = Long.parseLong(counted[1]);
        assertTrue(bytes >= 50L * calls && bytes <= written, bytes + " of " + written);
    }

    @Test
    void aTimeoutIsSeenWhileItsStatementRuns() throws Exception {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            String seen = "";
            int statements = 0;
            // A machine that is slow may not look while it runs; then it runs for longer.
            for (int seconds = 2; seen.isEmpty() && seconds < 64; seconds *= 2) {
                statement.setQueryTimeout(seconds);
                AtomicReference<Throwable> thrown = new AtomicReference<>();
                Thread thread =
                        new Thread(() -> {
                            try (ResultSet rows = statement.executeQuery(ENDLESS)) {
                                rows.next();
                            } catch (SQLException e) {
                                thrown.set(e);
                            }
                        });
                thread.start();
                statements++;
                while (seen.isEmpty() && thread.isAlive()) {
                    seen =
                            one(
                                    connection,
                                    "SELECT session, timeout_ms = "
                                            + seconds * 1000
                                            + ", cancelled FROM sys.sessions"
                                            + " WHERE timeout_ms IS NOT NULL"
                                            + " AND state = 'fetching' AND NOT cancelled");
                }
                thread.join(120_000);
                assertTrue(thrown.get() instanceof SQLTimeoutException, "" + thrown.get());
            }
            assertEquals("2|true|false", seen);
            assertEquals(
                    "57014: " + statements,
                    one(connection, "SELECT errors_by_state FROM sys.statements WHERE errors > 0"));
        }
    }

    @Test
    void anotherConnectionCancels() throws Exception {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            AtomicReference<String> state = new AtomicReference<>();
            Thread thread =
                    new Thread(() -> {
                        try (ResultSet rows = statement.executeQuery(ENDLESS)) {
                            rows.next();
                        } catch (SQLException e) {
                            state.set(e.getSQLState());
                        }
                    });
            thread.start();
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (one(
                                    connection,
                                    "SELECT 1 FROM sys.sessions WHERE session = 2"
                                            + " AND state = 'fetching'")
                            .isEmpty()
                    && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertEquals("true", one(connection, "CALL sys.cancel(2)"));
            thread.join(60_000);
            assertEquals("57014", state.get());
        }
    }

    @Test
    void aClosedConnectionIsNoSession() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            database.connect().close();
            assertEquals("1", one(connection, "SELECT session FROM sys.sessions"));
        }
    }
}
