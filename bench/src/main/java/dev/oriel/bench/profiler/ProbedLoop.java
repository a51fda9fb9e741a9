package dev.oriel.bench.profiler;

import dev.oriel.bench.Subject;

/// A profiler, and a loop of calls that it watches: what is measured of it is what a call takes
/// longer than in the same loop by itself.
public interface ProbedLoop extends Subject {
    /// What the calls are watched for.
    enum Case {
        /// Each call's time is measured.
        TIMED("timed"),
        /// The same in a loop that calls four methods in turn.
        TIMED_FOUR("timed-four"),
        /// Each call is counted, and not timed.
        COUNTED("counted"),
        /// There are probes, and nobody asks them anything.
        OFF("off"),
        /// Nothing is done at calls; where the thread is, is looked at every 10 ms.
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

    /// The one case that it takes part in.
    Case measures();

    /// Begins what lasts until the JVM ends.
    default void begin() throws Exception {}

    /// Turns on what can be turned on and off between two blocks.
    default void turn(boolean on) throws Exception {}

    /// So many calls, watched; returns what they came to.
    long watched(int calls);

    /// The same calls by themselves.
    long plain(int calls);

    /// Fails unless it has seen about so many calls, of which it was told.
    default void check(long calls) throws Exception {}
}
