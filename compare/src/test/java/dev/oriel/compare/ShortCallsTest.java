package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Callees that are too short to be timed with the rest, in made-up runs.
final class ShortCallsTest {
    private static final int PAIRS = 6;
    private static final int ALONE = 5;
    private static final int OPERATIONS = 1_000;

    private final Random random = new Random(42);

    /// A call of `next` takes 4 ns and then 64 ns, and recording it some 15 ns.
    @Test
    void shortCalleeThatWasTimedAloneIsNamed() {
        Pairs pairs = days(700, 790).withShort(alone(10, 1_500 * 19, 1_500 * 79));
        Comparison comparison = Comparison.of(pairs);
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(
                text.contains(
                        "Cause: a.A.next takes longer, by timing its short calls within a.A.day."),
                text);
        assertTrue(
                text.contains(
                        ", timed alone 28.5 us -> 119 us in a.A.next, both with the time of recording it;"),
                text);
        assertTrue(text.contains("Next: read a.A.next, which a.A.day calls."), text);
    }

    @Test
    void calleeWithAPartOfTheDifferenceIsNotNamed() {
        Pairs pairs = days(700, 790).withShort(alone(10, 1_500 * 19, 1_500 * 49));
        assertEquals("a.A.day", cause(pairs));
    }

    /// By chance it has most of the difference in the mean.
    @Test
    void calleeWhoseRunsDifferIsNotNamed() {
        Pairs pairs = days(700, 790).withShort(alone(140_000, 1_500 * 19, 1_500 * 79));
        assertEquals("a.A.day", cause(pairs));
    }

    @Test
    void calleeThatWasOnlyCountedInSomeRunIsNotNamed() {
        Pairs alone = Pairs.inTurns();
        for (int i = 0; i < ALONE; i++) {
            CostNode next =
                    new CostNode(
                            "a.A.next", 1_500, OPERATIONS * 90_000, 0, false, i == 2, List.of());
            alone.add(run(call("a.A.day", 600_000, call("a.A.next", i))), run(day(600_000, next)));
        }
        assertEquals("a.A.day", cause(days(700, 790).withShort(alone)));
    }

    @Test
    void unchangedCalleesAreSeldomNamed() {
        int named = 0;
        for (int i = 0; i < 500; i++) {
            Inner inner = ShortCalls.find(alone(100_000, 30_000, 30_000), "a.A.day", 90_000);
            named += inner == null ? 0 : 1;
        }
        assertTrue(named <= 5, named + " of 500 named an innocent callee; seed 42");
    }

    @Test
    void methodsOfTheCausesClassAreTimedAlone() {
        Pairs pairs = days(700, 790);
        assertEquals(Set.of("a.A::*"), ShortCalls.toTime(Comparison.of(pairs), pairs));
    }

    /// More allocation of a callee does not tell that it has the time.
    @Test
    void calleesAreTimedAloneThoughOneAllocatesMore() {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(allocating(700_000 + i, 100), allocating(790_000 - i, 300));
        }
        Comparison comparison = Comparison.of(pairs);
        assertEquals(
                List.of("a.A.day", "a.A.next"),
                comparison.causes().stream().map(Cause::name).toList());
        assertEquals(Set.of("a.A::*", "a.A::next"), ShortCalls.toTime(comparison, pairs));
    }

    private static ForkCosts allocating(double nanos, double bytes) {
        CostNode next = new CostNode("a.A.next", OPERATIONS, 0, 0, false, true, List.of());
        CostNode time = new CostNode("", 0, 0, 0, false, List.of(day(nanos, next)));
        CostNode allocated =
                new CostNode("", 0, 0, 0, false, List.of(day(0, call("a.A.next", bytes))));
        return new ForkCosts(
                OPERATIONS,
                Map.of(Measure.TIME, time.total()),
                Map.of(Measure.TIME, time, Measure.BYTES, allocated),
                null);
    }

    @Test
    void nothingIsTimedAloneForAMethodThatCallsNone() {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(run(call("a.A.day", 700_000 + i)), run(call("a.A.day", 790_000 + i)));
        }
        assertEquals(Set.of(), ShortCalls.toTime(Comparison.of(pairs), pairs));
    }

    @Test
    void nothingIsTimedAloneWithoutADifference() {
        Pairs pairs = days(700, 700);
        assertEquals(Set.of(), ShortCalls.toTime(Comparison.of(pairs), pairs));
        assertNull(Comparison.of(pairs).unexplained());
    }

    private static String cause(Pairs pairs) {
        return Comparison.of(pairs).causes().getFirst().name();
    }

    /// Pairs whose operations serve and do something else, for so many microseconds.
    private static Pairs days(int microsOfA, int microsOfB) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            int noise = i % 3;
            pairs.add(
                    run(day(1_000.0 * microsOfA + noise, call("a.A.serve", 500_000))),
                    run(day(1_000.0 * microsOfB - noise, call("a.A.serve", 500_000 + noise))));
        }
        return pairs;
    }

    /// Pairs that timed `next`, for so many nanoseconds an operation.
    private Pairs alone(double spread, double ofA, double ofB) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < ALONE; i++) {
            pairs.add(
                    run(day(600_000, call("a.A.next", ofA + noise(spread)))),
                    run(day(600_000, call("a.A.next", ofB + noise(spread)))));
        }
        return pairs;
    }

    private double noise(double spread) {
        return spread * random.nextGaussian();
    }

    private static CostNode day(double self, CostNode callee) {
        return call("a.A.day", self, callee);
    }

    private static CostNode call(String name, double self, CostNode... below) {
        return new CostNode(name, OPERATIONS, OPERATIONS * self, 0, false, List.of(below));
    }

    private static ForkCosts run(CostNode operation) {
        CostNode root = new CostNode("", 0, 0, 0, false, List.of(operation));
        return new ForkCosts(
                OPERATIONS, Map.of(Measure.TIME, root.total()), Map.of(Measure.TIME, root), null);
    }
}
