package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// NaN and infinities in the classes of Java that have them, and a remedy in those that lack them.
final class NonFiniteTest {
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:oriel:mem:");
        statement = connection.createStatement();
        statement.execute(
                "CREATE TABLE t (id INT PRIMARY KEY, x DECIMAL, d DATE, m TIMESTAMP, z TIMESTAMPTZ)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void datesOutOfRangeAreNotInfinite() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT CAST(? AS DATE), CAST(? AS TIMESTAMP)")) {
            for (LocalDate day :
                    List.of(
                            LocalDate.MAX.minusDays(1),
                            LocalDate.ofEpochDay(Integer.MAX_VALUE),
                            LocalDate.ofEpochDay(Integer.MIN_VALUE))) {
                Expect.error("22008", "out of range for DATE", () -> query.setObject(1, day));
            }
            LocalDateTime late = LocalDateTime.MAX.minusDays(1);
            Expect.error("22008", "out of range for TIMESTAMP", () -> query.setObject(2, late));
        }
    }

    @Test
    void decimalsAreReadAsDoublesAndTexts() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t (id, x) VALUES (?, ?)")) {
            insert.setInt(1, 1);
            insert.setDouble(2, Double.NaN);
            insert.executeUpdate();
            insert.setInt(1, 2);
            insert.setObject(2, Double.POSITIVE_INFINITY);
            insert.executeUpdate();
            insert.setInt(1, 3);
            insert.setString(2, "-inf");
            insert.executeUpdate();
        }
        try (ResultSet rows = statement.executeQuery("SELECT x FROM t ORDER BY id")) {
            for (double expected :
                    new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
                assertTrue(rows.next());
                assertEquals(expected, rows.getDouble(1));
                assertEquals(expected, rows.getObject(1));
                assertEquals(Double.toString(expected), rows.getString(1));
                SQLException none = assertThrows(SQLException.class, () -> rows.getBigDecimal(1));
                assertEquals("22003", none.getSQLState());
                assertEquals(
                        Double.toString(expected)
                                + " is no number; read it as a double or a String",
                        none.getMessage());
                assertEquals(
                        "22003",
                        assertThrows(SQLException.class, () -> rows.getLong(1)).getSQLState());
            }
        }
    }

    @Test
    void infiniteDatesAreTheLastAndTheFirstOfTheirClass() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t (id, d, m, z) VALUES (?, ?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setObject(2, LocalDate.MAX);
            insert.setObject(3, LocalDateTime.MAX);
            insert.setObject(4, OffsetDateTime.MAX);
            insert.executeUpdate();
            insert.setInt(1, 2);
            insert.setObject(2, LocalDate.MIN);
            insert.setObject(3, LocalDateTime.MIN);
            insert.setObject(4, Instant.MIN);
            insert.executeUpdate();
        }
        try (ResultSet rows = statement.executeQuery("SELECT d, m, z FROM t ORDER BY id")) {
            assertTrue(rows.next());
            assertEquals(LocalDate.MAX, rows.getObject(1, LocalDate.class));
            assertEquals(LocalDateTime.MAX, rows.getObject(2, LocalDateTime.class));
            assertEquals(OffsetDateTime.MAX, rows.getObject(3));
            assertEquals(Instant.MAX, rows.getObject(3, Instant.class));
            for (int i = 1; i <= 3; i++) {
                int column = i;
                assertEquals("infinity", rows.getString(i));
                assertEquals(
                        "22008",
                        assertThrows(SQLException.class, () -> rows.getTimestamp(column))
                                .getSQLState());
            }
            assertTrue(rows.next());
            assertEquals(LocalDate.MIN, rows.getObject(1, LocalDate.class));
            assertEquals(LocalDateTime.MIN, rows.getObject(2, LocalDateTime.class));
            assertEquals(OffsetDateTime.MIN, rows.getObject(3, OffsetDateTime.class));
            assertEquals("-infinity", rows.getString(1));
            assertEquals("-infinity", rows.getString(3));
        }
    }
}
