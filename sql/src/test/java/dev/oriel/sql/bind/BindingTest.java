package dev.oriel.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BindingTest {
    private static final Catalog CATALOG =
            new Catalog(
                    1,
                    Map.of(
                            "T",
                            new Table(
                                    1,
                                    "t",
                                    List.of(
                                            new Column("i", Type.of(Type.Name.INTEGER), false),
                                            new Column("s", Type.of(Type.Name.SMALLINT), true),
                                            new Column("l", Type.of(Type.Name.BIGINT), true),
                                            new Column(
                                                    "d", new Type(Type.Name.DECIMAL, 8, 2), true),
                                            new Column("r", Type.of(Type.Name.REAL), true),
                                            new Column("f", Type.of(Type.Name.DOUBLE), true),
                                            new Column("v", Type.varchar(20), false),
                                            new Column("day", Type.of(Type.Name.DATE), true),
                                            new Column("b", Type.of(Type.Name.BOOLEAN), true)),
                                    List.of(0),
                                    List.of())));

    private static Compiler.Compiled compile(String text) {
        return Compiler.compile(text, CATALOG);
    }

    private static String typeOf(String expression) {
        return compile("SELECT " + expression + " FROM t").columns().getFirst().type().toString();
    }

    private static String parameters(String text) {
        return compile(text).parameters().toString();
    }

    @Test
    void aQueryThatCallsNoFunctionIsPlain() {
        for (String text :
                List.of(
                        "SELECT i, v FROM t WHERE v > ? AND (l IS NULL OR s IN (1, 2)) ORDER BY d LIMIT 10",
                        "SELECT DISTINCT v FROM t WHERE i BETWEEN 1 AND ?")) {
            assertTrue(compile(text).plain(), text);
        }
        for (String text :
                List.of(
                        "SELECT v FROM t WHERE v LIKE ?",
                        "SELECT UPPER(v) FROM t",
                        "SELECT i FROM t ORDER BY REPLACE(v, 'a', 'b')",
                        "SELECT COUNT(*) FROM t",
                        "SELECT i FROM t WHERE EXISTS (SELECT 1 FROM t u WHERE REPEAT(u.v, 3) = t.v)",
                        "EXPLAIN SELECT i FROM t")) {
            assertFalse(compile(text).plain(), text);
        }
    }

    @Test
    void arithmeticWidensToTheWiderType() {
        assertEquals("SMALLINT", typeOf("s + s"));
        assertEquals("INTEGER", typeOf("s + 1"));
        assertEquals("BIGINT", typeOf("i * l"));
        assertEquals("DECIMAL", typeOf("l / d"));
        assertEquals("REAL", typeOf("r + r"));
        assertEquals("DOUBLE", typeOf("r + i"));
        assertEquals("DOUBLE", typeOf("d + f"));
        assertEquals("DATE", typeOf("day + 1"));
        assertEquals("INTEGER", typeOf("day - day"));
        assertEquals("DECIMAL", typeOf("-d"));
    }

    @Test
    void aggregatesHaveTheTypesOfPostgres() {
        assertEquals("BIGINT", typeOf("COUNT(*)"));
        assertEquals("BIGINT", typeOf("SUM(s)"));
        assertEquals("BIGINT", typeOf("SUM(i)"));
        assertEquals("DECIMAL", typeOf("SUM(l)"));
        assertEquals("DECIMAL", typeOf("SUM(d)"));
        assertEquals("REAL", typeOf("SUM(r)"));
        assertEquals("DECIMAL", typeOf("AVG(i)"));
        assertEquals("DOUBLE", typeOf("AVG(r)"));
        assertEquals("VARCHAR", typeOf("MAX(v)"));
        assertEquals("BOOLEAN", typeOf("MIN(b)"));
    }

    @Test
    void branchesComeToOneType() {
        assertEquals("DECIMAL", typeOf("CASE WHEN b THEN i ELSE d END"));
        assertEquals("VARCHAR", typeOf("COALESCE(v, 'x')"));
        assertEquals("DOUBLE", typeOf("COALESCE(NULL, i, f)"));
        assertEquals("DATE", typeOf("COALESCE(day, '2024-01-01')"));
        assertEquals("DECIMAL", typeOf("NULLIF(i, d)"));
        assertEquals("VARCHAR", typeOf("NULL"));
        assertEquals("VARCHAR", typeOf("i || v"));
    }

    @Test
    void parametersTakeTheTypeOfTheirPartner() {
        assertEquals("[INTEGER]", parameters("SELECT * FROM t WHERE i = ?"));
        assertEquals("[VARCHAR]", parameters("SELECT * FROM t WHERE ? < v"));
        assertEquals("[DATE, DATE]", parameters("SELECT * FROM t WHERE day BETWEEN ? AND ?"));
        assertEquals("[DECIMAL, DECIMAL]", parameters("SELECT * FROM t WHERE d IN (?, 1, ?)"));
        assertEquals("[SMALLINT]", parameters("SELECT s + ? FROM t"));
        assertEquals("[INTEGER]", parameters("SELECT day + ? FROM t"));
        assertEquals("[BIGINT, BIGINT]", parameters("SELECT ? * ? FROM t"));
        assertEquals("[BIGINT]", parameters("SELECT -? FROM t"));
        assertEquals("[VARCHAR]", parameters("SELECT v LIKE ? FROM t"));
        assertEquals("[DATE]", parameters("SELECT CAST(? AS DATE)"));
        assertEquals("[BOOLEAN]", parameters("SELECT 1 FROM t WHERE ?"));
        assertEquals("[BIGINT, BIGINT]", parameters("SELECT i FROM t LIMIT ? OFFSET ?"));
        assertEquals("[VARCHAR]", parameters("SELECT ?"));
        assertEquals("[VARCHAR, INTEGER]", parameters("SELECT SUBSTRING(? FROM ?)"));
        assertEquals("[DOUBLE]", parameters("SELECT CASE WHEN b THEN ? ELSE f END FROM t"));
    }

    @Test
    void parametersOfChangesTakeTheTypeOfTheirColumn() {
        assertEquals(
                "[VARCHAR(20), DECIMAL(8, 2)]",
                parameters("INSERT INTO t (v, d, i) VALUES (?, ?, 1)"));
        assertEquals("[DATE, INTEGER]", parameters("UPDATE t SET day = ? WHERE i = ?"));
        assertEquals("[REAL]", parameters("DELETE FROM t WHERE r > ?"));
    }

    @Test
    void columnsOfResultsAreNamedAndDescribed() {
        assertEquals(
                List.of(
                        new Prepared.OutputColumn("I", Type.of(Type.Name.INTEGER), false, "t"),
                        new Prepared.OutputColumn("day", Type.of(Type.Name.DATE), true, "t"),
                        new Prepared.OutputColumn("n", Type.varchar(20), false, "t"),
                        new Prepared.OutputColumn("lower", Type.varchar(0), false, ""),
                        new Prepared.OutputColumn(
                                "?column?", Type.of(Type.Name.INTEGER), false, "")),
                compile("SELECT I, day, x.v AS n, LOWER(v), 1 + i FROM t x").columns());
        assertEquals(
                List.of("i", "s", "l", "d", "r", "f", "v", "day", "b"),
                compile("SELECT * FROM t").columns().stream()
                        .map(Prepared.OutputColumn::name)
                        .toList());
    }

    /// It runs in a thread with an ordinary stack, and may be rejected in one with a small stack, as it would
    /// overflow.
    @Test
    void whatIsTooDeepForTheStackIsRefused() throws InterruptedException {
        int deep = 900;
        for (String[] around :
                new String[][] {
                    {"ABS(", "1", ")"},
                    {"COALESCE(1, ", "1", ")"},
                    {"CASE WHEN 1 = 1 THEN ", "1", " END"},
                    {"- ", "1", ""},
                    {"CAST(", "1", " AS INT)"}
                }) {
            String text = "SELECT " + around[0].repeat(deep) + around[1] + around[2].repeat(deep);
            assertEquals("1", answerWithStack(text, 1 << 20), text);
            String small = answerWithStack(text + " ", 150 << 10);
            assertTrue(
                    small.equals("1")
                            || small.startsWith("LimitException: The thread's stack has run out"),
                    small);
        }
    }

    /// Two walks through each level would take years.
    @Test
    void nestedQueryThatNobodyAsksForIsLookedThroughOnce() {
        String nested = "(SELECT ".repeat(32) + "1" + ")".repeat(32);
        String text = "SELECT a FROM (SELECT 1 AS a, " + nested + " AS b) AS s";
        assertTimeoutPreemptively(
                Duration.ofMinutes(2), () -> assertEquals(1, compile(text).columns().size()));
    }

    private static String answerWithStack(String text, long stackBytes)
            throws InterruptedException {
        AtomicReference<String> answer = new AtomicReference<>("nothing");
        try (TestDatabase database = new TestDatabase()) {
            Thread thread =
                    new Thread(
                            null,
                            () -> answer.set(TestDatabase.run(database.session(), text)),
                            "small",
                            stackBytes);
            thread.start();
            thread.join();
        }
        return answer.get();
    }
}
