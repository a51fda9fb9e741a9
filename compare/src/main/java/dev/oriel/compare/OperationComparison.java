package dev.oriel.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One operation on its way to a [Comparison]: its series join the families of all that is
/// compared, and when those are settled, the comparison is made. Confined to one thread.
final class OperationComparison {
    private final Pairs pairs;
    private final Family operations;
    private final Family methods;
    private final Map<Measure, Whole> wholes = new EnumMap<>(Measure.class);
    private final Map<Measure, TreeComparison> trees = new EnumMap<>(Measure.class);

    private record Whole(Series costs, int judged) {}

    /// @param operations what is judged of operations
    /// @param methods what is judged of methods and paths
    OperationComparison(Pairs pairs, Family operations, Family methods) {
        if (pairs.count() == 0) {
            throw new IllegalArgumentException("Nothing to compare: a side has no run");
        }
        this.pairs = pairs;
        this.operations = operations;
        this.methods = methods;
        checkMeasures(pairs);
        Set<Measure> common = EnumSet.allOf(Measure.class);
        pairs.all().forEach(run -> common.retainAll(run.wholes().keySet()));
        for (Measure measure : common) {
            Series series = pairs.series(wholes(pairs.all(), measure), new double[0]);
            wholes.put(measure, new Whole(series, operations.add(series)));
        }
        for (Measure measure : pairs.a().getFirst().trees().keySet()) {
            trees.put(measure, new TreeComparison(measure, pairs, operations, methods));
        }
    }

    Comparison comparison() {
        Map<Measure, Difference> operation = new EnumMap<>(Measure.class);
        wholes.forEach((measure, whole) -> {
            Series costs = whole.costs;
            double share = Math.abs(costs.delta()) / costs.meanA();
            Change change = operations.change(whole.judged);
            int more = operations.morePairs(whole.judged);
            operation.put(
                    measure, new Difference(costs.meanA(), costs.meanB(), share, change, more));
        });
        Map<Measure, List<MethodChange>> changed = new EnumMap<>(Measure.class);
        Map<Measure, CallDifference> calls = new EnumMap<>(Measure.class);
        List<Cause> causes = new ArrayList<>();
        trees.forEach((measure, tree) -> {
            if (measure == Measure.TIME && tree.isTimed()) {
                operation.putIfAbsent(measure, tree.operation());
            }
            List<MethodChange> changes = tree.changes();
            changed.put(measure, changes);
            causes.addAll(tree.causes(changes));
            calls.put(measure, tree.tree());
        });
        return new Comparison(
                pairs.count(),
                !pairs.unpaired(),
                pairs.byCalls(),
                operations.noisy() || methods.noisy(),
                operation,
                changed,
                causes,
                calls);
    }

    private static double[] wholes(List<ForkCosts> runs, Measure measure) {
        return runs.stream()
                .mapToDouble(run -> run.wholes().getOrDefault(measure, 0.0) / run.operations())
                .toArray();
    }

    /// The time of operations is missing in runs whose calls were too short to be timed.
    private static void checkMeasures(Pairs pairs) {
        Set<Set<Measure>> kinds = new LinkedHashSet<>();
        for (ForkCosts run : pairs.all()) {
            Set<Measure> kind = new LinkedHashSet<>(run.wholes().keySet());
            kind.remove(Measure.TIME);
            kind.addAll(run.trees().keySet());
            kinds.add(kind);
        }
        if (kinds.size() > 1) {
            throw new IllegalArgumentException(
                    "The runs cannot be compared, because they were measured by different clocks: "
                            + kinds);
        }
    }
}
