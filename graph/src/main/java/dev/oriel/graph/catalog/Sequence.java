package dev.oriel.graph.catalog;

import java.util.concurrent.atomic.AtomicLong;

/// Unique numbers, ascending. They are reserved on the disk in blocks, by commits of their own, so that none is
/// ever given twice. The unused rest of a block is skipped when the database is opened again. Safe for use by any
/// number of threads.
public final class Sequence {
    private static final long BLOCK = 1 << 16;

    private final AtomicLong next;
    private final long first;
    private volatile long limit;

    /// Persists a limit for the numbers given.
    @FunctionalInterface
    public interface Reservation {
        /// Persists that all numbers below `limit` may have been given.
        ///
        /// @return whether it is persistent; if not, it is once the transaction that takes the number commits
        boolean keep(long limit);
    }

    /// @param next the first number that was never reserved
    Sequence(long next) {
        this.next = new AtomicLong(next);
        this.limit = next;
        this.first = next;
    }

    /// Takes the next number, and reserves a block if the current one is used up.
    public long take(Reservation reservation) {
        long number = next.getAndIncrement();
        if (number >= limit) {
            reserve(number, reservation);
        }
        return number;
    }

    private synchronized void reserve(long number, Reservation reservation) {
        if (number >= limit) {
            long newLimit = number + BLOCK;
            if (reservation.keep(newLimit)) {
                limit = newLimit;
            }
        }
    }

    /// The first number that may have been given since the database was opened.
    public long first() {
        return first;
    }

    /// The next number; all numbers given are below it.
    public long next() {
        return next.get();
    }

    /// Takes the next number without a reservation. The caller must persist it before any other thread can take a
    /// number.
    public long takeUnkept() {
        return next.getAndIncrement();
    }

    /// Skips the numbers below `least` without a reservation, like [#takeUnkept()].
    public void pass(long least) {
        next.accumulateAndGet(least, Math::max);
    }

    /// Whether a file says that all numbers below `number` may have been given.
    boolean keeps(long number) {
        return number <= limit;
    }

    /// Notes that it is now persistent that all numbers below `number` may have been given.
    synchronized void kept(long number) {
        limit = Math.max(limit, number);
    }

    /// Skips the numbers below `least`, for good.
    public void skipTo(long least, Reservation reservation) {
        if (next.accumulateAndGet(least, Math::max) == least && least > limit) {
            reserve(least - 1, reservation);
        }
    }
}
