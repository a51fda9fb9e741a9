package dev.oriel.sql.run;

import dev.oriel.sql.rows.QueryMemory;
import java.util.Arrays;

/// Which rows of a partition have a value that is not NULL, for as many of its first rows as have been looked
/// at: a bit for each, and for each 64 of them how many came before. So the one with a given number is found by a
/// binary search, however many NULLs lie between.
final class NonNullBitmap {
    private static final int WORD_BYTES = Long.BYTES + Integer.BYTES;

    private final QueryMemory.Share share;
    private long[] bits = {};

    /// By word of `bits`: how many are set in those before it.
    private int[] before = {};

    private int known;
    private int count;

    NonNullBitmap(QueryMemory.Share share) {
        this.share = share;
    }

    /// How many rows have been looked at.
    int known() {
        return known;
    }

    /// How many of them have a value.
    int count() {
        return count;
    }

    /// Adds the next row.
    void add(boolean present) {
        int word = known >>> 6;
        if (word == bits.length) {
            grow();
        }
        if ((known & 63) == 0) {
            before[word] = count;
        }
        if (present) {
            bits[word] |= 1L << known;
            count++;
        }
        known++;
    }

    private void grow() {
        int words = Math.max(4, 2 * bits.length);
        int more = words - bits.length;
        bits = Arrays.copyOf(bits, words);
        before = Arrays.copyOf(before, words);
        share.add((long) WORD_BYTES * more, 0);
    }

    /// How many rows before row `i` have a value; all of them have been looked at.
    int before(int i) {
        if (i >= known) {
            return count;
        }
        int word = i >>> 6;
        return before[word] + Long.bitCount(bits[word] & ((1L << i) - 1));
    }

    /// The row whose value is number `number` of those there are, counted from 0.
    int row(int number) {
        int low = 0;
        int high = (known - 1) >>> 6;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (before[middle] <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        long word = bits[low];
        for (int i = before[low]; i < number; i++) {
            word &= word - 1;
        }
        return (low << 6) + Long.numberOfTrailingZeros(word);
    }

    /// Forgets all rows.
    void clear() {
        share.take((long) WORD_BYTES * bits.length);
        bits = new long[0];
        before = new int[0];
        known = 0;
        count = 0;
    }
}
