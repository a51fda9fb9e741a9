package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Other arrangements of an exact call tree: by method, and from callees to callers. Confined to one
/// thread; recursion is bounded by the depth of the tree.
final class MethodCosts {
    private final Map<String, Row> rows = new HashMap<>();

    private static final class Row {
        long calls;
        long self;
        long total;
        long min = Long.MAX_VALUE;
        long max;
        int open;
    }

    /// The methods in falling order of self time, then by name.
    static List<MethodCost> of(List<CallNode> roots) {
        MethodCosts costs = new MethodCosts();
        roots.forEach(costs::add);
        List<MethodCost> list = new ArrayList<>(costs.rows.size());
        costs.rows.forEach((name, row) ->
                list.add(
                        new MethodCost(
                                name,
                                row.calls,
                                row.self,
                                row.total,
                                row.min == Long.MAX_VALUE ? 0 : row.min,
                                row.max)));
        list.sort(
                Comparator.comparingLong(MethodCost::selfNanos)
                        .reversed()
                        .thenComparing(MethodCost::name));
        return list;
    }

    /// Each method with its callers as children: a node's total is the self time of the method at
    /// the top that was reached by way of the node, its self time the part whose path begins there.
    static List<CallNode> inverted(List<CallNode> roots) {
        TreeMerge merge = new TreeMerge();
        List<CallNode> path = new ArrayList<>();
        roots.forEach(root -> invert(root, path, merge));
        return merge.nodes();
    }

    private static void invert(CallNode node, List<CallNode> path, TreeMerge into) {
        TreeMerge at = into.child(node.name());
        for (int i = path.size() - 1; i >= 0; i--) {
            at.add(node.calls(), 0, node.minNanos(), node.maxNanos());
            at = at.child(path.get(i).name());
        }
        at.add(node.calls(), node.selfNanos(), node.minNanos(), node.maxNanos());
        path.add(node);
        node.children().forEach(child -> invert(child, path, into));
        path.removeLast();
    }

    private void add(CallNode node) {
        Row row = rows.computeIfAbsent(node.name(), name -> new Row());
        row.calls += node.calls();
        row.self += node.selfNanos();
        if (row.open == 0) {
            row.total += node.totalNanos();
        }
        if (node.maxNanos() > 0) {
            row.min = Math.min(row.min, node.minNanos());
            row.max = Math.max(row.max, node.maxNanos());
        }
        row.open++;
        node.children().forEach(this::add);
        row.open--;
    }
}
