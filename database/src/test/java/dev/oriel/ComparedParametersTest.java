package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A parameter beside an integer takes each number: one with a fraction or out of range decides by its value. The
/// expected results are those of PostgreSQL 15 through its own driver.
final class ComparedParametersTest {
    private static final Object[] VALUES = {
        0.5,
        new BigDecimal("0.5"),
        1.0,
        new BigDecimal("1.00"),
        3_000_000_000L,
        new BigDecimal("1e30"),
        -1e300,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        1L,
        (short) 1,
        1,
        0.5f,
    };

    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:oriel:mem:");
        statement = connection.createStatement();
        statement.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, b BIGINT, s SMALLINT)");
        statement.execute("INSERT INTO t VALUES (-1, -1, -1), (0, 0, 0), (1, 1, 1), (2, 2, 2)");
        statement.execute("CREATE INDEX t_b ON t (b)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    /// Otherwise the operation, integer division for example, would depend on the value.
    @Test
    void aParameterComputedWithAnIntegerIsOne() throws SQLException {
        for (String condition : new String[] {"i = ? * 2", "i <= ? + 1", "i / ? = 1"}) {
            String sql = "SELECT COUNT(*), SUM(i) FROM t WHERE " + condition;
            try (PreparedStatement prepared = connection.prepareStatement(sql)) {
                assertEquals(answer(prepared, 1), answer(prepared, 1.0), condition);
                assertEquals("22003", answer(prepared, 0.5), condition);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "i > ?|2/3 2/3 1/2 1/2 0/null 0/null 4/2 0/null 0/null 1/2 1/2 1/2 2/3",
                "i >= ?|2/3 2/3 2/3 2/3 0/null 0/null 4/2 0/null 0/null 2/3 2/3 2/3 2/3",
                "i < ?|2/-1 2/-1 2/-1 2/-1 4/2 4/2 0/null 4/2 4/2 2/-1 2/-1 2/-1 2/-1",
                "i <= ?|2/-1 2/-1 3/0 3/0 4/2 4/2 0/null 4/2 4/2 3/0 3/0 3/0 2/-1",
                "i = ?|0/null 0/null 1/1 1/1 0/null 0/null 0/null 0/null 0/null 1/1 1/1 1/1 0/null",
                "i <> ?|4/2 4/2 3/1 3/1 4/2 4/2 4/2 4/2 4/2 3/1 3/1 3/1 4/2",
                "? < i|2/3 2/3 1/2 1/2 0/null 0/null 4/2 0/null 0/null 1/2 1/2 1/2 2/3",
                "? = i|0/null 0/null 1/1 1/1 0/null 0/null 0/null 0/null 0/null 1/1 1/1 1/1 0/null",
                "i IN (?, 2)|1/2 1/2 2/3 2/3 1/2 1/2 1/2 1/2 1/2 2/3 2/3 2/3 1/2",
                "i NOT IN (?, 2)|3/0 3/0 2/-1 2/-1 3/0 3/0 3/0 3/0 3/0 2/-1 2/-1 2/-1 3/0",
                "i BETWEEN ? AND 5|2/3 2/3 2/3 2/3 0/null 0/null 4/2 0/null 0/null 2/3 2/3 2/3 2/3",
                "i NOT BETWEEN ? AND 5|2/-1 2/-1 2/-1 2/-1 4/2 4/2 0/null 4/2 4/2 2/-1 2/-1 2/-1"
                        + " 2/-1",
                "i IS DISTINCT FROM ?|4/2 4/2 3/1 3/1 4/2 4/2 4/2 4/2 4/2 3/1 3/1 3/1 4/2",
                "b > ?|2/3 2/3 1/2 1/2 0/null 0/null 4/2 0/null 0/null 1/2 1/2 1/2 2/3",
                "b = ?|0/null 0/null 1/1 1/1 0/null 0/null 0/null 0/null 0/null 1/1 1/1 1/1 0/null",
                "s > ?|2/3 2/3 1/2 1/2 0/null 0/null 4/2 0/null 0/null 1/2 1/2 1/2 2/3",
                "i = ANY (ARRAY[?])|0/null 0/null 1/1 1/1 0/null 0/null 0/null 0/null 0/null 1/1"
                        + " 1/1 1/1 0/null",
                "(i, b) = (?, 1)|0/null 0/null 1/1 1/1 0/null 0/null 0/null 0/null 0/null 1/1 1/1"
                        + " 1/1 0/null",
                "(i, b) > (?, 0)|2/3 2/3 2/3 2/3 0/null 0/null 4/2 0/null 0/null 2/3 2/3 2/3 2/3",
                "i + 1 > ?|3/3 3/3 2/3 2/3 0/null 0/null 4/2 0/null 0/null 2/3 2/3 2/3 3/3",
                "i > ANY (VALUES (?))|2/3 2/3 1/2 1/2 0/null 0/null 4/2 0/null 0/null 1/2 1/2 1/2"
                        + " 2/3",
                "? > ANY (SELECT b FROM t)|4/2 4/2 4/2 4/2 4/2 4/2 0/null 4/2 4/2 4/2 4/2 4/2 4/2",
                "? IN (SELECT b FROM t)|0/null 0/null 4/2 4/2 0/null 0/null 0/null 0/null 0/null"
                        + " 4/2 4/2 4/2 0/null",
                "COALESCE(i, 0) = ?|0/null 0/null 1/1 1/1 0/null 0/null 0/null 0/null 0/null 1/1"
                        + " 1/1 1/1 0/null",
                "(SELECT MAX(i) FROM t) > ?|4/2 4/2 4/2 4/2 0/null 0/null 4/2 0/null 0/null 4/2 4/2"
                        + " 4/2 4/2",
                "i = - ?|0/null 0/null 1/-1 1/-1 0/null 0/null 0/null 0/null 0/null 1/-1 1/-1 1/-1"
                        + " 0/null",
            })
    void numbersBeyondTheIntegersDecideByTheirValue(String condition, String expected)
            throws SQLException {
        String sql = "SELECT COUNT(*), SUM(i) FROM t WHERE " + condition;
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            assertEquals(
                    expected,
                    Stream.of(VALUES)
                            .map(value -> answer(prepared, value))
                            .collect(Collectors.joining(" ")));
        }
    }

    private static String answer(PreparedStatement prepared, Object value) {
        try {
            prepared.setObject(1, value);
            try (ResultSet rows = prepared.executeQuery()) {
                assertTrue(rows.next());
                return rows.getString(1) + "/" + rows.getString(2);
            }
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    @Test
    void rowsOfABatchDecideEachByTheirValue() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("UPDATE t SET b = b + 10 WHERE i >= ?")) {
            for (Object value : new Object[] {2, 0.5, 1L, new BigDecimal("-0.5"), 2}) {
                prepared.setObject(1, value);
                prepared.addBatch();
            }
            assertArrayEquals(new int[] {1, 2, 2, 3, 1}, prepared.executeBatch());
        }
        try (ResultSet rows = statement.executeQuery("SELECT b FROM t ORDER BY i")) {
            StringBuilder all = new StringBuilder();
            while (rows.next()) {
                all.append(rows.getLong(1)).append(' ');
            }
            assertEquals("-1 10 31 52 ", all.toString());
        }
    }

    @Test
    void otherParametersKeepTheirTypes() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "SELECT i FROM t WHERE i > ? AND s < ? AND b <> ? ORDER BY i LIMIT ?")) {
            prepared.setDouble(1, -0.5);
            prepared.setInt(2, 70_000);
            prepared.setLong(3, 1);
            prepared.setInt(4, 1);
            try (ResultSet rows = prepared.executeQuery()) {
                assertTrue(rows.next());
                assertEquals(0, rows.getInt(1));
            }
            prepared.setInt(1, 1);
            try (ResultSet rows = prepared.executeQuery()) {
                assertTrue(rows.next());
                assertEquals(2, rows.getInt(1));
            }
            prepared.clearParameters();
            assertThrows(SQLException.class, prepared::executeQuery);
        }
    }

    @Test
    void textsAndLimitsAreIntegers() throws SQLException {
        try (PreparedStatement compared =
                        connection.prepareStatement("SELECT i FROM t WHERE i > ?");
                PreparedStatement limited =
                        connection.prepareStatement("SELECT i FROM t LIMIT ?")) {
            assertEquals(
                    "22003",
                    assertThrows(SQLException.class, () -> compared.setString(1, "0.5"))
                            .getSQLState());
            assertEquals(
                    "22003",
                    assertThrows(SQLException.class, () -> limited.setDouble(1, 0.5))
                            .getSQLState());
        }
    }
}
