package dev.oriel.profiler;

/// The cost of recording one call, split by the node that it is added to.
///
/// @param insideNanos the part between the clock readings, which counts for the call itself
/// @param outsideNanos the part around them, which counts for its caller
/// @param countedNanos cost of a call that is counted without a time
public record ProbeCost(long insideNanos, long outsideNanos, long countedNanos) {
    /// No cost: for results that were not recorded by probes.
    public static final ProbeCost NONE = new ProbeCost(0, 0, 0);

    /// Cost of a counted call where it was not measured: in files of older releases.
    private static final long COUNTED_NANOS = 5;

    /// Costs of timed calls; for calls that are only counted a default is assumed.
    public ProbeCost(long insideNanos, long outsideNanos) {
        this(insideNanos, outsideNanos, COUNTED_NANOS);
    }

    /// The sum of both parts.
    public long pairNanos() {
        return insideNanos + outsideNanos;
    }
}
