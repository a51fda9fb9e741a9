package dev.oriel.sql.run;

import java.util.Arrays;

/// The first and last rows of [HashBuild] chains by a key of one whole number, the most frequent kind of join. A
/// hash table with open addressing, at most half full, without an object for a key.
final class LongChains {
    /// Number that stands for no row.
    static final int NONE = -1;

    private static final int SLOTS_MIN = 64;

    /// Number of keys below which no filter is used, since the slots stay in the caches.
    private static final int FILTERED_MIN = 1 << 10;

    private static final int BITS_A_KEY_MAX = 64;
    private static final int BITS_A_KEY = 16;

    /// Maximum number of words of the filter; a power of two.
    private static final int WORDS_MAX = 1 << 24;

    private static final long[] NO_BITS = {};

    private long[] keys = new long[SLOTS_MIN];

    /// Number of the first row plus one, so that 0 means none.
    private int[] firsts = new int[SLOTS_MIN];

    private int[] lasts = new int[SLOTS_MIN];
    private int count;
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    /// Filter with a bit for each number from `least` to `most`, or for each hash: most probe keys are in no
    /// chain. These bits stay in the processor's caches, unlike the chains. Empty until all rows have been added.
    private long[] bits = NO_BITS;

    /// Whether a bit stands for one number.
    private boolean exact;

    /// Maximum number of words of the filter; a power of two.
    private final int wordsMax;

    LongChains() {
        this(WORDS_MAX);
    }

    /// @param wordsMax longs of bits at most
    LongChains(int wordsMax) {
        this.wordsMax = wordsMax;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// The first row with that key; [#NONE] if there is none.
    int first(long key) {
        if (bits.length > 0 && !mayHave(key)) {
            return NONE;
        }
        return firsts[slot(key)] - 1;
    }

    private boolean mayHave(long key) {
        if (!exact) {
            long hash = bitOf(key);
            return (bits[(int) (hash >>> 6)] >>> hash & 1) != 0;
        }
        if (key < least || key > most) {
            return false;
        }
        long place = key - least;
        return (bits[(int) (place >>> 6)] >>> place & 1) != 0;
    }

    private long bitOf(long key) {
        return (key * 0x9E3779B97F4A7C15L) >>> (Long.numberOfLeadingZeros(bits.length) - 5);
    }

    /// Completes the table, and builds the filter.
    void complete() {
        if (count < FILTERED_MIN) {
            return;
        }
        long range = most - least;
        exact = range >= 0 && range < (long) BITS_A_KEY_MAX * count && (range >>> 6) < wordsMax;
        long words =
                exact
                        ? (range >>> 6) + 1
                        : Long.highestOneBit((long) BITS_A_KEY * count) / Long.SIZE;
        bits = new long[(int) Math.min(words, wordsMax)];
        for (int i = 0; i < keys.length; i++) {
            if (firsts[i] != 0) {
                long place = exact ? keys[i] - least : bitOf(keys[i]);
                bits[(int) (place >>> 6)] |= 1L << place;
            }
        }
    }

    /// Adds a row at the end of its chain; returns the row before it, or [#NONE] if it begins one.
    int add(long key, int row) {
        int slot = slot(key);
        int last = lasts[slot] - 1;
        lasts[slot] = row + 1;
        if (last != NONE) {
            return last;
        }
        keys[slot] = key;
        least = Math.min(least, key);
        most = Math.max(most, key);
        firsts[slot] = row + 1;
        if (++count > keys.length / 2) {
            grow();
        }
        return NONE;
    }

    /// The slot of a key, or the free slot for it.
    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (firsts[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldFirsts = firsts;
        int[] oldLasts = lasts;
        keys = new long[2 * oldKeys.length];
        firsts = new int[keys.length];
        lasts = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldFirsts[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                firsts[slot] = oldFirsts[i];
                lasts[slot] = oldLasts[i];
            }
        }
    }

    /// Receives a key, and the first row that has it.
    interface Taker {
        void take(long key, int first);
    }

    /// Passes each key to `taker`, in no particular order.
    void forEach(Taker taker) {
        for (int i = 0; i < keys.length; i++) {
            if (firsts[i] != 0) {
                taker.take(keys[i], firsts[i] - 1);
            }
        }
    }

    void clear() {
        if (keys.length > SLOTS_MIN) {
            keys = new long[SLOTS_MIN];
            firsts = new int[SLOTS_MIN];
            lasts = new int[SLOTS_MIN];
        } else {
            Arrays.fill(firsts, 0);
            Arrays.fill(lasts, 0);
        }
        count = 0;
        least = Long.MAX_VALUE;
        most = Long.MIN_VALUE;
        bits = NO_BITS;
    }
}
