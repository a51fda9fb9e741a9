package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A handle for reading only beside one that writes: no statement of its connections writes.
final class ReadOnlyHandleTest {
    private static final List<String> CHANGES =
            List.of(
                    "INSERT INTO t VALUES (2)",
                    "DELETE FROM t",
                    "CREATE TABLE u (id INTEGER)",
                    "WITH d AS (DELETE FROM t RETURNING id) SELECT * FROM d",
                    "SELECT nextval('s')",
                    "TRUNCATE t",
                    "BEGIN EXCLUSIVE",
                    "BEGIN BULK");

    @TempDir Path folder;

    private Database writer;

    @BeforeEach
    void open() throws SQLException {
        writer = Database.open(folder.resolve("db"));
        try (Connection connection = writer.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            statement.execute("CREATE SEQUENCE s");
            statement.execute("INSERT INTO t VALUES (1)");
        }
    }

    @AfterEach
    void close() {
        writer.close();
    }

    /// Each statement that asks for writing is refused, or leaves the connection as it is.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
                "SET default_transaction_read_only = off",
                "SET default_transaction_read_only TO DEFAULT",
                "RESET default_transaction_read_only",
                "SET transaction_read_only = off",
                "SET TRANSACTION READ WRITE",
                "BEGIN READ WRITE",
                "START TRANSACTION READ WRITE",
                "BEGIN; SET TRANSACTION READ WRITE",
                "BEGIN READ ONLY; COMMIT AND CHAIN; SET TRANSACTION READ WRITE",
                "RESET ALL",
                "DISCARD ALL",
                "SELECT set_config('default_transaction_read_only', 'off', false)",
                "SELECT set_config('transaction_read_only', 'off', true)",
            })
    void noStatementMakesItWrite(String request) throws SQLException {
        for (String change : CHANGES) {
            try (Database reader = writer.readOnly();
                    Connection connection = reader.connect();
                    Statement statement = connection.createStatement()) {
                for (String part : request.split(";", -1)) {
                    attempt(statement, part);
                }
                assertTrue(attempt(statement, change) != null, change);
                assertTrue(connection.isReadOnly());
            }
        }
        assertUnchanged();
    }

    /// The error of `sql`; null if it was executed.
    private static @Nullable SQLException attempt(Statement statement, String sql) {
        try {
            if (statement.execute(sql)) {
                while (statement.getResultSet().next()) {
                    // a query computes its rows when they are read
                }
            }
            return null;
        } catch (SQLException e) {
            return e;
        }
    }

    private void assertUnchanged() throws SQLException {
        try (Connection connection = writer.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT (SELECT STRING_AGG(id::text, ',') FROM t), nextval('s')")) {
            assertTrue(rows.next());
            assertEquals("1", rows.getString(1));
            assertEquals(1, rows.getInt(2));
            assertFalse(connection.isReadOnly());
        }
    }

    @Test
    void callsOfJdbcAreRefusedToo() throws SQLException {
        try (Database reader =
                        Database.open(
                                folder.resolve("db"),
                                DatabaseOptions.defaults().withReadOnly(true));
                Connection connection = reader.connect()) {
            SQLException refused =
                    assertThrows(SQLException.class, () -> connection.setReadOnly(false));
            assertEquals("25006", refused.getSQLState());
            assertEquals(
                    "The database was opened for reading only; open it for writing to change it",
                    refused.getMessage());
            assertThrows(SQLException.class, reader::bulk);
        }
        assertUnchanged();
    }

    @Test
    void noFileIsWritten() throws SQLException {
        Path target = folder.resolve("x.csv");
        try (Database memory = Database.inMemory();
                Database reader = memory.readOnly();
                Connection connection = reader.connect();
                Statement statement = connection.createStatement()) {
            String copy = "COPY (SELECT 1) TO '" + target + "'";
            assertThrows(SQLException.class, () -> statement.execute(copy));
            assertFalse(Files.exists(target));
        }
    }

    /// A connection of a handle that writes follows its own modes.
    @Test
    void theModeOfOtherConnectionsFollowsTheirStatements() throws SQLException {
        try (Connection connection = writer.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
            assertTrue(connection.isReadOnly());
            connection.setReadOnly(false);
            statement.execute("INSERT INTO t VALUES (2)");
            statement.execute("DELETE FROM t WHERE id = 2");
        }
        assertUnchanged();
    }
}
