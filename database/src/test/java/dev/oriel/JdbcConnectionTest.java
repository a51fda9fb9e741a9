package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.FakeSession.FakePrepared;
import dev.oriel.store.Isolation;
import dev.oriel.table.definition.Type;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JdbcConnectionTest {
    private final FakeSession session = new FakeSession();
    private final JdbcConnection connection = session.connect();

    @Test
    void transactionCallsReachTheSession() throws SQLException {
        Expect.error("25P01", "auto-commit", connection::commit);
        Expect.error("25P01", "auto-commit", connection::rollback);
        connection.setAutoCommit(true);
        connection.setAutoCommit(false);
        connection.commit();
        connection.rollback();
        connection.setAutoCommit(true);
        assertEquals(
                List.of("autoCommit false", "commit", "rollback", "autoCommit true"),
                session.calls);
    }

    @Test
    void savepointsAreKeptApartThoughTheirNamesAreNot() throws SQLException {
        connection.setAutoCommit(false);
        Savepoint first = connection.setSavepoint("s");
        Savepoint second = connection.setSavepoint("s");
        Savepoint unnamed = connection.setSavepoint();
        connection.rollback(first);
        connection.releaseSavepoint(second);
        assertEquals("s", first.getSavepointName());
        assertEquals(3, unnamed.getSavepointId());
        Expect.error("3B001", "name", first::getSavepointId);
        Expect.error("3B001", "id", unnamed::getSavepointName);
        assertEquals(
                List.of(
                        "autoCommit false",
                        "savepoint jdbc_1",
                        "savepoint jdbc_2",
                        "savepoint jdbc_3",
                        "rollbackTo jdbc_1",
                        "release jdbc_2"),
                session.calls);
        JdbcConnection other = new FakeSession().connect();
        other.setAutoCommit(false);
        Expect.error("3B001", "another connection", () -> other.rollback(first));
    }

    @Test
    void commitEndsOpenResults() throws SQLException {
        session.query("q", Type.of(Type.Name.INTEGER)).row().setLong(0, 1);
        connection.setAutoCommit(false);
        ResultSet rs = connection.createStatement().executeQuery("q");
        assertTrue(rs.next());
        connection.commit();
        assertTrue(rs.isClosed());
        Expect.error("24000", "transaction has ended", () -> rs.getInt(1));
    }

    @Test
    void rowThatAResultStandsOnOutlivesAWrite() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER), Type.varchar(0));
        query.row().setLong(0, 1);
        query.rows.getFirst().setText(1, "one");
        query.row().setLong(0, 2);
        session.update("u");
        connection.setAutoCommit(false);
        ResultSet rs = connection.createStatement().executeQuery("q");
        assertTrue(rs.next());
        try (Statement update = connection.createStatement()) {
            assertEquals(1, update.executeUpdate("u"));
        }
        query.rows.getFirst().setLong(0, 99);
        query.rows.getFirst().setText(1, "overwritten");
        assertEquals(1, rs.getInt(1));
        assertEquals("one", rs.getString(2));
        assertTrue(rs.next());
        assertEquals(2, rs.getInt(1));
    }

    @Test
    void closeClosesEverythingOnce() throws SQLException {
        session.query("q", Type.of(Type.Name.INTEGER));
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("q");
        PreparedStatement prepared = connection.prepareStatement("q");
        connection.close();
        connection.close();
        assertEquals(List.of("close", "released"), session.calls);
        assertTrue(connection.isClosed());
        assertTrue(statement.isClosed());
        assertTrue(prepared.isClosed());
        assertTrue(rs.isClosed());
        assertFalse(connection.isValid(1));
        Expect.error("08003", "closed", connection::createStatement);
        Expect.error("08003", "closed", () -> connection.prepareStatement("q"));
        Expect.error("08003", "closed", prepared::executeQuery);
        Expect.error("08003", "closed", () -> statement.executeQuery("q"));
        Expect.error("08003", "closed", connection::getMetaData);
        Expect.error("24000", "closed", rs::next);
        statement.close();
        prepared.close();
    }

    @Test
    void closedStatementSaysSo() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        PreparedStatement statement = connection.prepareStatement("q");
        ResultSet rs = statement.executeQuery();
        statement.close();
        assertTrue(query.closed);
        assertTrue(rs.isClosed());
        Expect.error("26000", "statement is closed", statement::executeQuery);
        Expect.error("26000", "statement is closed", () -> statement.setInt(1, 1));
    }

    @Test
    void statementClosesOnCompletionWhenAsked() throws SQLException {
        session.query("q", Type.of(Type.Name.INTEGER));
        Statement statement = connection.createStatement();
        statement.closeOnCompletion();
        ResultSet rs = statement.executeQuery("q");
        assertFalse(statement.isClosed());
        rs.close();
        assertTrue(statement.isClosed());
    }

    @Test
    void failedNextClosesTheResult() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        query.row();
        ResultSet rs = connection.createStatement().executeQuery("q");
        query.failure = new IllegalStateException("torn");
        Expect.error("XX000", "torn", rs::next);
        assertTrue(rs.isClosed());
        Expect.error("24000", "closed", rs::next);
    }

    @Test
    void batchOfTextsStopsAtTheFirstFailure() throws SQLException {
        FakePrepared update = session.update("u");
        Statement statement = connection.createStatement();
        statement.addBatch("u");
        statement.addBatch("nonsense");
        statement.addBatch("u");
        BatchUpdateException e = assertThrows(BatchUpdateException.class, statement::executeBatch);
        assertEquals("42601", e.getSQLState());
        assertEquals(1, e.getUpdateCounts().length);
        assertEquals(1, update.ran.size());
    }

    @Test
    void levelsOfIsolationAreThoseOfTheStore() throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        assertEquals(Connection.TRANSACTION_READ_COMMITTED, connection.getTransactionIsolation());
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        assertEquals(Isolation.SNAPSHOT, session.isolation());
        assertEquals(Connection.TRANSACTION_REPEATABLE_READ, connection.getTransactionIsolation());
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        assertEquals(Isolation.SERIALIZABLE, session.isolation());
        Expect.error("22023", "77", () -> connection.setTransactionIsolation(77));
    }

    /// As JDBC has it: a result of the nearest type that there is.
    @Test
    void sensitiveResultsAreInsensitive() throws SQLException {
        try (Statement statement =
                connection.createStatement(
                        ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
            assertEquals(ResultSet.TYPE_SCROLL_INSENSITIVE, statement.getResultSetType());
        }
    }

    @Test
    void whatIsNotSupportedSaysSo() {
        Expect.error(
                "0A000",
                "CONCUR_READ_ONLY",
                () ->
                        connection.createStatement(
                                ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE));
        Expect.error("42601", "{call name(...)}", () -> connection.prepareCall("x"));
        Expect.error(
                "0A000",
                "CLOSE_CURSORS",
                () -> connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT));
    }

    @Test
    void abortCancelsAndCloses() throws SQLException {
        connection.abort(Runnable::run);
        assertTrue(connection.isClosed());
        assertEquals(List.of("cancel", "close", "released"), session.calls);
        connection.close();
        assertEquals(3, session.calls.size());
    }

    @Test
    void anAbortedConnectionIsLetGoOfByItsExecutor() throws SQLException {
        Statement statement = connection.createStatement();
        connection.setAutoCommit(false);
        List<Runnable> tasks = new ArrayList<>();
        connection.abort(tasks::add);
        assertThrows(SQLException.class, statement::cancel);
        assertEquals(List.of("autoCommit false", "cancel"), session.calls);
        Expect.error("08003", "closed", connection::clearWarnings);
        tasks.forEach(Runnable::run);
        assertEquals(List.of("autoCommit false", "cancel", "close", "released"), session.calls);
        Expect.error("08003", "closed", connection::rollback);
        connection.close();
        assertEquals(4, session.calls.size());
    }

    @Test
    void aCallThatRunsWhenItsConnectionIsAbortedLetsGoOfIt() throws SQLException {
        connection.enter();
        try {
            connection.abort(task -> {});
            assertEquals(List.of("cancel"), session.calls);
        } finally {
            connection.exit();
        }
        assertEquals(List.of("cancel", "close", "released"), session.calls);
    }
}
