package dev.oriel.profiler;

/// What a [CallNode] knows beside its times; most of it is zero most of the time.
///
/// @param untimedCalls calls that were counted without a time, because timing them would have cost
///     more than they do; their time is in the self time of the nearest timed caller
/// @param recursiveCalls calls that the method made of itself directly, which are among the node's
/// @param errors calls that ended by an exception, as far as the probe was told: the [Agent]'s
///     probes are, those that end in a `finally` are not
/// @param allocatedBytes bytes that the node's own code allocated; 0 where it was not measured
/// @param cpuNanos processor time of the node's own code and of those of its callees that it was not
///     measured of; 0 where it was not measured
/// @param cpuCalls calls whose processor time was measured: fewer than all where they turned out to be
///     too short for it, then the rest is the caller's
/// @param growth how calls grow with the caller's calls, as an exponent: 1 is a constant number for
///     each call, 2 a number that grows as the caller is called more; 0 is unknown
/// @param latencies the distribution of the times of ended calls; may be empty
public record CallDetail(
        long untimedCalls,
        long recursiveCalls,
        long errors,
        long allocatedBytes,
        long cpuNanos,
        long cpuCalls,
        double growth,
        Histogram latencies) {

    /// Nothing is known.
    public static final CallDetail NONE = new CallDetail(0, 0, 0, 0, 0, Histogram.EMPTY);

    /// What is known where no processor time was measured.
    public CallDetail(
            long untimedCalls,
            long recursiveCalls,
            long errors,
            long allocatedBytes,
            double growth,
            Histogram latencies) {
        this(untimedCalls, recursiveCalls, errors, allocatedBytes, 0, 0, growth, latencies);
    }
}
