package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SysProfilesTest {
    private static final String HEAVY =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
                    + " SELECT count(*) FROM n WHERE i % 7 = 3";

    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private void work(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            database.query(HEAVY);
        }
    }

    @Test
    void anExactTreeAddsUp() {
        assertEquals(List.of("1"), database.query("CALL sys.profile_start('tree')"));
        database.query("SELECT 1");
        database.query("SELECT 2");
        database.query("CALL sys.profile_stop()");
        assertEquals(
                List.of("1|tree|3"),
                database.query("SELECT run, what, statements FROM sys.profile_runs"));
        assertEquals(
                List.of("true"),
                database.query(
                        "SELECT abs((SELECT sum(self_ms) FROM sys.profile_tree)"
                                + " - (SELECT sum(total_ms) FROM sys.profile_tree"
                                + " WHERE caller IS NULL)) < 0.001"));
        assertEquals(
                List.of("exact|ns|3"),
                database.query(
                        "SELECT clock, unit, calls FROM sys.profile_frames"
                                + " WHERE frame = 'dev.oriel.sql.Prepared.query' AND run = 1"));
        List<String> flame = database.query("SELECT stack FROM flame_graph(1)");
        assertTrue(flame.contains("dev.oriel.sql.Prepared.query"), "" + flame);
    }

    @Test
    void samplesAreJoinedToStatements() {
        List<String> joined = List.of();
        for (int attempt = 0; attempt < 5 && joined.isEmpty(); attempt++) {
            database.query("CALL sys.profile_start('cpu')");
            work(400);
            database.query("CALL sys.profile_stop()");
            joined =
                    database.query(
                            "SELECT operators FROM sys.profile_samples"
                                    + " WHERE statement LIKE 'WITH RECURSIVE n(i)%'"
                                    + " AND operators LIKE 'Aggregate > Filter > Recursive%'");
        }
        assertTrue(!joined.isEmpty());
        String[] sample =
                database.query(
                                "SELECT run, fingerprint FROM sys.profile_samples"
                                        + " WHERE statement LIKE 'WITH RECURSIVE n(i)%'"
                                        + " ORDER BY run DESC LIMIT 1")
                        .getFirst()
                        .split("\\|", -1);
        String run = sample[0];
        assertEquals(
                database.query(
                        "SELECT sum(weight) FROM sys.profile_samples WHERE fingerprint = '"
                                + sample[1]
                                + "' AND kind = 'cpu' AND run = "
                                + run),
                database.query(
                        "SELECT sum(weight) FROM flame_graph(" + run + ", '" + sample[1] + "')"));
        assertEquals(
                List.of("0"),
                database.query("SELECT count(*) FROM flame_graph(" + run + ", 'nothing')"));
    }

    @Test
    void twoRunsAreComparedPerStatement() {
        database.update("CREATE TABLE t (a INT PRIMARY KEY)");
        database.query("CALL sys.profile_start('tree')");
        for (int i = 0; i < 50; i++) {
            database.query("SELECT 1");
        }
        database.query("CALL sys.profile_stop()");
        database.query("CALL sys.profile_start('tree')");
        for (int i = 0; i < 10; i++) {
            database.query("SELECT 1");
            database.update("INSERT INTO t VALUES (" + i + ")");
        }
        database.query("CALL sys.profile_stop()");
        List<String> changes =
                database.query(
                        "SELECT frame, verdict FROM profile_diff(1, 2)"
                                + " WHERE frame IN ('dev.oriel.sql.Prepared.query',"
                                + " 'dev.oriel.sql.Prepared.update') ORDER BY 1");
        assertEquals(
                List.of(
                        "dev.oriel.sql.Prepared.query|no interval: 1 run each",
                        "dev.oriel.sql.Prepared.update|new"),
                changes);
        // 51 statements of 51 are queries, then 11 of 21.
        assertEquals(
                List.of("true"),
                database.query(
                        "SELECT abs(calls_ratio - 0.5238) < 0.001"
                                + " AND abs(ratio - calls_ratio * time_per_call_ratio) < 0.0001"
                                + " FROM profile_diff(1, 2)"
                                + " WHERE frame = 'dev.oriel.sql.Prepared.query'"));
    }

    @Test
    void runsAreBounded() {
        for (int i = 0; i < ProfileRuns.RUNS_MAX + 3; i++) {
            database.query("CALL sys.profile_start('tree')");
            database.query("CALL sys.profile_stop()");
        }
        assertEquals(
                List.of(ProfileRuns.RUNS_MAX + "|4"),
                database.query("SELECT count(*), min(run) FROM sys.profile_runs"));
    }

    @Test
    void theTimelineIsBoundedAndKnowsTheInnermost() {
        StatementTimeline timeline = new StatementTimeline();
        StatementEntry outer = new StatementEntry(1, "outer");
        StatementEntry inner = new StatementEntry(2, "inner");
        Thread thread = Thread.currentThread();
        timeline.add(thread, 20, 30, inner);
        timeline.add(thread, 10, 100, outer);
        timeline.sort();
        String name = thread.getName();
        assertEquals(null, timeline.at(name, 9));
        assertEquals(outer, timeline.at(name, 10));
        assertEquals(inner, timeline.at(name, 25));
        assertEquals(outer, timeline.at(name, 31));
        assertEquals(null, timeline.at(name, 101));
        assertEquals(null, timeline.at("another", 25));
        for (int i = 0; i < StatementTimeline.EXECUTIONS_MAX + 10; i++) {
            timeline.add(thread, 1_000 + i, 1_000 + i, outer);
        }
        assertEquals(StatementTimeline.EXECUTIONS_MAX + 12, timeline.seen());
        assertEquals(null, timeline.at(name, 1_000 + StatementTimeline.EXECUTIONS_MAX + 5));
    }

    @Test
    void errorsSayWhatToDo() {
        assertTrue(run("CALL sys.profile_stop()").contains("No profile is running"));
        assertTrue(run("CALL sys.profile_start('speed')").contains("takes tree, cpu, alloc"));
        assertTrue(run("SELECT * FROM flame_graph(99)").contains("There is no such run"));
        database.query("CALL sys.profile_start('tree')");
        assertTrue(run("CALL sys.profile_start('tree')").contains("Another profile is running"));
        assertTrue(run("EXPLAIN (PROFILE) SELECT 1").contains("Another profile is running"));
        assertEquals(
                List.of("1|running"), database.query("SELECT run, notes FROM sys.profile_runs"));
        database.query("CALL sys.profile_stop()");
    }

    private String run(String sql) {
        return TestDatabase.run(database.session(), sql);
    }
}
