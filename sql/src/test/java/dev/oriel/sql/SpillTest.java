package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.store.LimitException;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Statements that exceed their memory budget: they answer as if they did not, and leave no file, however they end.
class SpillTest {
    private static final int ROWS = 2_000;
    private static final Pattern MOST = Pattern.compile("Memory: (\\d+) (B|kB) at most");

    /// A query, and the operator that must have spilled rows.
    private record Case(String query, String operator) {}

    private static final List<Case> CASES =
            List.of(
                    new Case("SELECT * FROM w ORDER BY s, id", "Sort"),
                    new Case("SELECT s, d FROM w ORDER BY d DESC NULLS FIRST, id", "Sort"),
                    new Case("SELECT id FROM w ORDER BY g DESC LIMIT 700 OFFSET 300", "Sort"),
                    new Case("SELECT id FROM w ORDER BY g FETCH FIRST 9 ROWS WITH TIES", "Sort"),
                    new Case("SELECT DISTINCT n, s FROM w", "Distinct"),
                    new Case("SELECT DISTINCT x FROM w LIMIT 500", "Distinct"),
                    new Case(
                            "SELECT n, count(*), sum(id), avg(x), min(d), max(s) FROM w GROUP BY n",
                            "Aggregate"),
                    new Case("SELECT n, sum(d) FROM w GROUP BY n HAVING sum(d) > 1", "Aggregate"),
                    new Case(
                            "SELECT g, max(repeat(s, 300)), any_value(repeat(s, 200)), min(b) FROM"
                                    + " w GROUP BY g",
                            "Aggregate"),
                    new Case(
                            "SELECT g, count(DISTINCT s), sum(DISTINCT n), min(b) FROM w GROUP BY"
                                    + " g",
                            "Aggregate"),
                    new Case(
                            "SELECT g, string_agg(s, ',' ORDER BY id DESC) FROM w GROUP BY g",
                            "Aggregate"),
                    new Case(
                            "SELECT n, string_agg(s, ','), array_agg(id) FROM w GROUP BY n",
                            "Aggregate"),
                    new Case(
                            "SELECT n, json_agg(g), json_objectagg(CAST(id AS VARCHAR) VALUE g)"
                                    + " FROM w GROUP BY n",
                            "Aggregate"),
                    new Case(
                            "SELECT g, percentile_cont(0.3) WITHIN GROUP (ORDER BY d),"
                                    + " percentile_disc(0.7) WITHIN GROUP (ORDER BY s),"
                                    + " mode() WITHIN GROUP (ORDER BY n) FROM w GROUP BY g",
                            "Aggregate"),
                    new Case(
                            "SELECT g, n, count(*), count(DISTINCT s) FROM w"
                                    + " GROUP BY GROUPING SETS ((g, n), (n), (g), ())",
                            "Aggregate"),
                    new Case("SELECT count(DISTINCT s), count(DISTINCT n) FROM w", "Aggregate"),
                    new Case(
                            "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY n),"
                                    + " mode() WITHIN GROUP (ORDER BY s DESC) FROM w",
                            "Aggregate"),
                    new Case(
                            "SELECT a.id, b.s FROM w a JOIN w b ON a.n = b.g AND a.id < b.id",
                            "HashJoin"),
                    new Case(
                            "SELECT a.id, b.id, b.s FROM w a LEFT JOIN w b ON a.n = b.id + 1000",
                            "HashJoin"),
                    new Case(
                            "SELECT a.id, b.id, a.s, b.x FROM w a FULL JOIN w b"
                                    + " ON a.n = b.n + 700 AND a.d < b.d",
                            "HashJoin"),
                    new Case(
                            "SELECT a.id, b.id FROM w a FULL JOIN (SELECT * FROM w WHERE id < 40) b"
                                    + " ON a.d < b.d - 0.8 WHERE a.id < 50 OR b.id IS NULL",
                            ""),
                    new Case("SELECT n, s FROM w INTERSECT SELECT n + 1, s FROM w", "Intersect"),
                    new Case("SELECT n FROM w EXCEPT SELECT g FROM w", "Except"),
                    new Case(
                            "SELECT g FROM w WHERE id < 900 INTERSECT ALL SELECT n FROM w",
                            "Intersect all"),
                    new Case("SELECT n, g FROM w EXCEPT ALL SELECT n, g - 1 FROM w", "Except all"),
                    new Case("SELECT n FROM w UNION SELECT g FROM w", "Distinct"),
                    new Case(
                            "WITH k AS MATERIALIZED (SELECT id, s, n FROM w) SELECT a.id, b.s FROM"
                                    + " k a, k b WHERE a.id = b.n AND a.n > 3",
                            "Kept"),
                    new Case(
                            "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT mod(n * 7 + 3, 1009)"
                                    + " FROM r) SELECT count(*), sum(n) FROM r",
                            "Recursive"),
                    new Case(
                            "SELECT id, row_number() OVER (PARTITION BY g ORDER BY s, id),"
                                    + " sum(n) OVER (ORDER BY id),"
                                    + " lag(s, 2, 'none') OVER (PARTITION BY n ORDER BY id),"
                                    + " dense_rank() OVER (ORDER BY g) FROM w",
                            "Window"),
                    new Case(
                            "SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN 5 PRECEDING AND 7"
                                    + " FOLLOWING EXCLUDE CURRENT ROW),"
                                    + " max(s) OVER (ORDER BY g GROUPS BETWEEN 1 PRECEDING AND"
                                    + " CURRENT ROW), ntile(7) OVER (ORDER BY d, id),"
                                    + " nth_value(s, 3) OVER (PARTITION BY g ORDER BY id)"
                                    + " FROM w WHERE id < 600",
                            "Window"),
                    new Case("SELECT id FROM w WHERE n IN (SELECT g * 3 FROM w)", ""),
                    new Case("SELECT id FROM w WHERE n NOT IN (SELECT g FROM w WHERE g > 5)", ""),
                    new Case("SELECT id FROM w WHERE (g, n) IN (SELECT n, g FROM w)", ""),
                    new Case(
                            "SELECT id FROM w WHERE d > ALL (SELECT d / 2 FROM w WHERE g = 3 AND d"
                                    + " IS NOT NULL)",
                            ""),
                    new Case(
                            "SELECT id FROM w a WHERE EXISTS (SELECT 1 FROM w b WHERE b.n = a.g"
                                    + " AND b.g = a.n)",
                            ""));

