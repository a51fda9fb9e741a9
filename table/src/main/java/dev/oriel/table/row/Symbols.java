package dev.oriel.table.row;

import dev.oriel.table.value.NativeBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Recently read short texts of one column, by their bytes: a column of few distinct texts gives the same object
/// for the same text. Each lookup compares all bytes. If texts rarely repeat, no more are kept.
///
/// The key of a text is up to four words: its first ones, and the eight bytes before its end, which overlap them.
/// Shorter ones fit in one word.
///
/// Belongs to one [StoredRow].
final class Symbols {
    private static final int BYTES_MAX = 32;
    private static final int WORDS = BYTES_MAX / Long.BYTES;
    private static final int SLOTS = 64;

    /// Lookups before any text is kept: short statements do not get there.
    private static final int FIRST = 32;

    /// Lookups after which it is tested whether half of them were found.
    private static final int TRIED = 1_024;

    private @Nullable String @Nullable [] texts;
    private long[] words = new long[0];
    private int read;
    private int found;
    private boolean useless;

    /// Whether a text of `length` bytes is looked up here.
    boolean takes(int length) {
        if (useless || length > BYTES_MAX || length == 0) {
            return false;
        }
        if (texts == null) {
            if (++read < FIRST) {
                return false;
            }
            texts = new String[SLOTS];
            words = new long[SLOTS * (WORDS + 1)];
            read = 0;
        }
        return true;
    }

    /// The text of the `length` bytes at `start`, which is `column` of `row`.
    String at(MemorySegment segment, long start, int length, StoredRow row, int column) {
        long end = start + length;
        long last = segment.get(NativeBuffer.LONG, end - Long.BYTES);
        long first = 0;
        long second = 0;
        long third = 0;
        if (length <= Long.BYTES) {
            last >>>= Long.SIZE - Byte.SIZE * length;
        } else {
            first = segment.get(NativeBuffer.LONG, start);
            second = length > 16 ? segment.get(NativeBuffer.LONG, start + 8) : 0;
            third = length > 24 ? segment.get(NativeBuffer.LONG, start + 16) : 0;
        }
        long mixed = (last * 31 + first) * 31 + second * 31 + third + length;
        mixed *= 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 58);
        int at = slot * (WORDS + 1);
        @Nullable String[] kept = Objects.requireNonNull(texts);
        String text = kept[slot];
        boolean same =
                text != null
                        && words[at] == last
                        && words[at + 1] == first
                        && words[at + 2] == second
                        && words[at + 3] == third
                        && words[at + 4] == length;
        count(same);
        if (same && text != null) {
            return text;
        }
        String fresh = Objects.requireNonNull(row.textAt(column));
        kept[slot] = fresh;
        words[at] = last;
        words[at + 1] = first;
        words[at + 2] = second;
        words[at + 3] = third;
        words[at + 4] = length;
        return fresh;
    }

    private void count(boolean hit) {
        found += hit ? 1 : 0;
        if (++read == TRIED) {
            useless = found < TRIED / 2;
            read = 0;
            found = 0;
        }
    }
}
