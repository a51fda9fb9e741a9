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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What open results return while their own transaction goes on.
class OpenResultsTest {
    private Database db;
    private Connection connection;
    private Statement first;
    private Statement second;

    /// Begins a transaction that has written, whose results therefore read what it writes in.
    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        connection = db.connect();
        first = connection.createStatement();
        second = connection.createStatement();
        first.executeUpdate("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(10), k INTEGER)");
        first.executeUpdate("CREATE INDEX t_k ON t (k)");
        first.executeUpdate("CREATE TABLE log (id INTEGER PRIMARY KEY)");
        first.executeUpdate(
                "INSERT INTO t VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', 30)");
        connection.setAutoCommit(false);
        first.executeUpdate("INSERT INTO log VALUES (0)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        assertEquals(List.of(), db.check());
        db.close();
    }

    @Test
    void theRowOfAResultIsReadableAfterStatementsThatWriteAndReturn() throws SQLException {
        for (String change :
                List.of(
                        "INSERT INTO log VALUES (1) RETURNING id",
                        "UPDATE log SET id = id + 10 RETURNING id",
                        "UPDATE t SET name = 'new' RETURNING id",
                        "DELETE FROM t WHERE id = 3 RETURNING id",
                        "DELETE FROM log RETURNING id",
                        "SELECT id FROM t FOR UPDATE",
                        "EXPLAIN ANALYZE INSERT INTO log VALUES (2)")) {
            try (ResultSet rows = first.executeQuery("SELECT id, name, k FROM t ORDER BY id")) {
                assertTrue(rows.next());
                assertTrue(second.executeQuery(change).next(), change);
                String name = rows.getString(2);
                assertTrue(List.of("one", "new").contains(name), () -> change + ": " + name);
                assertEquals(10, rows.getInt(3), change);
                assertTrue(rows.next(), change);
                assertEquals(20, rows.getInt(3), change);
            }
        }
    }

    private int resultsOpen() {
        return ((JdbcConnection) connection).resultsOpen();
    }

    @Test
    void keysThatNobodyClosesAreClosedByTheirStatement() throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
        first.executeUpdate("CREATE TABLE k (id INTEGER GENERATED ALWAYS AS IDENTITY, v INTEGER)");
        for (int i = 1; i <= 2_000; i++) {
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT INTO k (v) VALUES (0)", Statement.RETURN_GENERATED_KEYS)) {
                insert.executeUpdate();
                ResultSet keys = insert.getGeneratedKeys();
                assertTrue(keys.next());
                assertEquals(i, keys.getInt(1));
            }
        }
        assertEquals(0, resultsOpen());
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO k (v) VALUES (0)", Statement.RETURN_GENERATED_KEYS)) {
            ResultSet last = null;
            for (int i = 0; i < 2_000; i++) {
                insert.executeUpdate();
                assertTrue(last == null || last.isClosed());
                last = insert.getGeneratedKeys();
                assertTrue(last.next());
            }
            assertEquals(1, resultsOpen());
            assertFalse(insert.getGeneratedKeys().next(), "they are there once");
            assertEquals(1, resultsOpen());
        }
    }

    @Test
    void listingsAreNotHeldByTheirConnection() throws SQLException {
        List<ResultSet> listings = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            listings.add(connection.getMetaData().getTables(null, null, "t", null));
            listings.add(connection.createArrayOf("INTEGER", new Object[] {1, 2}).getResultSet());
        }
        assertEquals(0, resultsOpen());
        for (ResultSet listing : listings) {
            assertTrue(listing.next());
        }
        connection.commit();
        assertEquals("t", listings.getFirst().getString("TABLE_NAME"));
    }

    @Test
    void rowsOfSeveralStatementsAreClosedWhereALaterOneFails() {
        for (int i = 0; i < 10; i++) {
            Expect.error(
                    "42P01", "none", () -> first.execute("SELECT 1; SELECT 2; SELECT * FROM none"));
        }
        assertEquals(0, resultsOpen());
    }
}
