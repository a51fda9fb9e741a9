package dev.oriel.sql.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.AllocationCounter;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.sql.measure.CoarseClock;
import dev.oriel.sql.text.Fingerprint;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
    private final TestDatabase database = new TestDatabase(60_000);

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @Test
    void statementsThatDifferInLiteralsAloneAreOne() {
        database.update("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR)");
        database.update("INSERT INTO t VALUES (1, 'x')");
        database.update("insert  into T values (-2, 'y''z'); ");
        database.update("INSERT INTO t VALUES (3, 'a'), (4, NULL), (?, ?)", 5, "c");
        database.query("SELECT a FROM t WHERE b = 'x' AND a IN (1, 2, 3)");
        database.query("SELECT A FROM t /* a comment */ WHERE b = ? AND a IN (7)", "y");
        assertEquals(
                List.of(
                        "CREATE TABLE t(a int PRIMARY KEY, b varchar)|1|0",
                        "INSERT INTO t VALUES (?, ?)|2|2",
                        "INSERT INTO t VALUES (?, ?)...|1|3",
                        "SELECT a FROM t WHERE b = ? AND a IN (?)|1|0",
                        "SELECT a FROM t WHERE b = ? AND a IN (?...)|1|1"),
                database.query(
                        "SELECT statement, calls, rows FROM sys.statements"
                                + " WHERE statement NOT LIKE '%sys.%' ORDER BY statement"));
    }

    @Test
    void namesAndStructureTellStatementsApart() {
        long a = fingerprint("SELECT a FROM t");
        assertEquals(a, fingerprint("select A\nfrom T -- end"));
        assertNotEquals(a, fingerprint("SELECT b FROM t"));
        assertNotEquals(a, fingerprint("SELECT a FROM t t2"));
        assertNotEquals(fingerprint("SELECT 1, 2"), fingerprint("SELECT 1"));
        assertNotEquals(fingerprint("SELECT a - 1 FROM t"), fingerprint("SELECT a, - 1 FROM t"));
        assertEquals(
                fingerprint("SELECT a FROM t LIMIT 5"), fingerprint("SELECT a FROM t LIMIT ?"));
        assertEquals(fingerprint("SELECT -1.5e3"), fingerprint("SELECT X'ff'"));
    }

    private static long fingerprint(String text) {
        return Fingerprint.of(Lexer.tokens(new SqlText(text)));
    }

    @Test
    void everyExecutionIsCountedAndSomeAreTimed() {
        // On a busy machine the sampler seems expensive, and fewer executions would be timed.
        database.query("CALL sys.configure('profile_budget', '1')");
        database.update("CREATE TABLE t (a INT PRIMARY KEY)");
        try (Prepared insert = database.session().prepare("INSERT INTO t VALUES (?)")) {
            for (int i = 0; i < 1_000; i++) {
                insert.values().setLong(0, i);
                insert.update();
            }
        }
        try (Prepared query = database.session().prepare("SELECT a FROM t WHERE a >= ? LIMIT 10")) {
            for (int i = 0; i < 1_000; i++) {
                query.values().setLong(0, i);
                TestDatabase.rows(query);
            }
        }
        List<StatementTable.Totals> totals = database.watch().totals();
        StatementCounts inserts = counts(totals, "INSERT INTO t VALUES (?)");
        StatementCounts queries = counts(totals, "SELECT a FROM t WHERE a >= ? LIMIT ?");
        assertEquals(1_000, inserts.calls);
        assertEquals(1_000, inserts.rows);
        assertEquals(1_000, queries.calls);
        assertEquals(10_000 - 45, queries.rows);
        assertTrue(inserts.timed > 5, "timed " + inserts.timed);
        assertTrue(queries.pages >= 1_000 && queries.pages < 10_000, "pages " + queries.pages);
        assertTrue(queries.totalNanos() > 0);
        assertTrue(queries.minNanos <= queries.percentileNanos(0.5));
        assertTrue(queries.percentileNanos(0.5) <= queries.percentileNanos(0.99));
        assertTrue(queries.percentileNanos(0.99) <= queries.maxNanos);
    }

    @Test
    void measuredExecutionStandsForThoseSinceThePreviousOne() {
        StatementCounts counts =
                new StatementCounts(new StatementEntry(new StatementTable(), 1, "x"));
        counts.end(0, 0, database.watch());
        counts.allocated(1_000);
        for (int i = 0; i < 9; i++) {
            counts.end(0, 0, database.watch());
        }
        counts.allocated(3_000);
        counts.end(0, 0, database.watch());
        counts.end(0, 0, database.watch());
        assertEquals(12, counts.calls);
        assertEquals((1_000 + 9 * 3_000) / 10 * 12, counts.allocatedBytes());
    }

    /// How many executions are measured depends on the speed of the machine.
    @Test
    void allocatedBytesOfShortAndLongStatementsAreNearTheTruth() {
        database.query("CALL sys.configure('profile_budget', '1')");
        AllocationCounter.prepare();
        for (int i = 0; i < 1_000; i++) {
            database.query("SELECT 2 * 3");
            if (i % 10 == 0) {
                database.query(
                        "SELECT LENGTH(REPEAT('x', 1000000 + n)) FROM (VALUES (1)) AS v (n)");
            }
        }
        StatementCounts small = counts(database.watch().totals(), "SELECT ? * ?");
        StatementCounts large =
                counts(
                        database.watch().totals(),
                        "SELECT length(repeat(?, ? + n)) FROM (VALUES (?)) AS v(n)");
        assertBetween(100, 100_000, small.allocatedBytes() / small.calls);
        assertBetween(1_000_000, 10_000_000, large.allocatedBytes() / large.calls);
        String shown =
                database.query(
                                "SELECT allocated_bytes / calls FROM sys.statements WHERE statement"
                                        + " LIKE '%repeat%' AND statement NOT LIKE '%sys.%'")
                        .getFirst();
        assertBetween(1_000_000, 10_000_000, Long.parseLong(shown));
    }

    /// A query that ends in another thread tells nothing, whichever of them has allocated more.
    @Test
    void allocationOfAnExecutionThatEndsElsewhereIsUnknown() throws InterruptedException {
        AllocationCounter.prepare();
        StatementCounts counts =
                new StatementCounts(new StatementEntry(new StatementTable(), 1, "x"));
        SessionActivity activity = new SessionActivity(database.watch(), 0, null);
        StatementRun run = new StatementRun(database.watch(), activity);
        Thread other = Thread.ofPlatform().start(() -> run.start(counts));
        other.join();
        boolean _ = run.stop(); // this thread has allocated more than the other
        assertEquals(1, counts.calls);
        assertEquals(-1, counts.allocatedBytes());
    }

    /// The outer execution has the bytes of the inner one, as it has its time, and not the reverse.
    @Test
    void executionsWithinEachOtherAreMeasuredEachForItself() {
        AllocationCounter.prepare();
        StatementCounts counts =
                new StatementCounts(new StatementEntry(new StatementTable(), 1, "x"));
        SessionActivity activity = new SessionActivity(database.watch(), 0, null);
        StatementRun outer = new StatementRun(database.watch(), activity);
        StatementRun inner = new StatementRun(database.watch(), activity);
        outer.start(counts);
        byte[] large = new byte[10_000_000];
        inner.start(counts);
        boolean _ = inner.stop();
        assertTrue(counts.allocatedBytes() < large.length, "" + counts.allocatedBytes());
        boolean _ = outer.stop();
        assertTrue(counts.allocatedBytes() >= large.length, "" + counts.allocatedBytes());
    }

    private static void assertBetween(long least, long most, long value) {
        assertTrue(value >= least && value <= most, value + " in " + least + " to " + most);
    }

    /// Except the first one of each, which is slower than the following ones.
    @Test
    void sessionsThatAreShortTimeAnyOfTheirExecutions() {
        database.query("CALL sys.configure('profile_budget', '1')");
        for (int i = 0; i < 200; i++) {
            try (Session session = database.sql().session()) {
                for (int call = 0; call < 10; call++) {
                    TestDatabase.run(session, "SELECT 1 + 1");
                }
            }
        }
        StatementCounts counts = counts(database.watch().totals(), "SELECT ? + ?");
        assertEquals(2_000, counts.calls);
        // 10 / n of the n-th session, about 49, or more if they take long.
        assertTrue(counts.timed >= 15, "timed " + counts.timed);
    }

    /// A clock that ticks every 20 ms may show 40 for 21.
    @Test
    void anExecutionThatMeetsTwoTicksOfTheClockIsNotLong() {
        Watch watch = database.watch();
        StatementCounts counts =
                new StatementCounts(new StatementEntry(new StatementTable(), 1, "x"));
        counts.end(counts.begin(), 0, watch); // the first one is timed
        counts.end(0, 2 * CoarseClock.TICK_NANOS, watch);
        assertTrue(counts.maxNanos < CoarseClock.TICK_NANOS, "" + counts.maxNanos);
        counts.end(0, 7 * CoarseClock.TICK_NANOS, watch);
        assertEquals(7 * CoarseClock.TICK_NANOS, counts.maxNanos);
        assertEquals(3, counts.calls);
        assertTrue(counts.totalNanos() >= 7 * CoarseClock.TICK_NANOS, "" + counts.totalNanos());
    }

    /// The clock may take half a percent of a statement's time.
    @Test
    void statementsAreTimedByTheirCost() {
        WatchGovernor governor = new WatchGovernor();
        assertEquals(1, governor.timedEvery(100_000));
        assertEquals(1, governor.timedEvery(20_000));
        assertEquals(6, governor.timedEvery(2_000));
        assertEquals(64, governor.timedEvery(100));
        assertEquals(64, governor.timedEvery(0));
    }

    /// Nothing is extrapolated for a statement that takes long enough.
    @Test
    void everyExecutionOfALongerStatementIsTimed() {
        try (Prepared query =
                database.session()
                        .prepare("SELECT SUM(a * a) FROM generate_series(1, 20000) AS s(a)")) {
            long begun = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                TestDatabase.rows(query);
            }
            long took = System.nanoTime() - begun;
            StatementCounts counts =
                    counts(
                            database.watch().totals(),
                            "SELECT sum(a * a) FROM generate_series(?, ?) AS s(a)");
            assertEquals(50, counts.calls);
            assertEquals(50, counts.timed);
            assertTrue(counts.totalNanos() <= took && counts.totalNanos() > took / 2.0, "" + took);
        }
    }

    /// It has not run yet, and has no time.
    @Test
    void statementThatAsksIsNotListed() {
        database.query("SELECT 1 + 1");
        String ask = "SELECT statement FROM sys.statements ORDER BY total_ms DESC";
        assertEquals(List.of("SELECT ? + ?"), database.query(ask));
        assertEquals(2, database.query(ask).size());
        assertEquals(
                List.of("0"),
                database.query("SELECT COUNT(*) FROM sys.statements WHERE total_ms IS NULL"));
    }

    private static StatementCounts counts(List<StatementTable.Totals> totals, String text) {
        return totals.stream()
                .filter(each -> each.entry().text().equals(text))
                .findFirst()
                .orElseThrow()
                .counts();
    }

    @Test
    void errorsAreCountedByName() {
        database.update("CREATE TABLE t (a INT PRIMARY KEY)");
        for (String value : List.of("1", "1", "1", "NULL")) {
            TestDatabase.run(database.session(), "INSERT INTO t VALUES (" + value + ")");
        }
        TestDatabase.run(
                database.session(), "SELECT 1 / a FROM t WHERE a - a = 0 AND 1 / (a-1) = 0");
        assertEquals(
                List.of(
                        "INSERT INTO t VALUES (?)|3|2|ConstraintException: 2",
                        "SELECT ? / a FROM t WHERE a - a = ? AND ? / (a - ?) = ?|1|1|"
                                + "DIVISION_BY_ZERO: 1"),
                database.query(
                        "SELECT statement, calls, errors, errors_by_state FROM sys.statements"
                                + " WHERE errors > 0 AND statement NOT LIKE '%NULL%'"
                                + " ORDER BY statement"));
    }

    @Test
    void aHundredThousandKindsOfStatementsTakeBoundedMemory() {
        database.update("CREATE TABLE t (a INT)");
        for (int i = 0; i < 100_000; i++) {
            try (Prepared prepared = database.session().prepare("SELECT a AS c" + i + " FROM t")) {
                prepared.query().close();
            }
        }
        StatementTable table = database.watch().statements();
        assertEquals(StatementTable.STATEMENTS_MAX, table.size());
        assertTrue(table.textChars() <= StatementTable.TEXT_CHARS_MAX);
        for (SessionActivity session : database.watch().sessions()) {
            assertTrue(session.counts().size() <= SessionActivity.KINDS_MAX);
        }
        long calls = 0;
        for (StatementTable.Totals totals : database.watch().totals()) {
            calls += totals.counts().calls;
        }
        assertEquals(100_001, calls);
    }

    @Test
    void longTextsAreCutAndTakeBoundedMemoryToo() {
        String filler = "x".repeat(3_000);
        for (int i = 0; i < 2_000; i++) {
            try (Prepared prepared = database.session().prepare("SELECT 1 AS c" + i + filler)) {
                prepared.query().close();
            }
        }
        StatementTable table = database.watch().statements();
        assertTrue(table.textChars() <= StatementTable.TEXT_CHARS_MAX, "" + table.textChars());
        assertTrue(table.size() >= 900, "" + table.size());
        for (StatementTable.Totals totals : database.watch().totals()) {
            assertTrue(totals.entry().text().length() <= Fingerprint.TEXT_CHARS_MAX);
        }
    }

    @Test
    void countsOfClosedSessionsStay() {
        for (int i = 0; i < 3; i++) {
            try (Session session = database.sql().session()) {
                TestDatabase.run(session, "SELECT 1 + " + i);
            }
        }
        assertEquals(
                List.of("SELECT ? + ?|3|3"),
                database.query(
                        "SELECT statement, calls, rows FROM sys.statements"
                                + " WHERE statement LIKE 'SELECT ? +%'"));
        assertEquals(1, database.watch().sessions().size());
    }

    @Test
    void aSessionThatWaitsForALockIsSeenWithWhoeverHoldsIt() throws Exception {
        database.update("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
        database.update("INSERT INTO t VALUES (1, 1)");
        List<String> problems = new ArrayList<>();
        try (Session holder = database.sql().session();
                Session waiter = database.sql().session()) {
            TestDatabase.run(holder, "BEGIN");
            TestDatabase.run(holder, "UPDATE t SET b = 2 WHERE a = 1");
            CountDownLatch done = new CountDownLatch(1);
            Thread thread =
                    new Thread(
                            () -> {
                                problems.add(
                                        TestDatabase.run(waiter, "UPDATE t SET b = 3 WHERE a = 1"));
                                done.countDown();
                            },
                            "the waiter");
            thread.start();
            List<String> locks = List.of();
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (locks.isEmpty() && System.nanoTime() < end) {
                locks =
                        database.query(
                                "SELECT statement, object, mode, blocking_statement, blocking_state,"
                                        + " blocked_by FROM sys.locks");
            }
            assertEquals(
                    List.of(
                            "UPDATE t SET b = ? WHERE a = ?|t|exclusive|"
                                    + "UPDATE t SET b = ? WHERE a = ?|idle|2"),
                    locks);
            List<String> waiting = List.of();
            while (waiting.isEmpty() && System.nanoTime() < end) {
                waiting =
                        database.query(
                                "SELECT state, waiting_for, blocked_by, thread, in_transaction"
                                        + " FROM sys.sessions WHERE waiting_for IS NOT NULL");
            }
            assertEquals(List.of("executing|lock|2|the waiter|false"), waiting);
            TestDatabase.run(holder, "COMMIT");
            assertTrue(done.await(1, TimeUnit.MINUTES));
        }
        assertEquals(List.of("1 changed"), problems);
        List<String> waited =
                database.query(
                        "SELECT lock_waits, lock_wait_ms > 0 FROM sys.statements"
                                + " WHERE statement LIKE 'UPDATE%'");
        assertEquals(List.of("1|true"), waited);
    }

    @Test
    void aSessionIsCancelledBySql() throws Exception {
        List<String> answers = new ArrayList<>();
        try (Session other = database.sql().session()) {
            Thread thread =
                    new Thread(() ->
                            answers.add(
                                    TestDatabase.run(
                                            other,
                                            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL"
                                                    + " SELECT 1 FROM n) SELECT count(*) FROM n")));
            thread.start();
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (database.query(
                                    "SELECT session FROM sys.sessions WHERE session = 2"
                                            + " AND state = 'fetching'")
                            .isEmpty()
                    && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertEquals(List.of("true"), database.query("CALL sys.cancel(2)"));
            thread.join(60_000);
        }
        assertEquals(List.of("CANCELLED: The statement was cancelled"), answers);
    }

    @Test
    void slowStatementsAreKeptWithTheirPlans() {
        database.query("CALL sys.configure('slow_statement_ms', '0')");
        database.query("SELECT 41 + 1");
        database.query("CALL sys.configure('slow_statement_ms', '1000000')");
        database.query("SELECT 42 + 1");
        assertEquals(
                List.of("SELECT ? + ?|1|Project (42)\n  OneRow"),
                database.query(
                        "SELECT statement, rows, plan FROM sys.slow_statements"
                                + " WHERE statement LIKE 'SELECT ? +%'"));
    }

    /// After a slow statement, the next execution of its kind has its operators timed, and then one in 64.
    @Test
    void slowStatementsAreLoggedWithTheTimesOfTheirOperators() {
        database.update("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
        database.update("INSERT INTO t SELECT i, i % 7 FROM generate_series(1, 500) AS g (i)");
        database.query("CALL sys.configure('slow_statement_ms', '0')");
        String query = "SELECT sum(a) FROM t WHERE b = 3";
        try (Prepared prepared = database.session().prepare(query)) {
            for (int i = 0; i < 67; i++) {
                TestDatabase.rows(prepared);
            }
        }
        for (int i = 0; i < 2; i++) {
            database.update("UPDATE t SET b = b + 1 WHERE a < 100");
        }
        database.query("CALL sys.configure('slow_statement_ms', '1000000')");
        assertEquals(
                List.of("67|2"),
                database.query(
                        "SELECT count(*), sum(CASE WHEN plan LIKE '%self%ms%' THEN 1 ELSE 0 END)"
                                + " FROM sys.slow_statements WHERE statement LIKE 'SELECT sum%'"));
        String plan =
                database.query(
                                "SELECT plan FROM sys.slow_statements"
                                        + " WHERE statement LIKE 'SELECT sum%' AND plan LIKE '%self%'")
                        .getFirst();
        assertTrue(plan.contains("TableScan t  (rows 500 of ~"), plan);
        assertTrue(plan.contains("Filter (b = 3)  (rows 72 of ~"), plan);
        assertTrue(plan.contains("loops 1, self ") && plan.contains("Measuring: about"), plan);
        String change =
                database.query(
                                "SELECT plan FROM sys.slow_statements"
                                        + " WHERE statement LIKE 'UPDATE t%' AND plan LIKE '%self%'")
                        .getFirst();
        assertTrue(change.contains("Update t") && change.contains("(rows 99 of ~"), change);
        assertTrue(change.contains("+ commit "), change);
    }

    @Test
    void operatorsOfAllStatementsAreTimedWhereThatIsAskedFor() {
        database.update("CREATE TABLE t (a INT PRIMARY KEY)");
        database.query("CALL sys.configure('operator_times', 'on')");
        database.query("CALL sys.configure('slow_statement_ms', '0')");
        try (Prepared prepared = database.session().prepare("SELECT a FROM t WHERE a < 9")) {
            TestDatabase.rows(prepared);
            database.update("INSERT INTO t VALUES (1), (2)");
            database.update("CREATE TABLE u (a INT PRIMARY KEY)"); // planned anew, measured still
            TestDatabase.rows(prepared);
            database.query("CALL sys.configure('operator_times', 'off')");
            TestDatabase.rows(prepared);
        }
        database.query("CALL sys.configure('slow_statement_ms', '1000000')");
        List<String> plans =
                database.query(
                        "SELECT plan FROM sys.slow_statements WHERE statement LIKE 'SELECT a FROM t%'");
        assertEquals(3, plans.size());
        assertTrue(plans.get(0).contains("(rows 0 of ~"), plans.get(0));
        assertTrue(plans.get(1).contains("(rows 2 of ~"), plans.get(1));
        assertTrue(!plans.get(2).contains("self"), plans.get(2));
        assertEquals(
                "UsageException: The setting takes on, slow or off: value=x",
                TestDatabase.run(database.session(), "CALL sys.configure('operator_times', 'x')"));
    }

    @Test
    void slowStatementsAreBounded() {
        database.query("CALL sys.configure('slow_statement_ms', '0')");
        for (int i = 0; i < 2 * SlowStatements.EXECUTIONS_MAX; i++) {
            database.query("SELECT 1");
        }
        SlowStatements slow = database.watch().slowStatements();
        assertEquals(SlowStatements.EXECUTIONS_MAX, slow.all().size());
        assertTrue(slow.seen() >= 2 * SlowStatements.EXECUTIONS_MAX);
    }

    @Test
    void runningStatementsAreSampled() {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        List<String> seen = List.of();
        while (seen.isEmpty() && System.nanoTime() < end) {
            try (Session other = database.sql().session();
                    Prepared open = other.prepare("SELECT 7 UNION ALL SELECT 8");
                    Prepared.Result rows = open.query()) {
                rows.next();
                long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            }
            seen =
                    database.query(
                            "SELECT DISTINCT state, statement FROM sys.sessions_history"
                                    + " WHERE statement LIKE 'SELECT ? UNION%'"
                                    + " AND state = 'fetching'");
        }
        assertEquals(List.of("fetching|SELECT ? UNION ALL SELECT ?"), seen);
    }

    @Test
    void theHistoryIsBounded() {
        SessionHistory history = new SessionHistory();
        for (int i = 0; i < 2 * SessionHistory.SAMPLES_MAX + 5; i++) {
            history.add(new SessionHistory.Sample(i, 1, SessionActivity.State.EXECUTING, "", null));
        }
        List<SessionHistory.Sample> all = history.all();
        assertEquals(SessionHistory.SAMPLES_MAX, all.size());
        assertEquals(SessionHistory.SAMPLES_MAX + 5, all.getFirst().atMillis());
        assertEquals(2 * SessionHistory.SAMPLES_MAX + 4, all.getLast().atMillis());
    }

    @Test
    void itCanBeTurnedOffAndOnAgain() {
        database.query("CALL sys.configure('watch', 'off')");
        database.query("SELECT 1 + 2 + 3");
        database.query("CALL sys.configure('watch', 'on')");
        database.query("SELECT 1 + 2 + 3");
        assertEquals(
                List.of("1"),
                database.query(
                        "SELECT calls FROM sys.statements WHERE statement = 'SELECT ? + ? + ?'"));
    }

    @Test
    void settingsSayWhatTheyTake() {
        assertEquals(
                "UsageException: There is no such setting: sys.settings lists all" + ": name=wach",
                TestDatabase.run(database.session(), "CALL sys.configure('wach', 'on')"));
        assertEquals(
                "UsageException: The setting takes on or off: value=maybe",
                TestDatabase.run(database.session(), "CALL sys.configure('watch', 'maybe')"));
        assertEquals(
                "UsageException: The setting takes a number: slow_statement_ms=x",
                TestDatabase.run(
                        database.session(), "CALL sys.configure('slow_statement_ms', 'x')"));
        assertEquals(
                List.of(
                        "watch|on",
                        "slow_statement_ms|500",
                        "operator_times|slow",
                        "plan_sharing|on",
                        "profile_budget|0.01"),
                database.query("SELECT name, value FROM sys.settings"));
    }

    @Test
    void percentilesAreRightToASixteenth() {
        Latencies latencies = new Latencies();
        for (int i = 1; i <= 10_000; i++) {
            latencies.add(1_000L * i, 1);
        }
        for (double share : new double[] {0.01, 0.5, 0.95, 0.99, 1.0}) {
            double exact = 10_000_000 * share;
            double found = latencies.percentile(share, 0, 1);
            assertTrue(found >= exact && found <= 1.0626 * exact, share + ": " + found);
        }
        for (long nanos = 1; nanos > 0; nanos += 1 + nanos / 3) {
            int bucket = Latencies.bucket(nanos);
            boolean inside = nanos < Latencies.end(bucket) || bucket == Latencies.BUCKETS - 1;
            assertTrue(inside && (bucket == 0 || nanos >= Latencies.end(bucket - 1)), "" + nanos);
        }
    }

    @Test
    void theGovernorStepsDownAboveItsBudgetAndUpAgain() {
        WatchGovernor governor = new WatchGovernor();
        Watch watch = database.watch();
        long second = TimeUnit.SECONDS.toNanos(1);
        long now = second;
        long executions = 0;
        for (int i = 0; i < 10; i++) { // while it measures the overhead
            executions += 10;
            now = busySecond(governor, watch, now, executions, 1_000);
        }
        assertEquals(0, governor.level());
        // A sampler that takes a tenth of the time is too much, however few statements there are.
        for (int i = 0; i < 2; i++) {
            executions += 10;
            now = busySecond(governor, watch, now, executions, second / 10);
        }
        assertEquals(2, governor.level());
        assertTrue(governor.timedEvery() > 64 && governor.ticksBetweenSamples() > 1);
        assertTrue(governor.secondShare() > 0.05, "" + governor.secondShare());
        for (int i = 0; i < 20; i++) {
            executions += 10;
            now = busySecond(governor, watch, now, executions, 1_000);
        }
        assertEquals(0, governor.level());
        assertEquals(2, governor.stepsDown());
    }

    @Test
    void countingIsNotMeasuredWhileAProfileRuns() {
        WatchGovernor governor = new WatchGovernor();
        Watch watch = database.watch();
        watch.record(new StatementTimeline(ProfileScope.ALL));
        long now = busySecond(governor, watch, TimeUnit.SECONDS.toNanos(1), 10, 1_000);
        watch.record(null);
        assertEquals(0.0, governor.callNanos());
        busySecond(governor, watch, now, 20, 1_000);
        assertTrue(governor.callNanos() > 0);
    }

    @Test
    @SuppressWarnings("NullAway") // stands for a session that has been collected
    void executionsOfACollectedSessionCountOnce() {
        Watch watch =
                new Watch(
                        failure -> "",
                        () -> {
                            throw new AssertionError("no plan is asked for");
                        });
        SessionActivity gone = watch.opened(null);
        StatementRun run = new StatementRun(watch, gone);
        StatementCounts counts =
                new StatementCounts(new StatementEntry(new StatementTable(), 1, ""));
        for (int i = 0; i < 10; i++) {
            run.start(counts);
            boolean _ = run.stop();
        }
        assertEquals(10, gone.executions());
        for (int second = 1; second < 5; second++) {
            boolean _ = watch.tick(System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * second));
            assertTrue(watch.governor().executions() <= 10, "counted twice");
        }
        assertEquals(10, watch.governor().executions());
    }

    private static long busySecond(
            WatchGovernor governor, Watch watch, long from, long executions, long work) {
        long now = from;
        for (int tick = 0; tick < 50; tick++) {
            now += CoarseClock.TICK_NANOS;
            governor.tick(now, 1);
        }
        governor.worked(work);
        governor.judge(watch, now, executions, executions, 0);
        return now;
    }
}
