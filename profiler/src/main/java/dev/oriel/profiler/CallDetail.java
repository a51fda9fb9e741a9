package dev.oriel.profiler;

/// Further figures of a [CallNode] in addition to its times; most are usually zero.
///
/// @param untimedCalls calls that were counted without a time, because timing them would have cost
///     more than they do. Their time is in the self time of the nearest timed caller
/// @param recursiveCalls direct calls of the method by itself, which are among the node's
/// @param errors calls that ended by an exception, as far as the probe was told: the [Agent]'s
///     probes are told, probes that end in a `finally` are not
/// @param allocatedBytes bytes that the node's own code allocated; 0 if not measured
/// @param cpuNanos processor time of the node's own code and of its callees without a measurement
///     of their own; 0 if not measured
/// @param cpuCalls calls whose processor time was measured: fewer than all if they turned out to be
///     too short for it; the rest then counts for the caller
/// @param growth how calls grow with the caller's calls, as an exponent. 1 is a constant number for
///     each call, 2 a number that grows as the caller is called more, 0 is unknown
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

    /// No detail is known.
    public static final CallDetail NONE = new CallDetail(0, 0, 0, 0, 0, Histogram.EMPTY);

    /// The details if no processor time was measured.
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
