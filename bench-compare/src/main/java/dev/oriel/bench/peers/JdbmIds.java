package dev.oriel.bench.peers;

import java.util.Arrays;

/// The record ids of a record manager, by the index of the record. Guarded by the store's lock for
/// writing.
final class JdbmIds {
    private long[] ids = new long[1 << 10];
    private int count;

    void set(long index, long recid) {
        int at = Math.toIntExact(index);
        if (at >= ids.length) {
            ids = Arrays.copyOf(ids, Math.max(at + 1, 2 * ids.length));
        }
        ids[at] = recid;
        count = Math.max(count, at + 1);
    }

    /// 0 if there is none.
    long get(long index) {
        return index >= 0 && index < count ? ids[(int) index] : 0;
    }

    int count() {
        return count;
    }
}
