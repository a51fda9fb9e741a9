package dev.oriel.sql.run;

import dev.oriel.sql.rows.QueryMemory;
import java.util.Arrays;

/// Marks the rows of a partition whose value is not NULL, as far as they have been examined. There is a bit for
/// each row, and for each 64 rows the number of bits before. So a non-NULL value is found by its number with a
/// binary search, however many NULLs lie between.
final class NonNullBitmap {
    private static final int WORD_BYTES = Long.BYTES + Integer.BYTES;

    private final QueryMemory.Share share;
    private long[] bits = {};

    /// Number of bits set in the words before, by word of `bits`.
    private int[] before = {};

    private int known;
    private int count;

    NonNullBitmap(QueryMemory.Share share) {
        this.share = share;
    }

    /// Number of rows examined.
    int known() {
        return known;
    }

    /// Number of rows with a value.
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

    /// Number of rows with a value before row `i`, up to which all have been examined.
    int before(int i) {
        if (i >= known) {
            return count;
        }
        int word = i >>> 6;
        return before[word] + Long.bitCount(bits[word] & ((1L << i) - 1));
    }

    /// The row of value number `number`, counted from 0.
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
