package dev.oriel.sql.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.engine.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SysProfilesTest {
    private static final String HEAVY =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
                    + " SELECT count(*) FROM n WHERE i % 7 = 3";

    /// Attempts of 400 ms: a sampler gets few samples while other processes use the processor.
    private static final int ATTEMPTS = 100;

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
        for (int attempt = 0; attempt < ATTEMPTS && joined.isEmpty(); attempt++) {
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

    /// Statements of two sessions in turns, in one thread.
    private int workOfTwo(Session other, String ofOther, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        int rounds = 0;
        while (System.nanoTime() < end) {
            database.query(HEAVY);
            TestDatabase.run(other, ofOther);
            rounds++;
        }
        return rounds;
    }

    private String sessionNumber() {
        return database.query("SELECT session FROM sys.sessions WHERE state = 'executing'")
                .getFirst();
    }

    private String fingerprint(String like) {
        return database.query(
                        "SELECT fingerprint FROM sys.statements WHERE statement LIKE '"
                                + like
                                + "'")
                .getFirst();
    }

    /// Runs profiles until one has samples; checks that all are of the statement of `database`'s session.
    private void checkPart(String arguments, String name) {
        String mine = "statement LIKE 'WITH RECURSIVE n(i)%'";
        try (Session other = database.sql().session()) {
            String samples = "";
            for (int attempt = 0; attempt < ATTEMPTS && samples.isEmpty(); attempt++) {
                database.query("CALL sys.profile_start('cpu', " + arguments + ")");
                int rounds =
                        workOfTwo(
                                other, HEAVY.replace("n ", "m ").replace("FROM n", "FROM m"), 400);
                String run = TestDatabase.run(other, "CALL sys.profile_stop()");
                assertTrue(!run.isEmpty());
                String last = "(SELECT max(run) FROM sys.profile_runs)";
                assertEquals(
                        List.of(name + "|" + rounds),
                        database.query(
                                "SELECT what, statements - CASE WHEN what LIKE '%session%' THEN 1 ELSE 0 END"
                                        + " FROM sys.profile_runs WHERE run = "
                                        + last));
                assertEquals(
                        List.of("0"),
                        database.query(
                                "SELECT count(*) FROM sys.profile_samples WHERE run = "
                                        + last
                                        + " AND (statement IS NULL OR NOT ("
                                        + mine
                                        + " OR statement LIKE 'CALL sys.profile_start%'))"));
                samples =
                        String.join(
                                "",
                                database.query(
                                        "SELECT DISTINCT statement FROM sys.profile_samples WHERE run = "
                                                + last
                                                + " AND "
                                                + mine));
            }
            assertTrue(!samples.isEmpty());
            assertEquals(
                    List.of("0"),
                    database.query(
                            "SELECT count(*) FROM sys.profile_frames WHERE clock = 'exact'"));
        }
    }

    /// Its own call of `profile_start` counts, since it ends after the start.
    @Test
    void aProfileOfOneSessionHasItsSamplesAlone() {
        String session = sessionNumber();
        checkPart(session, "cpu of session " + session);
    }

    @Test
    void aProfileOfOneStatementHasItsSamplesAlone() {
        database.query(HEAVY);
        String fingerprint = fingerprint("WITH RECURSIVE n(i)%");
        checkPart("NULL, '" + fingerprint + "'", "cpu of statement " + fingerprint);
    }

    @Test
    void samplesOfAStatementThatBeganBeforeTheProfileAreJoined() {
        List<String> joined = List.of();
        for (int attempt = 0; attempt < ATTEMPTS && joined.isEmpty(); attempt++) {
            try (Prepared open =
                            database.session()
                                    .prepare(
                                            "SELECT i FROM generate_series(1, 90000000) AS g (i)");
                    Session other = database.sql().session()) {
                Prepared.Result result = open.query();
                assertTrue(result.next());
                TestDatabase.run(other, "CALL sys.profile_start('cpu')");
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
                while (System.nanoTime() < end) {
                    for (int i = 0; i < 10_000; i++) {
                        assertTrue(result.next());
                    }
                }
                result.close();
                TestDatabase.run(other, "CALL sys.profile_stop()");
            }
            joined =
                    database.query(
                            "SELECT DISTINCT statement FROM sys.profile_samples"
                                    + " WHERE statement LIKE 'SELECT i FROM generate_series%'");
        }
        assertTrue(!joined.isEmpty());
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
    void aProfileEndsWithItsDatabase() {
        try (TestDatabase other = new TestDatabase()) {
            assertEquals(List.of("1"), other.query("CALL sys.profile_start('cpu')"));
        }
        assertEquals(List.of("1"), database.query("CALL sys.profile_start('tree')"));
        database.query("CALL sys.profile_stop()");
    }

    @Test
    void flameGraphsAreOfProcessorTimeWhereThatWasSampled() {
        Sample sample =
                new Sample(
                        SampleKind.CPU_TIME,
                        5,
                        "main",
                        List.of(Sample.StackFrame.parse("a.B.get")),
                        40);
        StatementEntry entry = new StatementEntry(new StatementTable(), 7, "SELECT ?");
        ProfileResult result =
                new ProfileResult(Instant.EPOCH, 100, 0, 0, List.of(), List.of(sample), List.of());
        ProfileRuns.Run run =
                new ProfileRuns.Run(
                        1,
                        "cpu-time",
                        result,
                        1,
                        List.of(new ProfileRuns.Joined(sample, entry, null)),
                        List.of());
        assertEquals(Map.of("a.B.get", 40L), ProfileFrames.flame(run, null));
        assertEquals(Map.of("a.B.get", 40L), ProfileFrames.flame(run, entry.name()));
        assertEquals(Map.of(), ProfileFrames.flame(run, "another"));
    }

    @Test
    void theTimelineKnowsTheInnermost() {
        StatementTimeline timeline = new StatementTimeline(ProfileScope.ALL);
        StatementEntry outer = new StatementEntry(new StatementTable(), 1, "outer");
        StatementEntry inner = new StatementEntry(new StatementTable(), 2, "inner");
        Thread thread = Thread.currentThread();
        timeline.add(thread, ran(20, 30, inner));
        timeline.add(thread, ran(10, 100, outer));
        timeline.sort();
        String name = thread.getName();
        assertEquals(null, timeline.at(name, 9));
        assertEquals(outer, at(timeline, name, 10));
        assertEquals(inner, at(timeline, name, 25));
        assertEquals(outer, at(timeline, name, 31));
        assertEquals(null, timeline.at(name, 101));
        assertEquals(null, timeline.at("another", 25));
    }

    @Test
    void anOpenResultIsFoundBehindManyStatementsThatRanBesideIt() {
        StatementTimeline timeline = new StatementTimeline(ProfileScope.ALL);
        StatementEntry outer = new StatementEntry(new StatementTable(), 1, "outer");
        StatementEntry inner = new StatementEntry(new StatementTable(), 2, "inner");
        Thread thread = Thread.currentThread();
        for (int i = 1; i <= 100; i++) {
            timeline.add(thread, ran(1_000L * i, 1_000L * i + 10, inner));
        }
        timeline.add(thread, ran(10, 1_000_000, outer));
        timeline.sort();
        String name = thread.getName();
        assertEquals(outer, at(timeline, name, 50_500));
        assertEquals(inner, at(timeline, name, 50_005));
        assertEquals(outer, at(timeline, name, 1_000_000));
        assertEquals(null, timeline.at(name, 1_000_001));
    }

    private static StatementTimeline.Execution ran(long begun, long ended, StatementEntry of) {
        return new StatementTimeline.Execution(begun, ended, 1, of, null);
    }

    private static StatementEntry at(StatementTimeline timeline, String thread, long nanos) {
        return Objects.requireNonNull(timeline.at(thread, nanos)).statement();
    }

    /// A million statements of a microsecond, with equal gaps: they are merged.
    @Test
    void aTimelineThatIsFullTakesNeighboursOfOneKindTogether() {
        StatementTimeline timeline = new StatementTimeline(ProfileScope.ALL);
        StatementEntry often = new StatementEntry(new StatementTable(), 1, "often");
        StatementEntry once = new StatementEntry(new StatementTable(), 2, "once");
        Thread thread = Thread.currentThread();
        int calls = 5 * StatementTimeline.EXECUTIONS_MAX;
        for (int i = 0; i < calls; i++) {
            timeline.add(thread, ran(2_000L * i, 2_000L * i + 1_000, often));
        }
        timeline.add(thread, ran(2_000L * calls, 2_000L * calls + 50, once));
        timeline.sort();
        String name = thread.getName();
        assertEquals(calls + 1, timeline.seen());
        assertEquals(0, timeline.dropped());
        for (int i = 0; i < calls; i += 777) {
            assertEquals(often, at(timeline, name, 2_000L * i + 500));
        }
        assertEquals(once, at(timeline, name, 2_000L * calls + 10));
    }

    /// They cannot be merged: the last ones are dropped and counted.
    @Test
    void aTimelineOfKindsThatAlternateIsBounded() {
        StatementTimeline timeline = new StatementTimeline(ProfileScope.ALL);
        StatementEntry[] kinds = {
            new StatementEntry(new StatementTable(), 1, "a"),
            new StatementEntry(new StatementTable(), 2, "b")
        };
        Thread thread = Thread.currentThread();
        for (int i = 0; i < StatementTimeline.EXECUTIONS_MAX + 10; i++) {
            timeline.add(thread, ran(10L * i, 10L * i + 5, kinds[i & 1]));
        }
        timeline.sort();
        assertEquals(10, timeline.dropped());
        assertEquals(kinds[1], at(timeline, thread.getName(), 10));
        assertEquals(
                null, timeline.at(thread.getName(), 10L * StatementTimeline.EXECUTIONS_MAX + 20));
    }

    @Test
    void samplesOfAStatementThatStillRunsWhenTheProfileEndsAreJoined() {
        List<String> joined = List.of();
        for (int attempt = 0; attempt < ATTEMPTS && joined.isEmpty(); attempt++) {
            try (Prepared open =
                    database.session()
                            .prepare("SELECT i FROM generate_series(1, 100000000) AS g (i)")) {
                database.query("CALL sys.profile_start('cpu')");
                Prepared.Result result = open.query();
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
                while (System.nanoTime() < end) {
                    for (int i = 0; i < 10_000; i++) {
                        assertTrue(result.next());
                    }
                }
                try (Session other = database.sql().session()) {
                    TestDatabase.run(other, "CALL sys.profile_stop()");
                }
                result.close();
            }
            joined =
                    database.query(
                            "SELECT DISTINCT plan_node FROM sys.profile_samples"
                                    + " WHERE statement LIKE 'SELECT i FROM generate_series%'"
                                    + " AND plan_node IS NOT NULL");
        }
        assertTrue(!joined.isEmpty());
    }

    /// Both scans of the join have the same class: the first builds the hash table, the other one probes it. The
    /// time of a sample determines its scan.
    @Test
    void samplesKnowWhichOfTwoOperatorsOfAKindRan() {
        database.update("CREATE TABLE few (a INT PRIMARY KEY, b VARCHAR)");
        database.update("CREATE TABLE many (a INT PRIMARY KEY, b VARCHAR)");
        database.update("INSERT INTO few SELECT i, 'x' || i FROM generate_series(1, 300) AS g (i)");
        database.update(
                "INSERT INTO many SELECT i, 'x' || i FROM generate_series(1, 30000) AS g (i)");
        List<String> nodes = List.of();
        long seen = 0;
        for (int attempt = 0; attempt < ATTEMPTS && seen < 8; attempt++) {
            database.query("CALL sys.profile_start('cpu')");
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
            while (System.nanoTime() < end) {
                database.query(
                        "SELECT count(*) FROM few JOIN many ON few.b = many.b"
                                + " WHERE length(many.b) > 3");
            }
            database.query("CALL sys.profile_stop()");
            nodes =
                    database.query(
                            "SELECT plan_node, count(*) FROM sys.profile_samples"
                                    + " WHERE statement LIKE 'SELECT count(*) FROM few%'"
                                    + " AND plan_node LIKE '%Scan%'"
                                    + " GROUP BY plan_node ORDER BY 2 DESC");
            seen = nodes.stream().mapToLong(SysProfilesTest::count).sum();
        }
        assertTrue(!nodes.isEmpty() && nodes.getFirst().contains("Scan many"), nodes.toString());
    }

    private static long count(String row) {
        return Long.parseLong(row.substring(row.lastIndexOf('|') + 1));
    }

    @Test
    void errorsSayWhatToDo() {
        assertTrue(run("CALL sys.profile_stop()").contains("No profile is running"));
        assertTrue(
                run("CALL sys.profile_start('speed')")
                        .contains("takes tree, cpu, cpu-time, alloc"));
        assertTrue(run("SELECT * FROM flame_graph(99)").contains("There is no such run"));
        assertTrue(run("CALL sys.profile_start('cpu', 999)").contains("There is no such session"));
        for (String none : List.of("00000000000000ff", "no number")) {
            assertTrue(
                    run("CALL sys.profile_start('cpu', NULL, '" + none + "')")
                            .contains("No statement has this fingerprint"));
        }
        assertTrue(
                run("CALL sys.profile_start('cpu,tree', " + sessionNumber() + ")")
                        .contains("The exact tree is of all sessions"));
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
