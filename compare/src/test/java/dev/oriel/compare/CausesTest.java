package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/// The method that is named as the cause, in made-up runs.
final class CausesTest {
    private static final int PAIRS = 6;

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

    private static CostNode call(String name, double self, CostNode... below) {
        return new CostNode(name, 1, self, 0, false, List.of(below));
    }

    private static Comparison compare(
            IntFunction<List<CostNode>> a, IntFunction<List<CostNode>> b) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(run(a.apply(i)), run(b.apply(i)));
        }
        return Comparison.of(pairs);
    }

    /// A run of one operation.
    private static ForkCosts run(List<CostNode> calls) {
        CostNode ask = call("a.A.ask", 1, calls.toArray(new CostNode[0]));
        CostNode root = new CostNode("", 0, 0, 0, false, List.of(ask));
        return new ForkCosts(
                1, Map.of(Measure.TIME, root.total()), Map.of(Measure.TIME, root), null);
    }
}
