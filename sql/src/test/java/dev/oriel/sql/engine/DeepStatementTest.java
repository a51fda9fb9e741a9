package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Statements with thousands of operators, in threads with small stacks.
class DeepStatementTest {
    private static final int MANY = 10_000;
    private static final int QUERIES = 500;
    private static final long SMALL_STACK = 256 << 10;

    /// Default stack size of the JVM.
    private static final long USUAL_STACK = 1 << 20;

    private final TestDatabase database = new TestDatabase();

    @BeforeEach
    void fill() {
        database.update(
                "CREATE TABLE t (a INTEGER PRIMARY KEY, b BIGINT, c VARCHAR(20), d DOUBLE,"
                        + " e DECIMAL(8, 2), j JSON, ok BOOLEAN)");
        database.update(
                "INSERT INTO t VALUES (1, 2, 'x', 0.5, 1.25, '{\"k\": [1]}', TRUE),"
                        + " (2, NULL, NULL, NULL, NULL, NULL, NULL)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private String answer(String text) {
        return answer(text, SMALL_STACK);
    }

    private String answer(String text, long stackBytes) {
        AtomicReference<String> answer = new AtomicReference<>("nothing");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
                new Thread(
                        null,
                        () -> answer.set(TestDatabase.run(database.session(), text)),
                        "small",
                        stackBytes);
        thread.setUncaughtExceptionHandler((t, failed) -> failure.set(failed));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failure.get() != null) {
            throw new IllegalStateException(beginning(text), failure.get());
        }
        return answer.get();
    }

    private static String beginning(String text) {
        return text.substring(0, Math.min(100, text.length()));
    }

    private void assertAnswer(String expected, String text) {
        assertEquals(expected, answer(text), () -> beginning(text));
    }

    private void assertRefused(String text) {
        String answer = answer(text);
        assertTrue(answer.startsWith("TOO_COMPLEX: "), () -> beginning(text) + ": " + answer);
    }

    private static String chain(String first, String next) {
        return first + next.repeat(MANY);
    }

    private static String nested(String before, String inner, String after) {
        return before.repeat(MANY) + inner + after.repeat(MANY);
    }

    /// The value of `expression` in the first row.
    private void assertValue(String expected, String expression) {
        assertAnswer(expected, "SELECT " + expression + " FROM t WHERE a = 1");
    }

    private void assertTrueOfFirst(String condition) {
        assertAnswer("1", "SELECT a FROM t WHERE " + condition);
    }

    @Test
    void chainsOfArithmetic() {
        assertAnswer("10001", "SELECT " + chain("1", " + 1"));
        assertAnswer("10001\n10002", "SELECT " + chain("a", " + 1") + " FROM t ORDER BY 1");
        assertValue("-9999", chain("a", " - 1"));
        assertValue("2", chain("b", " * 1"));
        assertValue("1", chain("a", " / 1"));
        assertValue("1", chain("a", " % 7"));
        assertValue("10001.25", chain("e", " + 1"));
        assertValue("10000.5", chain("d", " + 1"));
        assertAnswer("NULL", "SELECT " + chain("b", " + 1") + " FROM t WHERE a = 2");
        assertValue("2024-01-01", chain("DATE '2024-01-01'", " + 0"));
    }

    @Test
    void typesAndErrorsOfAChainAreThoseOfItsOperators() {
        assertValue("10002.75", chain("a", " + 1") + " + 0.25 + 1.5E0");
        String overflow = answer("SELECT " + chain("a + 2147483000", " + 1") + " - 10000 FROM t");
        assertTrue(overflow.startsWith("OUT_OF_RANGE"), overflow);
        String division = answer("SELECT a / (a - 1)" + " + 1".repeat(MANY) + " FROM t");
        assertTrue(division.startsWith("DIVISION_BY_ZERO"), division);
        assertAnswer(
                "1", "SELECT a FROM t WHERE a = 1 OR " + chain("a / (a - 1)", " + 1") + " = 0");
        assertValue("20001", "(" + chain("a", " + 1") + ") + (" + chain("a", " + 1") + ") - 1");
    }

    @Test
    void chainsOfOtherOperators() {
        assertValue("20001", "LENGTH(" + chain("c", " || 'xy'") + ")");
        assertValue("NULL", chain("j", " -> 'k'"));
        assertValue("1", "(" + chain("ARRAY[a]", " || 1") + ")[10001]");
        assertValue("1", chain("a", "::INTEGER"));
        assertValue("1", "a" + "::VARCHAR::INTEGER".repeat(MANY / 2));
        assertValue("true", chain("ok", " IS NOT NULL"));
        assertTrueOfFirst(chain("a = 1", " AND b = 2"));
        assertTrueOfFirst(chain("a = 1", " OR b = 3"));
        assertTrueOfFirst(chain("a = 1", " OR b = 2 AND a = 1"));
        assertTrueOfFirst("a IN (" + chain("1", ", 7") + ")");
    }

