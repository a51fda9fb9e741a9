package dev.oriel.store.page;

import java.util.Arrays;

/// The byte ranges that the open transaction may have changed in its pages. A page has a bit for each of its
/// [#UNITS] units, set by the code that changes it, or is marked as a whole.
///
/// Marked units go to the log unchanged. Only a page marked as a whole is compared with its version before. That
/// costs more than the change itself, mostly because the old version has to be read once more.
///
/// Indexed by the frame of the version. Used by the holder of the write role.
public final class PageMarks {
    /// Number of units of a page. A multiple of 64.
    private static final int UNITS = 1024;

    private static final int WORDS = UNITS / 64;
    private static final int UNIT_SHIFT = Page.SHIFT - 10;

    /// Number of the bit set of each frame.
    private int[] sets = new int[64];

    /// Whether all of the page may have changed, by bit set.
    private boolean[] whole = new boolean[64];

    private long[] bits = new long[64 * WORDS];
    private int count;

    /// Resets the marks for another transaction, or another part of one.
    public void clear() {
        count = 0;
    }

    /// Adds the page in `frame`, marked as a whole.
    public void begin(int frame) {
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

    /// Clears the marks of the page.
    public void setNone(int frame) {
        int set = sets[frame];
        whole[set] = false;
        Arrays.fill(bits, set * WORDS, (set + 1) * WORDS, 0);
    }

    /// Marks the page as a whole.
    public void setWhole(int frame) {
        whole[sets[frame]] = true;
    }

    public boolean isWhole(int frame) {
        return whole[sets[frame]];
    }

    /// Marks the bytes from `from` to `to`.
    public void add(int frame, int from, int to) {
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

    /// Returns the first marked byte from `at` on, or the start of its unit; the length of a page if there is
    /// none.
    public int next(int frame, int at) {
        return next(frame, at, 0);
    }

    /// Returns the end of the marked range at `at`.
    public int end(int frame, int at) {
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
