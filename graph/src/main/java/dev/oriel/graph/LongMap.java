package dev.oriel.graph;

import java.util.Arrays;

/// A map from longs to longs: open addressing, no object an entry, 32 bytes an entry or less. For use by
/// one thread.
final class LongMap {
    private static final int FIRST = 16;
    private static final long ENTRY_BYTES = 16;
    private static final long FREE = Long.MIN_VALUE;

    private final Budget budget;
    private long[] keys = new long[FIRST];
    private long[] values = new long[FIRST];
    private int size;
    private boolean hasFree;
    private long ofFree;

    LongMap(Budget budget) {
        this.budget = budget;
        budget.take(FIRST * ENTRY_BYTES);
        Arrays.fill(keys, FREE);
    }

    int size() {
        return size + (hasFree ? 1 : 0);
    }

    /// The value of `key`, or `otherwise`.
    long get(long key, long otherwise) {
        if (key == FREE) {
            return hasFree ? ofFree : otherwise;
        }
        int at = slot(keys, key);
        return keys[at] == key ? values[at] : otherwise;
    }

    boolean contains(long key) {
        return key == FREE ? hasFree : keys[slot(keys, key)] == key;
    }

    /// Puts a value where there is none; false where there is one.
    boolean putNew(long key, long value) {
        if (contains(key)) {
            return false;
        }
        put(key, value);
        return true;
    }

    void put(long key, long value) {
        if (key == FREE) {
            hasFree = true;
            ofFree = value;
            return;
        }
        int at = slot(keys, key);
        if (keys[at] != key) {
            if (2 * (size + 1) > keys.length) {
                grow();
                at = slot(keys, key);
            }
            keys[at] = key;
            size++;
        }
        values[at] = value;
    }

    private void grow() {
        int length = Math.multiplyExact(keys.length, 2);
        budget.take(length * ENTRY_BYTES);
        long[] moreKeys = new long[length];
        long[] moreValues = new long[length];
        Arrays.fill(moreKeys, FREE);
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != FREE) {
                int at = slot(moreKeys, keys[i]);
                moreKeys[at] = keys[i];
                moreValues[at] = values[i];
            }
        }
        budget.giveBack(keys.length * ENTRY_BYTES);
        keys = moreKeys;
        values = moreValues;
    }

    private static int slot(long[] in, long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int at = (int) (mixed >>> 32) & (in.length - 1);
        while (in[at] != FREE && in[at] != key) {
            at = (at + 1) & (in.length - 1);
        }
        return at;
    }
}