    @Test
    void operatorsWithinOneAnother() {
        assertValue("true", nested("NOT ", "ok", ""));
        assertTrueOfFirst(nested("NOT ", "(a = 1)", ""));
        assertValue("1", nested("- ", "a", ""));
        assertValue("1", nested("-(", "a", ")"));
        assertValue("1", nested("(", "a", ")"));
        assertTrueOfFirst(nested("(", "a = 1", ")"));
        assertValue("1", nested("ABS(", "a", ")"));
        assertTrueOfFirst(nested("(a = 7 OR ", "a = 1", ")"));
    }

    @Test
    void alternatives() {
        assertValue("2", "CASE" + " WHEN a = 2 THEN 1".repeat(MANY) + " ELSE 2 END");
        assertValue("2", "CASE a" + " WHEN 2 THEN 1".repeat(MANY) + " ELSE 2 END");
        assertValue("2", nested("CASE WHEN a = 2 THEN 1 ELSE ", "2", " END"));
    }

    @Test
    void chainsInEveryClause() {
        String sum = chain("a", " + 1");
        assertAnswer("1", "SELECT a FROM t WHERE a = " + chain("1", " + 0"));
        assertAnswer("10001\n10002", "SELECT " + sum + " FROM t GROUP BY a ORDER BY 1");
        assertAnswer("10001\n10002", "SELECT " + sum + " FROM t GROUP BY " + sum + " ORDER BY 1");
        assertAnswer("10003", "SELECT " + chain("SUM(a)", " + 1") + " FROM t");
        assertValue("10001", chain("SUM(a) OVER ()", " + 1"));
        assertAnswer("1\n2", "SELECT a FROM t ORDER BY " + sum);
        assertRefused("SELECT " + chain("b", " + 1") + " FROM t GROUP BY b, " + sum);
        assertAnswer(
                "-9999",
                "SELECT x FROM (SELECT " + chain("a", " - 1") + " AS x FROM t) s WHERE x = -9999");
        assertTrue(answer("EXPLAIN SELECT " + sum + " FROM t").startsWith("Project (("));
        assertTrue(answer("EXPLAIN ANALYZE SELECT " + sum + " FROM t").startsWith("Project (("));
    }

    @Test
    void chainsInChanges() {
        assertAnswer("1 changed", "UPDATE t SET b = " + chain("b", " + 1") + " WHERE a = 1");
        assertAnswer("1 changed", "INSERT INTO t (a) VALUES (" + chain("3", " + 0") + ")");
        assertAnswer("1 changed", "DELETE FROM t WHERE a = " + chain("3", " + 0"));
        assertAnswer("10002", "SELECT b FROM t WHERE a = 1");
    }

    @Test
    void chainsInDefinitions() {
        String sum = chain("a", " + 1");
        assertAnswer(
                "0 changed",
                "CREATE TABLE g (a INTEGER DEFAULT ("
                        + chain("3", " + 0")
                        + "), b INTEGER GENERATED ALWAYS AS ("
                        + sum
                        + ") STORED, CHECK ("
                        + sum
                        + " > 10002))");
        assertAnswer("1 changed", "INSERT INTO g DEFAULT VALUES");
        String broken = answer("INSERT INTO g (a) VALUES (2)");
        assertTrue(broken.startsWith("ConstraintException"), broken);
        assertAnswer("0 changed", "CREATE INDEX gi ON g (" + sum + ")");
        assertAnswer("3", "SELECT a FROM g WHERE " + sum + " = 10003");
        assertAnswer("0 changed", "CREATE VIEW gv AS SELECT a, " + sum + " AS s FROM g");
        assertAnswer("3|10003", "SELECT * FROM gv WHERE s > 0");
        assertAnswer("0 changed", "ALTER TABLE g ADD COLUMN c INTEGER");
        assertAnswer("3|10003|NULL", "SELECT * FROM g");
    }

