package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bulk loads through JDBC.
class BulkTest {
    private static final int ROWS = 20_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)");
            statement.execute(
                    "CREATE TABLE child (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                            + " parent INTEGER REFERENCES parent, name VARCHAR(40) UNIQUE,"
                            + " tag VARCHAR(10) DEFAULT 'none', CHECK (name <> 'bad'))");
            statement.execute("CREATE INDEX child_tag ON child (tag, name)");
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    @Test
    void rowsOfSeveralTablesAreLoadedWithAllThatTheirDefinitionsSay() throws SQLException {
        try (Database database = Database.open(folder.resolve("db"));
                Connection reader = database.connect()) {
            create(reader);
            try (Connection load = database.bulk();
                    PreparedStatement child =
                            load.prepareStatement(
                                    "INSERT INTO child (parent, name) VALUES (?, ?)");
                    PreparedStatement parent =
                            load.prepareStatement("INSERT INTO parent VALUES (?)")) {
                for (int i = 0; i < ROWS; i++) { // children before their parents, in no order
                    int mixed = (int) (i * 7_919L % ROWS);
                    child.setInt(1, mixed % 100);
                    child.setString(2, "name " + mixed);
                    child.addBatch();
                    if (i % 1_000 == 999) {
                        child.executeBatch();
                    }
                }
                for (int i = 99; i >= 0; i--) {
                    parent.setInt(1, i);
                    assertEquals(1, parent.executeUpdate());
                }
                assertEquals(0, number(reader, "SELECT COUNT(*) FROM child"));
                load.commit();
                assertEquals(ROWS, number(reader, "SELECT COUNT(*) FROM child"));
                parent.setInt(1, 100); // an ordinary transaction now
                parent.executeUpdate();
                load.rollback();
            }
            assertEquals(100, number(reader, "SELECT COUNT(*) FROM parent"));
            assertEquals(ROWS, number(reader, "SELECT COUNT(*) FROM child WHERE tag = 'none'"));
            assertEquals(ROWS, number(reader, "SELECT MAX(id) FROM child"));
            assertEquals(
                    ROWS / 100, number(reader, "SELECT COUNT(*) FROM child WHERE parent = 17"));
            assertEquals(List.of(), database.check());
        }
        try (Database database = Database.open(folder.resolve("db"))) {
            assertEquals(List.of(), database.check());
        }
    }

    private static void load(Connection load, Statement statement, String... texts)
            throws SQLException {
        for (String text : texts) {
            statement.execute(text);
        }
        load.commit();
    }

    private void refused(String sqlState, String... statements) throws SQLException {
        try (Database database = Database.inMemory("");
                Connection connection = database.connect()) {
            create(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO parent VALUES (1)");
                statement.execute("INSERT INTO child (parent, name) VALUES (1, 'there')");
            }
            try (Connection load = database.bulk();
                    Statement statement = load.createStatement()) {
                SQLException refusal =
                        assertThrows(SQLException.class, () -> load(load, statement, statements));
                assertEquals(sqlState, refusal.getSQLState(), refusal::toString);
                load.rollback();
            }
            assertEquals(1, number(connection, "SELECT COUNT(*) FROM parent"));
            assertEquals(1, number(connection, "SELECT COUNT(*) FROM child"));
            assertEquals(List.of(), database.check());
        }
    }

    @Test
    void whatTheTablesDoNotAcceptIsRefusedAsAWhole() throws SQLException {
        refused("23505", "INSERT INTO parent VALUES (2)", "INSERT INTO parent VALUES (2)");
        refused("23505", "INSERT INTO parent VALUES (2)", "INSERT INTO parent VALUES (1)");
        refused("23505", "INSERT INTO child (parent, name) VALUES (1, 'there')");
        refused("23503", "INSERT INTO child (parent, name) VALUES (5, 'orphan')");
        refused("23514", "INSERT INTO child (parent, name) VALUES (1, 'bad')");
    }

    /// A refused row leaves the load usable; a statement that fails after other rows does not.
    @Test
    void statementThatFailsHalfWayLeavesNothingButToRollBack() throws SQLException {
        try (Database database = Database.inMemory("");
                Connection connection = database.connect()) {
            create(connection);
            try (Connection load = database.bulk();
                    Statement statement = load.createStatement()) {
                statement.execute("INSERT INTO parent VALUES (1)");
                assertThrows(
                        SQLException.class,
                        () ->
                                statement.execute(
                                        "INSERT INTO child (parent, name) VALUES (1, 'bad')"));
                statement.execute("INSERT INTO child (parent, name) VALUES (1, 'good')");
                load.commit();
            }
            assertEquals(1, number(connection, "SELECT COUNT(*) FROM child"));
            try (Connection load = database.bulk();
                    Statement statement = load.createStatement()) {
                assertThrows(
                        SQLException.class,
                        () ->
                                statement.execute(
                                        "INSERT INTO child (parent, name)"
                                                + " VALUES (1, 'better'), (1, 'bad')"));
                SQLException broken = assertThrows(SQLException.class, load::commit);
                assertTrue(broken.toString().contains("roll the load back"), broken::toString);
                load.rollback();
                statement.execute("INSERT INTO child (parent, name) VALUES (1, 'later')");
                load.commit();
            }
            assertEquals(2, number(connection, "SELECT COUNT(*) FROM child"));
            assertEquals(List.of(), database.check());
        }
    }

    /// Queries of the load see its rows.
    @Test
    void queriesAndChangesOfTheLoadSeeItsRows() throws SQLException {
        try (Database database = Database.inMemory("");
                Connection connection = database.connect();
                Statement begin = connection.createStatement()) {
            create(connection);
            begin.execute("BEGIN BULK");
            begin.execute("INSERT INTO parent VALUES (1), (2), (3)");
            assertEquals(3, number(connection, "SELECT COUNT(*) FROM parent"));
            assertEquals(1, begin.executeUpdate("DELETE FROM parent WHERE id = 2"));
            begin.execute("INSERT INTO parent VALUES (2)");
            begin.execute("INSERT INTO child (parent, name) SELECT id, 'of ' || id FROM parent");
            assertEquals(3, number(connection, "SELECT COUNT(*) FROM child"));
            begin.execute("COMMIT");
            assertEquals(List.of(), database.check());
        }
    }
}
