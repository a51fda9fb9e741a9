package dev.oriel.server;

import java.util.ArrayList;
import java.util.List;

/// The last slow operations: a ring of 256. Safe for use by any number of threads.
final class SlowOperations {
    private static final int KEPT = 256;

    /// A slow operation.
    ///
    /// @param atMicros its end, in microseconds since 1970
    /// @param key its key, cut short; empty if it has none
    record Slow(
            long atMicros,
            long micros,
            String protocol,
            String command,
            String key,
            String address,
            String user) {}

    private final Slow[] ring = new Slow[KEPT]; // guarded by this
    private long count; // guarded by this
    private volatile long boundNanos;

    SlowOperations(long boundMicros) {
        boundMicros(boundMicros);
    }

    /// Sets the minimum duration of a slow operation in microseconds; 0 keeps every one.
    void boundMicros(long micros) {
        boundNanos = micros * 1_000;
    }

    long boundMicros() {
        return boundNanos / 1_000;
    }

    boolean isSlow(long nanos) {
        return nanos >= boundNanos;
    }

    synchronized void add(Slow slow) {
        ring[(int) (count++ % KEPT)] = slow;
    }

    /// Number of slow operations so far.
    synchronized long count() {
        return count;
    }

    /// The kept operations, the newest first.
    synchronized List<Slow> newest() {
        List<Slow> all = new ArrayList<>();
        for (long i = count - 1; i >= Math.max(0, count - KEPT); i--) {
            all.add(ring[(int) (i % KEPT)]);
        }
        return all;
    }
}
