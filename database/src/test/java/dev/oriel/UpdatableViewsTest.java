package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changes of views through JDBC, and check options after a close.
class UpdatableViewsTest {
    private static final String ITEM =
            "CREATE TABLE item (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n INT)";

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static int ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    @Test
    void generatedKeysHaveTheirNamesInTheView() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            run(connection, ITEM, "CREATE VIEW v (number, key) AS SELECT n, id FROM item");
            assertEquals(
                    1,
                    statement.executeUpdate(
                            "INSERT INTO v (number) VALUES (7)", Statement.RETURN_GENERATED_KEYS));
            try (ResultSet keys = statement.getGeneratedKeys()) {
                assertTrue(keys.next());
                assertEquals("key", keys.getMetaData().getColumnLabel(1));
                assertEquals(1, keys.getMetaData().getColumnCount());
                assertEquals(1, keys.getInt(1));
            }
            try (PreparedStatement second =
                    connection.prepareStatement(
                            "INSERT INTO v (number) VALUES (?)", new int[] {1})) {
                second.setInt(1, 8);
                assertEquals(1, second.executeUpdate());
                try (ResultSet keys = second.getGeneratedKeys()) {
                    assertTrue(keys.next());
                    assertEquals(8, keys.getInt("number"));
                }
            }
        }
    }

    @Test
    void aBatchEndsAtARowThatTheViewDoesNotShow() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            run(
                    connection,
                    ITEM,
                    "CREATE VIEW v AS SELECT * FROM item WHERE n > 0 WITH CHECK OPTION");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO v (n) VALUES (?)")) {
                for (int n : new int[] {1, 2, 3}) {
                    insert.setInt(1, n);
                    insert.addBatch();
                }
                assertArrayEquals(new int[] {1, 1, 1}, insert.executeBatch());
                insert.setInt(1, 4);
                insert.addBatch();
                insert.setInt(1, -4);
                insert.addBatch();
                BatchUpdateException refused =
                        assertThrows(BatchUpdateException.class, insert::executeBatch);
                assertEquals("44000", refused.getSQLState());
            }
            assertEquals(0, ask(connection, "SELECT COUNT(*) FROM item WHERE n <= 0"));
        }
    }

    @Test
    void preparedStatementsFollowTheView() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            run(
                    connection,
                    ITEM,
                    "INSERT INTO item (n) VALUES (1), (2), (3)",
                    "CREATE VIEW v AS SELECT * FROM item WHERE n > 1");
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE v SET n = n + ? WHERE n < ?")) {
                update.setInt(1, 10);
                update.setInt(2, 3);
                assertEquals(1, update.executeUpdate());
                run(connection, "CREATE OR REPLACE VIEW v AS SELECT * FROM item WHERE n <= 1");
                assertEquals(1, update.executeUpdate());
                run(connection, "CREATE OR REPLACE VIEW v AS SELECT DISTINCT * FROM item");
                SQLException refused = assertThrows(SQLException.class, update::executeUpdate);
                assertEquals("55000", refused.getSQLState());
            }
            assertEquals(26, ask(connection, "SELECT SUM(n) FROM item"));
        }
    }

    @Test
    void checkOptionsSurviveAClose(@TempDir Path folder) throws SQLException {
        try (Database database = Database.open(folder);
                Connection connection = database.connect()) {
            run(
                    connection,
                    ITEM,
                    "CREATE VIEW plain AS SELECT n FROM item WHERE n > 0",
                    "CREATE VIEW own AS SELECT n FROM plain WHERE n < 9 WITH LOCAL CHECK OPTION",
                    "CREATE VIEW whole AS SELECT n FROM plain WHERE n < 9 WITH CHECK OPTION");
        }
        try (Database database = Database.open(folder);
                Connection connection = database.connect()) {
            run(connection, "INSERT INTO plain VALUES (-1)", "INSERT INTO own VALUES (-2)");
            for (String refused : new String[] {"own VALUES (9)", "whole VALUES (-3)"}) {
                SQLException violated =
                        assertThrows(
                                SQLException.class,
                                () -> run(connection, "INSERT INTO " + refused));
                assertEquals("44000", violated.getSQLState());
            }
            assertEquals(-3, ask(connection, "SELECT SUM(n) FROM item"));
        }
    }
}
