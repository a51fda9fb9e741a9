package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/// What is said of comparisons, and that it is said of the operation.
final class SummaryTest {
    private static final int PAIRS = 6;

    /// As where an index makes a question ten times as fast, and filling the index costs a little.
    @Test
    void methodThatCostsMoreDecidesNothing() {
        Comparison comparison =
                compare(i -> run(100 + i, 90 + i, 1, 1_000), i -> run(10, 1, 2, 1_000));
        assertEquals(Verdict.FASTER, comparison.verdict());
        assertFalse(comparison.worse());
        assertTrue(comparison.causes().stream().anyMatch(Cause::worse));
        List<String> lines = lines(comparison);
        assertTrue(
                lines.getFirst()
                        .startsWith("B is faster: an operation takes 10.2 times less time ("),
                lines::toString);
        assertTrue(lines.getFirst().endsWith("), between 10.1 and 10.4 times."), lines::toString);
        assertTrue(lines.get(3).startsWith("Cause: a.B.scan costs 0.01"), lines::toString);
        assertTrue(lines.toString().contains("Also: a.B.index costs 2.00x"), lines::toString);
    }

    @Test
    void timeDecidesAndAllocationIsToldBesides() {
        Comparison comparison =
                compare(i -> run(100 + i, 90 + i, 1, 1_000), i -> run(50 + i, 40, 1, 3_000));
        assertEquals(Verdict.FASTER, comparison.verdict());
        assertEquals(Measure.TIME, comparison.decidedBy());
        String text = String.join("\n", lines(comparison));
        assertTrue(
                text.contains("Besides: it allocates 3.00 times as much (1.00 kB -> 3.00 kB)."),
                text);
    }

    @Test
    void allocationDecidesWhereTimeIsTheSame() {
        Comparison comparison =
                compare(i -> run(100_000 + i, 50, 1, 1_000), i -> run(100_000, 50, 1, 1_100));
        assertTrue(comparison.worse());
        assertEquals(Measure.BYTES, comparison.decidedBy());
        assertTrue(
                lines(comparison)
                        .getFirst()
                        .startsWith("B costs more: an operation allocates 10 % more"));
        assertEquals(0, comparison.morePairs());
    }

    /// Time is told; that the allocation of single runs is not, asks for no more runs.
    @Test
    void onlyTheMeasureThatMattersAsksForMorePairs() {
        Comparison comparison =
                compare(
                        i -> run(100_000 + i, 50, 1, 1_000 + 40 * (i % 3)),
                        i -> run(100_000, 50, 1, 1_000 + 40 * ((i + 1) % 3)));
        assertEquals(Verdict.SAME, comparison.verdict());
        assertEquals(0, comparison.morePairs());
        assertTrue(lines(comparison).getFirst().startsWith("No difference: time in calls"));
    }

    @Test
    void tenLinesAreEnoughAndTablesHoldNoZeros() {
        Comparison comparison =
                compare(i -> run(100 + i, 90 + i, 1, 1_000), i -> run(200 + i, 150, 9, 3_000));
        assertTrue(lines(comparison).size() <= 10, () -> lines(comparison).toString());
        String all = new ComparisonText("a", "b").withTables().of(comparison);
        assertTrue(all.contains("a.B.scan"), all);
        assertFalse(all.contains("  0 ns"), all);
        assertTrue(all.endsWith(lines(comparison).getFirst() + "\n"), all);
    }

    @Test
    void rareCallsAreToldByHowRareTheyAre() {
        assertEquals("1 in 4,000", Costs.count(1.0 / 4_000));
        assertEquals("0.500", Costs.count(0.5));
        assertEquals("12", Costs.count(12));
    }

    /// The recording begins and ends within an operation.
    @Test
    void callsThatAreNearlyWholeAreToldAsWhole() {
        assertEquals("2", Costs.count(1.9997));
        assertEquals("1,365", Costs.count(1_365.04));
        assertEquals("2,133.1", Costs.count(2_133.07));
    }

