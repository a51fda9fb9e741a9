package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.CallDetail;
import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.Histogram;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.SampleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The method that is named as the cause, in made-up runs.
final class CausesTest {
    private static final int PAIRS = 6;
    private static final int OPERATIONS = 1_000;

    @TempDir private Path folder;

    /// A loop that two methods share takes longer for one of them, which passes other arguments.
    @Test
    void callerIsNamedIfTheMethodCostsItsOtherCallersTheSame() {
        Comparison comparison =
                compare(
                        run ->
                                List.of(
                                        call("a.A.route", 1, call("b.B.steps", 30 + run)),
                                        call("a.A.render", 1, call("b.B.steps", 60))),
                        run ->
                                List.of(
                                        call("a.A.route", 1, call("b.B.steps", 60)),
                                        call("a.A.render", 1, call("b.B.steps", 60 + run))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(text.contains("Cause: a.A.route costs 1.8"), text);
        assertTrue(
                text.contains(", in calls of b.B.steps, which costs its other callers no more;"),
                text);
    }

    @Test
    void sharedMethodIsNamedIfItCostsAllCallersMore() {
        Comparison comparison =
                compare(
                        run ->
                                List.of(
                                        call("a.A.route", 1, call("b.B.steps", 30 + run)),
                                        call("a.A.render", 1, call("b.B.steps", 60))),
                        run ->
                                List.of(
                                        call("a.A.route", 1, call("b.B.steps", 60)),
                                        call("a.A.render", 1, call("b.B.steps", 120 + run))));
        assertEquals("b.B.steps", comparison.causes().getFirst().method().name());
    }

    /// In every other run the loop of the server began before the recording.
    @Test
    void pathsAreTheSameWhetherOrNotTheirOutermostCallsWereRecorded() {
        Comparison comparison =
                outermost(run -> served(run, 50 + run), run -> served(run / 2, 75 + run));
        Cause cause = comparison.causes().getFirst();
        assertEquals("a.A.route", cause.method().name());
        assertEquals(List.of(List.of("a.A.route")), cause.paths());
    }

    private static List<CostNode> served(int run, double nanos) {
        CostNode route = call("a.A.route", nanos);
        return run % 2 == 0 ? List.of(route) : List.of(call("a.A.serve", 500, route));
    }

    /// On a busy machine recording seems to cost too much once in a while.
    @Test
    void runThatOnlyCountedCallsIsLeftOut() {
        Comparison comparison =
                compare(
                        run ->
                                List.of(
                                        counted(run == 2, 800 + run),
                                        call("a.A.render", 20_000 - run)),
                        run -> List.of(counted(false, 3_600 + run), call("a.A.render", 20_000)));
        assertEquals("a.A.total", comparison.causes().getFirst().method().name());
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(text.contains("a.A.total costs 4.49x"), text);
    }

    private static CostNode counted(boolean untimed, double self) {
        return new CostNode(
                "a.A.total",
                OPERATIONS,
                untimed ? 0 : OPERATIONS * self,
                0,
                false,
                untimed,
                List.of());
    }

    /// A method is called more often that is too short to be timed: its caller bears the time.
    @Test
    void furtherCallsAreNamedBeforeTheCallerThatBearsTheirTime() {
        Comparison comparison =
                compare(
                        run -> List.of(call("a.A.read", 500 + run, digits(380))),
                        run -> List.of(call("a.A.read", 750 + run, digits(780))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(
                text.contains(
                        "Cause: a.A.digit is called 780 times an operation instead of 380 by a.A.read."),
                text);
        assertTrue(text.contains("Also: a.A.read costs 1.50x"), text);
    }

    /// As on a busy machine, on which only the numbers of calls are sure.
    @Test
    void callerOfFurtherCallsIsToBeReadIfTheOperationIsUnknown() {
        Comparison comparison =
                compare(
                        run -> List.of(call("a.A.read", 500 * (1 + run % 3), digits(380))),
                        run -> List.of(call("a.A.read", 500 * (1 + (run + 1) % 3), digits(780))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(text.startsWith("Cannot tell"), text);
        assertTrue(text.contains("Next: read a.A.read, which calls it. For the operation: "), text);
    }

    /// The first run of A, like all of A's, has no such call.
    @Test
    void furtherCallsOfNewMethodAreNamedBeforeTheCallerThatBearsTheirTime() throws IOException {
        Comparison comparison =
                compare(
                        run -> List.of(call("a.A.read", 500 + run)),
                        run -> List.of(call("a.A.read", 750 + run, digits(780))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(
                text.contains(
                        "Cause: a.A.digit is called 780 times an operation by a.A.read, and never in A."),
                text);
        assertTrue(text.contains("Also: a.A.read costs 1.5"), text);
        assertEquals(List.of("a.A.digit"), comparison.causes().getFirst().untimed());
        Path json = folder.resolve("compare.json");
        new ComparisonJson("a", "b").write(Map.of("", comparison), json);
        String written = Files.readString(json);
        assertTrue(written.contains("\"untimed\" : [ \"a.A.digit\" ]"), written);
    }

    /// The caller calls it as before: the further calls are those that it makes itself.
    @Test
    void methodThatCallsItselfMoreOftenIsItsOwnCaller() {
        Comparison comparison =
                compare(
                        run -> List.of(call("a.A.read", 500 + run, visits(1, 380))),
                        run -> List.of(call("a.A.read", 750 + run, visits(1, 780))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(
                text.contains(
                        "Cause: a.A.visit is called 780 times an operation instead of 380 by itself."),
                text);
        assertTrue(text.contains("Next: read a.A.visit, which calls itself."), text);
    }

    @Test
    void callerThatStartsARecursionMoreOftenIsNamed() {
        Comparison comparison =
                compare(
                        run -> List.of(call("a.A.read", 500 + run, visits(1, 380))),
                        run -> List.of(call("a.A.read", 750 + run, visits(2, 760))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(
                text.contains(
                        "Cause: a.A.visit is called 760 times an operation instead of 380 by a.A.read."),
                text);
    }

    /// As if a cache became too small: samples show the method that makes an entry.
    @Test
    void furtherCallsAreNamedBeforeTheSamplesOfTheSameMethod() {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(making(400, 50 + i, 20), making(1_000, 80 + i, 50));
        }
        List<String> lines = new ComparisonText("a", "b").of(Comparison.of(pairs)).lines().toList();
        assertEquals(
                "Cause: a.A.make is called 1,000 times an operation instead of 400 by a.A.entry.",
                lines.get(3));
        assertTrue(lines.get(4).startsWith("  counted exactly; a.A.read: "), lines::toString);
        assertTrue(lines.get(4).endsWith("a.A.read > a.A.entry > a.A.make"), lines::toString);
        assertEquals("Next: read a.A.entry, which calls it.", lines.getLast());
        assertFalse(lines.toString().contains("Also: "), lines::toString);
    }

    private static ForkCosts making(int calls, double nanos, double make) {
        CostNode made = new CostNode("a.A.make", calls * OPERATIONS, 10, 0, true, true, List.of());
        CostNode entry =
                new CostNode("a.A.entry", 2_000 * OPERATIONS, 10, 0, true, true, List.of(made));
        CostNode time = root(call("a.A.read", nanos * 1_000, entry));
        CostNode entries = samples("a.A.entry", 10, samples("a.A.make", make));
        return new ForkCosts(
                OPERATIONS,
                Map.of(Measure.TIME, time.total(), Measure.CPU, time.total()),
                Map.of(
                        Measure.TIME, time,
                        Measure.WORK, time,
                        Measure.CPU, root(samples("a.A.read", nanos - make - 10, entries))),
                null);
    }

    /// As if a loop became a stream.
    @Test
    void newLambdaIsToldAsThatOfItsMethod() {
        Comparison comparison =
                compare(
                        run -> List.of(call("a.A.read", 500 + run)),
                        run -> List.of(call("a.A.read", 750 + run, lambda(780))));
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(
                text.contains(
                        "Cause: a.A.read calls its lambda 780 times an operation, and never in A."),
                text);
        assertTrue(text.contains("Next: read a.A.read, which calls it."), text);
    }

    private static CostNode lambda(int calls) {
        return new CostNode("a.A.lambda$read$0", calls * OPERATIONS, 10, 0, true, true, List.of());
    }

    private static CostNode visits(int outermost, int calls) {
        return new CostNode(
                "a.A.visit",
                calls * OPERATIONS,
                10,
                0,
                true,
                true,
                (calls - outermost) * OPERATIONS,
                List.of());
    }

    /// Samples show the callee of a method that is called more often, as exact counts do.
    @Test
    void calleeOfMethodThatIsCalledMoreIsNoCauseOfItsOwn() {
        assertEquals(
                List.of(),
                visiting(30).causes().stream().map(Cause::name).distinct().toList(),
                "the callee costs in proportion to the calls");
    }

    @Test
    void calleeThatCostsMoreThanTheFurtherCallsIsNamed() {
        assertEquals(
                List.of("a.A.block"),
                visiting(50).causes().stream().map(Cause::name).distinct().toList(),
                "each call of the callee costs more");
    }

    /// Operations of which B visits half as much again, and a block of each visit.
    private static Comparison visiting(double block) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(visited(400, 50 + i, 20), visited(600, 30 + block + i, block));
        }
        return Comparison.of(pairs);
    }

    private static ForkCosts visited(int visits, double nanos, double block) {
        CostNode time = root(call("a.A.read", nanos * 1_000, visits(1, visits)));
        CostNode blocks = samples("a.A.block", block);
        CostNode read = samples("a.A.read", nanos - block - 10, samples("a.A.visit", 10, blocks));
        return new ForkCosts(
                OPERATIONS,
                Map.of(Measure.TIME, time.total(), Measure.CPU, time.total()),
                Map.of(
                        Measure.TIME, time,
                        Measure.WORK, time,
                        Measure.CPU, root(read)),
                null);
    }

    /// A method with ten samples for each of `nanos`.
    private static CostNode samples(String name, double nanos, CostNode... below) {
        return new CostNode(name, 0, nanos, (long) (10 * nanos), false, List.of(below));
    }

    private static CostNode digits(int calls) {
        return new CostNode("a.A.digit", calls * OPERATIONS, 10, 0, true, true, List.of());
    }

    /// Samples fall on the caller, into which the compiler has inlined the method.
    @Test
    void timedMethodIsNamedBeforeSampledCaller() {
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(start(i, 300 + i, 10), start(PAIRS - i, 500, 190 + i));
        }
        Comparison comparison = Comparison.of(pairs);
        String text = new ComparisonText("a", "b").of(comparison);
        assertEquals(Measure.CPU, comparison.decidedBy(), text);
        assertTrue(text.contains("Cause: a.A.register costs 19"), text);
        assertTrue(text.contains("Also: a.A.main costs 1.6"), text);
    }

    /// A run whose wall time tells nothing.
    private static ForkCosts start(int run, double nanos, double register) {
        CostNode main = new CostNode("a.A.main", 0, nanos, (long) nanos, false, List.of());
        CostNode registered = new CostNode("a.A.register", 1, register, 0, false, List.of());
        return new ForkCosts(
                1,
                Map.of(Measure.WALL, 500.0 + 300 * (run % 2), Measure.CPU, nanos),
                Map.of(
                        Measure.CPU, new CostNode("", 0, 0, 0, false, List.of(main)),
                        Measure.TIME, new CostNode("", 0, 0, 0, false, List.of(registered))),
                null);
    }

    /// The collector takes the time. A method that costs a little more does not explain it.
    @Test
    void allocationIsNamedIfNoMethodTakesTheTime() {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(collected(400 + i, 12_000, 1), collected(1_500 + i, 80_000, 4));
        }
        String text = new ComparisonText("a", "b").of(Comparison.of(pairs));
        assertTrue(text.contains("Cause: a.A.remember allocates 6.67x"), text);
    }

    /// The time of a method decides, and what it allocates explains it.
    @Test
    void allocationOfTheTimedMethodIsToldWithItsTime() {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(remembering(400 + i, 1_000), remembering(900 + i, 3_000));
        }
        String text = new ComparisonText("a", "b").of(Comparison.of(pairs));
        assertTrue(text.contains("Cause: a.A.remember costs 2.2"), text);
        assertTrue(text.contains(", it allocates 3.00x ["), text);
    }

    /// As if the constructor were compiled later in a program that takes longer.
    @Test
    void trifleBesideAGreatDifferenceIsNotNamed() {
        assertEquals(List.of("a.A.length"), allocating(1_400, 98_000));
        assertEquals(List.of("a.A.length", "a.A.<init>"), allocating(1_400, 500));
    }

    /// The causes if `length` allocates more, and the constructor 34 bytes more.
    private static List<String> allocating(double constructor, double length) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(allocated(constructor, 10), allocated(constructor + 34, 10 + length));
        }
        return Comparison.of(pairs).causes().stream().map(Cause::name).toList();
    }

    private static ForkCosts allocated(double constructor, double length) {
        CostNode time = root(call("a.A.ask", 500));
        CostNode made = call("a.A.<init>", constructor);
        return new ForkCosts(
                OPERATIONS,
                Map.of(
                        Measure.TIME,
                        time.total(),
                        Measure.BYTES,
                        OPERATIONS * (constructor + length)),
                Map.of(
                        Measure.TIME,
                        time,
                        Measure.BYTES,
                        root(call("a.A.ask", 0, made, call("a.A.length", length)))),
                null);
    }

    @Test
    void allocationThatChangesTheOtherWayIsToldToo() {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(remembering(400 + i, 3_000), remembering(900 + i, 1_000));
        }
        String text = new ComparisonText("a", "b").of(Comparison.of(pairs));
        assertTrue(text.contains(", though it allocates 0.33x ["), text);
    }

    private static ForkCosts remembering(double nanos, double bytes) {
        CostNode time = root(call("a.A.remember", nanos));
        return new ForkCosts(
                OPERATIONS,
                Map.of(Measure.TIME, OPERATIONS * nanos, Measure.BYTES, OPERATIONS * bytes),
                Map.of(
                        Measure.TIME, time,
                        Measure.WORK, time,
                        Measure.BYTES, root(call("a.A.remember", bytes))),
                null);
    }

    private static ForkCosts collected(double nanos, double bytes, double done) {
        CostNode remember = call("a.A.remember", bytes);
        CostNode asked = call("a.A.ask", 80, call("a.A.done", done));
        return new ForkCosts(
                OPERATIONS,
                Map.of(Measure.TIME, OPERATIONS * nanos, Measure.BYTES, OPERATIONS * bytes),
                Map.of(
                        Measure.TIME, root(call("a.A.ask", nanos - done, call("a.A.done", done))),
                        Measure.WORK, root(asked),
                        Measure.BYTES, root(call("a.A.ask", 0, remember))),
                null);
    }

    private static CostNode root(CostNode outermost) {
        return new CostNode("", 0, 0, 0, false, List.of(outermost));
    }

    /// An operation that never waits is no part of a comparison of waits, however its short ones differ.
    @Test
    void waitThatIsNoPartOfTheOperationIsNotNamed() {
        Comparison comparison = waiting(1_260, 213);
        String text = new ComparisonText("a", "b").of(comparison);
        assertEquals(List.of(), comparison.causes(), text);
        assertFalse(text.contains("a.A.done"), text);
    }

    @Test
    void waitIsShareOfTheTimeOfTheOperation() {
        Comparison comparison = waiting(1_260, 303_000);
        String text = new ComparisonText("a", "b").of(comparison);
        assertEquals("a.A.done", comparison.causes().getFirst().method().name(), text);
        assertEquals(0.64, comparison.causes().getFirst().method().total().share(), 0.01, text);
    }

    /// Runs whose operations last 474 us.
    private static Comparison waiting(double nanosOfA, double nanosOfB) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(waited(i, nanosOfA), waited(PAIRS - i, nanosOfB));
        }
        return Comparison.of(pairs);
    }

    private static ForkCosts waited(int run, double nanos) {
        CostNode time = root(call("a.A.ask", 474_000 + run));
        return new ForkCosts(
                OPERATIONS,
                Map.of(Measure.TIME, time.total()),
                Map.of(Measure.TIME, time, Measure.WAITING, root(call("a.A.done", nanos + run))),
                null);
    }

    /// Of three runs of A nothing is known of the shifts between samples of neighbours by chance.
    @Test
    void fewRunsTellNothingOfShiftsByChance() {
        assertFalse(isBeyond(3));
        assertTrue(isBeyond(6));
    }

    private static boolean isBeyond(int runs) {
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < runs; i++) {
            pairs.add(sampled(1_000 + i), sampled(9_000 + i));
        }
        TreeComparison tree = new TreeComparison(Measure.CPU, pairs, new Family(), new Family());
        AlignedMethod method = tree.method("a.A.draw");
        return method != null && new SampleSplits(pairs, tree.methods()).isBeyond(method);
    }

