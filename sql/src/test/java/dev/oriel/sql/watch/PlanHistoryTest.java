package dev.oriel.sql.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.engine.TestDatabase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlanHistoryTest {
    private static final String ASKED = "SELECT SUM(b) FROM t WHERE a = ";
    private static final String PLANS =
            "SELECT current, executions > 0, plan FROM sys.statement_plans"
                    + " WHERE statement LIKE 'SELECT sum(b)%' ORDER BY first_seen";
    private static final String CHANGES =
            "SELECT plan_changes, plan_changed IS NULL, first_seen >= TIMESTAMP '2026-01-01 00:00:00+00'"
                    + " FROM sys.statements WHERE statement LIKE 'SELECT sum(b)%'";

    private final TestDatabase database = new TestDatabase(60_000);

    @BeforeEach
    void fill() {
        database.update("CREATE TABLE t (a INT, b INT)");
        database.update("INSERT INTO t SELECT x % 5000, x FROM generate_series(1, 20000) AS s(x)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    /// Plans are looked at once a second, and from a second after the statement was met first.
    private List<String> plansWhenThereAre(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int i = 0; ; i++) {
            database.query(ASKED + i % 7);
            List<String> plans = database.query(PLANS);
            if (plans.size() == count) {
                return plans;
            }
            assertTrue(System.nanoTime() < end, plans::toString);
            Thread.sleep(20);
        }
    }

    @Test
    void plansOfAStatementAreKeptWithTheirTimes() throws InterruptedException {
        String before = plansWhenThereAre(1).getFirst();
        assertTrue(before.startsWith("true|true|"), before);
        assertEquals(List.of("0|true|true"), database.query(CHANGES));

        database.update("CREATE INDEX ta ON t (a)");
        List<String> plans = plansWhenThereAre(2);
        assertTrue(plans.getFirst().startsWith("false|true|"), plans::toString);
        assertTrue(plans.getLast().startsWith("true|true|"), plans::toString);
        assertTrue(plans.getLast().contains("ta"), plans::toString);
        assertEquals(List.of("1|false|true"), database.query(CHANGES));
    }

    @Test
    void resetForgetsPlans() throws InterruptedException {
        assertEquals(1, plansWhenThereAre(1).size());
        database.query("CALL sys.reset_statements()");
        assertEquals(List.of(), database.query(PLANS));
        assertTrue(database.watch().statements().keepPlan(StatementTable.PLAN_CHARS_MAX));
    }

    /// A session may run a kind of statement that the table has forgotten.
    @Test
    void forgottenKindsKeepNoPlans() throws InterruptedException {
        try (Prepared query = database.session().prepare(ASKED + "1")) {
            StatementTable table = database.watch().statements();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (table.keepPlan(StatementTable.PLAN_CHARS_MAX)) { // until there is a plan
                table.forgetPlan(StatementTable.PLAN_CHARS_MAX);
                assertEquals(1, TestDatabase.rows(query).size());
                assertTrue(System.nanoTime() < end);
                Thread.sleep(20);
            }
            table.clear();
            for (int i = 0; i < 150; i++) {
                TestDatabase.rows(query);
                Thread.sleep(10);
            }
            assertTrue(table.keepPlan(StatementTable.PLAN_CHARS_MAX));
        }
    }
}
