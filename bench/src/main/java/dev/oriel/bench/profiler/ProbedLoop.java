package dev.oriel.bench.profiler;

import dev.oriel.bench.Subject;

/// A profiler, and a loop of calls that it watches: the measured cost is the additional time of a call compared
/// with the same loop without the profiler.
public interface ProbedLoop extends Subject {
    /// Ways of watching the calls.
    enum Case {
        /// Each call's time is measured.
        TIMED("timed"),
        /// Each call's time is measured, in a loop that calls four methods in turn.
        TIMED_FOUR("timed-four"),
        /// Each call is counted, and not timed.
        COUNTED("counted"),
        /// There are probes, and none of them is active.
        OFF("off"),
        /// No work is done at calls; the thread's stack is sampled every 10 ms.
        SAMPLED("sampled");

        private final String label;

        Case(String label) {
            this.label = label;
        }

        /// The last part of the case's name.
        String label() {
            return label;
        }
    }

    /// The only case of this loop.
    Case measures();

    /// Starts the profiler for the life of the JVM.
    default void begin() throws Exception {}

    /// Turns the profiler on or off between two blocks, if it can be.
    default void turn(boolean on) throws Exception {}

    /// Makes `calls` watched calls; returns the sum of their results.
    long watched(int calls);

    /// Makes `calls` of these calls without the profiler.
    long plain(int calls);

    /// Fails unless the profiler has recorded about `calls` calls.
    default void check(long calls) throws Exception {}
}
