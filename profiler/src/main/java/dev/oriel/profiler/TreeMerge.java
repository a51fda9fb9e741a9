package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Adds up call trees by the names along their paths: the trees of recorders into one, or the nodes of one tree in
/// another arrangement. Confined to one thread. Recursion is bounded by the greatest depth of a recorder's tree.
final class TreeMerge {
    static final Comparator<CallNode> BY_TOTAL =
            Comparator.comparingLong(CallNode::totalNanos).reversed().thenComparing(CallNode::name);

    private final Map<String, TreeMerge> children = new HashMap<>();
    private long calls;
    private long selfNanos;
    private long minNanos = Long.MAX_VALUE;
    private long maxNanos;
    private long untimed;
    private long recursive;
    private long errors;
    private long allocated;
    private long cpuNanos;
    private long cpuCalls;
    private double growth;
    private long growthCalls;
    private Histogram latencies = Histogram.EMPTY;

    /// Adds the tree of a recorder. The self time of open calls counts up to `now`.
    void add(Recorder recorder, long now) {
        long lastEvent = recorder.lastEvent();
        recorder.settle();
        recorder.spendOpenCpu();
        TreeNode top = recorder.top();
        addChildren(recorder.root, top, Math.max(0, now - lastEvent));
    }

    /// The child of that name.
    TreeMerge child(String name) {
        return children.computeIfAbsent(name, key -> new TreeMerge());
    }

    /// Adds figures to this node. `min` and `max` are of ended calls: 0 means none.
    void add(long moreCalls, long moreSelf, long min, long max) {
        calls = Math.addExact(calls, moreCalls);
        selfNanos = Math.addExact(selfNanos, moreSelf);
        if (max > 0) {
            minNanos = Math.min(minNanos, min);
            maxNanos = Math.max(maxNanos, max);
        }
    }

    /// Adds the details of `ofCalls` calls; the growth is that of the greatest part.
    void add(CallDetail detail, long ofCalls) {
        untimed += detail.untimedCalls();
        recursive += detail.recursiveCalls();
        errors += detail.errors();
        allocated = Math.addExact(allocated, detail.allocatedBytes());
        cpuNanos = Math.addExact(cpuNanos, detail.cpuNanos());
        cpuCalls += detail.cpuCalls();
        latencies = latencies.plus(detail.latencies());
        if (ofCalls > growthCalls) {
            growthCalls = ofCalls;
            growth = detail.growth();
        }
    }

    /// Adds whole trees.
    void add(List<CallNode> trees) {
        for (CallNode tree : trees) {
            TreeMerge merge = child(tree.name());
            merge.add(tree.calls(), tree.selfNanos(), tree.minNanos(), tree.maxNanos());
            merge.add(tree.detail(), tree.calls());
            merge.add(tree.children());
        }
    }

    /// The details of this node.
    CallDetail detail() {
        return new CallDetail(
                untimed, recursive, errors, allocated, cpuNanos, cpuCalls, growth, latencies);
    }

    /// The children as immutable trees.
    List<CallNode> nodes() {
        List<CallNode> nodes = new ArrayList<>(children.size());
        children.forEach((name, merge) -> nodes.add(merge.node(name)));
        nodes.sort(BY_TOTAL);
        return nodes;
    }

    private void addChildren(TreeNode from, TreeNode top, long openNanos) {
        from.forEachChild(node -> {
            TreeMerge merge = child(String.valueOf(node.probe));
            long self = node.selfNanos + (node == top ? openNanos : 0);
            boolean ended = node.minNanos != Long.MAX_VALUE;
            merge.add(node.calls, self, ended ? node.minNanos : 0, node.maxNanos);
            merge.add(detail(node), node.calls);
            merge.addChildren(node, top, openNanos);
        });
    }

    private static CallDetail detail(TreeNode node) {
        long[] counts = node.latencies;
        return new CallDetail(
                node.untimed(),
                node.recursive,
                node.errors,
                Math.max(0, node.allocatedBytes),
                Math.max(0, node.cpuNanos),
                node.cpuCalls,
                node.growth(),
                counts == null ? Histogram.EMPTY : Histogram.of(counts));
    }

    private CallNode node(String name) {
        List<CallNode> nodes = nodes();
        long total = selfNanos;
        for (CallNode node : nodes) {
            total = Math.addExact(total, node.totalNanos());
        }
        long min = minNanos == Long.MAX_VALUE ? 0 : minNanos;
        return new CallNode(name, calls, total, selfNanos, min, maxNanos, detail(), nodes);
    }
}
