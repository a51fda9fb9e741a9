package dev.oriel.table;

import dev.oriel.store.Slice;

/// How far [Tables#sweep] has come in one table. A new one stands before the first row.
public final class SweepPlace {
    private final NativeBuffer key = new NativeBuffer(64);
    private final Slice slice = new Slice();
    private boolean begun;

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

    void restart() {
        begun = false;
    }

    Slice next() {
        return slice;
    }
}