    @Test
    void operationsAreFoundByAnyOfTheirNames() throws CompareFailure {
        List<String> names = List.of("com.acme.Shop.sell", "com.acme.Shop.find", "tx.commit");
        assertEquals("com.acme.Shop.sell", new OperationMethod("sell").in(names, "a"));
        assertEquals("com.acme.Shop.sell", new OperationMethod("Shop::sell").in(names, "a"));
        assertEquals("tx.commit", new OperationMethod("tx.commit").in(names, "a"));
        assertEquals("com.acme.Shop::sell", new OperationMethod("com.acme.Shop::sell").pattern());
        assertEquals("**::sell", new OperationMethod("sell").pattern());
        List<String> two = List.of("a.B.sell", "c.D.sell");
        CompareFailure several =
                assertThrows(CompareFailure.class, () -> new OperationMethod("sell").in(two, "x"));
        assertTrue(String.valueOf(several.getMessage()).contains("a.B.sell, c.D.sell"));
        CompareFailure none =
                assertThrows(CompareFailure.class, () -> new OperationMethod("buy").in(names, "x"));
        assertTrue(String.valueOf(none.getMessage()).contains("com.acme.Shop.sell, "));
    }

    /// As if a few pairs told the operation apart, and not yet the method: its methods are recorded already.
    @Test
    void morePairsAreProposedForMethodThatIsNearlyToldApart() {
        double[] before = {40, 60, 50, 45, 65, 55};
        double[] after = {70, 55, 75, 52, 60, 80};
        Comparison comparison =
                compare(
                        i -> scanning(100 + i % 2, before[i]),
                        i -> scanning(110 + i % 2, after[i]));
        assertTrue(comparison.worse());
        List<String> lines = lines(comparison);
        String next = lines.getLast();
        assertTrue(next.startsWith("Next: --pairs "), lines::toString);
        assertTrue(next.endsWith(", which may tell whether a.B.scan is the cause."), next);
    }

    /// As if the difference were in methods that are not recorded.
    @Test
    void nobodyIsToldToRecordMethodsThatAreRecorded() {
        Comparison comparison =
                compare(i -> scanning(100 + i % 2, 50), i -> scanning(110 + i % 2, 50));
        assertTrue(comparison.worse());
        assertEquals(
                "Next: --pairs 12, which may tell the method, or record others with --methods.",
                lines(comparison).getLast());
    }

    /// As if a table of results were left out, which took memory and saved time, on a busy machine.
    @Test
    void lessAllocationDoesNotDecideWhileTimeMayBeMore() {
        double[] before = {100, 160, 120, 150, 110, 140};
        double[] after = {190, 130, 240, 160, 210, 150};
        Comparison comparison =
                compare(
                        i -> run(before[i], 50, 1, 1_000 + i % 2),
                        i -> run(after[i], 50, 1, 850 + i % 2));
        assertEquals(Verdict.UNKNOWN, comparison.verdict());
        String text = String.join("\n", lines(comparison));
        assertTrue(text.startsWith("Cannot tell: "), text);
        assertTrue(text.contains("Besides: it allocates 15 % less"), text);
        Comparison more =
                compare(
                        i -> run(before[i], 50, 1, 850 + i % 2),
                        i -> run(after[i], 50, 1, 1_000 + i % 2));
        assertEquals(Measure.BYTES, more.decidedBy());
    }

    /// As if operations took the time of the whole run.
    @Test
    void processorTimeAndTimeAreToldOnceEach() {
        String text = String.join("\n", lines(working(150, 145)));
        assertTrue(
                text.contains("Besides: it uses 50 % more processor time (100 ns -> 150 ns).\n"),
                text);
    }

    @Test
    void processThatSaysTheOppositeOfRecordedCallsIsTold() {
        String text = String.join("\n", lines(working(150, 60)));
        assertTrue(text.contains("it uses 50 % more processor time ("), text);
        assertTrue(text.contains("; the process uses 40 % less processor time ("), text);
        assertTrue(text.contains("; the process takes 40 % less time ("), text);
    }

    /// Operations of A that took 100 in calls and in the process, and those of B.
    private static Comparison working(double calls, double process) {
        return compare(i -> working(i, 100, 100), i -> working(i, calls, process));
    }

