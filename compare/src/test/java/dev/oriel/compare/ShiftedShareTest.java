package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Shares of samples name a method if times tell nothing, in made-up runs on a busy machine.
final class ShiftedShareTest {
    private static final int PAIRS = 8;
    private static final int COMPARISONS = 100;
    private static final int METHODS = 12;

    private final Random random = new Random(42);

    /// As on a busy machine: the processor time of equal runs differs by a factor of two.
    @Test
    void shiftedShareOfSamplesIsNamedIfTimesTellNothing() {
        Comparison comparison = noisy(new double[] {60, 30, 10}, new double[] {60, 30, 30});
        String text = new ComparisonText("a", "b").of(comparison);
        assertEquals(Verdict.UNKNOWN, comparison.verdict(), text);
        assertEquals(
                List.of("a.A.mask"), comparison.causes().stream().map(Cause::name).toList(), text);
        assertTrue(
                text.contains("Cause: a.A.mask has a share of 24.64 %, in A 9.25 %, which is 2.6"),
                text);
        assertTrue(text.contains("Next: read a.A.mask, which a.A.ask calls."), text);
    }

    /// The compiler inlined one into the other.
    @Test
    void samplesThatMovedFromOneMethodToAnotherNameNone() {
        assertEquals(
                List.of(), noisy(new double[] {60, 30, 10}, new double[] {60, 10, 30}).causes());
    }

    /// The share of a method grows if another costs less.
    @Test
    void methodThatOnlyRemainsIsNotNamed() {
        assertFalse(
                noisy(new double[] {50, 40, 10}, new double[] {50, 5, 10}).causes().stream()
                        .anyMatch(cause -> !cause.name().equals("a.A.find")));
    }

    @Test
    void equalSharesNameNone() {
        double[] same = {60, 30, 10};
        assertEquals(List.of(), noisy(same, same).causes());
    }

    /// Runs on a busy machine, in which A seems to take less time, though not surely.
    private static Comparison noisy(double[] a, double[] b) {
        double[] load = {1.0, 1.9, 1.2, 2.1, 0.9, 1.5, 1.1, 1.8};
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < load.length; i++) {
            pairs.add(
                    loaded(load[i], 1 + i % 2, a),
                    loaded(load[(i + 3) % load.length] * 1.15, i % 3, b));
        }
        return Comparison.of(pairs);
    }

    /// A run whose methods have `nanos`, a sample each, and a few by chance.
    private static ForkCosts loaded(double load, int chance, double[] nanos) {
        String[] names = {"a.A.scan", "a.A.find", "a.A.mask"};
        CostNode[] methods = new CostNode[names.length];
        double sum = 0;
        for (int i = 0; i < names.length; i++) {
            double taken = nanos[i] + (i == 1 ? chance : -chance / 2.0);
            methods[i] =
                    new CostNode(
                            names[i], 0, load * taken, Math.round(10 * taken), false, List.of());
            sum += load * taken;
        }
        CostNode ask = new CostNode("a.A.ask", 0, 0, 0, false, List.of(methods));
        return new ForkCosts(1, Map.of(Measure.CPU, sum), Map.of(Measure.CPU, root(ask)), null);
    }

    private static CostNode root(CostNode outermost) {
        return new CostNode("", 0, 0, 0, false, List.of(outermost));
    }

    /// The compiler inlines one method into another in every third run.
    @Test
    void equalProgramsSeldomHaveAShiftedShare() {
        int named = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            named += ShiftedShare.find(random(1), i % 2 == 0) == null ? 0 : 1;
        }
        assertTrue(named <= 0.05 * COMPARISONS, named + " of " + COMPARISONS);
    }

    @Test
    void methodThatTakesTwiceAsLongIsFoundMoreOftenThanNotAndNoOther() {
        int right = 0;
        int wrong = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            Cause cause = ShiftedShare.find(random(2), true);
            right += cause != null && cause.name().equals("a.A.m4") ? 1 : 0;
            wrong += cause != null && !cause.name().equals("a.A.m4") ? 1 : 0;
        }
        assertTrue(right >= 0.5 * COMPARISONS, right + " of " + COMPARISONS);
        assertTrue(wrong <= 0.02 * COMPARISONS, wrong + " of " + COMPARISONS);
    }

    /// @param factor of the cost of one method in B
    private Pairs random(double factor) {
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(run(1), run(factor));
            if (i % 3 == 0) {
                pairs.guard(run(1));
            }
        }
        return pairs;
    }

    /// A run with a hundred samples or so, of which the method that changes has eight.
    private ForkCosts run(double factor) {
        double load = Math.exp(0.4 * random.nextGaussian());
        double inlined = random.nextInt(3) == 0 ? 0.5 : 0;
        CostNode[] methods = new CostNode[METHODS];
        double sum = 0;
        for (int i = 0; i < METHODS; i++) {
            double nanos = (4 + i) * Math.exp(0.1 * random.nextGaussian());
            nanos *= i == 4 ? factor : 1;
            nanos += i == 7 ? -11 * inlined : i == 8 ? 11 * inlined : 0;
            long samples = counted(Math.max(0.5, nanos));
            methods[i] = new CostNode("a.A.m" + i, 0, load * samples, samples, false, List.of());
            sum += load * samples;
        }
        CostNode ask = new CostNode("a.A.ask", 0, 0, 0, false, List.of(methods));
        return new ForkCosts(1, Map.of(Measure.CPU, sum), Map.of(Measure.CPU, root(ask)), null);
    }

    /// A number of events with this mean (Knuth).
    private long counted(double mean) {
        double limit = Math.exp(-mean);
        long events = -1;
        for (double product = 1; product > limit; events++) {
            product *= random.nextDouble();
        }
        return events;
    }
}
