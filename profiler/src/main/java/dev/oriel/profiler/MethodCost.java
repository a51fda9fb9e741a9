package dev.oriel.profiler;

/// A method's figures over all paths of the exact call tree.
///
/// @param name `owner.method`
/// @param calls entries
/// @param selfNanos time in the method itself
/// @param totalNanos time between entry and exit; of calls inside each other, the outermost counts
/// @param minNanos the shortest call that ended, 0 if none did
/// @param maxNanos the longest call that ended, 0 if none did
public record MethodCost(
        String name, long calls, long selfNanos, long totalNanos, long minNanos, long maxNanos) {

    /// The total divided by the calls; 0 without calls.
    public long meanNanos() {
        return calls == 0 ? 0 : totalNanos / calls;
    }
}
