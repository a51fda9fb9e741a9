package dev.oriel.graph.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A map from short byte sequences to longs that takes their length and some 40 bytes for each entry. Used by one
/// thread.
///
/// Keys lie one after the other in chunks, each preceded by its length in two bytes. A slot of the hash table
/// holds the number of an entry plus 1. Hashes are kept, so that few keys are compared and none is hashed again.
public final class BytesMap {
    /// Maximum length of a key; longer keys are refused.
    public static final int KEY_BYTES_MAX = 0xFFFF;

    private static final int CHUNK_BYTES = 1 << 18;
    private static final int FIRST = 16;

    /// Place, value and hash of an entry, and two slots for each.
    private static final long ENTRY_BYTES = 8 + 8 + 4 + 2 * 4;

    private final Budget budget;
    private final List<byte[]> chunks = new ArrayList<>();
    private int chunkAt = CHUNK_BYTES;
    private int[] slots = new int[2 * FIRST];
    private int[] hashes = new int[FIRST];
    private long[] places = new long[FIRST];
    private long[] values = new long[FIRST];
    private int size;

    public BytesMap(Budget budget) {
        this.budget = budget;
        budget.take(FIRST * ENTRY_BYTES);
    }

    int size() {
        return size;
    }

    /// The value of the key `bytes[from..to)`, or `otherwise`.
    public long get(byte[] bytes, int from, int to, long otherwise) {
        int entry = slots[slot(bytes, from, to, hash(bytes, from, to))];
        return entry == 0 ? otherwise : values[entry - 1];
    }

    /// Adds a value for a new key; false if the key exists.
    public boolean putNew(byte[] bytes, int from, int to, long value) {
        int hash = hash(bytes, from, to);
        int slot = slot(bytes, from, to, hash);
        if (slots[slot] != 0) {
            return false;
        }
        if (size == places.length) {
            grow();
            slot = slot(bytes, from, to, hash);
        }
        places[size] = keep(bytes, from, to);
        values[size] = value;
        hashes[size] = hash;
        slots[slot] = ++size;
        return true;
    }

    private long keep(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length > KEY_BYTES_MAX) {
            throw new IllegalArgumentException("a key of " + length + " bytes");
        }
        if (length + 2 > CHUNK_BYTES - chunkAt) {
            budget.take(CHUNK_BYTES);
            chunks.add(new byte[CHUNK_BYTES]);
            chunkAt = 0;
        }
        byte[] chunk = chunks.getLast();
        long place = (long) (chunks.size() - 1) * CHUNK_BYTES + chunkAt;
        chunk[chunkAt] = (byte) (length >>> 8);
        chunk[chunkAt + 1] = (byte) length;
        System.arraycopy(bytes, from, chunk, chunkAt + 2, length);
        chunkAt += length + 2;
        return place;
    }

    private boolean isAt(long place, byte[] bytes, int from, int to) {
        byte[] chunk = chunks.get((int) (place / CHUNK_BYTES));
        int at = (int) (place % CHUNK_BYTES);
        int length = (chunk[at] & 0xFF) << 8 | (chunk[at + 1] & 0xFF);
        return Arrays.equals(chunk, at + 2, at + 2 + length, bytes, from, to);
    }

    private int slot(byte[] bytes, int from, int to, int hash) {
        int at = hash & (slots.length - 1);
        while (slots[at] != 0) {
            int entry = slots[at] - 1;
            if (hashes[entry] == hash && isAt(places[entry], bytes, from, to)) {
                return at;
            }
            at = (at + 1) & (slots.length - 1);
        }
        return at;
    }

    private void grow() {
        int length = Math.multiplyExact(size, 2);
        budget.take(length * ENTRY_BYTES);
        places = Arrays.copyOf(places, length);
        values = Arrays.copyOf(values, length);
        hashes = Arrays.copyOf(hashes, length);
        slots = new int[Math.multiplyExact(length, 2)];
        for (int entry = 0; entry < size; entry++) {
            int at = hashes[entry] & (slots.length - 1);
            while (slots[at] != 0) {
                at = (at + 1) & (slots.length - 1);
            }
            slots[at] = entry + 1;
        }
        budget.giveBack(size * ENTRY_BYTES);
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        hash *= 0x9E3779B9;
        return hash ^ hash >>> 15;
    }
}
