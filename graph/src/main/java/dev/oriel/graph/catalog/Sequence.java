package dev.oriel.graph.catalog;

import java.util.concurrent.atomic.AtomicLong;

/// Numbers that nobody else gets, ascending. They are reserved on the disk in blocks, by commits of their
/// own, so that none is ever given twice: what was not used of a block is skipped when the database is
/// opened again. Safe for use by any number of threads.
public final class Sequence {
    private static final long BLOCK = 1 << 16;

    private final AtomicLong next;
    private final long first;
    private volatile long limit;

    /// Keeps on the disk how far numbers may have been given.
    @FunctionalInterface
    public interface Reservation {
        /// Keeps that all below `limit` may have been given.
        ///
        /// @return whether it is kept; if not, it is once the transaction that takes the number commits
        boolean keep(long limit);
    }

    /// @param next the first that was never reserved
    Sequence(long next) {
        this.next = new AtomicLong(next);
        this.limit = next;
        this.first = next;
    }

    /// Takes the next number.
    ///
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

    /// The first that may have been given since the database was opened.
    public long first() {
        return first;
    }

    /// All that were given are below this.
    public long next() {
        return next.get();
    }

    /// The next number, of which nothing is kept on the disk yet: for who does that himself before anybody
    /// else can take one.
    public long takeUnkept() {
        return next.getAndIncrement();
    }

    /// Passes over what is below `least`, as [#takeUnkept()] does.
    public void pass(long least) {
        next.accumulateAndGet(least, Math::max);
    }

    /// Whether it is on the disk that all below `number` may have been given.
    boolean keeps(long number) {
        return number <= limit;
    }

    /// It is on the disk now that all below `number` may have been given.
    synchronized void kept(long number) {
        limit = Math.max(limit, number);
    }

    /// Skips what is below `least`, for good.
    public void skipTo(long least, Reservation reservation) {
        if (next.accumulateAndGet(least, Math::max) == least && least > limit) {
            reserve(least - 1, reservation);
        }
    }
}
