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
        List<CallNode> children) {

    /// Copies the list of children.
    public CallNode {
        children = List.copyOf(children);
    }

    /// The total divided by the calls; 0 without calls.
    public long meanNanos() {
        return calls == 0 ? 0 : totalNanos / calls;
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
