package dev.oriel.table;

import dev.oriel.store.Slice;

/// How far [Tables#sweep] has come in one table. A new one stands before the first row.
public final class SweepPlace {
    private final NativeBuffer key = new NativeBuffer(64);
    private final Slice slice = new Slice();
    private boolean begun;

    /// What is known of the sweep that is under way.
    private ExpiryBound bound = new ExpiryBound();

    private long number;
    private long earliest = ExpiryBound.NEVER;

    /// Before the first row.
    public SweepPlace() {}

    /// Whether the next sweep begins at the first row.
    public boolean isAtBegin() {
        return !begun;
    }

    /// Stands on `next`, which is to be looked at first.
    void moveTo(Slice next) {
        key.clear();
        key.putSlice(next);
        key.slice(slice);
        begun = true;
    }

    /// Begins a sweep of a table that has `of`, before there is a snapshot for it.
    void begin(ExpiryBound of) {
        bound = of;
        number = of.begin();
        earliest = ExpiryBound.NEVER;
    }

    /// A row stays that expires at `micros`.
    void stays(long micros) {
        earliest = Math.min(earliest, micros);
    }

    /// The last row was seen.
    void restart() {
        begun = false;
    }

    /// What was removed is committed.
    void committed() {
        if (!begun) {
            bound.end(number, earliest);
        }
    }

    Slice next() {
        return slice;
    }
}
