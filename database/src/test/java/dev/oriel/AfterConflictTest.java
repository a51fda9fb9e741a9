package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// The option `afterConflict`: a transaction that has met 40001 or 40P01 goes on, or can only be rolled back.
class AfterConflictTest {
    private static final String URL = "jdbc:oriel:mem:after-conflict?afterConflict=";

    private Database db = Database.inMemory();

    @AfterEach
    void isWhole() {
        assertEquals(List.of(), db.check());
        db.close();
    }

    private void open(AfterConflict after) throws SQLException {
        db.close();
        db =
                Database.inMemory(
                        "after-conflict", DatabaseOptions.defaults().withAfterConflict(after));
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER)");
            statement.execute("INSERT INTO t VALUES (1, 0), (2, 0)");
        }
    }

    /// A transaction at REPEATABLE READ that has changed row 2 and met a conflict at row 1.
    private Connection conflicted() throws SQLException {
        Connection connection = db.connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        meetConflict(connection);
        return connection;
    }

    private void meetConflict(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        assertEquals(1, statement.executeUpdate("UPDATE t SET v = v + 10 WHERE k = 2"));
        try (Connection other = db.connect();
                Statement change = other.createStatement()) {
            change.execute("UPDATE t SET v = v + 1 WHERE k = 1");
        }
        Expect.error(
                "40001", "", () -> statement.executeUpdate("UPDATE t SET v = v + 1 WHERE k = 1"));
    }

    private int value(int key) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT v FROM t WHERE k = " + key)) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    @Test
    void usuallyATransactionGoesOn() throws SQLException {
        open(DatabaseOptions.defaults().afterConflict());
        try (Connection connection = conflicted()) {
            connection.commit();
        }
        assertEquals(10, value(2));
    }

    @Test
    void everythingIsRefusedButItsEnd() throws SQLException {
        open(AfterConflict.ROLLBACK);
        try (Connection connection = conflicted();
                Statement statement = connection.createStatement();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO t VALUES (?, 0)")) {
            insert.setInt(1, 3);
            insert.addBatch();
            List<Executable> refused =
                    List.of(
                            () -> statement.executeQuery("SELECT * FROM t"),
                            () -> statement.executeQuery("SELECT 1"),
                            () -> statement.executeQuery("EXPLAIN SELECT 1"),
                            () -> statement.executeUpdate("DELETE FROM t"),
                            () -> statement.execute("CREATE TABLE u (a INTEGER)"),
                            () -> statement.execute("BEGIN"),
                            () -> statement.execute("SAVEPOINT s"),
                            () -> statement.execute("ANALYZE t"),
                            insert::executeUpdate,
                            insert::executeBatch,
                            connection::setSavepoint);
            for (Executable each : refused) {
                Expect.error("25P02", "ROLLBACK", each);
            }
            connection.rollback();
            assertEquals(0, value(2));
            statement.executeUpdate("UPDATE t SET v = 7 WHERE k = 2");
            connection.commit();
        }
        assertEquals(7, value(2));
    }

    @Test
    void aCommitRollsBackAndSaysSo() throws SQLException {
        open(AfterConflict.ROLLBACK);
        List<Commit> ways =
                List.of(
                        Connection::commit,
                        connection -> connection.createStatement().execute("COMMIT"),
                        connection -> connection.setAutoCommit(true));
        for (Commit way : ways) {
            try (Connection connection = conflicted()) {
                Expect.error("40001", "rolled back", () -> way.run(connection));
                assertEquals(0, value(2));
                assertFalse(connection.getAutoCommit());
                connection.commit(); // nothing
                connection.createStatement().executeUpdate("UPDATE t SET v = 0 WHERE k = 1");
                connection.commit();
            }
        }
    }

    /// A way to commit.
    private interface Commit {
        void run(Connection connection) throws SQLException;
    }

    @Test
    void aTransactionThatWasBegunInAutoCommitModeFailsToo() throws SQLException {
        open(AfterConflict.ROLLBACK);
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
            meetConflict(connection);
            Expect.error("25P02", "ROLLBACK", () -> statement.executeQuery("SELECT 1"));
            statement.execute("ROLLBACK");
            assertEquals(1, statement.executeUpdate("UPDATE t SET v = 3 WHERE k = 2"));
        }
        assertEquals(3, value(2));
    }

    @Test
    void aSavepointDoesNotBringItBack() throws SQLException {
        open(AfterConflict.ROLLBACK);
        try (Connection connection = db.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Savepoint savepoint = connection.setSavepoint();
            meetConflict(connection);
            Expect.error("25P02", "ROLLBACK", () -> connection.rollback(savepoint));
            Expect.error("25P02", "ROLLBACK", () -> connection.releaseSavepoint(savepoint));
            Expect.error("40001", "rolled back", connection::commit);
        }
        assertEquals(0, value(2));
    }

    @Test
    void otherErrorsLeaveTheTransactionUsable() throws SQLException {
        open(AfterConflict.ROLLBACK);
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE t SET v = 5 WHERE k = 2");
            Expect.error("23505", "", () -> statement.executeUpdate("INSERT INTO t VALUES (1, 1)"));
            connection.commit();
        }
        assertEquals(5, value(2));
    }

    @Test
    void theUrlSaysIt() throws SQLException {
        open(AfterConflict.ROLLBACK);
        DriverManager.getConnection(URL + "rollback").close();
        Expect.error(
                "08001", "afterConflict is one of", () -> DriverManager.getConnection(URL + "x"));
        Expect.error(
                "08001", "", () -> DriverManager.getConnection("jdbc:oriel:mem:?afterConflict"));
    }
}
