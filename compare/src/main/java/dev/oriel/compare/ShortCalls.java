package dev.oriel.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the callee that has most of a method's difference, if it was not timed. It may be too short to be timed
/// together with the rest, or had too few samples to be recorded. Further runs time the method and its callees alone.
/// Recording a call takes as long in A as in B, so it cancels out in the difference of the callee's times; it does not
/// in their ratio.
final class ShortCalls {
    /// Share of the difference that a callee must have to be named in place of its caller.
    private static final double MOST = 0.6;

    /// Probability of so great a difference of an unchanged callee.
    private static final double CHANCE = 0.01;

    private ShortCalls() {}

    /// Patterns of the methods to time in further runs: the greatest cause, its callees that were left out, and the
    /// methods of its class. Empty if that method makes no call, so that it bears its difference itself, or if it is
    /// explained.
    static Set<String> toTime(Comparison comparison, Pairs pairs) {
        Cause cause = comparison.unexplained();
        if (cause == null) {
            return Set.of();
        }
        String method = cause.method().name();
        Set<String> callees = new LinkedHashSet<>();
        for (Pairs some : List.of(pairs, pairs.counted())) {
            for (ForkCosts run : some.all()) {
                CostNode root = run.trees().get(Measure.TIME);
                if (root != null) {
                    addCallees(root, method, callees);
                }
            }
        }
        if (callees.isEmpty()) {
            return Set.of();
        }
        callees.retainAll(cause.untimed());
        Set<String> patterns = new LinkedHashSet<>();
        patterns.add(Candidates.pattern(owner(method), "*"));
        for (String callee : callees) {
            patterns.add(
                    Candidates.pattern(
                            owner(callee), callee.substring(owner(callee).length() + 1)));
        }
        return patterns;
    }

    private static String owner(String method) {
        return method.substring(0, method.lastIndexOf('.'));
    }

    private static void addCallees(CostNode node, String method, Set<String> callees) {
        for (CostNode child : node.children()) {
            String name = AlignedNode.plain(child.name());
            if (node.name().equals(method) && !name.equals(method)) {
                callees.add(name);
            }
            addCallees(child, method, callees);
        }
    }

    /// Finds it.
    ///
    /// @param alone the runs that timed the method and some callees
    /// @param delta difference of the method's time per operation
    /// @return null if no callee has most of it, beyond chance
    static @Nullable Inner find(Pairs alone, String method, double delta) {
        List<ForkCosts> runs = new ArrayList<>(alone.a());
        runs.addAll(alone.b());
        AlignedNode root = new AlignedNode("", runs.size());
        for (int run = 0; run < runs.size(); run++) {
            Map<Measure, CostNode> trees = runs.get(run).trees();
            CostNode tree = trees.getOrDefault(Measure.WORK, trees.get(Measure.TIME));
            if (tree != null) {
                root.add(tree, run, runs.get(run).operations());
            }
        }
        root.addUp();
        Map<String, AlignedNode> callees = new LinkedHashMap<>();
        addCallees(root, method, callees);
        int pairs = alone.count();
        double most = MOST;
        Inner found = null;
        for (AlignedNode callee : callees.values()) {
            double[] differences = new double[pairs];
            double a = 0;
            double b = 0;
            for (int i = 0; i < pairs; i++) {
                double ofA = callee.total[i];
                double ofB = callee.total[alone.a().size() + i];
                a += ofA / pairs;
                b += ofB / pairs;
                differences[i] = ofB - ofA;
            }
            boolean counted = List.of(callee.timings).contains(Timing.COUNTED);
            double part = (b - a) / delta;
            if (!counted && part >= most && Statistics.chanceOfMean(differences) <= CHANCE) {
                most = part;
                found = Inner.timed(callee.name, a, b, List.of(method, callee.name));
            }
        }
        return found;
    }

    /// Adds the calls that a method makes itself, along all paths.
    private static void addCallees(
            AlignedNode node, String method, Map<String, AlignedNode> callees) {
        for (AlignedNode child : node.children.values()) {
            if (node.name.equals(method) && !child.name.equals(method)) {
                callees.computeIfAbsent(child.name, key -> new AlignedNode(key, child.total.length))
                        .addTotals(child);
            }
            addCallees(child, method, callees);
        }
    }
}
