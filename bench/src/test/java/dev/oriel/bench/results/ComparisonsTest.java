package dev.oriel.bench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.compare.Interval;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ComparisonsTest {
    @Test
    void moreIsBetterForRatesAndLessForTimes() {
        CaseTable rate =
                only(
                        new SampleResults()
                                .rate("w/a", "slow", 10.0, 11.0, 9.0)
                                .rate("w/a", "oriel", 30.0, 33.0, 27.0)
                                .rate("w/a", "fast", 15.0, 16.5, 13.5));
        assertEquals(List.of("oriel", "fast", "slow"), subjects(rate));
        assertEquals(2, ratio(rate).value(), 1e-9);
        assertEquals(Verdict.AHEAD, rate.verdict());
        CaseTable time =
                only(
                        new SampleResults()
                                .time("w/a", "slow", 10.0, 11.0, 9.0)
                                .time("w/a", "oriel", 30.0, 33.0, 27.0)
                                .time("w/a", "fast", 5.0, 5.5, 4.5));
        assertEquals(List.of("fast", "slow", "oriel"), subjects(time));
        assertEquals(1.0 / 6, ratio(time).value(), 1e-9);
        assertEquals(Verdict.BEHIND, time.verdict());
        Interval slower = time.rows().get(1).lead();
        assertEquals(1.0 / 3, Objects.requireNonNull(slower).value(), 1e-9);
    }

    @Test
    void roundsArePairedAndThoseThatOneLacksLeftOut() {
        CaseTable table =
                only(
                        new SampleResults()
                                .rate("w/a", "oriel", 200.0, null, 50.0, 400.0)
                                .rate("w/a", "peer", 100.0, 7.0, 25.0, null, 3.0));
        Interval ratio = ratio(table);
        assertEquals(2, ratio.runs());
        assertEquals(2, ratio.value(), 1e-9);
        assertEquals(2, ratio.low(), 1e-9);
    }

    @Test
    void verdictsFollowTheInterval() {
        assertEquals(Verdict.SAME, Verdict.of(new Interval(1.01, 1.001, 1.019, 5)));
        assertEquals(Verdict.SAME, Verdict.of(new Interval(1, 0.985, 1.015, 5)));
        assertEquals(Verdict.UNKNOWN, Verdict.of(new Interval(1.1, 0.97, 1.2, 5)));
        assertEquals(Verdict.AHEAD, Verdict.of(new Interval(1.1, 1.001, 1.2, 5)));
        assertEquals(Verdict.BEHIND, Verdict.of(new Interval(0.9, 0.8, 0.999, 5)));
        assertEquals(Verdict.ONE_RUN, Verdict.of(new Interval(9, 0, Double.POSITIVE_INFINITY, 1)));
    }

    @Test
    void theDefaultPathStandsForUsAndTheMachineIsNoPeer() {
        CaseTable table =
                only(
                        new SampleResults()
                                .rate("w/a", "oriel-memory", 50.0)
                                .rate("w/a", "oriel", 40.0)
                                .rate("w/a", "machine", 90.0)
                                .rate("w/a", "h2-disk", 10.0));
        assertEquals("oriel", Objects.requireNonNull(table.ours()).result().subject());
        assertEquals("h2-disk", Objects.requireNonNull(table.best()).result().subject());
        assertEquals(Verdict.ONE_RUN, table.verdict());
        assertNull(table.rows().getFirst().lead(), "the machine");
        assertNull(table.rows().get(1).lead(), "another of ours");
        assertNotNull(table.rows().get(3).lead());
    }

    @Test
    void aCaseIsComparedByItsMainMetricElseByEach() {
        Comparisons main =
                new Comparisons(
                        new SampleResults()
                                .figure("w/a", "oriel", "p50", "ns", 5.0)
                                .rate("w/a", "oriel", 40.0)
                                .figure("w/a", "oriel", "file", "bytes/op", 9.0)
                                .build());
        assertEquals(1, main.tables().size());
        CaseTable table = main.tables().getFirst();
        assertEquals("rate", table.metric());
        assertNotNull(table.beside("oriel", "file"));
        assertEquals(List.of("p50"), table.metricsBeside(CaseTable::isLatency));
        Comparisons each =
                new Comparisons(
                        new SampleResults()
                                .figure("w/a", "oriel", "spread", "ratio", 5.0)
                                .figure("w/a", "h2-disk", "spread", "ratio", 4.0)
                                .figure("w/a", "oriel", "file", "bytes", 9.0)
                                .figure("w/a", "h2-disk", "file", "bytes", 18.0)
                                .build());
        assertEquals(Verdict.ALONE, each.tables().getFirst().verdict(), "a ratio is no speed");
        assertEquals(2, ratio(each.tables().getLast()).value(), 1e-9);
        assertEquals(
                List.of("w/a, spread", "w/a, file"),
                each.tables().stream().map(CaseTable::title).toList());
    }

    @Test
    void memoryIsComparedAsAWholeAndAnEmptyJvmIsNoPeer() {
        CaseTable memory =
                only(
                        new SampleResults()
                                .figure("axion/memory", "oriel", "heap", "bytes", 5.0)
                                .figure("axion/memory", "oriel", "memory", "bytes", 9.0)
                                .figure("axion/memory", "h2-disk", "memory", "bytes", 27.0));
        assertEquals("axion/memory", memory.title());
        assertEquals(3, ratio(memory).value(), 1e-9);
        assertTrue(only(new SampleResults().time("cold/jvm", "jvm", 40e6)).isLimit());
    }

    @Test
    void oursAloneAndTheMachineAloneAreNotCompared() {
        Comparisons alone =
                new Comparisons(
                        new SampleResults()
                                .rate("w/a", "oriel", 40.0)
                                .rate("limits/x", "machine", 40.0)
                                .note("w/a", "je", "cannot")
                                .build());
        assertEquals(1, alone.count(Verdict.ALONE));
        assertTrue(alone.tables().getLast().isLimit());
        assertEquals("cannot", alone.tables().getFirst().notes().getFirst().text());
    }

    private static CaseTable only(SampleResults results) {
        List<CaseTable> tables = new Comparisons(results.build()).tables();
        assertEquals(1, tables.size());
        return tables.getFirst();
    }

    private static Interval ratio(CaseTable table) {
        return Objects.requireNonNull(table.ratio());
    }

    private static List<String> subjects(CaseTable table) {
        return table.rows().stream().map(row -> row.result().subject()).toList();
    }
}
