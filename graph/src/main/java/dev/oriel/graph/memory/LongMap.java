package dev.oriel.graph.memory;

import java.util.Arrays;

/// A map from longs to longs: open addressing, no object for an entry, at most 32 bytes for each. Used by one
/// thread.
public final class LongMap {
    private static final int FIRST = 16;
    private static final long ENTRY_BYTES = 16;
    private static final long FREE = Long.MIN_VALUE;

    private final Budget budget;

    /// Entries with key and value side by side, so that one memory access finds both.
    private long[] entries = empty(FIRST);

    private int size;
    private boolean hasFree;
    private long ofFree;

    public LongMap(Budget budget) {
        this.budget = budget;
        budget.take(FIRST * ENTRY_BYTES);
    }

    int size() {
        return size + (hasFree ? 1 : 0);
    }

    /// The value of `key`, or `otherwise`.
    public long get(long key, long otherwise) {
        if (key == FREE) {
            return hasFree ? ofFree : otherwise;
        }
        int at = slot(entries, key);
        return entries[at] == key ? entries[at + 1] : otherwise;
    }

    public boolean contains(long key) {
        return key == FREE ? hasFree : entries[slot(entries, key)] == key;
    }

    /// Adds a value for a new key; false if the key exists.
    public boolean putNew(long key, long value) {
        if (contains(key)) {
            return false;
        }
        put(key, value);
        return true;
    }

    public void put(long key, long value) {
        if (key == FREE) {
            hasFree = true;
            ofFree = value;
            return;
        }
        int at = slot(entries, key);
        if (entries[at] != key) {
            if (4 * (size + 1) > entries.length) {
                grow();
                at = slot(entries, key);
            }
            entries[at] = key;
            size++;
        }
        entries[at + 1] = value;
    }

    private void grow() {
        int length = Math.multiplyExact(entries.length / 2, 2);
        budget.take(length * ENTRY_BYTES);
        long[] more = empty(length);
        for (int i = 0; i < entries.length; i += 2) {
            if (entries[i] != FREE) {
                int at = slot(more, entries[i]);
                more[at] = entries[i];
                more[at + 1] = entries[i + 1];
            }
        }
        budget.giveBack(entries.length / 2 * ENTRY_BYTES);
        entries = more;
    }

    private static long[] empty(int slots) {
        long[] empty = new long[Math.multiplyExact(2, slots)];
        Arrays.fill(empty, FREE);
        return empty;
    }

    /// The place of `key`, or the free place for it; an even number.
    private static int slot(long[] in, long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int at = 2 * (int) (mixed >>> 32) & (in.length - 2);
        while (in[at] != FREE && in[at] != key) {
            at = (at + 2) & (in.length - 2);
        }
        return at;
    }
}
