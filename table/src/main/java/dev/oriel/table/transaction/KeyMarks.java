package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.table.value.NativeBuffer;
import java.lang.foreign.MemorySegment;

/// A set of keys, each with a number. Only 128 bits of each key are kept: keys that agree in these count as one. Not
/// safe for use by two threads at once.
final class KeyMarks {
    private static final long FIRST_SEED = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND_SEED = 0xC2B2_AE3D_27D4_EB4FL;

    /// Two longs for each place; 0 and 0 if it is free.
    private long[] places = new long[32];

    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    void add(int number, Slice key) {
        if (4L * count >= places.length) {
            grow();
        }
        put(hash(number, key, FIRST_SEED) | 1, hash(number, key, SECOND_SEED));
    }

    boolean contains(int number, Slice key) {
        if (count == 0) {
            return false;
        }
        long first = hash(number, key, FIRST_SEED) | 1;
        return places[place(first, hash(number, key, SECOND_SEED))] == first;
    }

    private void grow() {
        long[] old = places;
        places = new long[Math.multiplyExact(old.length, 2)];
        count = 0;
        for (int i = 0; i < old.length; i += 2) {
            if (old[i] != 0) {
                put(old[i], old[i + 1]);
            }
        }
    }

    private void put(long first, long second) {
        int at = place(first, second);
        if (places[at] == 0) {
            places[at] = first;
            places[at + 1] = second;
            count++;
        }
    }

    /// The place of this pair, or the free one for it.
    private int place(long first, long second) {
        int at = (int) (second >>> 8) & (places.length - 2);
        while (places[at] != 0 && (places[at] != first || places[at + 1] != second)) {
            at = (at + 2) & (places.length - 1);
        }
        return at;
    }

    private static long hash(int number, Slice key, long seed) {
        MemorySegment segment = key.segment();
        long end = key.offset() + key.length();
        long hash = mixed(seed * (number + 1L) + key.length());
        long at = key.offset();
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            hash = mixed((hash + seed) ^ segment.get(NativeBuffer.LONG, at));
        }
        for (; at < end; at++) {
            hash = mixed((hash + seed) ^ (segment.get(NativeBuffer.BYTE, at) & 0xFF));
        }
        return hash;
    }

    /// The last steps of MurmurHash3, by which each bit changes half of the others.
    private static long mixed(long value) {
        long z = (value ^ (value >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
        z = (z ^ (z >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
        return z ^ (z >>> 33);
    }

    void clear() {
        count = 0;
        places = new long[32];
    }
}
