package dev.oriel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.SampleResults;
import org.junit.jupiter.api.Test;

final class MarkdownReportTest {
    private static final String CASE = "cold/first-query";
    private static final Results RESULTS =
            new SampleResults()
                    .time(CASE, "h2-disk", 400e6, 380e6, 420e6)
                    .time(CASE, "oriel", 100e6, 95e6, 105e6)
                    .time(CASE, "oriel-memory", 90e6, 90e6, 90e6)
                    .figure(CASE, "oriel", "memory", "bytes", 2e6)
                    .add("limits/sync", "machine", "time", "us/op", "sync", null, 118.0)
                    .note(CASE, "duckdb", "has *no* start|stop")
                    .note("cold/open", "je", "not here")
                    .build();
    private static final String GOLDEN =
            """
            ```
            ./oriel bench --quick
            ```
            Machine: 2 cores. \s
            Date: 2026-11-21T12:00:00Z; commit: abc1234; scale: quick; seed: 7; rounds a scenario: 3. \s
            Figures are geometric means over fresh JVMs. Brackets hold 95 % intervals. A ratio says how many times better Oriel is than the peer of that row, paired by round: above 1 Oriel is ahead.

            Cases: 1 ahead.

            ## Targets
            | workload | target | measured | case | |
            |---|---|---:|---|---|
            | cold | first query of a fresh JVM <= 0.6x the best peer's time | 0.250x [0.250, 0.250] | `cold/first-query` against `h2-disk` | met |
            | cold | opening an existing database <= 0.6x the best peer's time |  |  | not measured |

            Of several cases the worst is shown.

            ## cold

            ### cold/first-query
            Oriel against the best peer (h2-disk): 4.00x [4.00, 4.00], ahead.

            | subject | durability | time | Oriel is | cpu/op | bytes/op | memory |
            |---|---|---:|---:|---:|---:|---:|
            | **oriel-memory** | written | 90.0 ms [90.0 ms, 90.0 ms] |  | 500 ns | 2.00 B |  |
            | **oriel** | written | **99.9 ms** [88.2 ms, 113 ms] |  | 500 ns | 2.00 B | 2.00 MB |
            | h2-disk | written | 400 ms [353 ms, 453 ms] | 4.00x [4.00, 4.00] | 500 ns | 2.00 B |  |

            `cold/first-query`, duckdb: has \\*no\\* start\\|stop

            ## Limits of the machine
            | limit | figure | ours | | we take |
            |---|---:|---|---:|---:|
            | `limits/sync`, time | 118 us |  |  |  |

            ## Notes
            - `cold/open`, je: not here

            ## Settings of the subjects
            - **h2-disk**: 2.5, cache of 64 MB
            - **oriel**: 0.1, as it comes
            """;

    @Test
    void everythingIsThereAsItIsMeantToLook() {
        assertEquals(GOLDEN, new MarkdownReport(RESULTS).all());
    }

    @Test
    void targetsAndTheRestMayStandApart() {
        MarkdownReport report = new MarkdownReport(RESULTS);
        String targets = report.targets();
        String results = report.results();
        int begin = GOLDEN.indexOf("\n## Targets\n");
        assertEquals(results, GOLDEN.replace("\n## Targets\n" + targets, ""));
        assertTrue(GOLDEN.startsWith("\n## Targets\n" + targets, begin));
    }

