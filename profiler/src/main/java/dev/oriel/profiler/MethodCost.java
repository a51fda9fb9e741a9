package dev.oriel.profiler;

/// A method's figures over all paths of the exact call tree.
///
/// @param name `owner.method`
/// @param calls entries
/// @param selfNanos time in the method itself
/// @param totalNanos time between entry and exit; of nested calls, only the outermost counts
/// @param minNanos the shortest call that ended, 0 if none did
/// @param maxNanos the longest call that ended, 0 if none did
/// @param netNanos the self time less the cost of recording
/// @param detail the sums of the nodes' further figures
public record MethodCost(
        String name,
        long calls,
        long selfNanos,
        long totalNanos,
        long minNanos,
        long maxNanos,
        long netNanos,
        CallDetail detail) {

    /// A method with times alone.
    public MethodCost(
            String name,
            long calls,
            long selfNanos,
            long totalNanos,
            long minNanos,
            long maxNanos) {
        this(name, calls, selfNanos, totalNanos, minNanos, maxNanos, selfNanos, CallDetail.NONE);
    }

    /// The total divided by the calls that were timed; 0 without any.
    public long meanNanos() {
        long timed = calls - detail.untimedCalls();
        return timed <= 0 ? 0 : totalNanos / timed;
    }

    /// The part of the name before its last dot: the class.
    public String owner() {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
}
