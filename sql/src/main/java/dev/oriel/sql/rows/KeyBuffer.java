package dev.oriel.sql.rows;

import dev.oriel.store.Slice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Row keys in native memory, one after the other: the rows that UPDATE and DELETE have found before they change
/// the first one. Grows by doubling. Memory is freed with the buffer; a very large one is also freed when it is
/// cleared.
public final class KeyBuffer {
    private static final int FIRST_BYTES = 256;
    private static final int FIRST_KEYS = 16;

    /// Bytes that stay allocated when the buffer is cleared.
    private static final long KEPT_BYTES = 1 << 20;

    private MemorySegment bytes = Arena.ofAuto().allocate(FIRST_BYTES);
    private long[] ends = new long[FIRST_KEYS];
    private int count;

    public int count() {
        return count;
    }

    /// Bytes of the keys and their end offsets.
    public long bytes() {
        return start(count) + (long) Long.BYTES * count;
    }

    /// Allocated bytes, used or not.
    long heldBytes() {
        return bytes.byteSize() + (long) Long.BYTES * ends.length;
    }

    public void clear() {
        count = 0;
        if (heldBytes() > KEPT_BYTES) {
            bytes = Arena.ofAuto().allocate(FIRST_BYTES);
            ends = new long[FIRST_KEYS];
        }
    }

    /// Appends a copy of `key`.
    public void add(Slice key) {
        long start = start(count);
        long end = start + key.length();
        if (end > bytes.byteSize()) {
            long size = bytes.byteSize();
            while (size < end) {
                size *= 2;
            }
            MemorySegment larger = Arena.ofAuto().allocate(size);
            MemorySegment.copy(bytes, 0, larger, 0, start);
            bytes = larger;
        }
        MemorySegment.copy(key.segment(), key.offset(), bytes, start, key.length());
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = end;
    }

    /// Points `out` at key `i`.
    public void key(int i, Slice out) {
        long start = start(i);
        out.set(bytes, start, (int) (ends[i] - start));
    }

    private long start(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }
}
