package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// UNIQUE constraints that the commit tests, between transactions.
final class DeferredKeysTest {
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = connect();
        statement = connection.createStatement();
        statement.execute("DROP TABLE IF EXISTS t");
        statement.execute(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER UNIQUE DEFERRABLE INITIALLY"
                        + " DEFERRED)");
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:oriel:mem:deferred-keys");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void expiredRowsHaveNoKey() throws SQLException {
        statement.execute("DROP TABLE IF EXISTS token");
        statement.execute(
                "CREATE TABLE token (id INTEGER PRIMARY KEY, name TEXT UNIQUE INITIALLY DEFERRED, until"
                        + " TIMESTAMP WITH TIME ZONE ROW EXPIRY)");
        statement.execute("INSERT INTO token VALUES (1, 'a', TIMESTAMP '2001-01-01 00:00:00')");
        statement.execute("INSERT INTO token VALUES (2, 'a', TIMESTAMP '2999-01-01 00:00:00')");
        SQLException taken =
                assertThrows(
                        SQLException.class,
                        () -> statement.execute("INSERT INTO token VALUES (3, 'a', NULL)"));
        assertEquals("23505", taken.getSQLState());
        statement.execute(
                "ALTER TABLE token ADD CONSTRAINT again UNIQUE (name) INITIALLY DEFERRED");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void theSecondWriterOfAKeyWaitsAndIsRefused(int level) throws Exception {
        try (Connection other = connect();
                Statement second = other.createStatement();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            connection.setAutoCommit(false);
            other.setAutoCommit(false);
            other.setTransactionIsolation(level);
            try (ResultSet rows = second.executeQuery("SELECT COUNT(*) FROM t")) {
                assertTrue(rows.next());
            }
            statement.execute("INSERT INTO t VALUES (1, 7)");
            Future<Boolean> waiting =
                    thread.submit(() -> second.execute("INSERT INTO t VALUES (2, 7)"));
            assertThrows(TimeoutException.class, () -> waiting.get(100, TimeUnit.MILLISECONDS));
            connection.commit();
            waiting.get();
            assertEquals("23505", assertThrows(SQLException.class, other::commit).getSQLState());
        }
    }

    @Test
    void aKeyIsFreeOnceItsRowIsGone() throws Exception {
        statement.execute("INSERT INTO t VALUES (1, 7)");
        try (Connection other = connect();
                Statement second = other.createStatement();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            connection.setAutoCommit(false);
            statement.execute("DELETE FROM t WHERE id = 1");
            Future<Integer> waiting =
                    thread.submit(() -> second.executeUpdate("INSERT INTO t VALUES (2, 7)"));
            assertThrows(TimeoutException.class, () -> waiting.get(100, TimeUnit.MILLISECONDS));
            connection.commit();
            assertEquals(1, waiting.get());
        }
    }

    @Test
    void noTwoRowsShareAKeyAfterManyTransactions() throws Exception {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
            for (int i = 0; i < 20; i++) {
                insert.setInt(1, i);
                insert.setInt(2, i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        long seed = Long.getLong("seed", 20_261_130);
        List<Future<Integer>> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(seed + thread);
                done.add(threads.submit(() -> changeMuch(random)));
            }
        }
        int commits = 0;
        for (Future<Integer> each : done) {
            commits += each.get();
        }
        assertTrue(commits > 0, "seed " + seed);
        try (ResultSet rows = statement.executeQuery("SELECT COUNT(n), COUNT(DISTINCT n) FROM t")) {
            assertTrue(rows.next());
            assertEquals(rows.getInt(1), rows.getInt(2), "seed " + seed);
        }
        statement.execute("ALTER TABLE t ADD UNIQUE (n)");
    }

    /// Runs transactions of a few changes each; returns how many could commit.
    private static int changeMuch(Random random) throws SQLException {
        int commits = 0;
        try (Connection own = connect();
                Statement change = own.createStatement()) {
            own.setAutoCommit(false);
            own.setTransactionIsolation(
                    random.nextBoolean()
                            ? Connection.TRANSACTION_READ_COMMITTED
                            : Connection.TRANSACTION_REPEATABLE_READ);
            for (int i = 0; i < 200; i++) {
                try {
                    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                        change.execute(change(random));
                    }
                    own.commit();
                    commits++;
                } catch (SQLException refused) {
                    String state = refused.getSQLState();
                    assertTrue(state.equals("23505") || state.startsWith("40"), state);
                    own.rollback();
                }
            }
        }
        return commits;
    }

    private static String change(Random random) {
        int id = random.nextInt(20);
        int other = random.nextInt(20);
        return switch (random.nextInt(5)) {
            case 0 -> "DELETE FROM t WHERE id = " + id;
            case 1 ->
                    "INSERT INTO t VALUES (" + id + ", " + other + ") ON CONFLICT (id) DO NOTHING";
            case 2 -> "UPDATE t SET n = NULL WHERE id = " + id;
            case 3 ->
                    "UPDATE t SET n = (SELECT SUM(n) FROM t x WHERE x.id IN (%d, %d)) - n WHERE id IN (%d, %d)"
                            .formatted(id, other, id, other);
            default -> "UPDATE t SET n = " + other + " WHERE id = " + id;
        };
    }

    @Test
    void loadsAndBatchesAreTestedToo() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, 5)")) {
            for (int i = 0; i < 2; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            assertEquals(
                    "23505", assertThrows(SQLException.class, insert::executeBatch).getSQLState());
        }
        statement.execute("BEGIN BULK");
        statement.execute("INSERT INTO t VALUES (1, NULL), (2, NULL), (3, 5), (4, 5)");
        assertEquals(
                "23505",
                assertThrows(SQLException.class, () -> statement.execute("COMMIT")).getSQLState());
    }

    @Test
    void theIndexIsListedAsUnique() throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        try (ResultSet rows = data.getIndexInfo(null, null, "t", true, true)) {
            int indexes = 0;
            while (rows.next()) {
                indexes++;
            }
            assertEquals(2, indexes);
        }
    }
}
