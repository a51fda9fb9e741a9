package dev.oriel.bench.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.sql.OrielSqlSubjects;
import dev.oriel.bench.sql.SqlDialect;
import dev.oriel.bench.tpch.TpchWorkload.TpchPace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TPC-H's workload, with our own subject.
class TpchWorkloadTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @TempDir Path folder;

    private final List<Subject> subjects = new OrielSqlSubjects().subjects();

    @Test
    void questionsOfTpch() throws Exception {
        Told.everyCase(subjects, folder, new TpchWorkload(TpchPace.of(0.01, 60_000, 0, 0, 1, 1)));
    }

    @Test
    void whatExceedsTheLimitIsSaidAndCountsAsTheLimit() throws Exception {
        TpchPace none = new TpchPace(0.01, Duration.ofNanos(1), SOON, SOON, SOON, 1);
        TpchWorkload workload = new TpchWorkload(none);
        Told told =
                Told.by(
                        workload,
                        workload.scenarios(Scale.QUICK, subjects).getFirst(),
                        subjects.getFirst(),
                        Scale.QUICK,
                        folder);
        assertEquals(TpchWorkload.QUERIES, told.cannot().size());
        String all = TpchWorkload.caseName("all", none);
        assertEquals(1e-6, told.of(all, "time").value(), 1e-12);
        assertEquals(TpchWorkload.QUERIES, told.of(all, "exceeded").value());
        assertEquals(0, told.of(all, "time").checksum());
    }

    @Test
    void questionsAreWrittenInTheWordsOfEachProduct() throws Exception {
        for (SqlDialect dialect : SqlDialect.values()) {
            List<String> queries = TpchQueries.all(dialect, 0.01);
            assertEquals(TpchWorkload.QUERIES, queries.size());
            for (String query : queries) {
                assertEquals(-1, query.indexOf("INTERVAL"), query);
            }
        }
        String first = TpchQueries.all(SqlDialect.STANDARD, 0.01).getFirst();
        assertTrue(first.contains("l_shipdate <= DATE '1998-09-02'"), first);
        String derby = String.join("\n", TpchQueries.all(SqlDialect.DERBY, 0.01));
        assertTrue(derby.contains("DATE('1998-09-02')"), derby);
        assertTrue(derby.contains("FETCH FIRST 100 ROWS ONLY"), derby);
        assertTrue(derby.contains("YEAR(l_shipdate)"), derby);
        assertEquals(-1, derby.indexOf("WITH revenue"), derby);
        assertTrue(
                TpchQueries.definitions(SqlDialect.DERBY)
                        .getFirst()
                        .startsWith("CREATE VIEW revenue (supplier_no, total) AS SELECT l_suppkey"),
                TpchQueries.definitions(SqlDialect.DERBY).toString());
        String lite = String.join("\n", TpchQueries.all(SqlDialect.SQLITE, 1));
        assertTrue(lite.contains("STRFTIME('%Y', l_shipdate)"), lite);
        assertTrue(lite.contains("l_discount BETWEEN 0.05 AND 0.07"), lite);
        assertTrue(lite.contains("* 0.0001\n"), lite);
        assertTrue(lite.contains("SUBSTR(c_phone, 1, 2)"), lite);
    }
}
