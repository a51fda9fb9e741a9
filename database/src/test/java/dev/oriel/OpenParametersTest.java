package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Parameters whose context gives no type take the type of their value. The expected results are those of
/// PostgreSQL 15 through its own driver, which has no Duration.
final class OpenParametersTest {
    private static final LocalDate DAY = LocalDate.of(2026, 3, 1);
    private static final LocalDateTime NOON = DAY.atTime(12, 0);
    private static final OffsetDateTime MOMENT = OffsetDateTime.parse("2026-03-01T12:00Z");
    private static final UUID ID = UUID.fromString("00000000-0000-0000-0000-00000000002a");

    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:oriel:mem:");
        statement = connection.createStatement();
        statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BIGINT, s VARCHAR(20))");
        statement.execute("INSERT INTO t VALUES (1, 10, 'one'), (2, 9, 'two')");
        statement.execute("CREATE TABLE e (a INTEGER[], w TEXT[], b BYTEA, d DATE, m TIMESTAMP)");
        statement.execute(
                "INSERT INTO e VALUES (ARRAY[1, 2], ARRAY['x'], '\\x01ff', '2026-03-01',"
                        + " '2026-03-01 12:00')");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private static Arguments of(String sql, String expected, @Nullable Object... values) {
        return Arguments.of(sql, expected, values);
    }

    static Stream<Arguments> statements() {
        return Stream.concat(Stream.concat(values(), numbers()), Stream.concat(times(), rows()));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                of("SELECT JSONB_BUILD_OBJECT('a', ?)::TEXT", "{\"a\": 5}", 5),
                of(
                        "SELECT JSONB_BUILD_OBJECT('a', ?, 'b', ?)::TEXT",
                        "{\"a\": true, \"b\": 1.5}",
                        true,
                        new BigDecimal("1.5")),
                of("SELECT JSONB_BUILD_ARRAY(?, ?)::TEXT", "[1, \"x\"]", 1, "x"),
                of(
                        "SELECT JSONB_BUILD_ARRAY(VARIADIC ?)::TEXT",
                        "[5, 6]",
                        (Object) new Integer[] {5, 6}),
                of(
                        "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (?),"
                                + " (?)) v(x)",
                        "1.5",
                        1,
                        2),
                of(
                        "SELECT x @> ARRAY[4] FROM (SELECT ? AS x) q",
                        "t",
                        (Object) new Integer[] {3, 4}),
                of(
                        "SELECT ARRAY[4] <@ x FROM (SELECT ? AS x) q",
                        "t",
                        (Object) new Integer[] {3, 4}),
                of("SELECT ARRAY_TO_JSON(?)::TEXT", "[1.5]", (Object) new Double[] {1.5}),
                of("SELECT TO_JSONB(?)::TEXT", "7", 7L),
                of("SELECT TO_JSONB(?)::TEXT", "[1, 2]", (Object) new Integer[] {1, 2}),
                of("SELECT TO_JSONB(?)::TEXT", "\"2026-03-01\"", DAY),
                of("SELECT GREATEST(?, ?)", "10", 10, 9),
                of("SELECT LEAST(?, ?, ?)", "-1", 10, 9, -1),
                of("SELECT GREATEST(?, ?)", "2026-03-01", LocalDate.of(999, 1, 1), DAY),
                of("SELECT ? < ?", "f", 10, 9),
                of("SELECT ? < ?", "t", "10", "9"),
                of("SELECT ? = ?", "t", new BigDecimal("1.0"), new BigDecimal("1.00")),
                of("SELECT ? = ?", "t", 5, 5L),
                of("SELECT ? BETWEEN ? AND ?", "t", 9, 8, 10),
                of("SELECT ? IN (?, ?)", "t", new BigDecimal("2.0"), 1, new BigDecimal("2.00")),
                of("SELECT ? IS NULL", "f", (Object) new Integer[] {1}),
                of(
                        "SELECT ? IS DISTINCT FROM ?",
                        "f",
                        new BigDecimal("1.0"),
                        new BigDecimal("1.00")),
                of("SELECT (?, ?) < (?, ?)", "f", 10, 1, 9, 1),
                of("SELECT COALESCE(?, ?) + 1", "6", null, 5),
                of("SELECT NULLIF(?, ?)", "null", new BigDecimal("1.0"), new BigDecimal("1.00")),
                of("SELECT CASE WHEN ? THEN ? ELSE ? END", "10", true, 10, 9),
                of(
                        "SELECT CASE ? WHEN ? THEN 'same' ELSE 'other' END",
                        "same",
                        new BigDecimal("1.0"),
                        new BigDecimal("1")),
                of("SELECT PG_TYPEOF(?)", "integer", 1),
                of("SELECT PG_TYPEOF(?)", "bigint", 1L),
                of("SELECT PG_TYPEOF(?)", "numeric", BigDecimal.ONE),
                of("SELECT PG_TYPEOF(?)", "double precision", 1.0),
                of("SELECT PG_TYPEOF(?)", "real", 1.0f),
                of("SELECT PG_TYPEOF(?)", "boolean", true),
                of("SELECT PG_TYPEOF(?)", "date", DAY),
                of("SELECT PG_TYPEOF(?)", "timestamp without time zone", NOON),
                of("SELECT PG_TYPEOF(?)", "timestamp with time zone", MOMENT),
                of("SELECT PG_TYPEOF(?)", "time without time zone", LocalTime.NOON),
                of("SELECT PG_TYPEOF(?)", "uuid", ID),
                of("SELECT PG_TYPEOF(?)", "bytea", new byte[] {1}),
                of("SELECT PG_TYPEOF(?)", "integer[]", (Object) new Integer[] {1}),
                of("SELECT PG_TYPEOF(ARRAY[?, ?])", "bigint[]", 1, 2L),
                of("SELECT ARRAY[?, ?]", "{1,2}", 1, 2),
                of("SELECT ARRAY_LENGTH(?, 1)", "3", (Object) new Integer[] {1, 2, 3}),
                of("SELECT ? @> ?", "t", new Integer[] {1, 2}, new Integer[] {2}),
                of("SELECT ? && ?", "f", new Integer[] {1, 2}, new Integer[] {3}),
                of("SELECT ? = ANY(?)", "t", 2, new Integer[] {1, 2}),
                of("SELECT ARRAY_APPEND(?, ?)", "{1,2}", new Integer[] {1}, 2),
                of("SELECT a || ? FROM e", "{1,2,3}", 3),
                of("SELECT a || ? FROM e", "{1,2,3,4}", (Object) new Integer[] {3, 4}),
                of("SELECT ? || a FROM e", "{0,1,2}", 0),
                of("SELECT w || ? FROM e", "{x,y}", "y"),
                of("SELECT w || ? FROM e", "{x,y,z}", (Object) new String[] {"y", "z"}),
                of("SELECT ? || ?", "{1,2}", new Integer[] {1}, new Integer[] {2}),
                of("SELECT ? || ?", "{1,2}", new Integer[] {1}, 2),
                of("SELECT ? || ?", "a5", "a", 5),
                of("SELECT ENCODE(b || ?, 'hex') FROM e", "01ff80", new byte[] {(byte) 0x80}),
                of("SELECT LENGTH(?)", "2", new byte[] {(byte) 0xff, 0}),
                of("SELECT MD5(?)", "00594fd4f42ba43fc1ca0427a0576295", new byte[] {(byte) 0xff}),
                of("SELECT ENCODE(SUBSTRING(?, 2), 'hex')", "fe", new byte[] {1, (byte) 0xfe}),
                of("SELECT CONCAT(?, '-', ?)", "t-5", true, 5),
                of("SELECT CONCAT_WS(',', ?, ?)", "1,t", 1, true),
                of("SELECT FORMAT('%s %s', ?, ?)", "1 t", 1, true),
                of("SELECT '[10, 20]'::JSONB -> ?", "20", 1),
                of("SELECT '{\"1\": 20}'::JSONB -> ?", "null", 1),
                of("SELECT ('[10, 20]'::JSONB - ?)::TEXT", "[10]", 1),
                of(
                        "SELECT '{\"a\": {\"b\": 1}}'::JSONB #> ?",
                        "1",
                        (Object) new String[] {"a", "b"}));
    }

    static Stream<Arguments> numbers() {
        return Stream.of(
                of("SELECT ? + ?", "3.7", new BigDecimal("1.5"), new BigDecimal("2.2")),
                of("SELECT PG_TYPEOF(? + ?)", "integer", 1, 2),
                of("SELECT PG_TYPEOF(? * ?)", "bigint", 1, 2L),
                of("SELECT ? / ?", "2", 5, 2),
                of("SELECT ? / ?", "2.5", 5.0, 2.0),
                of("SELECT -?", "-1.5", new BigDecimal("1.5")),
                of("SELECT ABS(?)", "1.5", new BigDecimal("-1.5")),
                of("SELECT ROUND(?, 1)", "1.3", new BigDecimal("1.25")),
                of("SELECT FLOOR(?)", "1", 1.5),
                of("SELECT TRUNC(?)", "1", new BigDecimal("1.9")),
                of("SELECT MOD(?, ?)", "1", 7, 3),
                of("SELECT SQRT(?)", "2", 4),
                of("SELECT LOG(?)", "2", 100),
                of("SELECT POWER(?, ?)", "8", 2, 3),
                of("SELECT SUM(x) FROM (VALUES (?), (?)) v (x)", "3.5", new BigDecimal("1.5"), 2),
                of("SELECT SUM(?) FROM t", "3.0", new BigDecimal("1.5")),
                of("SELECT MAX(x) FROM (VALUES (?), (?)) v (x)", "10", 10, 9),
                of("SELECT AVG(x) > ? FROM (VALUES (?), (?)) v (x)", "t", 9, 10, 9),
                of(
                        "SELECT STRING_AGG(x::TEXT, ',' ORDER BY x) FROM (VALUES (?), (?)) v (x)",
                        "9,10",
                        10,
                        9),
                of("SELECT COUNT(*) FROM GENERATE_SERIES(?, ?)", "3", 1L, 3L),
                of(
                        "SELECT COUNT(*) FROM UNNEST(?) AS u (x) WHERE x > 1",
                        "2",
                        (Object) new Integer[] {1, 2, 10}),
                of("SELECT TO_CHAR(?, 'FM999')", "42", 42),
                of("SELECT v FROM t ORDER BY v LIMIT ?", "9", 1),
                of("SELECT GREATEST(?, ?) < ?", "t", 10, 9, 11));
    }

    static Stream<Arguments> times() {
        return Stream.of(
                of("SELECT d - ? FROM e", "2", DAY.minusDays(2)),
                of("SELECT d - ? FROM e", "2026-02-27", 2),
                of("SELECT d + ? FROM e", "2026-03-01 12:00:00", LocalTime.NOON),
                of("SELECT (TIME '12:00' + ?)::TEXT", "2026-03-01 12:00:00", DAY),
                of("SELECT TIME '12:00' + ?", "12:30:00", Duration.ofMinutes(30)),
                of("SELECT (TIME '12:00' - ?)::TEXT", "02:30:00", LocalTime.of(9, 30)),
                of("SELECT ? - ?", "2", DAY, DAY.minusDays(2)),
                of("SELECT ? - ?", "2026-02-27", DAY, 2),
                of("SELECT m > ? FROM e", "t", NOON.minusHours(1)),
                of("SELECT (m - ?)::TEXT FROM e", "01:00:00", NOON.minusHours(1)),
                of("SELECT ? < ?", "t", LocalTime.of(9, 0), LocalTime.of(10, 0)),
                of("SELECT EXTRACT(HOUR FROM ?)", "12", LocalTime.NOON),
                of("SELECT DATE_TRUNC('day', ?) = ?", "t", NOON, DAY.atStartOfDay()),
                of("SELECT ? AT TIME ZONE 'UTC' = ?", "t", NOON, MOMENT),
                of("SELECT ? AT TIME ZONE 'UTC' = ?", "t", MOMENT, NOON),
                of("SELECT (? + INTERVAL '1 day')::TEXT", "2026-03-02 12:00:00", NOON),
                of("SELECT (INTERVAL '1 day' * ?)::TEXT", "1 day 12:00:00", 1.5),
                of("SELECT TO_CHAR(?, 'YYYY')", "2026", DAY),
                of(
                        "SELECT (?, ?) OVERLAPS (?, ?)",
                        "f",
                        DAY,
                        DAY.plusDays(1),
                        DAY.plusDays(2),
                        DAY.plusDays(3)));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                of("SELECT x + 1 FROM (SELECT ? AS x) q", "6", 5),
                of("SELECT (SELECT ?) + 1", "6", 5),
                of(
                        "SELECT t.s FROM t JOIN (VALUES (?), (?)) q (x) ON q.x = t.id ORDER BY 1",
                        "one,two",
                        2,
                        1),
                of(
                        "SELECT t.s FROM (VALUES (?), (?)) q (x) JOIN t ON q.x = t.id ORDER BY 1",
                        "one",
                        3,
                        1),
                of("SELECT x FROM (VALUES (?), (?)) q (x) ORDER BY x", "9,10", 10, 9),
                of("SELECT ? UNION SELECT ? ORDER BY 1", "9,10", 10, 9),
                of("SELECT ? UNION ALL SELECT 2.5 ORDER BY 1", "1,2.5", 1),
                of(
                        "SELECT DISTINCT x FROM (SELECT ? AS x UNION ALL SELECT ?) q",
                        "1.0",
                        new BigDecimal("1.0"),
                        new BigDecimal("1.00")),
                of("WITH q (x) AS (VALUES (?), (?)) SELECT MAX(x) FROM q", "10", 10, 9),
                of("SELECT s FROM t WHERE COALESCE(?, ?) = id", "two", 2, 1),
                of("SELECT s FROM t WHERE ? IS NULL OR id = ?", "two", 2, 2),
                of(
                        "SELECT s FROM t WHERE id = ANY(?) ORDER BY id",
                        "one,two",
                        (Object) new Integer[] {2, 1}),
                of("SELECT s FROM t WHERE id = ?", "two", 2L),
                of(
                        "SELECT x + 1 FROM (VALUES (?), (?)) q (x) GROUP BY x ORDER BY 1",
                        "10,11",
                        10,
                        9),
                of(
                        "WITH RECURSIVE r (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM r WHERE n < ?) SELECT SUM(n) FROM r",
                        "6",
                        1,
                        3),
                of("SELECT s FROM t JOIN (VALUES (?), (?)) q (id) USING (id)", "two", 2, 5),
                of(
                        "SELECT x FROM (VALUES (?), (?)) q (x) WHERE x IN (SELECT id FROM t)",
                        "2",
                        2,
                        5),
                of(
                        "SELECT x FROM (VALUES (?), (?)) q (x) WHERE x NOT IN (?, ?)",
                        "9",
                        10,
                        9,
                        10,
                        11),
                of(
                        "SELECT SUM(x) FILTER (WHERE x > ?) FROM (VALUES (?), (?)) q (x)",
                        "10",
                        9,
                        10,
                        9),
                of("SELECT COALESCE(x, 0) FROM (VALUES (?)) q (x)", "5", 5),
                of("SELECT x || 'a' FROM (VALUES (?)) q (x)", "5a", 5),
                of("SELECT ARRAY_AGG(x ORDER BY x) FROM (VALUES (?), (?)) q (x)", "{9,10}", 10, 9),
                of(
                        "SELECT JSONB_AGG(x ORDER BY x)::TEXT FROM (VALUES (?), (?)) q (x)",
                        "[9, 10]",
                        10,
                        9),
                of(
                        "SELECT s FROM t WHERE (id, v) IN (SELECT x, y FROM (VALUES (?, ?)) q (x, y))",
                        "one",
                        1,
                        10),
                of("SELECT s FROM t WHERE (id, v) = (?, ?)", "one", 1, 10),
                of("SELECT CASE WHEN x = 1 THEN 'a' ELSE 'b' END FROM (VALUES (?)) q (x)", "a", 1),
                of(
                        "SELECT RANK() OVER (ORDER BY x) FROM (VALUES (?), (?)) q (x) ORDER BY x",
                        "1,2",
                        10,
                        9),
                of(
                        "SELECT SUM(x) OVER (ORDER BY x) FROM (VALUES (?), (?)) q (x) ORDER BY x",
                        "9,19",
                        10,
                        9),
                of("SELECT x FROM (VALUES (?), (2.5)) q (x) ORDER BY x", "2.5,10", 10),
                of(
                        "SELECT x FROM (VALUES (?, ?), (?, ?)) q (x, y) ORDER BY y",
                        "a,b",
                        "b",
                        10,
                        "a",
                        9),
                of("SELECT ? EXCEPT SELECT v FROM t", "11", 11),
                of("SELECT ? INTERSECT SELECT ?", "5", 5, 5L),
                of("SELECT LAG(v, 1, ?) OVER (ORDER BY id) FROM t", "7,10", 7));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void valuesGiveTheTypesThatTheContextLeavesOpen(
            String sql, String expected, @Nullable Object[] values) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            for (int run = 0; run < 2; run++) {
                assertEquals(expected, result(prepared, values));
            }
        }
    }

    /// The rows of the first column, as text.
    private static String result(PreparedStatement prepared, @Nullable Object... values)
            throws SQLException {
        for (int i = 0; i < values.length; i++) {
            prepared.setObject(i + 1, values[i]);
        }
        try (ResultSet rows = prepared.executeQuery()) {
            StringBuilder found = new StringBuilder();
            while (rows.next()) {
                found.append(found.isEmpty() ? "" : ",");
                boolean truth = rows.getObject(1) instanceof Boolean;
                found.append(truth ? rows.getBoolean(1) ? "t" : "f" : rows.getString(1));
            }
            return found.toString();
        }
    }
}
