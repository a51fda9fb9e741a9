package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.sql.Prepared;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large sorts and joins stay within their budget, both as counted and as measured on the heap. The default is
/// 40,000 rows; a full run sets `-Dspill.rows=1000000`.
class SpillBudgetTest {
    private static final long ROWS = Long.getLong("spill.rows", 40_000);
    private static final long BUDGET = Math.max(1 << 20, ROWS * 8);

    /// Allowance for other heap changes: classes, plans, buffers of the driver.
    private static final long OTHER_BYTES = 6 << 20;

    private static final String NUMBERS = "generate_series(1, " + ROWS + ") AS s(i)";

    /// A row of about 60 bytes in a file, and 180 in memory; `k` is a permutation of `i`.
    private static final String ROW =
            "SELECT i, mod(CAST(i AS BIGINT) * 7919, 1000003) AS k,"
                    + " 'name of ' || CAST(i AS VARCHAR) AS s FROM "
                    + NUMBERS;

    @TempDir Path folder;
    private TestDatabase database = new TestDatabase();

    @BeforeEach
    void open() throws IOException {
        database.close();
        database = TestDatabase.on(DiskDirectory.create(folder.resolve("db")), BUDGET);
    }

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /// Reads all rows of `query`, whose first column must ascend; measures the heap at the first.
    private long readAscending(String query) {
        try (Prepared prepared = database.session().prepare(query)) {
            long before = heapBytes();
            long rows = 0;
            try (Prepared.Result result = prepared.query()) {
                long last = Long.MIN_VALUE;
                while (result.next()) {
                    if (rows++ == 0) {
                        long held = heapBytes() - before;
                        System.out.printf("%,d bytes held: %s%n", held, query);
                        assertTrue(held < 2 * BUDGET + OTHER_BYTES, () -> held + " bytes held");
                    }
                    assertTrue(result.longAt(0) >= last, "out of order");
                    last = result.longAt(0);
                }
            }
            return rows;
        }
    }

    private void checkMemory(String query) {
        long started = System.nanoTime();
        List<String> lines = database.query("EXPLAIN (ANALYZE, TIMING OFF) " + query);
        System.out.printf(
                "%.2f s%n%s%n", (System.nanoTime() - started) / 1e9, String.join("\n", lines));
        String memory =
                lines.stream().filter(line -> line.startsWith("Memory: ")).findFirst().orElse("");
        assertTrue(memory.matches("Memory: \\d+ kB at most of .*"), memory);
        long most = Long.parseLong(memory.split(" ", 3)[1]) * 1_000;
        assertTrue(most < BUDGET + BUDGET / 2, memory);
    }

    @Test
    void aLargeSortStaysInItsBudget() {
        String query = "SELECT k, i, s FROM (" + ROW + ") AS r ORDER BY k, s";
        assertEquals(ROWS, readAscending(query));
        checkMemory(query);
    }

    @Test
    void aLargeJoinStaysInItsBudget() {
        String query =
                "SELECT a.i, b.k, b.s FROM (" + ROW + ") AS a JOIN (" + ROW + ") AS b ON a.i = b.k";
        assertTrue(readAscending(query) > 0);
        checkMemory(query);
    }

    @Test
    void manyGroupsAndDifferentRowsStayInTheirBudget() {
        checkMemory("SELECT k, count(*), max(s) FROM (" + ROW + ") AS r GROUP BY k");
        checkMemory("SELECT DISTINCT k, s FROM (" + ROW + ") AS r");
        checkMemory("SELECT count(DISTINCT s) FROM (" + ROW + ") AS r");
    }

    @Test
    void aWindowOverAllRowsStaysInItsBudget() {
        checkMemory("SELECT i, sum(i) OVER (ORDER BY k) FROM (" + ROW + ") AS r");
    }

    /// The bytes counted for rows in memory are about their size on the heap.
    @Test
    void whatIsCountedIsWhatTheHeapHas() {
        database.session().queryBytesMax(Long.MAX_VALUE);
        String few = " FROM generate_series(1, 60000) AS s(i)";
        for (String query :
                List.of(
                        "SELECT i, 'name ' || CAST(i AS VARCHAR), i + 0.5" + few + " ORDER BY 1",
                        "SELECT i, count(*), sum(i)" + few + " GROUP BY i",
                        "SELECT DISTINCT i, 'name ' || CAST(i AS VARCHAR)" + few + " OFFSET 59999",
                        "SELECT a.i, b.s FROM (SELECT i"
                                + few
                                + ") a JOIN (SELECT i, 'name ' ||"
                                + " CAST(i AS VARCHAR) AS s"
                                + few
                                + ") b ON a.i = b.i",
                        "SELECT i, rank() OVER (ORDER BY i)" + few)) {
            try (Prepared prepared = database.session().prepare(query)) {
                long before = heapBytes();
                try (Prepared.Result result = prepared.query()) {
                    assertTrue(result.next());
                    double held = heapBytes() - before;
                    double counted = ((PlannedStatement) prepared).memoryHeld();
                    System.out.printf("%.0f counted, %.0f held: %s%n", counted, held, query);
                    assertTrue(
                            counted > 0.6 * held && counted < 2.2 * held,
                            () -> query + ": " + counted + " counted, " + held + " held");
                }
            }
        }
    }
}
