package dev.oriel.server;

import java.util.concurrent.TimeUnit;

/// A limit on the lines of one event: [#BURST] at once, and one more every [#NANOS_PER_LINE]. Safe for use by any
/// number of threads.
final class LineRate {
    static final int BURST = 20;
    static final long NANOS_PER_LINE = TimeUnit.SECONDS.toNanos(3);

    private long left = BURST; // guarded by this, as are the next two
    private long countedNanos;
    private long leftOut;

    LineRate(long nowNanos) {
        this.countedNanos = nowNanos;
    }

    /// The number of lines left out before this one, which may be written; -1 if it is left out too.
    synchronized long take(long nowNanos) {
        refill(nowNanos);
        if (left == 0) {
            leftOut++;
            return -1;
        }
        left--;
        long before = leftOut;
        leftOut = 0;
        return before;
    }

    /// The number of lines left out so far, which are then counted as reported; 0 if no line may be written now.
    synchronized long takeLeftOut(long nowNanos) {
        refill(nowNanos);
        if (leftOut == 0 || left == 0) {
            return 0;
        }
        left--;
        long before = leftOut;
        leftOut = 0;
        return before;
    }

    private void refill(long nowNanos) {
        long more = (nowNanos - countedNanos) / NANOS_PER_LINE;
        if (more > 0) {
            left = Math.min(BURST, left + more);
            countedNanos += more * NANOS_PER_LINE;
        }
    }
}
