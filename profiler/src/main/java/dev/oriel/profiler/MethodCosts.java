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
    private final ProbeCost cost;

    private MethodCosts(ProbeCost cost) {
        this.cost = cost;
    }

    private static final class Row {
        long calls;
        long self;
        long total;
        long min = Long.MAX_VALUE;
        long max;
        long net;
        int open;
        final TreeMerge details = new TreeMerge();
    }

    /// The methods in falling order of self time, then by name.
    static List<MethodCost> of(List<CallNode> roots, ProbeCost cost) {
        MethodCosts costs = new MethodCosts(cost);
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
                                row.max,
                                row.net,
                                row.details.detail())));
        list.sort(
                Comparator.comparingLong(MethodCost::selfNanos)
                        .reversed()
                        .thenComparing(MethodCost::name));
        return list;
    }

    /// These figures under another name.
    static MethodCost renamed(MethodCost cost, String name) {
        return new MethodCost(
                name,
                cost.calls(),
                cost.selfNanos(),
                cost.totalNanos(),
                cost.minNanos(),
                cost.maxNanos(),
                cost.netNanos(),
                cost.detail());
    }

    /// The sum of both, under the name of the first.
    static MethodCost plus(MethodCost a, MethodCost b) {
        TreeMerge details = new TreeMerge();
        details.add(a.detail(), a.calls());
        details.add(b.detail(), b.calls());
        boolean both = a.maxNanos() > 0 && b.maxNanos() > 0;
        return new MethodCost(
                a.name(),
                Math.addExact(a.calls(), b.calls()),
                Math.addExact(a.selfNanos(), b.selfNanos()),
                Math.addExact(a.totalNanos(), b.totalNanos()),
                both ? Math.min(a.minNanos(), b.minNanos()) : a.minNanos() + b.minNanos(),
                Math.max(a.maxNanos(), b.maxNanos()),
                Math.addExact(a.netNanos(), b.netNanos()),
                details.detail());
    }

    /// Each method with its callers as children. A node's total is the self time of the method at the top that was
    /// reached through the node; its self time is the part whose path begins there.
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
            at.add(node.detail(), node.calls());
            at = at.child(path.get(i).name());
        }
        at.add(node.calls(), node.selfNanos(), node.minNanos(), node.maxNanos());
        at.add(node.detail(), node.calls());
        path.add(node);
        node.children().forEach(child -> invert(child, path, into));
        path.removeLast();
    }

    private void add(CallNode node) {
        Row row = rows.computeIfAbsent(node.name(), name -> new Row());
        row.calls += node.calls();
        row.self += node.selfNanos();
        row.net += node.netNanos(cost);
        row.details.add(node.detail(), node.calls());
        if (row.open == 0) {
            row.total = Math.addExact(row.total, node.totalNanos());
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
