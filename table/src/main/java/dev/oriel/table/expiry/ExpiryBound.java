package dev.oriel.table.expiry;

import java.util.List;

/// The next rows of one table to expire, so that expired rows are found without reading the others. The first ones
/// are known by their keys ([DueRows]). All others have a lower bound, the horizon. In memory alone: after an
/// opening nothing is known, and the next sweep reads the rows.
///
/// A sweep over the whole table learns the first rows of all that it sees. It is due when the horizon has passed:
/// after about [DueRows#CAPACITY] removals, or when a row falls due whose transaction did not note its key.
/// Transactions that commit rows meanwhile note their expiry after the rows were published. The sweep began to
/// collect notes before it took its first snapshot, so each row is in the snapshot, or noted, or both. Safe for use
/// by any number of threads.
public final class ExpiryBound {
    /// A moment later than all others.
    public static final long NEVER = Long.MAX_VALUE;

    private DueRows due = new DueRows(Long.MIN_VALUE); // guarded by this

    /// Rows committed since the sweep in progress began.
    private DueRows noted = new DueRows(NEVER); // guarded by this

    /// Number of the sweep that began last.
    private long sweep; // guarded by this

    /// Whether it has not ended. Written after [#horizon] at the end, and read before it.
    private volatile boolean sweeping;

    /// Horizon of `due`, for a look without the lock.
    private volatile long horizon = Long.MIN_VALUE;

    /// Nothing is known of the rows.
    public ExpiryBound() {}

    /// No row expires before this moment, in microseconds since 1970.
    public synchronized long micros() {
        return due.first();
    }

    /// Rows that expire before this moment are known by their keys.
    public long horizon() {
        return horizon;
    }

    /// A row that expires at `micros` was committed.
    public void note(long micros) {
        if (!sweeping && micros >= horizon) {
            return;
        }
        synchronized (this) {
            due.lower(micros);
            horizon = due.horizon();
            noted.lower(micros);
        }
    }

    /// The row under `key` was committed, or found, and expires at `micros`.
    public void note(byte[] key, long micros) {
        if (!sweeping && micros >= horizon) {
            return;
        }
        synchronized (this) {
            due.add(key, micros);
            horizon = due.horizon();
            noted.add(key, micros);
        }
    }

    /// Removes and returns the keys of up to `count` rows that are due at `nowMicros`. Each is to be removed from
    /// the table, or noted again.
    public synchronized List<byte[]> take(long nowMicros, long count) {
        return due.take(nowMicros, count);
    }

    /// A sweep is about to begin; returns its number. A sweep that never ends leaves the bound as low as it was.
    synchronized long begin() {
        sweeping = true;
        noted = new DueRows(NEVER);
        sweep++;
        return sweep;
    }

    /// Sweep `number` has seen the whole table, and left the rows of `seen`.
    synchronized void end(long number, DueRows seen) {
        if (number != sweep) {
            return;
        }
        seen.addAll(noted);
        due = seen;
        noted = new DueRows(NEVER);
        horizon = seen.horizon();
        sweeping = false;
    }
}