    private static ForkCosts sampled(double nanos) {
        CostNode draw = new CostNode("a.A.draw", 0, nanos, 100, false, List.of());
        return new ForkCosts(1, Map.of(Measure.CPU, nanos), Map.of(Measure.CPU, root(draw)), null);
    }

    /// As if the JVM filled in exceptions for `cell`, during which it takes no samples: their time seems to be that of
    /// all methods, by their samples.
    @Test
    void timeWithoutSamplesIsNotThatOfAMethodWithALesserShareOfThem() {
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(filled(1_000 + i, 990, 10), filled(1_400 + i, 930, 70));
        }
        Comparison comparison = Comparison.of(pairs);
        assertEquals(
                List.of("a.A.cell"),
                comparison.causes().stream().map(Cause::name).toList(),
                () -> new ComparisonText("a", "b").of(comparison));
    }

    private static ForkCosts filled(double nanos, long steps, long cell) {
        double each = nanos / (steps + cell);
        CostNode table =
                new CostNode(
                        "a.A.table",
                        0,
                        0,
                        0,
                        false,
                        List.of(
                                new CostNode("a.A.steps", 0, each * steps, steps, false, List.of()),
                                new CostNode("a.A.cell", 0, each * cell, cell, false, List.of())));
        return new ForkCosts(1, Map.of(Measure.CPU, nanos), Map.of(Measure.CPU, root(table)), null);
    }

    /// The JVM measures no processor time of virtual threads; the call may have slept.
    @Test
    void callOfAVirtualThreadHasNoProcessorTime() {
        CallDetail measured = new CallDetail(0, 0, 0, 0, 30_000, 1, 0, Histogram.EMPTY);
        CallNode fetch = new CallNode("a.A.fetch", 10, 20_000_000, 20_000_000, 1, 1, List.of());
        CallNode main = new CallNode("a.A.main", 1, 40_000, 40_000, 1, 1, measured, List.of());
        ProfileResult result =
                new ProfileResult(
                        Instant.EPOCH, 100, 0, 0, List.of(main, fetch), List.of(), List.of());
        CostNode work =
                new RunCosts(List.of(result)).trees(true, false, SampleKind.CPU).get(Measure.WORK);
        assertEquals(30_000, work == null ? -1 : work.total());
        assertTrue(work != null && work.children().getLast().untimed());
    }

    private static CostNode call(String name, double self, CostNode... below) {
        return new CostNode(name, OPERATIONS, OPERATIONS * self, 0, false, List.of(below));
    }

    private static Comparison compare(
            IntFunction<List<CostNode>> a, IntFunction<List<CostNode>> b) {
        return outermost(run -> List.of(ask(a.apply(run))), run -> List.of(ask(b.apply(run))));
    }

    private static CostNode ask(List<CostNode> calls) {
        return call("a.A.ask", 1, calls.toArray(new CostNode[0]));
    }

    private static Comparison outermost(
            IntFunction<List<CostNode>> a, IntFunction<List<CostNode>> b) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(run(a.apply(i)), run(b.apply(i)));
        }
        return Comparison.of(pairs);
    }

    /// A run of operations that call each method once.
    private static ForkCosts run(List<CostNode> calls) {
        CostNode root = new CostNode("", 0, 0, 0, false, calls);
        return new ForkCosts(
                OPERATIONS, Map.of(Measure.TIME, root.total()), Map.of(Measure.TIME, root), null);
    }
}
