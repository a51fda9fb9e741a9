package dev.oriel.table;

import java.util.concurrent.atomic.AtomicLong;

/// A lower bound for the moments at which rows of one table expire, so that no sweep begins in vain. In memory
/// alone: after an opening, and after a change of definitions, it is unknown, and the next sweep reads the rows.
///
/// A sweep over the whole table learns the bound of the rows that it sees. Transactions that commit rows meanwhile
/// note their expiry after these were published. The sweep began to collect notes before it took its first
/// snapshot, so each row is in the snapshot, or noted, or both. Safe for use by any number of threads.
final class ExpiryBound {
    /// A moment later than all others.
    static final long NEVER = Long.MAX_VALUE;

    /// Earliest expiry among the rows of the last whole sweep.
    private long seen = Long.MIN_VALUE; // guarded by this

    /// Number of the sweep that began last.
    private long sweep; // guarded by this

    /// Earliest expiry among the rows committed since it began.
    private final AtomicLong noted = new AtomicLong(NEVER);

    /// No row expires before this moment, in microseconds since 1970.
    synchronized long micros() {
        return Math.min(seen, noted.get());
    }

    /// A row that expires at `micros` was committed.
    void note(long micros) {
        if (micros < noted.get()) {
            noted.accumulateAndGet(micros, Math::min);
        }
    }

    /// A sweep is about to begin; returns its number. A sweep that never ends leaves the bound as low as it was.
    synchronized long begin() {
        seen = Math.min(seen, noted.getAndSet(NEVER));
        sweep++;
        return sweep;
    }

    /// Sweep `number` has seen the whole table, and left no row that expires before `micros`.
    synchronized void end(long number, long micros) {
        if (number == sweep) {
            seen = micros;
        }
    }
}
