package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Long values that a few short rows turn into count against the budget as rows do.
class SpillValuesTest {
    private static final Pattern MOST = Pattern.compile("Memory: (\\d+) kB at most");

    private final SimDirectory directory = new SimDirectory();
    private final TestDatabase database = TestDatabase.on(directory, Long.MAX_VALUE);

    @AfterEach
    void closeAndCheck() {
        SpillTest.assertNoFiles(directory);
        database.close();
    }

    /// Checks that `query` spills rows, stays near its budget, and answers as with unlimited memory.
    private void check(String query, long budget) {
        database.session().queryBytesMax(0);
        List<String> expected = database.query(query);
        database.session().queryBytesMax(budget);
        assertEquals(expected, database.query(query), query);
        String plan = String.join("\n", database.query("EXPLAIN (ANALYZE, TIMING OFF) " + query));
        Matcher most = MOST.matcher(plan);
        assertTrue(most.find(), () -> "nothing was put aside: " + plan);
        assertTrue(Long.parseLong(most.group(1)) * 1_000 < 2 * budget, plan);
    }

    @Test
    void longestTextsOfManyGroups() {
        check(
                "SELECT MOD(i, 200), MAX(REPEAT(CAST(i AS VARCHAR), 9000)) FROM"
                        + " GENERATE_SERIES(1, 400) AS s (i) GROUP BY MOD(i, 200)",
                1 << 20);
    }

    @Test
    void firstTextsOfManyGroups() {
        check(
                "SELECT MOD(i, 200), ANY_VALUE(REPEAT(CAST(i AS VARCHAR), 9000)) FROM"
                        + " GENERATE_SERIES(1, 400) AS s (i) GROUP BY MOD(i, 200)",
                1 << 20);
    }

    @Test
    void textsThatComeWhenAllGroupsAreThere() {
        check(
                "SELECT MOD(i, 100), MAX(CASE WHEN i > 200 THEN REPEAT(CAST(i AS VARCHAR), 4000)"
                        + " END), COUNT(*) FROM GENERATE_SERIES(1, 600) AS s (i) GROUP BY MOD(i,"
                        + " 100)",
                256 << 10);
    }

    private static String lengths(String value) {
        return "SELECT COUNT(*), SUM(LENGTH(v)), MIN(v), SUM(n) FROM (SELECT SUM(i) OVER (ORDER BY i"
                + " DESC) AS n, "
                + value
                + " AS v FROM GENERATE_SERIES(1, 1000) AS s (i)) AS w";
    }

    @Test
    void whatRunningAggregatesPutTogether() {
        check(lengths("STRING_AGG('0123456789', '') OVER (ORDER BY i)"), 1 << 20);
        check(
                lengths(
                        "CAST(ARRAY_AGG(i) OVER (ORDER BY MOD(i * 7, 1000) ROWS 300 PRECEDING) AS"
                                + " VARCHAR)"),
                512 << 10);
        check(lengths("CAST(JSON_AGG(i) OVER (ORDER BY i) AS VARCHAR)"), 1 << 20);
    }

    @Test
    void whatIsMadeOfOtherRowsOfAWindow() {
        check(lengths("LAG(REPEAT(CAST(i AS VARCHAR), 1000)) OVER (ORDER BY i)"), 1 << 20);
        check(
                lengths(
                        "LEAD(CAST(i AS VARCHAR), 900, REPEAT(CAST(i AS VARCHAR), 1000)) OVER"
                                + " (ORDER BY i)"),
                1 << 20);
        check(lengths("MIN(REPEAT(CAST(2000 - i AS VARCHAR), 1000)) OVER (ORDER BY i)"), 1 << 20);
    }

    @Test
    void whatRowsOfAWindowShareCountsOnce() {
        database.session().queryBytesMax(1 << 20);
        for (String value :
                List.of(
                        "STRING_AGG('0123456789', '') OVER ()",
                        "MAX(REPEAT('x', 5000)) OVER (ORDER BY i)",
                        "ANY_VALUE(REPEAT('x', 5000 + i)) OVER (ORDER BY i)",
                        "FIRST_VALUE('0123456789') OVER (ORDER BY i)")) {
            String plan =
                    String.join(
                            "\n",
                            database.query("EXPLAIN (ANALYZE, TIMING OFF) " + lengths(value)));
            assertFalse(plan.contains("put aside"), plan);
        }
    }

    @Test
    void textsOfGroupingSets() {
        check(
                "SELECT MOD(i, 70) AS a, MOD(i, 50) AS b, MIN(REPEAT(CAST(i AS VARCHAR), 4000)),"
                        + " COUNT(*) FROM GENERATE_SERIES(1, 600) AS s (i)"
                        + " GROUP BY GROUPING SETS ((a), (b), (a, b), ())",
                512 << 10);
    }
}
