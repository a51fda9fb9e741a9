package dev.oriel.store.delta;

/// Counts the entries of one [DeltaLayer] that cursors have passed. Threads share it without a lock, so some are not
/// counted.
final class CursorPasses {
    private long count;

    void add(int entries) {
        count += entries;
    }

    long count() {
        return count;
    }
}
