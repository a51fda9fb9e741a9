package dev.oriel.profiler;

import java.util.List;

/// A method called along one path: a node of the exact call tree of a [ProfileResult].
///
/// `totalNanos` is `selfNanos` plus the totals of the children, exactly; so the self times of a
/// tree add up to the total of its root. Times are wall-clock, summed over threads. `calls` counts
/// entries, `minNanos` and `maxNanos` the calls that ended (0 if none did). A call that calls itself
/// directly is counted here, and its time once. Children come in falling order of total, then by
/// name, and no two have the same name.
///
/// @param name `owner.method`, as [Probe#toString()]
public record CallNode(
        String name,
        long calls,
        long totalNanos,
        long selfNanos,
        long minNanos,
        long maxNanos,
        CallDetail detail,
        List<CallNode> children) {

    /// Copies the list of children.
    public CallNode {
        children = List.copyOf(children);
    }

    /// A node with times alone.
    public CallNode(
            String name,
            long calls,
            long totalNanos,
            long selfNanos,
            long minNanos,
            long maxNanos,
            List<CallNode> children) {
        this(name, calls, totalNanos, selfNanos, minNanos, maxNanos, CallDetail.NONE, children);
    }

    /// The calls that have a time.
    public long timedCalls() {
        return calls - detail.untimedCalls();
    }

    /// The total divided by the calls that were timed; 0 without any.
    public long meanNanos() {
        return timedCalls() <= 0 ? 0 : totalNanos / timedCalls();
    }

    /// The self time less the cost of recording this node's calls and its children's; at least 0.
    public long netNanos(ProbeCost cost) {
        long made = detail.recursiveCalls();
        for (CallNode child : children) {
            made += child.timedCalls();
        }
        long recording =
                Math.addExact(
                        Math.multiplyExact(timedCalls(), cost.insideNanos()),
                        Math.multiplyExact(made, cost.outsideNanos()));
        return Math.max(0, selfNanos - recording);
    }

    /// Bytes that were allocated here and below.
    public long totalAllocatedBytes() {
        long sum = detail.allocatedBytes();
        for (CallNode child : children) {
            sum += child.totalAllocatedBytes();
        }
        return sum;
    }

    /// The part of the name before its last dot: class, or prefix of a watched method.
    public String owner() {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /// The part of the name after its last dot.
    public String method() {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
