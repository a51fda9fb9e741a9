package dev.oriel.bench.jdbm;

import java.util.Arrays;

/// Ids of a store's records, by the index of the record. Thread-safe.
final class OrielIds {
    private volatile long[] ids = new long[1 << 10];
    private volatile int count;

    synchronized void set(long index, long id) {
        int at = Math.toIntExact(index);
        long[] all = ids;
        if (at >= all.length) {
            all = Arrays.copyOf(all, Math.max(at + 1, 2 * all.length));
        }
        all[at] = id;
        ids = all;
        count = Math.max(count, at + 1);
    }

    /// The id at `index`; 0 if there is none.
    long get(long index) {
        return index >= 0 && index < count ? ids[(int) index] : 0;
    }

    int count() {
        return count;
    }
}
