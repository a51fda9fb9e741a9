package dev.oriel.profiler;

/// The cost of recording one call, split by the node that it is added to.
///
/// @param insideNanos the part between the clock readings, which counts for the call itself
/// @param outsideNanos the part around them, which counts for its caller
public record ProbeCost(long insideNanos, long outsideNanos) {
    /// No cost: for results that were not recorded by probes.
    public static final ProbeCost NONE = new ProbeCost(0, 0);

    /// Cost of a call that is counted without a time.
    public static final long COUNTED_NANOS = 5;

    /// The sum of both parts.
    public long pairNanos() {
        return insideNanos + outsideNanos;
    }
}
