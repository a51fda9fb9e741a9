package dev.oriel.sql.run;

import java.util.Arrays;

/// The first and last rows of a [HashBuild] by its one key, which is a whole number: what most joins go by. Open
/// addressing, at most half full, without an object for a key.
final class LongChains {
    /// Stands for "no row".
    static final int NONE = -1;

    private static final int SLOTS_MIN = 64;

    /// The slots of fewer keys stay in the caches.
    private static final int FILTERED_MIN = 1 << 10;

    private static final int BITS_A_KEY_MAX = 64;
    private static final int BITS_A_KEY = 16;

    /// A power of two.
    private static final int WORDS_MAX = 1 << 24;

    private static final long[] NO_BITS = {};

    private long[] keys = new long[SLOTS_MIN];

    /// One more than the number of the row, so that 0 is none.
    private int[] firsts = new int[SLOTS_MIN];

    private int[] lasts = new int[SLOTS_MIN];
    private int count;
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    /// A bit for each number from `least` to `most`, or for each hash: most keys that are looked for are in no
    /// chain, and these bits stay in the processor's caches where the chains do not. Empty until all rows are there.
    private long[] bits = NO_BITS;

    /// Whether a bit stands for one number.
    private boolean exact;

    /// A power of two.
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

    /// The first row with that key; [#NONE] where there is none.
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

    /// All rows have been added.
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

    /// Adds a row at the end of its chain; returns the one before it, or [#NONE] where it begins one.
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

    /// Where a key is, or would be.
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

    /// What takes a key, and the first row that has it.
    interface Taker {
        void take(long key, int first);
    }

    /// Hands over each key, in no order.
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
