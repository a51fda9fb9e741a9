package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.watch.SessionActivity;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// A cancel ends a statement within a tenth of a second, whatever operator is running. Each of these would run for
/// minutes. [CancelElsewhereTest] covers all other slow work.
class CancelTest {
    private static final long RUNS_MILLIS = 60;

    private static final String ENDLESS = "generate_series(1, 1000000000000) AS s(i)";

    /// Definitions of the tables and views of [#STATEMENTS].
    static final List<String> DEFINITIONS =
            List.of(
                    "CREATE TABLE r (i INT, s VARCHAR)",
                    "CREATE TABLE k (i BIGINT PRIMARY KEY, n BIGINT)",
                    "CREATE VIEW w AS SELECT i FROM k",
                    "CREATE TRIGGER w_insert INSTEAD OF INSERT ON w FOR EACH ROW"
                            + " INSERT INTO k VALUES (-1 - NEW.i, 0)");

    static final List<String> STATEMENTS =
            List.of(
                    "SELECT count(*) FROM " + ENDLESS,
                    "INSERT INTO w SELECT i FROM " + ENDLESS,
                    "SELECT count(*) FROM r a, r b, r c, r d WHERE a.i + b.i + c.i = d.i + 90000",
                    "SELECT count(*) FROM r a, r b, r c WHERE a.s LIKE '%x%' OR b.s LIKE '%y%'",
                    "SELECT count(*) FROM k a JOIN k b ON a.i < b.i JOIN k c ON b.i < c.i",
                    "SELECT count(*) FROM r a FULL JOIN r b ON a.i + b.i = 0"
                            + " FULL JOIN r c ON c.i * a.i = 1 FULL JOIN r d ON d.i * c.i = 1",
                    "SELECT a.i FROM r a, r b, r c ORDER BY a.i * b.i * c.i",
                    "SELECT i FROM " + ENDLESS + " ORDER BY mod(i, 1000) LIMIT 10",
                    "SELECT DISTINCT mod(i, 7) FROM " + ENDLESS,
                    "SELECT DISTINCT i FROM " + ENDLESS + " OFFSET 1000000000",
                    "SELECT i, count(*) FROM " + ENDLESS + " GROUP BY i",
                    "SELECT mod(i, 3), count(DISTINCT i) FROM " + ENDLESS + " GROUP BY mod(i, 3)",
                    "SELECT string_agg(CAST(mod(i, 10) AS VARCHAR), '' ORDER BY i) FROM " + ENDLESS,
                    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY i) FROM " + ENDLESS,
                    "SELECT sum(i) OVER (ORDER BY mod(i, 9)) FROM " + ENDLESS,
                    "SELECT count(*) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND"
                            + " UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW)"
                            + " FROM generate_series(1, 60000) AS s(i)",
                    "SELECT last_value(i) IGNORE NULLS OVER (ORDER BY s ROWS BETWEEN UNBOUNDED"
                            + " PRECEDING AND CURRENT ROW) FROM (SELECT NULLIF(i, i) AS i, i AS s FROM "
                            + ENDLESS
                            + ") AS y",
                    "SELECT i FROM " + ENDLESS + " INTERSECT SELECT -i FROM " + ENDLESS,
                    "SELECT i FROM r EXCEPT SELECT -i FROM " + ENDLESS,
                    "SELECT i FROM r INTERSECT ALL SELECT mod(i, 99) FROM " + ENDLESS,
                    "SELECT i FROM " + ENDLESS + " EXCEPT ALL SELECT i FROM r OFFSET 10000000000",
                    "SELECT count(*) FROM (SELECT i FROM r UNION ALL SELECT i FROM "
                            + ENDLESS
                            + ") AS u WHERE i < 0",
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                            + " SELECT count(*) FROM n",
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT mod(i * 7 + 1, 100000000) FROM"
                            + " n) SELECT count(*) FROM n",
                    "WITH w AS (SELECT i FROM " + ENDLESS + ") SELECT 1 FROM w a, w b LIMIT 1",
                    "SELECT i FROM r WHERE i IN (SELECT i * 2 FROM " + ENDLESS + ")",
                    "SELECT i FROM r WHERE i > ALL (SELECT -i FROM " + ENDLESS + ")",
                    "SELECT count(*) FROM r a WHERE (SELECT count(*) FROM r b, r c WHERE b.i + c.i"
                            + " = a.i) > 1000000",
                    "SELECT a.i FROM r a, LATERAL (SELECT count(*) AS n FROM r b, r c WHERE b.i *"
                            + " c.i = a.i) x WHERE x.n < 0",
                    "SELECT i FROM " + ENDLESS + " OFFSET 100000000000",
                    "SELECT count(*) FROM (VALUES (1), (2)) v, r a, r b, r c WHERE a.i + b.i = c.i",
                    "SELECT count(*) FROM r a, r b, LATERAL unnest(ARRAY[a.i, b.i]) AS u(x), r c"
                            + " WHERE x < 0",
                    "SELECT count(*) FROM sys.sessions s, r a, r b, r c WHERE a.i * b.i = c.i",
                    "SELECT count(*) FROM (SELECT 1 AS i) o, r a, r b, r c WHERE a.i * b.i = -c.i",
                    "SELECT i FROM r WHERE i = 7 AND EXISTS (SELECT 1 FROM "
                            + ENDLESS
                            + " WHERE i < 0)",
                    "SELECT * FROM r a, r b, r c ORDER BY 1 FOR UPDATE OF a",
                    "INSERT INTO k VALUES (-1, (SELECT max(i) FROM " + ENDLESS + "))",
                    "INSERT INTO k SELECT mod(i, 4), i FROM "
                            + ENDLESS
                            + " ON CONFLICT (i) DO NOTHING",
                    "UPDATE k SET n = a.i FROM r a, r b, r c WHERE a.i + b.i + c.i = k.i - 20000",
                    "DELETE FROM k USING r a, r b, r c WHERE a.i + b.i + c.i = k.i - 20000",
                    "INSERT INTO k SELECT i + 1000000, i FROM " + ENDLESS,
                    "INSERT INTO k SELECT i + 1000000, i FROM " + ENDLESS + " RETURNING i",
                    "UPDATE k SET n = (SELECT count(*) FROM r b, r c WHERE b.i + c.i = k.i)",
                    "DELETE FROM k WHERE (SELECT count(*) FROM r b, r c WHERE b.i + c.i = k.i) ="
                            + " 77",
                    "MERGE INTO k USING (SELECT i + 1000000 AS i FROM "
                            + ENDLESS
                            + ") s ON k.i = s.i WHEN NOT MATCHED THEN INSERT VALUES (s.i, 0)",
                    "WITH d AS (DELETE FROM k RETURNING i) SELECT count(*) FROM d, r a, r b, r c"
                            + " WHERE a.i + b.i + c.i = d.i - 20000",
                    // one call of a function
                    "SELECT repeat(s, 40) ~ '((((.{0,100}){0,100}){0,100}){0,100})x' FROM r",
                    "SELECT repeat('a', 9000000) || s LIKE '%' || repeat('a', 90000) || '_b' FROM r",
                    "SELECT position(repeat('a', 4000000) || 'b' IN repeat('a', 16000000) || s)"
                            + " FROM r",
                    "SELECT replace(repeat('a', 16000000) || s, repeat('a', 4000000) || 'b', '')"
                            + " FROM r",
                    "SELECT translate(repeat('a', 16000000) || s, repeat('b', 16000000), '') FROM r",
                    "SELECT trim(repeat('b', 16000000) || 'a' FROM repeat('a', 16000000) || s) FROM r",
                    "SELECT json_exists('[' || repeat('1,', 90000) || i || ']',"
                            + " '$ ? ($[*] > $[*])') FROM r",
                    "SELECT string_to_array(repeat('a,', 400000) || 'b' || left(s, 0), ',') @>"
                            + " string_to_array(repeat('b,', 400000) || 'b', ',') FROM r");

    /// Statements whose planning takes minutes.
    private static final List<String> PLANNED =
            List.of(
                    "SELECT repeat('a', 40) ~ '((((a{0,100}){0,100}){0,100}){0,100})b'",
                    "SELECT regexp_replace(repeat('a', 999), '(a*a*a*a*a*a*a*a*)\\1b', 'x')",
                    "CREATE VIEW slow AS SELECT repeat('a', 40) ~"
                            + " '((((a{0,100}){0,100}){0,100}){0,100})b' AS b",
                    "SELECT position(repeat('a', 8000000) || 'b' IN repeat('a', 16000000))");

    private final TestDatabase database = TestDatabase.on(new SimDirectory(), 16L << 20);

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> aCancelIsNoticedWithinATenthOfASecond() {
        DEFINITIONS.forEach(database::update);
        database.update(
                "INSERT INTO r SELECT i, CAST(i AS VARCHAR) FROM generate_series(1, 2500) AS s(i)");
        database.update("INSERT INTO k SELECT i, i FROM generate_series(1, 5000) AS s(i)");
        return STATEMENTS.stream()
                .map(statement ->
                        DynamicTest.dynamicTest(statement, () -> checkCancelled(statement)));
    }

    private void checkCancelled(String statement) throws InterruptedException {
        List<CancelledRun.Noticed> noticed = new ArrayList<>();
        for (int i = 0; i < CancelledRun.ATTEMPTS; i++) {
            noticed.add(cancelled(statement));
            if (noticed.getLast().isSoonByProcessor()) {
                return;
            }
        }
        assertTrue(false, () -> "noticed after " + noticed);
    }

    @TestFactory
    Stream<DynamicTest> aCancelIsNoticedWhileAStatementIsPlanned() {
        return PLANNED.stream()
                .map(statement ->
                        DynamicTest.dynamicTest(statement, () -> checkPlanning(statement)));
    }

    private void checkPlanning(String statement) throws InterruptedException {
        List<CancelledRun.Noticed> noticed = new ArrayList<>();
        for (int i = 0; i < CancelledRun.ATTEMPTS; i++) {
            CancelledRun run = new CancelledRun(database.session(), statement);
            assertTrue(!run.endsIn(RUNS_MILLIS), () -> "ended: " + run.answer());
            noticed.add(run.cancel(true));
            assertEquals(CancelledRun.CANCELLED, run.answer());
            if (noticed.getLast().isSoonByProcessor()) {
                return;
            }
        }
        assertTrue(false, () -> "noticed after " + noticed);
    }

    /// An execution includes planning: statements that begin within it do not clear its cancel.
    @Test
    void aCancelOfAnExecutionIsForWhatItPreparesAndRuns() {
        Session session = database.session();
        session.beginExecution(0);
        session.cancel();
        String many = "SELECT " + "1 + ".repeat(99) + "1";
        assertEquals(
                SqlException.Kind.CANCELLED,
                assertThrows(SqlException.class, () -> session.prepare(many)).kind());
        session.beginExecution(0);
        try (Prepared prepared = session.prepare("SELECT * FROM generate_series(1, 10)")) {
            session.cancel();
            assertEquals(
                    SqlException.Kind.CANCELLED,
                    assertThrows(SqlException.class, () -> prepared.query().next()).kind());
            try (Prepared.Result rows = prepared.query()) { // an execution of its own
                assertTrue(rows.next());
            }
        }
    }

    /// A cancel while nothing runs does not affect the next statement.
    @Test
    void aCancelOfNothingIsForgotten() {
        Session session = database.session();
        session.cancel();
        try (Prepared prepared = session.prepare("SELECT 1")) {
            session.cancel();
            try (Prepared.Result rows = prepared.query()) {
                assertTrue(rows.next());
            }
        }
    }

    private boolean isRunning() {
        return database.sql().watch().sessions().stream().anyMatch(SessionActivity::isActive);
    }

    private CancelledRun.Noticed cancelled(String statement) throws InterruptedException {
        CancelledRun run = new CancelledRun(database.session(), statement);
        while (!isRunning() && !run.endsIn(1)) { // a cancel before it begins has no effect
            Thread.onSpinWait();
        }
        assertTrue(!run.endsIn(RUNS_MILLIS), () -> "ended: " + run.answer());
        CancelledRun.Noticed noticed = run.cancel(false);
        assertEquals(CancelledRun.CANCELLED, run.answer());
        return noticed;
    }
}
