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

/// Results that are gone through in any order.
class ScrollingTest {
    private final Database database = Database.inMemory();

    @BeforeEach
    void create() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10))");
            statement.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL)");
        }
    }

    @AfterEach
    void close() {
        assertEquals(List.of(), database.check());
        database.close();
    }

    @FunctionalInterface
    private interface Action {
        void on(ResultSet rows) throws SQLException;
    }

    private void scroll(String sql, Action action) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement statement =
                        connection.prepareStatement(
                                sql,
                                ResultSet.TYPE_SCROLL_INSENSITIVE,
                                ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery()) {
            assertEquals(ResultSet.TYPE_SCROLL_INSENSITIVE, statement.getResultSetType());
            assertEquals(ResultSet.TYPE_SCROLL_INSENSITIVE, rows.getType());
            action.on(rows);
        }
    }

    @Test
    void everyRowCanBeGoneTo() throws SQLException {
        scroll(
                "SELECT * FROM t ORDER BY a",
                rows -> {
                    assertTrue(rows.isBeforeFirst());
                    assertEquals(0, rows.getRow());
                    assertTrue(rows.last());
                    assertTrue(rows.isLast());
                    assertEquals(3, rows.getInt(1));
                    assertEquals(null, rows.getString("b"));
                    assertTrue(rows.previous());
                    assertEquals("two", rows.getString(2));
                    assertEquals(2, rows.getRow());
                    assertTrue(rows.first());
                    assertTrue(rows.isFirst());
                    assertFalse(rows.previous());
                    assertTrue(rows.isBeforeFirst());
                    assertTrue(rows.absolute(2));
                    assertEquals(2, rows.getInt(1));
                    assertTrue(rows.absolute(-1));
                    assertEquals(3, rows.getInt(1));
                    assertFalse(rows.next());
                    assertTrue(rows.isAfterLast());
                    assertTrue(rows.relative(-2));
                    assertEquals(2, rows.getInt(1));
                    assertFalse(rows.relative(Integer.MAX_VALUE));
                    assertTrue(rows.isAfterLast());
                    assertFalse(rows.absolute(Integer.MIN_VALUE));
                    assertTrue(rows.isBeforeFirst());
                    assertFalse(rows.absolute(0));
                    rows.afterLast();
                    List<Integer> back = new ArrayList<>();
                    while (rows.previous()) {
                        back.add(rows.getInt(1));
                    }
                    assertEquals(List.of(3, 2, 1), back);
                });
    }

    @Test
    void emptyResultHasNoPlaces() throws SQLException {
        scroll(
                "SELECT * FROM t WHERE a > 9",
                rows -> {
                    assertFalse(rows.isBeforeFirst());
                    assertFalse(rows.isAfterLast());
                    assertFalse(rows.first());
                    assertFalse(rows.last());
                    assertFalse(rows.next());
                    assertFalse(rows.isLast());
                    rows.afterLast();
                    assertFalse(rows.previous());
                    Expect.error("24000", "row", () -> rows.getInt(1));
                });
    }

    @Test
    void rowsAreThoseOfTheRun() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement =
                        connection.createStatement(
                                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                Statement other = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setMaxRows(2);
            ResultSet rows = statement.executeQuery("SELECT a FROM t ORDER BY a");
            assertEquals(3, other.executeUpdate("DELETE FROM t"));
            assertTrue(rows.absolute(2));
            assertEquals(2, rows.getInt(1));
            assertFalse(rows.next());
            connection.rollback();
            assertTrue(rows.isClosed());
            Expect.error("24000", "closed", rows::first);
        }
    }
}
