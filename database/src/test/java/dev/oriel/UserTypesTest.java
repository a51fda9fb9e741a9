package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Enumerations and domains through JDBC, and after the database was closed.
final class UserTypesTest {
    @TempDir Path folder;

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:oriel:" + folder.resolve("db"));
    }

    @Test
    void preparedStatementsKnowTheLabelsOfNow() throws SQLException {
        try (Connection connection = connect();
                Connection other = connect();
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TYPE e AS ENUM ('a', 'b')");
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, m e, all_of e[])");
            try (PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)");
                    PreparedStatement cast = connection.prepareStatement("SELECT CAST(? AS e)")) {
                statement.execute("ALTER TYPE e ADD VALUE 'c'");
                statement.execute("ALTER TYPE e RENAME VALUE 'a' TO 'aa'");
                insert.setInt(1, 1);
                insert.setString(2, "c");
                insert.setString(3, "{aa,c}");
                assertEquals(1, insert.executeUpdate());
                assertEquals(
                        "22P02",
                        assertThrows(SQLException.class, () -> insert.setString(2, "a"))
                                .getSQLState());
                assertThrows(SQLException.class, () -> cast.setString(1, "a"));
                cast.setString(1, "aa");
                try (ResultSet rows = cast.executeQuery()) {
                    assertTrue(rows.next());
                    assertEquals("aa", rows.getString(1));
                }
            }
        }
    }

    @Test
    void labelsAreStringsAndSurviveClosing() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
            statement.execute("CREATE DOMAIN few AS INTEGER CHECK (VALUE < 9)");
            statement.execute("CREATE TABLE day (mood mood PRIMARY KEY, n few, all_of mood[])");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO day VALUES (?, ?, '{sad}')")) {
                insert.setString(1, "happy");
                insert.setInt(2, 3);
                assertEquals(1, insert.executeUpdate());
                insert.setObject(1, "sad");
                insert.setInt(2, 9);
                SQLException refused = assertThrows(SQLException.class, insert::executeUpdate);
                assertEquals("23514", refused.getSQLState());
                SQLException unknown =
                        assertThrows(SQLException.class, () -> insert.setString(1, "glad"));
                assertEquals("22P02", unknown.getSQLState());
                assertThrows(SQLException.class, () -> insert.setInt(1, 0));
                insert.setInt(2, 4);
                assertEquals(1, insert.executeUpdate());
            }
            statement.execute("ALTER TYPE mood ADD VALUE 'fine' AFTER 'ok'");
            statement.execute("INSERT INTO day VALUES ('fine', 5, NULL)");
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM day ORDER BY mood DESC")) {
            assertEquals(Types.VARCHAR, rows.getMetaData().getColumnType(1));
            assertEquals("mood", rows.getMetaData().getColumnTypeName(1));
            assertEquals("INTEGER", rows.getMetaData().getColumnTypeName(2));
            assertEquals(String.class.getName(), rows.getMetaData().getColumnClassName(1));
            assertTrue(rows.next());
            assertEquals("happy", rows.getObject(1));
            assertEquals("happy", rows.getString(1));
            assertEquals(3, rows.getObject(2));
            assertEquals("sad", ((Object[]) rows.getArray(3).getArray())[0]);
            assertThrows(SQLException.class, () -> rows.getInt(1));
            assertTrue(rows.next());
            assertEquals("fine", rows.getString("mood"));
            assertTrue(rows.next());
            assertEquals("sad", rows.getString("mood"));
            assertFalse(rows.next());
        }
        try (Database database = Database.open(folder.resolve("db"))) {
            assertEquals(java.util.List.of(), database.check());
        }
    }

    @Test
    void anAbortedChangeOfATypeLeavesItAsItWas() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE mood AS ENUM ('sad')");
            statement.execute("CREATE TABLE day (mood mood)");
            connection.setAutoCommit(false);
            statement.execute("ALTER TYPE mood ADD VALUE 'glad'");
            statement.execute("INSERT INTO day VALUES ('glad')");
            connection.rollback();
            SQLException unknown =
                    assertThrows(
                            SQLException.class,
                            () -> statement.execute("INSERT INTO day VALUES ('glad')"));
            assertEquals("22P02", unknown.getSQLState());
        }
    }

    @Test
    void indexesOfLabelsFollowTheTypeAfterClosing() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
            statement.execute("CREATE DOMAIN moods AS mood[] CHECK (CARDINALITY(VALUE) < 3)");
            statement.execute("CREATE TABLE day (id INTEGER PRIMARY KEY, m mood, ms moods)");
            statement.execute("CREATE INDEX first_of ON day ((ms[1]))");
            statement.execute("CREATE UNIQUE INDEX known ON day (COALESCE(m, 'sad'), id)");
            statement.execute("CREATE INDEX happiest ON day (GREATEST(m, ms[1])) WHERE m > 'sad'");
            statement.execute("INSERT INTO day VALUES (1, 'ok', '{ok,happy}'), (2, NULL, NULL)");
            statement.execute("ALTER TYPE mood ADD VALUE 'fine' BEFORE 'happy'");
            statement.execute("ALTER TYPE mood RENAME VALUE 'ok' TO 'fair'");
            statement.execute("ALTER TYPE mood RENAME TO feeling");
            SQLException refused =
                    assertThrows(
                            SQLException.class,
                            () -> statement.execute("CREATE INDEX ON day ((m::VARCHAR))"));
            assertEquals("42P16", refused.getSQLState());
            SQLException needed =
                    assertThrows(
                            SQLException.class,
                            () ->
                                    statement.execute(
                                            "ALTER TYPE feeling RENAME VALUE 'sad' TO 'low'"));
            assertEquals("2BP01", needed.getSQLState());
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            assertEquals(1, statement.executeUpdate("UPDATE day SET m = 'fine' WHERE id = 1"));
            assertEquals(
                    1, statement.executeUpdate("INSERT INTO day VALUES (3, 'fair', '{fine}')"));
            SQLException longer =
                    assertThrows(
                            SQLException.class,
                            () ->
                                    statement.execute(
                                            "INSERT INTO day VALUES (4, 'fair',"
                                                    + " '{fair,fair,fair}')"));
            assertEquals("23514", longer.getSQLState());
            try (ResultSet rows =
                    statement.executeQuery("SELECT id FROM day WHERE ms[1] = 'fair'")) {
                assertTrue(rows.next());
                assertEquals(1, rows.getInt(1));
                assertFalse(rows.next());
            }
            assertEquals(1, statement.executeUpdate("DELETE FROM day WHERE m = 'fine'"));
        }
        try (Database database = Database.open(folder.resolve("db"))) {
            assertEquals(java.util.List.of(), database.check());
        }
    }
}
