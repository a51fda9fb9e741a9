package dev.oriel.graph.memory;

import java.util.Arrays;

/// Vertices with the number of times each was reached, in the order of the first time: open addressing over two
/// arrays, no object for an entry. Used by one thread.
public final class LongMultiset {
    private static final int LEAST = 16;
    private static final int KEPT_MOST = 1 << 12;

    private long[] keys = new long[LEAST];
    private long[] bulks = new long[LEAST];

    /// Entry numbers by hash, counted from 1; 0 for a free slot.
    private int[] slots = new int[2 * LEAST];

    private int size;

    public int size() {
        return size;
    }

    public long key(int at) {
        return keys[at];
    }

    public long bulk(int at) {
        return bulks[at];
    }

    /// Size on the heap in bytes.
    public long bytes() {
        return keys.length * (2L * Long.BYTES + 2L * Integer.BYTES);
    }

    /// Adds `bulk` to the count of `key`.
    ///
    /// @throws dev.oriel.store.LimitException if that is more than a long holds
    public void add(long key, long bulk) {
        int slot = slot(key);
        if (slots[slot] != 0) {
            int at = slots[slot] - 1;
            bulks[at] = PathCounts.sum(bulks[at], bulk);
            return;
        }
        if (size == keys.length) {
            grow();
            slot = slot(key);
        }
        keys[size] = key;
        bulks[size] = bulk;
        slots[slot] = ++size;
    }

    public void clear() {
        if (keys.length > KEPT_MOST) {
            keys = new long[LEAST];
            bulks = new long[LEAST];
            slots = new int[2 * LEAST];
        } else if (size > 0) {
            Arrays.fill(slots, 0);
        }
        size = 0;
    }

    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int at = (int) (mixed >>> 32) & (slots.length - 1);
        while (slots[at] != 0 && keys[slots[at] - 1] != key) {
            at = (at + 1) & (slots.length - 1);
        }
        return at;
    }

    private void grow() {
        keys = Arrays.copyOf(keys, 2 * size);
        bulks = Arrays.copyOf(bulks, 2 * size);
        slots = new int[4 * size];
        for (int i = 0; i < size; i++) {
            slots[slot(keys[i])] = i + 1;
        }
    }
}
