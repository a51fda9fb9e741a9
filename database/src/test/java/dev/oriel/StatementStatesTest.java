package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Statements and the SQLStates that PostgreSQL has for them.
class StatementStatesTest {
    private Database db;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        connection = db.connect();
        statement = connection.createStatement();
        statement.executeUpdate(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s VARCHAR(10), d DATE)");
        statement.executeUpdate("INSERT INTO t VALUES (1, 2, 'x', DATE '2024-01-01')");
    }

    @AfterEach
    void close() throws SQLException {
        assertEquals(0, db.check().size());
        connection.close();
        db.close();
    }

    @Test
    void groupsAndWindowsWhereTheyCannotBe() {
        check(
                """
                42803 SELECT a, COUNT(*) FROM t
                42803 SELECT a FROM t GROUP BY s
                42803 SELECT id FROM t WHERE SUM(a) > 1
                42803 SELECT SUM(COUNT(*)) FROM t
                42803 SELECT 1 FROM t GROUP BY SUM(a)
                42803 SELECT GROUPING(a) FROM t GROUP BY s
                42803 UPDATE t SET a = SUM(a)
                42803 DELETE FROM t RETURNING COUNT(*)
                42P20 SELECT id FROM t WHERE ROW_NUMBER() OVER () = 1
                42P20 SELECT a FROM t GROUP BY a HAVING RANK() OVER (ORDER BY a) = 1
                42P20 SELECT SUM(a) OVER (GROUPS 1 PRECEDING) FROM t
                42P20 SELECT SUM(a) OVER (RANGE 1 PRECEDING) FROM t
                42P20 SELECT SUM(a) OVER (ORDER BY id ROWS UNBOUNDED FOLLOWING) FROM t
                42P20 SELECT SUM(a) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM t
                42P20 SELECT 1 FROM t WINDOW w AS (ORDER BY id), w AS (ORDER BY a)
                42704 SELECT SUM(a) OVER v FROM t WINDOW w AS (ORDER BY id)
                0A000 SELECT SUM(a) OVER (ORDER BY s RANGE 1 PRECEDING) FROM t
                42P20 SELECT SUM(a) OVER (w PARTITION BY a) FROM t WINDOW w AS (ORDER BY id)
                42809 SELECT ROW_NUMBER() FROM t
                42809 SELECT LOWER(DISTINCT s) FROM t
                """);
    }

    @Test
    void whatIsReferredToThatIsNotThere() {
        check(
                """
                42P10 SELECT a FROM t ORDER BY 2
                42P10 SELECT a FROM t GROUP BY 0
                42P10 SELECT DISTINCT a FROM t ORDER BY s
                42P10 SELECT * FROM (SELECT 1) AS x (a, b)
                42P10 SELECT SUM(a) OVER (ORDER BY id ROWS a PRECEDING) FROM t
                42P10 INSERT INTO t VALUES (1) ON CONFLICT (a) DO NOTHING
                42704 INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT none DO NOTHING
                """);
    }

    @Test
    void textThatIsNoValue() {
        check(
                """
                22P02 SELECT 'x'::INT
                22P02 SELECT '1.5'::INT
                22P02 SELECT 'x'::DOUBLE PRECISION
                22P02 SELECT 'x'::DECIMAL
                22P02 SELECT 'perhaps'::BOOLEAN
                22P02 SELECT 'x'::UUID
                22P02 SELECT '{1,x}'::INT[]
                22P02 SELECT '{1'::DATE[]
                22003 SELECT '99999999999'::INT
                22003 SELECT '-32769'::SMALLINT
                22003 SELECT '99999999999999999999'::BIGINT
                22003 SELECT '1e999'::DOUBLE PRECISION
                22003 SELECT 99999999999::INT
                22003 SELECT '{99999999999}'::INT[]
                22003 SELECT 2000000000 + a FROM (VALUES (2000000000)) v (a)
                22007 SELECT 'x'::DATE
                22007 SELECT DATE 'x'
                22007 SELECT id FROM t WHERE d = 'soon'
                22007 SELECT '1 o''clock'::TIME
                22007 SELECT 'never'::TIMESTAMP
                22007 SELECT '2024-01-01 noon'::TIMESTAMP WITH TIME ZONE
                22007 SELECT 'long'::INTERVAL
                22007 SELECT INTERVAL '1 fortnight'
                22007 SELECT '{x}'::DATE[]
                22007 SELECT TO_DATE('x', 'YYYY')
                22008 SELECT '2024-02-30'::DATE
                22008 SELECT '2024-13-01'::DATE
                22008 SELECT '2024-01-01 25:00'::TIMESTAMP
                22008 SELECT '12:61'::TIME
                22008 SELECT '{2024-02-30}'::DATE[]
                22008 SELECT TO_DATE('2024-02-30', 'YYYY-MM-DD')
                22008 SELECT MAKE_DATE(2024, 2, 30)
                22008 SELECT MAKE_TIME(25, 0, 0)
                22008 SELECT TIMESTAMP '2024-01-01' + 300000 * INTERVAL '1 year'
                22008 SELECT DATE '2024-01-01' + INTERVAL '300000 years'
                22008 SELECT INTERVAL '100000000 years' * 2
                22015 SELECT '99999999999999999999 days'::INTERVAL
                22015 SELECT INTERVAL '3000000000 days'
                22008 INSERT INTO t (id, d) VALUES (2, '2024-02-30')
                42846 SELECT DATE '2024-01-01'::INT
                """);
    }

    @Test
    void argumentsThatNothingTakes() {
        check(
                """
                42883 SELECT LOWER()
                42883 SELECT LOWER('a', 'b')
                42883 SELECT SUM(a, id) FROM t
                42883 SELECT NTILE() OVER () FROM t
                42883 SELECT DATE '2024-01-01' + TRUE
                42883 SELECT a + s FROM t
                42883 SELECT -s FROM t
                42883 SELECT id FROM t WHERE a = s
                42883 SELECT id FROM t WHERE a IN (s)
                42883 SELECT id FROM t WHERE a BETWEEN 1 AND d
                42883 SELECT id FROM t WHERE a LIKE 'x'
                42883 SELECT ABS(s) FROM t
                42883 SELECT SUM(s) FROM t
                42883 SELECT INTERVAL '1 day' + a FROM t
                42883 SELECT INTERVAL '1 day' * d FROM t
                42883 SELECT GCD(s, a) FROM t
                42883 SELECT ARRAY[1] @> ARRAY['x'::VARCHAR]
                42883 SELECT * FROM GENERATE_SERIES(1, TRUE)
                42601 SELECT (1, 2) = (1, 2, 3)
                42601 SELECT id FROM t WHERE a = (SELECT 1, 2)
                42601 SELECT 1 WHERE (1, 2) IN (SELECT 1)
                42804 SELECT id FROM t WHERE a
                42804 SELECT CASE WHEN TRUE THEN a ELSE s END FROM t
                42804 SELECT COALESCE(a, s) FROM t
                42804 SELECT a FROM t UNION SELECT s FROM t
                42804 UPDATE t SET a = TRUE
                """);
    }

    @Test
    void argumentsThatHaveNoValue() {
        check(
                """
                2201E SELECT LN(0)
                2201E SELECT LOG(-1)
                2201F SELECT SQRT(-1)
                2201F SELECT POWER(-1, 0.5)
                2201F SELECT POWER(0, -1)
                22003 SELECT ASIN(2)
                22003 SELECT EXP(10000.0::DOUBLE PRECISION)
                2201G SELECT WIDTH_BUCKET(1, 0, 10, 0)
                2201G SELECT WIDTH_BUCKET(1, 5, 5, 3)
                22025 SELECT 'ab' LIKE 'a\\'
                22025 SELECT id FROM t WHERE s LIKE '\\'
                22025 SELECT id FROM t WHERE s LIKE 'x' ESCAPE 'ab'
                2201B SELECT 'a' ~ '('
                22011 SELECT SUBSTRING('abc' FROM 1 FOR -1)
                22023 SELECT DATE_TRUNC('x', TIMESTAMP '2024-01-01')
                22023 SELECT TIMESTAMP '2024-01-01' AT TIME ZONE 'Nowhere'
                22023 SELECT * FROM GENERATE_SERIES(1, 2, 0)
                22023 SELECT SPLIT_PART('a', ',', 0)
                22023 SELECT FORMAT('%y', 1)
                2201W SELECT id FROM t LIMIT -1
                2201W SELECT id FROM t LIMIT (SELECT -1)
                2201X SELECT id FROM t OFFSET -1
                22014 SELECT NTILE(0) OVER () FROM t
                22016 SELECT NTH_VALUE(a, 0) OVER () FROM t
                22004 SELECT SUM(a) OVER (ORDER BY id ROWS NULL PRECEDING) FROM t
                22013 SELECT SUM(a) OVER (ORDER BY id ROWS -1 PRECEDING) FROM t
                22013 SELECT SUM(a) OVER (ORDER BY id RANGE BETWEEN -1 PRECEDING AND 1 FOLLOWING) FROM t
                22013 SELECT SUM(a) OVER (ORDER BY d RANGE INTERVAL '-1 day' PRECEDING) FROM t
                """);
    }

    @Test
    void transactionsThatAreNotThere() throws SQLException {
        check(
                """
                25P01 SAVEPOINT s
                """);
        statement.execute("BEGIN");
        statement.execute("SAVEPOINT s");
        check(
                """
                25001 BEGIN
                3B001 ROLLBACK TO SAVEPOINT none
                3B001 RELEASE SAVEPOINT none
                """);
        statement.execute("ROLLBACK");
    }

    /// Each line is an SQLState, and a statement that fails with it.
    private void check(String lines) {
        StringBuilder came = new StringBuilder();
        for (String line : lines.lines().toList()) {
            String sql = line.substring(6);
            came.append(state(sql)).append(' ').append(sql).append('\n');
        }
        assertEquals(lines, came.toString());
    }

    private String state(String sql) {
        try {
            if (statement.execute(sql)) {
                ResultSet rows = statement.getResultSet();
                while (rows.next()) {
                    rows.getObject(1);
                }
            }
            return "00000";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }
}
