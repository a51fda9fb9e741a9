package dev.oriel.table.expiry;

import dev.oriel.store.Slice;
import dev.oriel.table.value.NativeBuffer;

/// Progress of `Tables.sweep` in one table. A new one stands before the first row.
public final class SweepPlace {
    private final NativeBuffer key = new NativeBuffer(64);
    private final Slice slice = new Slice();
    private boolean begun;

    /// Bound of the table in the present sweep.
    private ExpiryBound bound = new ExpiryBound();

    private long number;

    /// The first rows to expire; none if the sweep's caller does not ask for them.
    private DueRows seen = new DueRows(Long.MIN_VALUE);

    /// A place before the first row.
    public SweepPlace() {}

    /// Whether the next sweep begins at the first row.
    public boolean isAtBegin() {
        return !begun;
    }

    /// Moves to `next`, which is to be read first.
    public void moveTo(Slice next) {
        key.clear();
        key.putSlice(next);
        key.slice(slice);
        begun = true;
    }

    /// Begins a sweep of a table with the bound `of`, before there is a snapshot for it.
    public void begin(ExpiryBound of) {
        bound = of;
        number = of.begin();
        seen = new DueRows(ExpiryBound.NEVER);
    }

    /// Rows that expire from this moment on need not be named.
    public long horizon() {
        return seen.horizon();
    }

    /// The row under `rowKey` stays, and expires at `micros`.
    public void stays(byte[] rowKey, long micros) {
        seen.add(rowKey, micros);
    }

    /// The last row was reached.
    public void restart() {
        begun = false;
    }

    /// The removals are committed.
    public void committed() {
        if (!begun) {
            bound.end(number, seen);
        }
    }

    public Slice next() {
        return slice;
    }
}
