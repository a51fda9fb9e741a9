package dev.oriel.sql.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.engine.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Work that would double with each part of a statement is done once. The limit is far above the time of these
/// statements, and far below the time with doubling.
@Tag("measured")
class StatementSizeTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration QUADRATIC = Duration.ofSeconds(8);

    private final TestDatabase database = new TestDatabase();

    @BeforeEach
    void fill() {
        database.update("CREATE TABLE t (x INTEGER PRIMARY KEY)");
        database.update("INSERT INTO t VALUES (1), (2), (3)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    /// `WITH c1 AS (first), c2 AS (next), ...`, where `next` reads the name before, written `%s`.
    private static String chain(String first, String next, int names) {
        return IntStream.rangeClosed(1, names)
                .mapToObj(i ->
                        "c"
                                + i
                                + " AS ("
                                + (i == 1 ? first : next.replace("%s", "c" + (i - 1)))
                                + ")")
                .collect(Collectors.joining(", ", "WITH ", ""));
    }

    private List<String> soon(String text) {
        return assertTimeoutPreemptively(SOON, () -> database.query(text));
    }

    @Test
    void namesThatJoinTheOneBeforeTwice() {
        String chain =
                chain(
                        "SELECT a.x FROM t a JOIN t b ON a.x = b.x",
                        "SELECT a.x FROM %s a JOIN %s b ON a.x = b.x",
                        60);
        assertEquals(List.of("3"), soon(chain + " SELECT COUNT(*) FROM c60"));
        assertTrue(soon("EXPLAIN " + chain + " SELECT COUNT(*) FROM c60").size() > 60);
        assertTrue(soon("EXPLAIN ANALYZE " + chain + " SELECT COUNT(*) FROM c60").size() > 60);
    }

    @Test
    void namesThatReadTheOneBeforeTwiceInSubqueries() {
        String chain =
                chain(
                        "SELECT x FROM t",
                        "SELECT x FROM %s WHERE x IN (SELECT x FROM %s)"
                                + " AND x >= (SELECT MIN(x) FROM %s)",
                        40);
        assertEquals(List.of("1", "2", "3"), soon(chain + " SELECT x FROM c40 ORDER BY x"));
    }

    @Test
    void namesThatAreUnitedAndGrouped() {
        String chain =
                chain(
                        "SELECT x, x AS y FROM t",
                        "SELECT x, y FROM (SELECT * FROM %s UNION ALL SELECT * FROM %s) u"
                                + " GROUP BY x, y",
                        40);
        assertEquals(List.of("3"), soon(chain + " SELECT COUNT(*) FROM c40"));
    }

    @Test
    void groupsOfGroups() {
        int levels = 35;
        String text =
                "SELECT t.x FROM t JOIN ("
                        + "SELECT x FROM (".repeat(levels)
                        + "SELECT x, x AS y FROM t"
                        + ") g GROUP BY x".repeat(levels)
                        + ") g ON t.x = g.x";
        assertEquals(3, soon(text).size());
    }

    /// Makes views v1 to v`views`, each of which reads the one before, `%s` in `next`.
    private void views(String first, String next, int views) {
        assertTimeoutPreemptively(
                SOON,
                () -> {
                    for (int i = 1; i <= views; i++) {
                        String query = i == 1 ? first : next.replace("%s", "v" + (i - 1));
                        database.update("CREATE VIEW v" + i + " AS " + query);
                    }
                });
    }

    private void change(String definition) {
        assertTimeoutPreemptively(SOON, () -> database.update(definition));
    }

    @Test
    void viewsThatJoinTheOneBeforeTwice() {
        views(
                "SELECT a.x FROM t a JOIN t b ON a.x = b.x",
                "SELECT a.x FROM %s a JOIN %s b ON a.x = b.x",
                40);
        assertEquals(List.of("3"), soon("SELECT COUNT(*) FROM v40"));
        assertEquals(List.of("2"), soon("SELECT x FROM v40 WHERE x = 2"));
        assertTrue(soon("EXPLAIN SELECT COUNT(*) FROM v40").size() > 40);
        assertEquals(
                List.of("40"),
                soon(
                        "SELECT COUNT(*) FROM information_schema.columns"
                                + " WHERE table_schema = 'public' AND table_name LIKE 'v%'"));
        change("ALTER TABLE t ADD COLUMN y INTEGER");
        change("CREATE OR REPLACE VIEW v1 AS SELECT x FROM t");
        change("DROP VIEW v1 CASCADE");
        assertEquals(List.of(), database.query("SELECT * FROM information_schema.views"));
    }

    @Test
    void viewsThatReadTheOneBeforeInSubqueries() {
        views(
                "SELECT x FROM t",
                "SELECT x FROM %s WHERE x IN (SELECT x FROM %s) AND x >= (SELECT MIN(x) FROM %s)",
                30);
        assertEquals(List.of("1", "2", "3"), soon("SELECT x FROM v30 ORDER BY x"));
        change("CREATE TABLE copy AS SELECT * FROM v30");
    }

    @Test
    void viewsWithOtherRowsEachTimeAreNotShared() {
        String next = "SELECT a.x, a.r + b.r AS r FROM %s a JOIN %s b ON a.x = b.x";
        views("SELECT x, RANDOM() AS r FROM t", next, 7);
        assertEquals(3, soon("SELECT * FROM v7").size());
        SqlException refused =
                assertThrows(
                        SqlException.class,
                        () -> database.query("SELECT * FROM v7 a, v7 b WHERE a.x = b.x"));
        assertEquals(SqlException.Kind.TOO_COMPLEX, refused.kind());
    }

    @Test
    void parenthesesAroundAQuery() {
        for (int levels : new int[] {100, 3_000, 30_000}) {
            String text = "SELECT " + "(".repeat(levels) + "SELECT 1" + ")".repeat(levels);
            assertTimeoutPreemptively(
                    SOON,
                    () -> {
                        try {
                            assertEquals(List.of("1"), database.query(text));
                        } catch (SqlException deep) {
                            assertTrue(levels > 100, deep::getMessage);
                        }
                    });
        }
    }

    @Test
    void columnsThatStandForLongerAndLongerExpressions() {
        int levels = 37;
        String text =
                "SELECT x - x AS x FROM (".repeat(levels)
                        + "SELECT x FROM t"
                        + ") d".repeat(levels);
        assertEquals(List.of(), soon("SELECT x FROM (" + text + ") d WHERE x < 0"));
    }

    /// The time of planning may grow with the square of the number of levels, not with its third power: that took
    /// 15 to 50 s.
    @Test
    void queriesWithinConditions() {
        for (String condition :
                new String[] {
                    "x IN (",
                    "x NOT IN (",
                    "x >= ALL (",
                    "EXISTS (",
                    "NOT EXISTS (",
                    "x > 0 AND x IN (SELECT x FROM t WHERE x = t.x AND EXISTS ("
                }) {
            int closing = condition.length() - condition.replace("(", "").length();
            int levels = 500 / closing;
            String text =
                    ("SELECT x FROM t WHERE " + condition).repeat(levels)
                            + "SELECT 1"
                            + ")".repeat(levels * closing);
            assertTimeoutPreemptively(
                    QUADRATIC, () -> database.session().prepare(text).close(), condition);
        }
        String names =
                chain("SELECT x FROM t", "SELECT x FROM t WHERE x IN (SELECT x FROM %s)", 500);
        assertTimeoutPreemptively(
                QUADRATIC, () -> database.session().prepare(names + " SELECT x FROM c500").close());
    }

    /// `text` is planned, or refused as too complex.
    private void plannedOrRefused(String text) {
        assertTimeoutPreemptively(
                SOON,
                () -> {
                    try (Prepared prepared = database.session().prepare(text)) {
                        assertTrue(prepared.isQuery());
                    } catch (SqlException refused) {
                        assertEquals(SqlException.Kind.TOO_COMPLEX, refused.kind());
                    }
                });
    }

    private static String listed(int count, String separator, String each) {
        return IntStream.range(0, count)
                .mapToObj(i -> each.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(separator));
    }

    @Test
    void hundredsOfTables() {
        plannedOrRefused("SELECT 1 FROM t a " + listed(390, " ", "JOIN t t# ON t#.x = a.x"));
        plannedOrRefused("SELECT 1 FROM t a " + listed(390, " ", "NATURAL JOIN t t#"));
        plannedOrRefused("SELECT 1 FROM " + listed(390, ", ", "t t#"));
        plannedOrRefused(
                "SELECT 1 FROM t a " + listed(390, " ", "JOIN (SELECT x FROM t) t# USING (x)"));
    }

    @Test
    void aThousandNames() {
        plannedOrRefused(
                chain("SELECT x FROM t", "SELECT a.x FROM %s a JOIN %s b ON a.x = b.x", 1_000)
                        + " SELECT x FROM c1000");
    }

    @Test
    void thousandsOfKeys() {
        plannedOrRefused("SELECT x FROM t ORDER BY " + listed(6_000, ", ", "x + #"));
        plannedOrRefused(
                "SELECT COUNT(*) FROM t GROUP BY ROLLUP (" + listed(5_000, ", ", "x + #") + ")");
    }
}
