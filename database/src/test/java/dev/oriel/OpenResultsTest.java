package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

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

    /// The rest of `rows`, the columns of each parted by a blank.
    private static List<String> rest(ResultSet rows) throws SQLException {
        List<String> rest = new ArrayList<>();
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                row.add(rows.getString(i));
            }
            rest.add(String.join(" ", row));
        }
        return rest;
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
        return ((JdbcConnection) connection).results().count();
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

    @Test
    void aLoopThatInsertsIntoWhatItReadsEnds() throws SQLException {
        int read = 0;
        try (ResultSet rows = first.executeQuery("SELECT id FROM t WHERE id > 2");
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO t VALUES (?, 'more', 0)")) {
            while (rows.next() && read < 100) {
                insert.setInt(1, rows.getInt(1) + 1);
                assertEquals(1, insert.executeUpdate());
                assertEquals(3, rows.getInt(1));
                read++;
            }
        }
        assertEquals(1, read);
        assertEquals(List.of("4"), rest(first.executeQuery("SELECT count(*) FROM t")));
    }

    @Test
    void rowsThatMoveInTheIndexThatTheyAreReadByComeOnce() throws SQLException {
        List<Integer> read = new ArrayList<>();
        try (ResultSet rows = first.executeQuery("SELECT id FROM t WHERE k > 0 ORDER BY k");
                PreparedStatement update =
                        connection.prepareStatement("UPDATE t SET k = k + 25 WHERE id = ?")) {
            while (rows.next() && read.size() < 100) {
                read.add(rows.getInt(1));
                update.setInt(1, rows.getInt(1));
                update.addBatch();
                update.executeBatch();
            }
        }
        assertEquals(List.of(1, 2, 3), read);
    }

    @Test
    void aboveReadCommittedAResultNeedsNoWriteBeforeIt() throws SQLException {
        connection.rollback();
        for (int level :
                new int[] {
                    Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE
                }) {
            connection.setTransactionIsolation(level);
            try (ResultSet rows = first.executeQuery("SELECT id FROM t")) {
                assertTrue(rows.next());
                second.executeUpdate("DELETE FROM t WHERE id < 3");
                second.executeUpdate("INSERT INTO t VALUES (4, 'four', 40)");
                assertEquals(1, rows.getInt(1));
                assertEquals(List.of("2", "3"), rest(rows));
            }
            assertEquals(List.of("3", "4"), rest(first.executeQuery("SELECT id FROM t")));
            connection.rollback();
        }
    }

    @Test
    void aResultKeepsTheParametersThatItWasRunWith() throws SQLException {
        try (PreparedStatement find =
                connection.prepareStatement(
                        "SELECT id, k + ? FROM t WHERE k % 100 < ? ORDER BY id")) {
            find.setInt(1, 1);
            find.setInt(2, 100);
            try (ResultSet rows = find.executeQuery()) {
                assertTrue(rows.next());
                find.setInt(1, 1000);
                find.setInt(2, 0);
                assertEquals(List.of("2 21", "3 31"), rest(rows));
            }
            find.setInt(1, 1);
            find.setInt(2, 100);
            try (ResultSet rows = find.executeQuery()) {
                find.clearParameters();
                assertEquals(List.of("1 11", "2 21", "3 31"), rest(rows));
            }
        }
    }

    @Test
    void anInsertBesideAnOpenResultMayMeetAnotherTransaction() throws SQLException {
        ResultSet rows = first.executeQuery("SELECT id, k FROM t ORDER BY id");
        assertTrue(rows.next());
        try (Connection other = db.connect();
                Statement statement = other.createStatement()) {
            statement.executeUpdate("INSERT INTO log VALUES (5)");
            statement.executeUpdate("UPDATE t SET k = 0");
        }
        assertEquals(0, second.executeUpdate("INSERT INTO log VALUES (5) ON CONFLICT DO NOTHING"));
        assertEquals(10, rows.getInt(2));
        assertEquals(List.of("2 20", "3 30"), rest(rows));
        assertEquals(List.of("0"), rest(second.executeQuery("SELECT MAX(k) FROM t")));
        rows = first.executeQuery("SELECT id FROM t ORDER BY id");
        assertTrue(rows.next());
        try (Connection other = db.connect();
                Statement statement = other.createStatement()) {
            statement.executeUpdate("INSERT INTO log VALUES (6)");
        }
        Expect.error("23505", "", () -> second.executeUpdate("INSERT INTO log VALUES (7), (6)"));
        assertEquals(List.of("2", "3"), rest(rows));
        assertEquals(List.of("0", "5", "6"), rest(first.executeQuery("SELECT id FROM log")));
    }

    @Test
    void whateverAQueryReadsIsReadAsItWas() throws SQLException {
        second.executeUpdate(
                "CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id) ON DELETE"
                        + " CASCADE)");
        second.executeUpdate("INSERT INTO child VALUES (1, 1), (2, 2), (3, 3), (4, 3)");
        for (String[] each :
                new String[][] {
                    {"SELECT id FROM child", "DELETE FROM t", "1, 2, 3, 4"},
                    {
                        "SELECT t.id, child.id FROM t JOIN child ON child.t = t.id ORDER BY t.id",
                        "INSERT INTO log VALUES (7)",
                        "1 1, 2 2, 3 3, 3 4"
                    },
                    {
                        "SELECT t.id, l.id FROM t, log l",
                        "INSERT INTO log VALUES (7)",
                        "1 0, 2 0, 3 0"
                    },
                    {
                        "SELECT id, (SELECT max(id) FROM log) FROM t",
                        "INSERT INTO log VALUES (7)",
                        "1 0, 2 0, 3 0"
                    },
                    {
                        "SELECT t, count(*) FROM child GROUP BY t ORDER BY t",
                        "INSERT INTO log VALUES (7)",
                        "1 1, 2 1, 3 2"
                    },
                    {
                        "SELECT id, count(*) FROM t GROUP BY id ORDER BY id",
                        "INSERT INTO log VALUES (7)",
                        "1 1, 2 1, 3 1"
                    },
                    {
                        "SELECT name FROM t WHERE k > 0 ORDER BY k LIMIT 2",
                        "INSERT INTO log VALUES (7)",
                        "one, two"
                    },
                    {
                        "SELECT id FROM t WHERE id > 1 UNION ALL SELECT id FROM log",
                        "INSERT INTO log VALUES (7)",
                        "2, 3, 0"
                    },
                    {
                        "SELECT id FROM log",
                        "INSERT INTO log VALUES (0), (7) ON CONFLICT (id) DO UPDATE SET id = 9",
                        "0"
                    }
                }) {
            for (int before = 0; before < 2; before++) {
                var savepoint = connection.setSavepoint();
                try (ResultSet rows = first.executeQuery(each[0])) {
                    List<String> read = new ArrayList<>();
                    if (before > 0) {
                        assertTrue(rows.next());
                    }
                    second.executeUpdate(each[1]);
                    if (before > 0) {
                        String row = rows.getString(1);
                        read.add(
                                rows.getMetaData().getColumnCount() == 1
                                        ? row
                                        : row + " " + rows.getString(2));
                    }
                    read.addAll(rest(rows));
                    assertEquals(each[2], String.join(", ", read), each[0]);
                }
                connection.rollback(savepoint);
            }
        }
    }

    @Test
    void aRowThatCannotBeComputedIsAnErrorWhereItIsRead() throws SQLException {
        ResultSet rows = first.executeQuery("SELECT 6 / (3 - id) FROM t ORDER BY id");
        assertTrue(rows.next());
        assertEquals(1, second.executeUpdate("UPDATE t SET name = 'new' WHERE id = 1"));
        assertEquals(3, rows.getInt(1));
        assertTrue(rows.next());
        assertEquals(6, rows.getInt(1));
        Expect.error("22012", "", rows::next);
        assertTrue(rows.isClosed());
    }

    @Test
    void aTimeLimitHoldsWhileTheRowsOfAnotherResultAreKept() throws SQLException {
        ResultSet rows =
                first.executeQuery(
                        "SELECT i FROM generate_series(1, 100000000000) AS s(i)"
                                + " WHERE i < (SELECT min(id) FROM t)");
        second.setQueryTimeout(1);
        Expect.error("57014", "timeout", () -> second.executeUpdate("DELETE FROM t"));
        Expect.error("57014", "", rows::next);
        assertEquals(List.of("3"), rest(second.executeQuery("SELECT count(*) FROM t")));
        assertEquals(3, second.executeUpdate("DELETE FROM t"));
    }

    @Test
    void aChangeForWhichRowsCannotBeKeptChangesNothing() throws SQLException {
        second.executeUpdate(
                "INSERT INTO t SELECT i, 'many', i FROM generate_series(4, 5000) AS s(i)");
        second.executeUpdate("SET query_bytes_max = 20000");
        ResultSet rows = first.executeQuery("SELECT id FROM t");
        assertTrue(rows.next());
        assertEquals(1, second.executeUpdate("INSERT INTO log VALUES (1)"), "which it reads not");
        String change = "DELETE FROM t WHERE id = 1";
        Expect.error("54000", "query_bytes_max", () -> second.executeUpdate(change));
        assertEquals(1, rows.getInt(1));
        assertEquals(
                List.of("5000"), rest(second.executeQuery("SELECT count(*) FROM t")), "changed");
        Expect.error("54000", "query_bytes_max", () -> rest(rows));
        assertEquals(1, second.executeUpdate(change));
    }

    @Test
    void rowsThatAreKeptMayGoToFiles(@TempDir Path folder) throws SQLException {
        try (Database onDisk = Database.open(folder.resolve("db"));
                Connection writer = onDisk.connect();
                Statement reading = writer.createStatement();
                Statement writing = writer.createStatement()) {
            writing.executeUpdate("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            writer.setAutoCommit(false);
            writing.executeUpdate("INSERT INTO t SELECT i FROM generate_series(1, 5000) AS s(i)");
            writing.executeUpdate("SET query_bytes_max = 20000");
            ResultSet rows = reading.executeQuery("SELECT id FROM t");
            assertTrue(rows.next());
            assertEquals(5000, writing.executeUpdate("UPDATE t SET id = -id"));
            int read = 1;
            while (rows.next()) {
                assertEquals(++read, rows.getInt(1));
            }
            assertEquals(5000, read);
            writer.commit();
        }
    }

    @Test
    void aRowThatWasOnlyLookedForIsReturnedAsItWas() throws SQLException {
        try (ResultSet rows = first.executeQuery("SELECT name FROM t WHERE id = 1")) {
            assertTrue(rows.isBeforeFirst());
            second.executeUpdate("UPDATE t SET name = 'new'");
            assertEquals(List.of("one"), rest(rows));
        }
        try (ResultSet rows = first.executeQuery("SELECT name FROM t WHERE id = 9")) {
            assertFalse(rows.isBeforeFirst());
        }
        ResultSet rows = first.executeQuery("SELECT name FROM t");
        assertTrue(rows.isBeforeFirst());
        second.executeUpdate("ROLLBACK");
        assertTrue(rows.next());
        assertEquals("new", rows.getString(1));
        Expect.error("24000", "", rows::next);
    }
}
