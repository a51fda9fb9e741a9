package dev.oriel.store;

import java.util.Arrays;

/// Which bytes of the pages that the open transaction has changed may differ from what they were: of each page a
/// bit for each of its [#UNITS] units, as whoever changed it has said, or that it may be any of them.
///
/// What is marked goes to the log as it is. Only where it may be anything the page is compared with what it
/// was: that costs more than the change itself, mostly because what it was has to be read once more.
///
/// By the frame of the version. Used by the holder of the write role.
final class PageMarks {
    /// Units of a page. A multiple of 64.
    private static final int UNITS = 1024;

    private static final int WORDS = UNITS / 64;
    private static final int UNIT_SHIFT = Page.SHIFT - 10;

    /// By frame: number of the set of bits that belongs to it.
    private int[] sets = new int[64];

    /// By the number of a set: whether all of the page may differ.
    private boolean[] whole = new boolean[64];

    private long[] bits = new long[64 * WORDS];
    private int count;

    /// Another transaction begins, or another part of one.
    void clear() {
        count = 0;
    }

    /// Begins with a page in `frame`, all of which may differ.
    void begin(int frame) {
        if (frame >= sets.length) {
            sets = Arrays.copyOf(sets, Math.max(frame + 1, sets.length * 2));
        }
        if (count == whole.length) {
            bits = Arrays.copyOf(bits, count * 2 * WORDS);
            whole = Arrays.copyOf(whole, count * 2);
        }
        whole[count] = true;
        sets[frame] = count++;
    }

    /// Nothing of the page differs yet.
    void setNone(int frame) {
        int set = sets[frame];
        whole[set] = false;
        Arrays.fill(bits, set * WORDS, (set + 1) * WORDS, 0);
    }

    /// All of the page may differ.
    void setWhole(int frame) {
        whole[sets[frame]] = true;
    }

    boolean isWhole(int frame) {
        return whole[sets[frame]];
    }

    /// The bytes from `from` to `to` may differ.
    void add(int frame, int from, int to) {
        if (from >= to) {
            return;
        }
        int base = sets[frame] * WORDS;
        int first = from >>> UNIT_SHIFT;
        int last = (to - 1) >>> UNIT_SHIFT;
        int word = first >>> 6;
        int lastWord = last >>> 6;
        long mask = -1L << first;
        for (; word < lastWord; word++) {
            bits[base + word] |= mask;
            mask = -1L;
        }
        bits[base + word] |= mask & (-1L >>> (63 - (last & 63)));
    }

    /// Where the first marked byte from `at` on is, or begins its unit; the length of a page where there is
    /// none.
    int next(int frame, int at) {
        return next(frame, at, 0);
    }

    /// Where what is marked from `at` on ends.
    int end(int frame, int at) {
        return next(frame, at, -1L);
    }

    private int next(int frame, int at, long inverted) {
        if (at >= Page.BYTES) {
            return Page.BYTES;
        }
        int base = sets[frame] * WORDS;
        int unit = at >>> UNIT_SHIFT;
        int word = unit >>> 6;
        long rest = (bits[base + word] ^ inverted) & -1L << unit;
        while (rest == 0) {
            word++;
            if (word == WORDS) {
                return Page.BYTES;
            }
            rest = bits[base + word] ^ inverted;
        }
        return ((word << 6) + Long.numberOfTrailingZeros(rest)) << UNIT_SHIFT;
    }
}