    private static ForkCosts working(int run, double calls, double process) {
        CostNode root =
                new CostNode(
                        "",
                        0,
                        0,
                        0,
                        false,
                        List.of(
                                new CostNode(
                                        "a.B.ask", 1, calls + run / 10.0, 0, false, List.of())));
        return new ForkCosts(
                1,
                Map.of(
                        Measure.TIME,
                        calls + run / 10.0,
                        Measure.WORK,
                        calls + run / 10.0,
                        Measure.CPU,
                        process + run / 10.0,
                        Measure.WALL,
                        process + run / 10.0),
                Map.of(Measure.TIME, root),
                null);
    }

    /// As if a method allocated hardly anything before.
    @Test
    void greatRatioOfHardlyAnythingIsToldByTheTwoCosts() {
        Comparison comparison =
                compare(i -> run(100, 0.01, 5, 1_000), i -> run(200 + i, 80 + i, 5, 1_000));
        String text = String.join("\n", lines(comparison));
        assertTrue(
                text.contains("Cause: a.B.scan costs 82.5 ns per operation, in A 0.01 ns, "), text);
    }

    /// The interval of the time tells the two apart by itself, but not among all measures.
    @Test
    void differenceThatMayBeOneOfManyByChanceIsNotSaidToLieWithinTheSpread() {
        double[] before = {100, 104, 96, 110, 92, 106};
        double[] after = {110, 145.6, 134.4, 112.2, 133.4, 111.3};
        Comparison comparison =
                compare(
                        i -> differing(before[i], 100 + 40 * (i % 2)),
                        i -> differing(after[i], 140 - 40 * (i % 2)));
        assertEquals(Verdict.UNKNOWN, comparison.verdict());
        String first = lines(comparison).getFirst();
        assertTrue(first.startsWith("Cannot tell yet: B's time in calls seems to be 1.22"), first);
        assertTrue(
                first.endsWith(", but of so many figures one may differ as much by chance."),
                first);
    }

    private static ForkCosts differing(double nanos, double others) {
        CostNode root =
                new CostNode(
                        "",
                        0,
                        0,
                        0,
                        false,
                        List.of(new CostNode("a.B.ask", 1, nanos, 0, false, List.of())));
        return new ForkCosts(
                1,
                Map.of(
                        Measure.TIME,
                        nanos,
                        Measure.WORK,
                        others,
                        Measure.CPU,
                        others,
                        Measure.BYTES,
                        others,
                        Measure.WALL,
                        others),
                Map.of(Measure.TIME, root),
                null);
    }

    private static List<String> lines(Comparison comparison) {
        return new ComparisonText("a", "b").of(comparison).lines().toList();
    }

    private static Comparison compare(IntFunction<ForkCosts> a, IntFunction<ForkCosts> b) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(a.apply(i), b.apply(i));
        }
        return Comparison.of(pairs);
    }

    /// A run of one operation, of which only the scan is recorded.
    private static ForkCosts scanning(double nanos, double scan) {
        CostNode scanned = new CostNode("a.B.scan", 1, scan, 0, false, List.of());
        CostNode root = new CostNode("", 0, 0, 0, false, List.of(scanned));
        return new ForkCosts(1, Map.of(Measure.TIME, nanos), Map.of(Measure.TIME, root), null);
    }

    /// A run of one operation, which scans, looks into an index and does something for no time.
    private static ForkCosts run(double nanos, double scan, double index, double bytes) {
        CostNode none = new CostNode("a.B.none", 1, 0, 0, false, List.of());
        CostNode scanned = new CostNode("a.B.scan", 1, scan, 0, false, List.of(none));
        CostNode indexed = new CostNode("a.B.index", 1, index, 0, false, List.of());
        CostNode ask =
                new CostNode(
                        "a.B.ask", 1, nanos - scan - index, 0, false, List.of(scanned, indexed));
        return new ForkCosts(
                1,
                Map.of(Measure.TIME, nanos, Measure.BYTES, bytes),
                Map.of(Measure.TIME, new CostNode("", 0, 0, 0, false, List.of(ask))),
                null);
    }
}