    @Test
    void measuredTargetsHaveTheirUnits() {
        SampleResults results =
                new SampleResults()
                        .time("statements/ad-hoc/plan", "oriel", 1_836.0)
                        .add(
                                "statements/select/number",
                                "oriel",
                                "time",
                                "ns/op",
                                "sync",
                                96.0,
                                9.0)
                        .rate("hugegraph/written/vertices/plain/names-built", "oriel", 9e5, 9e5)
                        .time("profiler/call/timed", "oriel-timed", 50.0, 50.0)
                        .figure("couchbase/idle/10000", "oriel-server", "memory", "bytes", 61e6);
        String targets = new MarkdownReport(results.build()).targets();
        for (String cell :
                new String[] {
                    "in <= 100 us | 1.84 us |",
                    "execution <= 300 | 96.0 B |",
                    "names built before | 900 k ops/s [900 k, 900 k] |",
                    "a timed call <= 50 ns | 50.0 ns [50.0 ns, 50.0 ns] |",
                    "<= 60 MB | 61.0 MB |"
                }) {
            assertTrue(targets.contains(cell), cell + " of\n" + targets);
        }
    }

    @Test
    void theShortTableHoldsTheHeadlines() {
        assertEquals(
                """
                | | Oriel | best peer | |
                |---|---:|---:|---:|
                | the first query of a fresh JVM | 99.9 ms [88.2 ms, 113 ms] | 400 ms [353 ms, 453 ms] (h2-disk) | **4.00x** |
                """,
                new MarkdownReport(RESULTS).figures());
    }

    @Test
    void aMissedTargetNamesTheSectionThatSaysWhy() {
        SampleResults results =
                new SampleResults().time(CASE, "oriel", 5.0, 5.0).time(CASE, "h2-disk", 5.0, 5.0);
        String all = new MarkdownReport(results.build()).all();
        assertTrue(all.contains("**not met**, [why](#the-first-query-of-a-fresh-jvm) |"), all);
    }

    @Test
    void aLimitOfBytesIsHeldAgainstTheBytesOfRecords() {
        SampleResults results =
                new SampleResults()
                        .rate("jdbm/scan/in-order/10000x92/written", "oriel", 9e6)
                        .rate("jdbm/scan/in-order/1000000x92/written", "oriel", 1e6)
                        .rate("jdbm/get/at-random/1000x92/written", "oriel", 1e6)
                        .add("limits/memcpy", "machine", "rate", "bytes/s", "memory", null, 5e8)
                        .add("limits/load/memory", "machine", "time", "ns", "memory", null, 200.0);
        String all = new MarkdownReport(results.build()).all();
        String copy =
                "| `limits/memcpy`, rate | 500 MB/s | `jdbm/scan/in-order/1000000x92/written` | 1.00 M ops/s | 5.00x (one run) |";
        assertTrue(all.contains(copy), all);
        assertTrue(
                all.contains("`jdbm/get/at-random/1000x92/written` | 1.00 M ops/s | 5.00x"), all);
    }

    @Test
    void growthStandsByTheNumberOfRecords() {
        SampleResults results = new SampleResults();
        for (String count : new String[] {"10000", "1000000"}) {
            String name = "jdbm/insert/in-order/" + count + "x150/written";
            results.rate(name, "oriel", count.length() * 1e5)
                    .figure(name, "oriel", "file", "bytes/op", 160.0 + count.length());
        }
        results.rate("jdbm/insert/in-order/1000000x150/written", "lmdb", 1e6);
        String all = new MarkdownReport(results.build()).all();
        String expected =
                """
                ### jdbm/insert/in-order/N x 150/written
                | subject | 10 k | 1 M | file, 10 k | file, 1 M |
                |---|---:|---:|---:|---:|
                | lmdb |  | 1.00 us |  |  |
                | **oriel** | 2.00 us | 1.43 us | 165 B/op | 167 B/op |
                """;
        assertTrue(all.contains(expected), all);
    }

    @Test
    void ofSeveralSizesTheLargestUpToAMillionIsTheHeadline() {
        SampleResults results = new SampleResults();
        for (String count : new String[] {"10000", "1000000", "10000000"}) {
            results.rate("jdbm/scan/in-order/" + count + "x150/written", "oriel", 5.0);
        }
        String figures = new MarkdownReport(results.build()).figures();
        assertTrue(figures.contains("| a scan of 1 M | 5.00 ops/s |  |  |"), figures);
    }
}
