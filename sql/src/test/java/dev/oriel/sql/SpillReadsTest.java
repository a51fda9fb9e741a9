package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Bytes that statements read of their spilled rows: about as many as they need.
class SpillReadsTest {
    private final SimDirectory directory = new SimDirectory();
    private final TestDatabase database = TestDatabase.on(directory, Long.MAX_VALUE);

    @AfterEach
    void closeAndCheck() {
        SpillTest.assertNoFiles(directory);
        database.close();
    }

    /// Bytes read by `query`, whose answer must equal the one with unlimited memory.
    private long bytesRead(String query, long budget) {
        database.session().queryBytesMax(0);
        List<String> expected = database.query(query);
        database.session().queryBytesMax(budget);
        long before = directory.bytesRead();
        assertEquals(expected, database.query(query), query);
        return directory.bytesRead() - before;
    }

    private long bytesReadOfCounts(String... frames) {
        StringBuilder sums = new StringBuilder();
        StringBuilder counts = new StringBuilder();
        for (int i = 0; i < frames.length; i++) {
            sums.append(i == 0 ? "" : " + ").append("SUM(n").append(i).append(')');
            counts.append(i == 0 ? "" : ", ")
                    .append("COUNT(*) OVER (ORDER BY i ")
                    .append(frames[i])
                    .append(") AS n")
                    .append(i);
        }
        String series = " FROM GENERATE_SERIES(1, 6000) AS s (i)";
        String query = "SELECT " + sums + " FROM (SELECT " + counts + series + ") AS v";
        return bytesRead(query, 64 << 10);
    }

    @Test
    void aRangeIsFollowedAsRowsAre() {
        long rows = bytesReadOfCounts("ROWS 100 PRECEDING");
        long range = bytesReadOfCounts("RANGE 100 PRECEDING");
        assertTrue(rows > 0, "nothing was put aside");
        assertTrue(range < 3 * rows, () -> range + " bytes of RANGE, " + rows + " of ROWS");
    }

    @Test
    void severalFramesReadFromSeveralPlaces() {
        long one = bytesReadOfCounts("RANGE BETWEEN 900 PRECEDING AND 900 FOLLOWING");
        long three =
                bytesReadOfCounts(
                        "RANGE BETWEEN 900 PRECEDING AND 900 FOLLOWING",
                        "RANGE BETWEEN 2000 PRECEDING AND 1500 PRECEDING",
                        "RANGE BETWEEN 1500 FOLLOWING AND 2000 FOLLOWING");
        assertTrue(three < 10 * one, () -> three + " bytes of three frames, " + one + " of one");
    }

    @Test
    void aKeyThatWasPutAsideIsComparedByAFewBytes() {
        int keys = 20_011;
        String query =
                "SELECT COUNT(*), SUM(k) FROM (SELECT DISTINCT MOD(i * CAST(7919 AS BIGINT), "
                        + keys
                        + ") AS k FROM GENERATE_SERIES(1, "
                        + 2 * keys
                        + ") AS s (i)) AS v";
        long bytes = bytesRead(query, 2 << 20);
        assertTrue(bytes > 0, "nothing was put aside");
        assertTrue(bytes < 5_000L * 2 * keys, () -> bytes + " bytes read");
    }
}
