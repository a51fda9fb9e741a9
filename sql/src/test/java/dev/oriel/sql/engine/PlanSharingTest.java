package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.SqlException;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Statements that differ only in literals share a plan, and answer as they do with plans of their own.
final class PlanSharingTest {
    private static final String SETUP =
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR(20), c DECIMAL(10, 2), d DATE, e DOUBLE PRECISION, f SMALLINT, g BOOLEAN, h TIMESTAMP);
            CREATE INDEX t_a ON t (a);
            INSERT INTO t SELECT i, i % 10, 'b' || i, i / 4.0, DATE '2024-01-01' + i, i * 0.5e0, i % 100, i % 2 = 0, TIMESTAMP '2024-01-01 00:00:00' FROM generate_series(1, 200) AS s(i)\
            """;

    private final TestDatabase database = new TestDatabase();

    /// Database in which each statement has a plan of its own.
    private final TestDatabase alone = new TestDatabase();

    @BeforeEach
    void fill() {
        alone.sql().plans().sharing(false);
        for (TestDatabase each : List.of(database, alone)) {
            String said = each.answer(SETUP);
            assertTrue(said.endsWith("200 changed"), said);
        }
    }

    @AfterEach
    void close() {
        database.close();
        alone.close();
    }

    /// Number of `texts` that have shared a plan; each must answer as in `alone`.
    private long shared(String... texts) {
        long before = counts().byShape();
        for (String text : texts) {
            String expected = TestDatabase.run(alone.session(), text);
            assertEquals(expected, TestDatabase.run(database.session(), text), text);
        }
        assertEquals(0, alone.sql().plans().counts().byShape());
        return counts().byShape() - before;
    }

    private PlanCache.Counts counts() {
        return database.sql().plans().counts();
    }

    /// `form` with each of `values` in the place of `$`.
    private static String[] each(String form, Object... values) {
        String[] texts = new String[values.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = form.replace("$", values[i].toString());
        }
        return texts;
    }

    @Test
    void theSecondStatementOfAShapeSharesThePlanOfTheFirst() {
        long compiled = counts().compiled();
        assertEquals(4, shared(each("SELECT b FROM t WHERE id = $", 5, 77, 3, 1234, 200)));
        assertEquals(1, counts().compiled() - compiled);
        assertEquals(1, counts().templates());
    }

    @Test
    void everyPlaceThatTakesValuesIsGivenThoseOfTheStatement() {
        assertEquals(3, shared(each("SELECT id FROM t WHERE a = $ ORDER BY id", 1, 2, 3, 42)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE b = '$'", "b7", "it''s", "b100")));
        assertEquals(2, shared(each("SELECT id FROM t WHERE c = $", "0.25", "10.00", "49.75")));
        assertEquals(2, shared(each("SELECT id FROM t WHERE c < $ ORDER BY 1", 1, 3, 2)));
        assertEquals(
                2,
                shared(each("SELECT id FROM t WHERE d = DATE '2024-0$'", "1-05", "2-29", "3-01")));
        assertEquals(
                2, shared(each("SELECT id FROM t WHERE d = '2024-0$'", "1-05", "2-29", "3-01")));
        assertEquals(2, shared(each("SELECT id FROM t WHERE e = $", "1e0", "2.5e0", "50E0")));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id = CAST($ AS BIGINT)", 1, 2, 30)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id = -$", 1, 2, 30)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id = -($)", 1, 2, 30)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id + $ = 12", 1, 2, 10)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id BETWEEN $ AND 12", 1, 2, 10)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id IN (2, $, 9)", 1, 2, 10)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE NOT id <> $ AND a < 9", 1, 2, 10)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id = 5 OR a = $", 1, 2, 3)));
        assertEquals(2, shared(each("SELECT a, count(*) FROM t GROUP BY a HAVING a = $", 1, 2, 3)));
        assertEquals(
                2,
                shared(
                        each(
                                "SELECT x.id FROM t x JOIN t y ON y.id = x.a AND y.a < $ WHERE x.id = 6",
                                1,
                                7,
                                9)));
        assertEquals(
                2,
                shared(
                        each(
                                "SELECT id FROM t x WHERE id < 9 AND EXISTS (SELECT 1 FROM t y WHERE y.id = x.a AND y.c > $)",
                                1,
                                7,
                                0)));
        assertEquals(
                2,
                shared(
                        each(
                                "WITH w AS (SELECT id FROM t WHERE a = $) SELECT count(*) FROM w",
                                1,
                                7,
                                0)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id = $ FOR UPDATE", 1, 7, 0)));
    }

    @Test
    void changesWriteTheValuesOfTheStatement() {
        assertEquals(
                3,
                shared(
                        each(
                                "INSERT INTO t VALUES ($, 5, 'x $', 1.25, '2024-02-29', 1e0, 7, 't', NULL)",
                                301,
                                302,
                                303,
                                304)));
        assertEquals(
                2,
                shared(
                        each(
                                "INSERT INTO t (id, c, e) VALUES ($, 3, 4), (5$, 6, 7)",
                                401,
                                402,
                                403)));
        assertEquals(
                2, shared(each("UPDATE t SET c = c + $, b = 'now $' WHERE id = 5", 1, 20, 300)));
        assertEquals(2, shared(each("UPDATE t SET c = $ WHERE a = 3 AND id <> 13", 1, 20, 300)));
        assertEquals(2, shared(each("DELETE FROM t WHERE id = $ OR id = 9000", 20, 21, 22)));
        assertEquals(
                2,
                shared(
                        each(
                                "INSERT INTO t (id, a) VALUES (1, $) ON CONFLICT (id) DO UPDATE SET a = 10$ WHERE t.a <> 0",
                                1,
                                2,
                                3)));
        assertEquals(
                2,
                shared(
                        each(
                                "INSERT INTO t (id, a) SELECT id + 600, a FROM t WHERE id = $ AND a <> 7",
                                10,
                                11,
                                12)));
        String all = "SELECT * FROM t ORDER BY id";
        assertEquals(alone.query(all), database.query(all));
    }

    @Test
    void whatIsReadForItsMeaningStaysInThePlan() {
        assertEquals(
                0,
                shared(each("SELECT id, a FROM t WHERE a < 3 ORDER BY $, id LIMIT 5", 1, 2, 1, 2)));
        assertEquals(0, shared(each("SELECT id FROM t ORDER BY id LIMIT $", 1, 2, 3, 4)));
        assertEquals(0, shared(each("SELECT $ AS n, 'x' FROM t WHERE id < 3", 1, 2, 3, 4)));
        assertEquals(
                0,
                shared(each("SELECT a % $, count(*) FROM t GROUP BY a % $ ORDER BY 1", 2, 3, 4)));
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE b LIKE '$%' ORDER BY id",
                                "b1", "b20", "%9", "b")));
        assertEquals(0, shared(each("SELECT id FROM t WHERE substring(b, $, 1) = '7'", 2, 3, 4)));
        // The literal left in the plan selects it; the other is a parameter.
        assertEquals(
                3,
                shared(
                        "SELECT id FROM t WHERE a = 1 ORDER BY id LIMIT 3",
                        "SELECT id FROM t WHERE a = 2 ORDER BY id LIMIT 3",
                        "SELECT id FROM t WHERE a = 3 ORDER BY id LIMIT 4",
                        "SELECT id FROM t WHERE a = 4 ORDER BY id LIMIT 3",
                        "SELECT id FROM t WHERE a = 5 ORDER BY id LIMIT 4",
                        "SELECT id FROM t WHERE a = 6 ORDER BY id LIMIT 4"));
    }

    @Test
    void aLiteralOfAnotherTypeIsAnotherShape() {
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE a = $ ORDER BY id",
                                5,
                                5_000_000_000L,
                                "5.0",
                                "5e0",
                                "'5'",
                                "99999999999999999999",
                                "X'05'")));
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE a > $ ORDER BY id",
                                2_147_483_646,
                                2_147_483_648L)));
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE a < -$",
                                2_147_483_647,
                                2_147_483_648L,
                                2_147_483_648L)));
        assertEquals(
                0,
                shared(each("SELECT id FROM t WHERE id = 1 AND g = $", "TRUE", "FALSE", "NULL")));
    }

    @Test
    void errorsPointIntoTheStatementItself() {
        String byZero = "SELECT id, 100 / (a - a) FROM t WHERE id = $";
        assertEquals(3, shared(each(byZero, 7, 12, 199, 1_234_567)));
        String later =
                "SELECT id FROM t WHERE b = '$' AND\n id = 5 AND 100 / (a - a) = 3 OR c * 1e0 = 5";
        assertTrue(shared(each(later, "x", "longer than that", "b5", "b5")) <= 2);
        assertEquals(
                2,
                shared(each("SELECT id FROM t WHERE  id = $ AND a + 2147483647 > 0", 5, 18, 123)));
        assertEquals(
                2, shared(each("INSERT INTO t (id, b, f) VALUES (60$, 'x', 99999)", 1, 2, 333)));
        // A literal that does not convert to the expected type fails before the run.
        assertEquals(
                2,
                shared(
                        each(
                                "SELECT id FROM t WHERE d = '$'",
                                "2024-01-05",
                                "2024-01-06",
                                "2024-02-30",
                                "no day",
                                "2024-01-07")));
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE d = DATE '$' AND x = 5",
                                "2024-01-05",
                                "2024-01-06",
                                "2024-02-30")));
        // The position is that in the statement, too.
        List<String> texts =
                List.of(
                        each(
                                "SELECT 1 / (a - a) FROM t WHERE id = $ AND 7 / (a - a) > 0",
                                1,
                                22,
                                333,
                                4_444));
        for (String text : texts) {
            assertEquals(position(alone, text), position(database, text));
        }
    }

    private static int position(TestDatabase database, String text) {
        try (Prepared prepared = database.session().prepare(text);
                Prepared.Result rows = prepared.query()) {
            while (rows.next()) {
                assertNotNull(rows);
            }
            return -1;
        } catch (SqlException failure) {
            return failure.position();
        }
    }

    @Test
    void theConditionOfAnIndexIsSeenToHold() {
        for (TestDatabase each : List.of(database, alone)) {
            each.answer(
                    "CREATE INDEX t_part ON t (b) WHERE a = 5;\nCREATE INDEX t_more ON t (c) WHERE a > 5");
        }
        // The values decide whether the index has the rows: no shared plan.
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE a = $ AND b > 'b1' ORDER BY id",
                                5,
                                6,
                                7,
                                8,
                                9)));
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE a > $ AND c = 12.25 ORDER BY id",
                                7,
                                6,
                                1,
                                8,
                                0)));
        assertEquals(2, shared(each("SELECT b FROM t WHERE id = $", 1, 2, 3)));
        for (TestDatabase each : List.of(database, alone)) {
            each.answer("CREATE INDEX t_sum ON t (f + 2)");
        }
        assertEquals(0, shared(each("SELECT id FROM t WHERE f + $ = 9 ORDER BY id", 1, 2, 3, 4)));
        assertEquals(
                0, shared(each("SELECT id FROM t WHERE f * $ = 9 ORDER BY f + 2, id", 1, 2, 3, 4)));
        String[] texts = each("SELECT id FROM t WHERE upper(b) = 'B$' ORDER BY id", 1, 2, 3);
        for (TestDatabase each : List.of(database, alone)) {
            each.answer("CREATE INDEX t_upper ON t (upper(b))");
        }
        assertEquals(2, shared(texts));
    }

    @Test
    void aDayThatIsComparedWithAMomentHasAPlanOfItsOwn() {
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE d > TIMESTAMP '2024-02-01 $:00:00' AND d < DATE '2024-02-05'",
                                "10",
                                "11",
                                "12",
                                "00",
                                "13")));
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE d BETWEEN TIMESTAMP '2024-02-01 $:00:00' AND TIMESTAMP '2024-02-05 00:00:00'",
                                "10",
                                "11",
                                "12",
                                "00")));
        assertEquals(
                3,
                shared(
                        each(
                                "SELECT id FROM t WHERE h > TIMESTAMP '2023-02-01 $:00:00' AND id < 9",
                                "10",
                                "11",
                                "00",
                                "12")));
    }

    @Test
    void whatBranchesHaveInCommonIsSeen() {
        assertEquals(
                0,
                shared(
                        each(
                                "SELECT id FROM t WHERE (a = 3 AND f = $) OR (a = 5 AND f = 2$)",
                                3,
                                4,
                                5,
                                6)));
        assertEquals(2, shared(each("SELECT id FROM t WHERE id = $ OR a = 7", 3, 4, 5)));
    }

    @Test
    void valuesThatAreMuchMoreCommonHavePlansOfTheirOwn() {
        for (TestDatabase each : List.of(database, alone)) {
            each.answer(
                    """
                    CREATE TABLE s (id INTEGER PRIMARY KEY, kind INTEGER, v INTEGER);
                    CREATE INDEX s_kind ON s (kind);
                    INSERT INTO s SELECT i, CASE WHEN i % 10 < 6 THEN 0 ELSE i END, i FROM generate_series(1, 3000) AS s(i);
                    ANALYZE\
                    """);
        }
        String form = "SELECT sum(v) FROM s WHERE kind = $";
        assertEquals(4, shared(each(form, 16, 17, 18, 19, 26)));
        assertEquals(0, shared(each(form, 0)));
        assertEquals(2, shared(each(form, 27, 28)));
    }

    @Test
    void longWorkHasPlansOfItsOwn() {
        for (TestDatabase each : List.of(database, alone)) {
            each.answer(
                    """
                    CREATE TABLE long (id INTEGER PRIMARY KEY, v INTEGER);
                    INSERT INTO long SELECT i, i % 100 FROM generate_series(1, 5000) AS s(i);
                    ANALYZE\
                    """);
        }
        assertEquals(0, shared(each("SELECT count(*) FROM long WHERE v = $", 1, 2, 3, 4, 5)));
        assertEquals(4, shared(each("SELECT count(*) FROM long WHERE id = $", 1, 2, 3, 4, 5)));
    }

    @Test
    void definitionsAndStatisticsMakePlansAnew() {
        String form = "SELECT b FROM t WHERE b = '$'";
        assertEquals(2, shared(each(form, "b1", "b2", "b3")));
        for (TestDatabase each : List.of(database, alone)) {
            each.answer("CREATE INDEX t_b ON t (b)");
        }
        assertEquals(2, shared(each(form, "b4", "b5", "b6")));
        assertTrue(database.query("EXPLAIN " + each(form, "b7")[0]).toString().contains("t_b"));
        for (TestDatabase each : List.of(database, alone)) {
            each.answer("ANALYZE t");
        }
        long compiled = counts().compiled();
        shared(each(form, "b8"));
        assertEquals(1, counts().compiled() - compiled);
        for (TestDatabase each : List.of(database, alone)) {
            each.answer("ALTER TABLE t DROP COLUMN b");
        }
        assertEquals(0, shared(each(form, "b9", "b10", "b11")));
    }

    @Test
    void aPreparedStatementOutlivesTheDefinitionsOfItsSharedPlan() {
        assertEquals(2, shared(each("SELECT a, b FROM t WHERE id = $", 5, 6, 7)));
        try (Prepared prepared = database.session().prepare("SELECT a, b FROM t WHERE id = 18")) {
            assertEquals(List.of("8|b18"), TestDatabase.rows(prepared));
            database.answer("CREATE INDEX other ON t (c)");
            assertEquals(List.of("8|b18"), TestDatabase.rows(prepared));
            assertTrue(prepared.explain().contains("18"), prepared.explain());
        }
    }

    @Test
    void whatIsExplainedIsTheStatementItself() {
        assertEquals(2, shared(each("SELECT b FROM t WHERE id = $", 5, 6, 7)));
        try (Prepared prepared = database.session().prepare("SELECT b FROM t WHERE id = 18")) {
            assertEquals(
                    database.query("EXPLAIN SELECT b FROM t WHERE id = 18"),
                    List.of(prepared.explain().split("\n")));
        }
    }

    @Test
    void aBatchWithoutParametersRepeatsTheStatement() {
        assertEquals(2, shared(each("UPDATE t SET a = a + $ WHERE id = 5", 5, 6, 7)));
        try (Prepared prepared =
                database.session().prepare("UPDATE t SET a = a + 100 WHERE id = 5")) {
            assertEquals(0, prepared.parameters().size());
            assertArrayEquals(
                    new long[] {1, 1}, prepared.batch(List.of(new Tuple(0), new Tuple(0))));
            assertEquals(1, prepared.update());
        }
        assertEquals(List.of("323"), database.query("SELECT a FROM t WHERE id = 5"));
    }

    @Test
    void aBatchMayComeToShareAPlanWhenItIsPlannedAnew() {
        try (Prepared prepared = database.session().prepare("UPDATE t SET a = 77 WHERE id = 5")) {
            database.answer("CREATE TABLE other (x INTEGER)");
            database.answer("UPDATE t SET a = 77 WHERE id = 6");
            database.answer("UPDATE t SET a = 77 WHERE id = 7");
            long before = counts().byShape();
            assertArrayEquals(
                    new long[] {1, 1}, prepared.batch(List.of(new Tuple(0), new Tuple(0))));
            assertEquals(1, counts().byShape() - before);
            assertEquals(1, prepared.update());
        }
        assertEquals(
                List.of("5", "6", "7"), database.query("SELECT id FROM t WHERE a = 77 ORDER BY 1"));
    }

    @Test
    void anErrorOfABatchPointsIntoItsOwnStatement() {
        String form = "UPDATE t SET a = a + $, f = 1 / (a - a) WHERE id = 5";
        for (String text : each(form, 1, 22, 333, 4_444)) {
            try (Prepared prepared = database.session().prepare(text);
                    Prepared own = alone.session().prepare(text)) {
                List<Tuple> rows = List.of(new Tuple(0));
                SqlException failure = assertThrows(SqlException.class, () -> prepared.batch(rows));
                SqlException expected = assertThrows(SqlException.class, () -> own.batch(rows));
                assertEquals(expected.position(), failure.position(), text);
                assertEquals(expected.getMessage(), failure.getMessage());
            }
        }
        assertEquals(3, counts().byShape());
    }

    @Test
    void aQueryThatWasRefusedAsABatchStillHasItsLiterals() {
        assertEquals(2, shared(each("SELECT b FROM t WHERE id = $", 5, 6, 7)));
        long before = counts().byShape();
        try (Prepared prepared = database.session().prepare("SELECT b FROM t WHERE id = 18")) {
            assertEquals(1, counts().byShape() - before);
            assertThrows(SqlException.class, () -> prepared.batch(List.of(new Tuple(0))));
            assertEquals(List.of("b18"), TestDatabase.rows(prepared));
        }
    }

    @Test
    void generatedKeysAreReturnedOfSharedPlansToo() {
        database.answer(
                "CREATE TABLE keyed (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v INTEGER)");
        long before = counts().byShape();
        for (int i = 1; i <= 5; i++) {
            try (Prepared prepared =
                    database.session()
                            .prepare("INSERT INTO keyed (v) VALUES (" + i + ")", List.of())) {
                assertEquals(1, prepared.update());
                try (Prepared.Result keys = prepared.generatedKeys()) {
                    assertTrue(keys.next());
                    assertEquals(i, keys.longAt(0));
                }
            }
        }
        assertEquals(4, counts().byShape() - before);
        assertEquals(
                List.of("1|1", "2|2", "3|3", "4|4", "5|5"), database.query("SELECT * FROM keyed"));
    }

    @Test
    void statementsWithParametersGoByTheirText() {
        long before = counts().byShape();
        for (int i = 1; i <= 5; i++) {
            assertEquals(
                    List.of(), database.query("SELECT b FROM t WHERE id = ? AND a = 1" + i, 5));
        }
        assertEquals(before, counts().byShape());
    }

    @Test
    void aTextThatComesAgainIsFoundWithoutReadingIt() {
        assertEquals(2, shared(each("SELECT b FROM t WHERE id = $", 1, 2, 3)));
        long byText = counts().byText();
        assertEquals(2, shared(each("SELECT b FROM t WHERE id = $", 4, 4, 4, 4)));
        assertEquals(2, counts().byText() - byText);
    }

    @Test
    void theCacheIsBoundedAndCounts() {
        for (int i = 0; i < 700; i++) {
            database.query("SELECT id AS n%d FROM t WHERE id = %d".formatted(i, i));
        }
        PlanCache.Counts counts = counts();
        assertEquals(256, counts.texts());
        assertEquals(256, counts.shapes());
        assertTrue(counts.evicted() >= 2 * (700 - 256), counts.toString());
        assertTrue(counts.bytes() < 32 << 20, counts.toString());
        assertEquals(
                List.of("texts|256", "shapes|256"),
                database.query(
                        "SELECT name, value FROM sys.plan_cache WHERE name IN ('texts', 'shapes')"));
        RecentPlans<String, String> few = new RecentPlans<>(10, 1_000);
        few.put("a", "1", 400);
        few.put("b", "2", 400);
        assertEquals("1", few.get("a"));
        few.put("c", "3", 400);
        assertEquals(2, few.size());
        assertEquals(null, few.get("b"));
        few.put("c", "4", 5_000);
        assertEquals(1, few.size());
        assertEquals(5_000, few.bytes());
        assertEquals(2, few.evicted());
    }

    @Test
    void manyThreadsShareOnePlan() throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int own = i;
            Thread thread =
                    new Thread(() -> {
                        try (Session session = database.sql().session()) {
                            for (int j = 0; j < 300; j++) {
                                int id = 1 + (own * 57 + j * 7) % 200;
                                String text = "SELECT b, a FROM t WHERE id = " + id;
                                assertEquals(
                                        "b" + id + "|" + id % 10, TestDatabase.run(session, text));
                            }
                        } catch (Throwable wrong) {
                            failure.set(wrong);
                        }
                    });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(null, failure.get());
        assertTrue(counts().byShape() > 100, counts().toString());
        assertTrue(counts().compiled() < 100, counts().toString());
    }
}
