package dev.oriel.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One operation on its way to a [Comparison]: its series join the family of all that is compared,
/// and when that is settled, the comparison is made. Confined to one thread.
final class OperationComparison {
    private final Pairs pairs;
    private final Family family;
    private final Map<Measure, Whole> wholes = new EnumMap<>(Measure.class);
    private final Map<Measure, TreeComparison> trees = new EnumMap<>(Measure.class);

    private record Whole(Series costs, int judged) {}

    OperationComparison(Pairs pairs, Family family) {
        if (pairs.count() == 0) {
            throw new IllegalArgumentException("Nothing to compare: a side has no run");
        }
        this.pairs = pairs;
        this.family = family;
        checkMeasures(pairs);
        for (Measure measure : pairs.a().getFirst().wholes().keySet()) {
            Series series = pairs.series(wholes(pairs.all(), measure), new double[0]);
            wholes.put(measure, new Whole(series, family.add(series)));
        }
        for (Measure measure : pairs.a().getFirst().trees().keySet()) {
            trees.put(measure, new TreeComparison(measure, pairs, family));
        }
    }

    Comparison comparison() {
        Map<Measure, Difference> operation = new EnumMap<>(Measure.class);
        wholes.forEach((measure, whole) -> {
            Series costs = whole.costs;
            double share = Math.abs(costs.delta()) / costs.meanA();
            Change change = family.change(whole.judged);
            int more = family.morePairs(whole.judged);
            operation.put(
                    measure, new Difference(costs.meanA(), costs.meanB(), share, change, more));
        });
        Map<Measure, List<MethodChange>> methods = new EnumMap<>(Measure.class);
        Map<Measure, CallDifference> calls = new EnumMap<>(Measure.class);
        List<Cause> causes = new ArrayList<>();
        trees.forEach((measure, tree) -> {
            if (measure == Measure.TIME) {
                operation.putIfAbsent(measure, tree.operation());
            }
            List<MethodChange> changes = tree.changes();
            methods.put(measure, changes);
            causes.addAll(tree.causes(changes));
            calls.put(measure, tree.tree());
        });
        return new Comparison(
                pairs.count(),
                !pairs.unpaired(),
                family.noisy(),
                operation,
                methods,
                causes,
                calls);
    }

    private static double[] wholes(List<ForkCosts> runs, Measure measure) {
        return runs.stream()
                .mapToDouble(run -> run.wholes().getOrDefault(measure, 0.0) / run.operations())
                .toArray();
    }

    private static void checkMeasures(Pairs pairs) {
        Set<Set<Measure>> kinds = new LinkedHashSet<>();
        for (ForkCosts run : pairs.all()) {
            Set<Measure> kind = new LinkedHashSet<>(run.wholes().keySet());
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
