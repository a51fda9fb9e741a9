package dev.oriel.profiler;

/// What recording one call costs, and where that time ends up.
///
/// @param insideNanos the part between the clock readings, which counts for the call itself
/// @param outsideNanos the part around them, which counts for its caller
public record ProbeCost(long insideNanos, long outsideNanos) {
    /// Nothing: for results that were not recorded by probes.
    public static final ProbeCost NONE = new ProbeCost(0, 0);

    /// What a call takes that is counted alone.
    public static final long COUNTED_NANOS = 5;

    /// Both parts.
    public long pairNanos() {
        return insideNanos + outsideNanos;
    }
}
