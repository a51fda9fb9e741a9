package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Memory or stack that runs out in the engine is an SQLException of the call, and the database stays usable.
class MemoryErrorsTest {
    private final Database db = Database.inMemory();

    /// What the function `fault` throws in its next call.
    private @Nullable Error thrown;

    @BeforeEach
    void create() throws SQLException {
        db.functions()
                .add(
                        "fault",
                        List.of(int.class),
                        int.class,
                        arguments -> {
                            Error error = thrown;
                            if (error != null && (Integer) arguments[0] == 2) {
                                thrown = null;
                                throw error;
                            }
                            return arguments[0];
                        });
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INTEGER)");
            statement.execute("INSERT INTO t VALUES (1), (2), (3)");
        }
    }

    @AfterEach
    void isWhole() {
        assertEquals(List.of(), db.check());
        db.close();
    }

    private static Map<Error, String> errors() {
        Map<Error, String> errors = new LinkedHashMap<>();
        errors.put(new OutOfMemoryError("Cannot reserve 4096 bytes of direct memory"), "53200");
        errors.put(new StackOverflowError(), "54001");
        return errors;
    }

    private int count() throws SQLException {
        try (Connection other = db.connect();
                Statement statement = other.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    @Test
    void eachWayToRunAStatementMapsThemAndLeavesNoTransactionInAutoCommitMode() throws Exception {
        for (Map.Entry<Error, String> each : errors().entrySet()) {
            try (Connection connection = db.connect();
                    Statement statement = connection.createStatement();
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO t SELECT fault(?)");
                    PreparedStatement select =
                            connection.prepareStatement("SELECT fault(a) FROM t ORDER BY 1")) {
                for (int value : new int[] {1, 2}) {
                    insert.setInt(1, value);
                    insert.addBatch();
                }
                List<Executable> calls =
                        List.of(
                                () -> drain(select.executeQuery()),
                                () -> drain(statement.executeQuery("SELECT MAX(fault(a)) FROM t")),
                                () -> drain(statement.executeQuery("SELECT fault(a) FROM t")),
                                () ->
                                        statement.executeUpdate(
                                                "INSERT INTO t SELECT fault(a) FROM t"),
                                () -> statement.execute("UPDATE t SET a = fault(a)"),
                                insert::executeUpdate,
                                insert::executeBatch);
                for (int i = 0; i < calls.size(); i++) {
                    thrown = each.getKey();
                    SQLException e = assertThrows(SQLException.class, calls.get(i), "call " + i);
                    assertEquals(each.getValue(), e.getSQLState(), "call " + i + ": " + e);
                    assertEquals(3, count(), "call " + i);
                    drain(select.executeQuery()); // its operators work again
                }
            }
            try (Connection other = db.connect();
                    Statement exclusive = other.createStatement()) {
                exclusive.execute("CREATE TABLE u (a INTEGER)"); // waits for every open writer
                exclusive.execute("DROP TABLE u");
            }
        }
    }

    private static void drain(ResultSet rows) throws SQLException {
        while (rows.next()) {
            assertTrue(rows.getInt(1) > 0);
        }
    }

    @Test
    void aTransactionOfSeveralStatementsCanOnlyBeRolledBackAfterOneInAChange() throws Exception {
        for (Map.Entry<Error, String> each : errors().entrySet()) {
            try (Connection connection = db.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("INSERT INTO t VALUES (9)");
                thrown = each.getKey();
                Expect.error(
                        each.getValue(),
                        "run out",
                        () -> statement.executeUpdate("INSERT INTO t SELECT fault(a) FROM t"));
                Expect.error("25P02", "ROLLBACK", () -> statement.execute("DELETE FROM t"));
                Expect.error("25P02", "rolled back", connection::commit);
                statement.execute("INSERT INTO t VALUES (9)");
                connection.rollback();
                assertEquals(3, count());
            }
        }
    }

    @Test
    void aQueryLeavesTheTransactionUsable() throws Exception {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (9)");
            thrown = new OutOfMemoryError();
            Expect.error(
                    "53200",
                    "run out",
                    () -> drain(statement.executeQuery("SELECT SUM(fault(a)) FROM t")));
            connection.commit();
        }
        assertEquals(4, count());
    }
}