    @Test
    void chainsOfQueries() {
        for (String kind : new String[] {"UNION", "UNION ALL", "EXCEPT", "EXCEPT ALL"}) {
            String text = chain("SELECT a FROM t", " " + kind + " SELECT 3");
            String rows =
                    switch (kind) {
                        case "UNION" -> "3";
                        case "UNION ALL" -> "10002";
                        default -> "2";
                    };
            assertAnswer(rows, "SELECT COUNT(*) FROM (" + text + ") s");
        }
        for (String kind : new String[] {"INTERSECT", "INTERSECT ALL"}) {
            assertAnswer(
                    "1\n2",
                    chain("SELECT a FROM t", " " + kind + " SELECT a FROM t") + " ORDER BY 1");
        }
        assertAnswer(
                "1\n2\n5",
                "SELECT a FROM t"
                        + " UNION SELECT 5 UNION ALL SELECT 5".repeat(MANY / 2)
                        + " INTERSECT SELECT 5 EXCEPT SELECT 7 ORDER BY 1");
    }

    @Test
    void typesAndNamesOfQueriesSideBySide() {
        assertAnswer(
                "1\n2.5\n4",
                "SELECT x FROM (SELECT 1 AS x UNION ALL SELECT 2.5 UNION ALL SELECT 4E0) s ORDER BY 1");
        assertAnswer(
                "NULL\nNULL\n2024-01-01",
                "SELECT NULL AS x UNION ALL SELECT NULL UNION ALL SELECT DATE '2024-01-01'");
        assertAnswer(
                "1\n3",
                "SELECT 1 EXCEPT ALL SELECT 2 UNION SELECT 3 UNION ALL SELECT 3 EXCEPT ALL SELECT 3"
                        + " ORDER BY 1");
        assertAnswer("2", "SELECT a FROM t EXCEPT SELECT 1 EXCEPT SELECT 3 WHERE FALSE");
    }

    /// Runs a query with `before` and `after` around `inner` many times.
    private void assertNested(String expected, String before, String inner, String after) {
        String text = before.repeat(QUERIES) + inner + after.repeat(QUERIES);
        assertEquals(expected, answer(text, USUAL_STACK), () -> beginning(text));
    }

    @Test
    void queriesWithinFrom() {
        String inner = "SELECT a FROM t";
        assertNested("1\n2", "SELECT * FROM (", inner, ") s");
        assertNested("501\n502", "SELECT a + 1 AS a FROM (", inner, ") s");
        assertNested("1\n2", "SELECT a FROM (", inner, ") s WHERE a > 0");
        assertNested("1\n2", "SELECT DISTINCT a FROM (", inner, ") s");
        assertNested("1\n2", "SELECT a FROM (", inner, ") s ORDER BY a LIMIT 10");
        assertNested("1\n2", "SELECT s.a FROM t JOIN (", inner, ") s ON s.a = t.a");
        assertNested("1\n2", "SELECT a FROM (", inner, " UNION ALL SELECT 7 WHERE FALSE) s");
        assertNested("1\n2", "WITH c AS (", inner, ") SELECT a FROM c");
    }

    @Test
    void queriesWithinExpressions() {
        assertEquals(
                "501",
                answer(
                        "SELECT "
                                + "(SELECT MIN(a) + ".repeat(QUERIES)
                                + "1"
                                + " FROM t)".repeat(QUERIES),
                        USUAL_STACK));
        assertNested("1", "SELECT a FROM t WHERE a = (", "SELECT 1", ")");
        assertNested("1", "SELECT a FROM t WHERE a IN (", "SELECT 1", ")");
        assertNested("1\n2", "SELECT a FROM t WHERE EXISTS (", "SELECT 7", ")");
        StringBuilder correlated = new StringBuilder("SELECT t0.a FROM t t0 WHERE ");
        for (int i = 1; i <= QUERIES; i++) {
            correlated.append(
                    "EXISTS (SELECT 1 FROM t t%d WHERE t%d.a = t%d.a AND ".formatted(i, i, i - 1));
        }
        assertEquals("1\n2", answer(correlated + "TRUE" + ")".repeat(QUERIES), USUAL_STACK));
    }

    @Test
    void beyondTheLimitsAStatementIsRefused() {
        assertRefused("SELECT " + "1 + (a + ".repeat(MANY) + "2" + ")".repeat(MANY) + " FROM t");
        assertRefused("SELECT " + "COALESCE(b, ".repeat(MANY) + "a" + ")".repeat(MANY) + " FROM t");
        assertRefused("SELECT a FROM (".repeat(700) + "SELECT a FROM t" + ") s".repeat(700));
        for (String text :
                new String[] {
                    "a" + " + 1".repeat(10 * MANY),
                    " -".repeat(10 * MANY) + "a",
                    "(".repeat(10 * MANY) + "a" + ")".repeat(10 * MANY),
                    "NOT ".repeat(10 * MANY) + "ok",
                    "a" + "::INTEGER".repeat(10 * MANY)
                }) {
            assertRefused("SELECT " + text + " FROM t");
        }
    }
}