    private final SimDirectory directory = new SimDirectory();
    private final TestDatabase database = TestDatabase.on(directory, Long.MAX_VALUE);
    private final SplittableRandom random = Seed.of("spill", 20_261_122);

    @AfterEach
    void closeAndCheck() {
        assertNoFiles(directory);
        database.close();
    }

    static void assertNoFiles(SimDirectory directory) {
        List<String> left = spillFiles(directory);
        assertTrue(left.isEmpty(), () -> "left over: " + left);
    }

    private static List<String> spillFiles(SimDirectory directory) {
        return directory.list().stream().filter(name -> name.startsWith("spill-")).toList();
    }

    /// Rows of every shape, with NULLs, repeated values, and text that UTF-8 cannot represent.
    static void fill(TestDatabase database, SplittableRandom random, int rows) {
        database.update(
                "CREATE TABLE w (id INT PRIMARY KEY, g INT, n BIGINT, d DOUBLE, x DECIMAL(30, 2),"
                        + " s VARCHAR, b VARBINARY)");
        List<Tuple> batch = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            Tuple row = new Tuple(7);
            row.setLong(0, i);
            row.setLong(1, random.nextInt(40));
            row.setLong(2, random.nextInt(rows / 2));
            row.setDouble(3, random.nextInt(20) == 0 ? -0.0 : random.nextDouble());
            BigDecimal small = BigDecimal.valueOf(random.nextLong(1_000), 2);
            row.setDecimal(4, random.nextBoolean() ? small : small.movePointRight(24));
            String text = "\u00e4b".repeat(random.nextInt(4)) + random.nextInt(300);
            row.setText(5, random.nextInt(9) == 0 ? text + "\u20ac\ud83d\ude00" : text);
            row.setBytes(6, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            for (int column = 1; column < 7; column++) {
                if (random.nextInt(25) == 0) {
                    row.setNull(column);
                }
            }
            batch.add(row);
        }
        try (Prepared insert =
                database.session().prepare("INSERT INTO w VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            insert.batch(batch);
        }
    }

    @Test
    void answersAreTheSameWithAnyBudgetAndNoFileIsLeft() {
        fill(database, random, ROWS);
        for (Case tried : CASES) {
            database.session().queryBytesMax(0);
            List<String> expected = database.query(tried.query);
            assertFalse(expected.isEmpty(), tried.query);
            for (long budget : new long[] {1, 64 << 10}) {
                database.session().queryBytesMax(budget);
                assertEquals(expected, database.query(tried.query), tried.query);
                assertNoFiles(directory);
            }
        }
    }

    @Test
    void explainShowsWhatWasPutAsideAndHowMuchMemoryWasHeld() {
        fill(database, random, ROWS);
        for (Case tried : CASES) {
            long budget = 32 << 10;
            database.session().queryBytesMax(budget);
            List<String> lines = database.query("EXPLAIN (ANALYZE, TIMING OFF) " + tried.query);
            String all = String.join("\n", lines);
            assertTrue(
                    tried.operator.isEmpty()
                            || lines.stream()
                                    .anyMatch(line ->
                                            line.strip().startsWith(tried.operator)
                                                    && line.contains(", put aside ")),
                    () -> tried.query + "\n" + all);
            for (String line : lines) {
                Matcher most = MOST.matcher(line);
                if (most.find()) {
                    long factor = most.group(2).equals("B") ? 1 : 1_000;
                    long held = Long.parseLong(most.group(1)) * factor;
                    // Each operator may exceed it by a sixteenth, and buffers have a least size.
                    assertTrue(held < 3 * budget, () -> tried.query + "\n" + all);
                }
            }
        }
    }

    /// Statements that keep keys and rows before they change the first one, each with the expected result.
    private static final List<String> CHANGES =
            List.of(
                    "UPDATE w SET g = g + 1",
                    "UPDATE w SET g = (SELECT max(v.g) FROM w v WHERE v.id <= 3) WHERE id > 10",
                    "UPDATE w SET n = n + 1 WHERE g < 20 RETURNING id, n",
                    "UPDATE w SET s = v.s FROM w v WHERE v.id = w.id + 7 RETURNING w.id, v.g, w.s",
                    "MERGE INTO w USING (SELECT id + 300 AS id, s, g FROM w) AS v ON w.id = v.id"
                            + " WHEN MATCHED AND v.g < 9 THEN DELETE WHEN MATCHED THEN UPDATE SET s ="
                            + " v.s WHEN NOT MATCHED THEN INSERT (id, s) VALUES (v.id, v.s)",
                    "INSERT INTO w (id, s) SELECT id + 100, s FROM w ON CONFLICT (id) DO UPDATE SET"
                            + " s = excluded.s, g = 1",
                    "DELETE FROM w USING w v WHERE v.id = w.id + 5 AND v.g > 12",
                    "DELETE FROM w WHERE n > 100");

    @Test
    void changesAreTheSameWithAnyBudgetAndNoFileIsLeft() {
        fill(database, random, ROWS / 2);
        String all = "SELECT * FROM w ORDER BY id";
        List<List<String>> expected = new ArrayList<>();
        for (long budget : new long[] {0, 1, 16 << 10}) {
            Session session = database.session();
            session.autoCommit(false);
            session.queryBytesMax(budget);
            List<List<String>> found = new ArrayList<>();
            long before = directory.operations();
            for (String change : CHANGES) {
                found.add(List.of(TestDatabase.run(session, change)));
                found.add(database.query(all));
            }
            long calls = directory.operations() - before;
            assertTrue(budget == 0 || calls > CHANGES.size(), () -> "only " + calls + " calls");
            session.rollback();
            session.autoCommit(true);
            if (budget == 0) {
                expected.addAll(found);
            }
            assertEquals(expected, found);
            assertNoFiles(directory);
        }
        database.session().queryBytesMax(0);
    }

    @Test
    void whatAChangeHasReturnedLeavesNoFileWhenItIsClosed() {
        fill(database, random, ROWS / 4);
        database.session().queryBytesMax(1);
        String change = "UPDATE w SET g = g + 1 RETURNING id, s";
        try (Prepared prepared = database.session().prepare(change)) {
            for (int run = 0; run < 2; run++) {
                assertEquals(ROWS / 4, TestDatabase.rows(prepared).size());
                assertNoFiles(directory);
            }
        }
    }

    @Test
    void keysAndStepsOfChangesCountAgainstTheBudget() {
        try (TestDatabase memory = new TestDatabase()) {
            fill(memory, random, ROWS);
            memory.session().queryBytesMax(10_000);
            for (String change : CHANGES) {
                assertThrows(
                        LimitException.class,
                        () -> {
                            try (Prepared prepared = memory.session().prepare(change)) {
                                if (prepared.isQuery()) {
                                    prepared.query().close();
                                } else {
                                    prepared.update();
                                }
                            }
                        },
                        change);
            }
            memory.session().queryBytesMax(0);
            assertEquals(List.of(ROWS + ""), memory.query("SELECT count(*) FROM w"));
        }
    }

    @Test
    void aValueThatIsLargerThanTheBudgetIsAnErrorThatSaysSo() {
        String many = " FROM generate_series(1, 400000) AS t(i)";
        for (String value :
                List.of(
                        "string_agg('12345678', '')",
                        "string_agg('12345678', '' ORDER BY i)",
                        "array_agg(i)",
                        "json_agg(i)",
                        "json_objectagg(CAST(i AS VARCHAR) VALUE i)")) {
            database.session().queryBytesMax(1_200_000);
            LimitException refused =
                    assertThrows(
                            LimitException.class,
                            () ->
                                    database.query(
                                            "SELECT length(CAST(" + value + " AS VARCHAR))" + many),
                            value);
            assertEquals(
                    "An aggregate builds a value that alone needs more memory than the"
                            + " budget of its statement; aggregate less, or raise query_bytes_max:"
                            + " query_bytes_max=1200000",
                    refused.getMessage());
            assertNoFiles(directory);
            database.session().queryBytesMax(0);
            assertEquals(
                    1,
                    database.query("SELECT length(CAST(" + value + " AS VARCHAR))" + many).size());
        }
    }

    @Test
    void aSettingOfTheSessionGoesBeforeThatOfTheDatabase() {
        fill(database, random, ROWS);
        String sorts = "EXPLAIN (ANALYZE, TIMING OFF) SELECT * FROM w ORDER BY s";
        assertFalse(String.join("\n", database.query(sorts)).contains("put aside"));
        database.update("SET query_bytes_max = 20000");
        assertTrue(String.join("\n", database.query(sorts)).contains("put aside"));
        database.update("SET QUERY_BYTES_MAX TO DEFAULT");
        assertFalse(String.join("\n", database.query(sorts)).contains("put aside"));
        assertEquals(
                "UNKNOWN_OBJECT: There is no setting \"query_byte_max\"; did you mean"
                        + " \"query_bytes_max\"?\n  SET query_byte_max = 1\n      ^",
                TestDatabase.run(database.session(), "SET query_byte_max = 1"));
        assertEquals(
                "INVALID_PARAMETER: query_bytes_max is a number of bytes above 0, not 0\n"
                        + "  SET query_bytes_max = 0\n      ^",
                TestDatabase.run(database.session(), "SET query_bytes_max = 0"));
    }

    @Test
    void aDatabaseWithoutFilesRefusesWhatIsBeyondTheBudget() {
        try (TestDatabase memory = new TestDatabase()) {
            fill(memory, random, 200);
            memory.session().queryBytesMax(10_000);
            LimitException refused =
                    assertThrows(
                            LimitException.class, () -> memory.query("SELECT * FROM w ORDER BY s"));
            assertEquals(
                    "The statement needs more memory than its budget, and a database in memory, or"
                            + " opened for reading only, has no files to put rows aside; raise"
                            + " query_bytes_max: query_bytes_max=10000",
                    refused.getMessage());
            assertEquals(200, memory.query("SELECT id FROM w").size());
            memory.session().queryBytesMax(0);
            assertEquals(200, memory.query("SELECT * FROM w ORDER BY s").size());
        }
    }

    @Test
    void aCancelInTheMiddleLeavesNoFile() {
        fill(database, random, ROWS / 4);
        database.session().queryBytesMax(8 << 10);
        for (Case tried : CASES) {
            long before = directory.operations();
            List<String> expected = database.query(tried.query);
            long calls = directory.operations() - before;
            for (long at = 1; at <= calls; at += 1 + calls / 5) {
                long[] seen = new long[1];
                long cancelAt = at;
                directory.inEachCall(() -> {
                    if (++seen[0] == cancelAt) {
                        database.session().cancel();
                    }
                });
                try {
                    List<String> found = database.query(tried.query);
                    assertEquals(expected, found, "it was nearly done");
                } catch (SqlException e) {
                    assertEquals(SqlException.Kind.CANCELLED, e.kind());
                }
                directory.inEachCall(() -> {});
                assertNoFiles(directory);
            }
        }
    }

    @Test
    void aFailureOfAnyWriteFailsTheStatementAloneAndLeavesNoFile() {
        fill(database, random, ROWS / 4);
        Session session = database.session();
        session.queryBytesMax(8 << 10);
        for (Case tried : CASES) {
            long before = directory.operations();
            List<String> expected = database.query(tried.query);
            long calls = directory.operations() - before;
            session.autoCommit(false);
            database.update("UPDATE w SET g = g WHERE id = 0");
            for (long at = 1; at <= calls; at += 1 + calls / 12) {
                Fault fault = at % 2 == 0 ? Fault.SHORT_WRITE : Fault.IO_ERROR_ONCE;
                long planned = directory.operations() + at;
                directory.failAt(planned, fault);
                try {
                    assertEquals(expected, database.query(tried.query), "its file was deleted");
                } catch (LimitException e) {
                    String message = String.valueOf(e.getMessage());
                    assertTrue(message.startsWith("There is no room to put aside"), message);
                }
                passBy(planned);
                assertEquals(List.of("1"), database.query("SELECT count(*) FROM w WHERE id = 0"));
            }
            session.commit();
            session.autoCommit(true);
        }
        // A file whose deletion fails stays until the next opening, and no longer.
        for (String name : spillFiles(directory)) {
            assertTrue(
                    directory.history().stream().anyMatch(call -> call.equals("delete " + name)));
            try {
                directory.delete(name);
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /// Lets a fault planned for a call that did not happen hit nothing.
    private void passBy(long operation) {
        while (directory.operations() < operation) {
            try {
                directory.open("nothing").close();
                directory.delete("nothing");
            } catch (java.io.IOException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("nothing"), e.toString());
            }
        }
    }

    @Test
    void aFullDiskIsAnErrorWithAWayOutAndTheTransactionGoesOn() {
        fill(database, random, ROWS);
        Session session = database.session();
        session.queryBytesMax(16 << 10);
        session.autoCommit(false);
        database.update("UPDATE w SET g = 1 WHERE id = 7");
        directory.spaceBytesMax(directory.usedBytes() + (20 << 10));
        LimitException full =
                assertThrows(
                        LimitException.class, () -> database.query("SELECT * FROM w ORDER BY s"));
        assertEquals(
                "There is no room to put aside rows of the statement; free space on the disk, or"
                        + " raise query_bytes_max",
                full.getMessage());
        assertNoFiles(directory);
        assertEquals(List.of("1"), database.query("SELECT g FROM w WHERE id = 7"));
        directory.spaceBytesMax(Long.MAX_VALUE);
        assertEquals(ROWS, database.query("SELECT * FROM w ORDER BY s").size());
        session.commit();
    }

    @Test
    void theNextOpeningAfterAKillDeletesTheFiles() {
        fill(database, random, ROWS);
        database.session().queryBytesMax(16 << 10);
        SimDirectory killed;
        try (Prepared prepared = database.session().prepare("SELECT * FROM w ORDER BY s");
                Prepared.Result result = prepared.query()) {
            assertTrue(result.next());
            killed = directory.crash(random, CrashProfile.PROCESS_KILL);
        }
        assertFalse(spillFiles(killed).isEmpty());
        try (TestDatabase again = TestDatabase.on(killed, 1 << 20)) {
            assertNoFiles(killed);
            assertEquals(List.of(String.valueOf(ROWS)), again.query("SELECT count(*) FROM w"));
        }
    }

    @Test
    void closingAResultEarlyLeavesNoFile() {
        fill(database, random, ROWS);
        database.session().queryBytesMax(16 << 10);
        for (Case tried : CASES) {
            try (Prepared prepared = database.session().prepare(tried.query);
                    Prepared.Result result = prepared.query()) {
                assertTrue(result.next());
            }
            assertNoFiles(directory);
        }
    }
}
