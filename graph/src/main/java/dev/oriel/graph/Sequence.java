package dev.oriel.graph;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Numbers that nobody else gets, ascending. They are reserved on the disk in blocks, by commits of their
/// own, so that none is ever given twice: what was not used of a block is skipped when the database is
/// opened again. Safe for use by any number of threads.
final class Sequence {
    private static final long BLOCK = 1 << 16;

    private final AtomicLong next;
    private final long first;
    private volatile long limit;

    /// @param next the first that was never reserved
    Sequence(long next) {
        this.next = new AtomicLong(next);
        this.limit = next;
        this.first = next;
    }

    /// @param reservation keeps on the disk that all below its argument may have been given
    long take(LongConsumer reservation) {
        long number = next.getAndIncrement();
        if (number >= limit) {
            reserve(number, reservation);
        }
        return number;
    }

    private synchronized void reserve(long number, LongConsumer reservation) {
        if (number >= limit) {
            long newLimit = number + BLOCK;
            reservation.accept(newLimit);
            limit = newLimit;
        }
    }

    /// The first that may have been given since the database was opened.
    long first() {
        return first;
    }

    /// All that were given are below this.
    long next() {
        return next.get();
    }

    /// Skips what is below `least`, for good.
    void skipTo(long least, LongConsumer reservation) {
        if (next.accumulateAndGet(least, Math::max) == least && least > limit) {
            reserve(least - 1, reservation);
        }
    }
}
