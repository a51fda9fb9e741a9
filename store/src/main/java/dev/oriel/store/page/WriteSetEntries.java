package dev.oriel.store.page;

import dev.oriel.store.Slice;
import dev.oriel.store.memory.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The entries of a `WriteSetBuffer`, in order of arrival until they are sorted by key. Their bytes are
/// contiguous. Each entry has its start and its head, the first eight bytes of its key, which decides most
/// comparisons. Meant for few entries and frequent reuse; an `EntryBuffer` is for many.
///
/// ```
/// bytes   | u32 key length | i32 value length | key | value | ...
/// starts  offset of each entry   heads  first bytes of its key, big-endian
/// ```
///
/// A value of length -1 is a removal, as in `WriteSet`. Belongs to one thread at a time.
public final class WriteSetEntries {
    public static final int HEADER_BYTES = 8;
    private static final int COUNT_USUAL = 64;
    private static final int COUNT_KEPT_MAX = 4096;

    private final long bytesMin;
    private final long bytesKeptMax;
    private MemorySegment bytes = MemorySegment.NULL;
    private int used;
    private int count;
    private int[] starts = new int[COUNT_USUAL];
    private long[] heads = new long[COUNT_USUAL];

    /// Working arrays of [#sort].
    private int[] one = {};

    private int[] other = {};
    private int[] spareStarts = {};
    private long[] spareHeads = {};
    private final Slice left = new Slice();
    private final Slice right = new Slice();

    /// @param bytesMin bytes of the first allocation
    /// @param bytesKeptMax maximum number of bytes kept when it is emptied
    public WriteSetEntries(long bytesMin, long bytesKeptMax) {
        this.bytesMin = bytesMin;
        this.bytesKeptMax = bytesKeptMax;
    }

    public int count() {
        return count;
    }

    /// Bytes of all entries, replaced values included.
    public int used() {
        return used;
    }

    /// Native bytes allocated.
    public long capacity() {
        return bytes.byteSize();
    }

    /// Memory of the entries.
    public MemorySegment bytes() {
        return bytes;
    }

    /// Offset in [#bytes] of entry `index`: its header, key and value, contiguous.
    public int start(int index) {
        return starts[index];
    }

    static int keyBytes(MemorySegment bytes, int start) {
        return bytes.get(Page.INT, start);
    }

    public static int valueBytes(MemorySegment bytes, int start) {
        return bytes.get(Page.INT, start + 4L);
    }

    public static long sizeOf(Slice key, Slice value) {
        return HEADER_BYTES + (long) key.length() + Math.max(0, value.length());
    }

    public void add(Slice key, Slice value) {
        if (count == heads.length) {
            starts = Arrays.copyOf(starts, count * 2);
            heads = Arrays.copyOf(heads, count * 2);
        }
        int start = append(key, value);
        starts[count] = start;
        heads[count] = head(key);
        count++;
    }

    /// Replaces the value of entry `index`.
    public void replace(int index, Slice key, Slice value) {
        int start = starts[index];
        int length = value.length();
        if (valueBytes(bytes, start) == length) {
            long at = start + (long) HEADER_BYTES + keyBytes(bytes, start);
            MemorySegment.copy(value.segment(), value.offset(), bytes, at, Math.max(0, length));
        } else {
            starts[index] = append(key, value);
        }
    }

    private int append(Slice key, Slice value) {
        long size = sizeOf(key, value);
        if (used + size > bytes.byteSize()) {
            grow(used + size);
        }
        int start = used;
        write(key, value, bytes, start);
        used += (int) size;
        return start;
    }

    /// Writes an entry to `to`, from the offset `at` on.
    public static void write(Slice key, Slice value, MemorySegment to, long at) {
        to.set(Page.INT, at, key.length());
        to.set(Page.INT, at + 4, value.length());
        long keyAt = at + HEADER_BYTES;
        MemorySegment.copy(key.segment(), key.offset(), to, keyAt, key.length());
        int valueBytes = Math.max(0, value.length());
        MemorySegment.copy(value.segment(), value.offset(), to, keyAt + key.length(), valueBytes);
    }

    /// The head of the key of entry `index`.
    public long head(int index) {
        return heads[index];
    }

    private void grow(long wanted) {
        long larger = Math.max(Math.max(wanted, 2 * bytes.byteSize()), bytesMin);
        MemorySegment more = NativeMemory.allocate(larger, 8);
        MemorySegment.copy(bytes, 0, more, 0, used);
        bytes = more;
    }

    /// Returns the first bytes of `key`, as a number that decides most comparisons.
    public static long head(Slice key) {
        if (key.length() >= 8) {
            return key.segment().get(Slice.LONG_BE, key.offset());
        }
        long head = 0;
        for (int i = 0; i < key.length(); i++) {
            head |=
                    Byte.toUnsignedLong(key.segment().get(Page.BYTE, key.offset() + i))
                            << (56 - 8 * i);
        }
        return head;
    }

    /// Points `key` and `value` at entry `index`.
    public void get(int index, Slice key, Slice value) {
        key(index, key);
        value(index, value);
    }

    public void value(int index, Slice value) {
        int at = starts[index];
        long valueAt = at + (long) HEADER_BYTES + keyBytes(bytes, at);
        value.set(bytes, valueAt, valueBytes(bytes, at));
    }

    /// Bottom-up merge sort that skips runs already in order: sorted input costs one comparison each. Returns the array
    /// that holds the order: `one` or `other`.
    private int[] order() {
        int[] from = one;
        int[] to = other;
        for (int i = 0; i < count; i++) {
            from[i] = i;
        }
        for (int width = 1; width < count; width *= 2) {
            for (int low = 0; low < count; low += 2 * width) {
                int middle = Math.min(low + width, count);
                int high = Math.min(middle + width, count);
                merge(from, to, low, middle, high);
            }
            int[] swapped = from;
            from = to;
            to = swapped;
        }
        return from;
    }

    private void merge(int[] from, int[] to, int low, int middle, int high) {
        if (middle == high || compare(from[middle - 1], from[middle]) <= 0) {
            System.arraycopy(from, low, to, low, high - low);
            return;
        }
        int first = low;
        int second = middle;
        for (int i = low; i < high; i++) {
            boolean takeFirst =
                    first < middle && (second == high || compare(from[first], from[second]) <= 0);
            to[i] = takeFirst ? from[first++] : from[second++];
        }
    }

    /// Compares the keys of two entries.
    private int compare(int a, int b) {
        int order = Long.compareUnsigned(heads[a], heads[b]);
        if (order != 0) {
            return order;
        }
        key(a, left);
        key(b, right);
        return Slice.compare(left, right);
    }

    /// Compares the key of an entry with `key`, whose head is `head`.
    public int compare(int index, Slice key, long head) {
        int order = Long.compareUnsigned(heads[index], head);
        if (order != 0) {
            return order;
        }
        key(index, left);
        return Slice.compare(left, key);
    }

    public void key(int index, Slice out) {
        int at = starts[index];
        out.set(bytes, at + (long) HEADER_BYTES, keyBytes(bytes, at));
    }

    /// Sorts the entries by key; from now on they are numbered in that order. Keys are unique.
    public void sort() {
        if (spareHeads.length < heads.length) {
            one = new int[heads.length];
            other = new int[heads.length];
            spareStarts = new int[heads.length];
            spareHeads = new long[heads.length];
        }
        int[] order = order();
        for (int i = 0; i < count; i++) {
            spareStarts[i] = starts[order[i]];
            spareHeads[i] = heads[order[i]];
        }
        int[] oldStarts = starts;
        long[] oldHeads = heads;
        starts = spareStarts;
        heads = spareHeads;
        spareStarts = oldStarts;
        spareHeads = oldHeads;
    }

    /// Empties it, and frees memory beyond that of a small one.
    public void clear() {
        used = 0;
        count = 0;
        if (bytes.byteSize() > bytesKeptMax || heads.length > COUNT_KEPT_MAX) {
            bytes = MemorySegment.NULL;
            starts = new int[COUNT_USUAL];
            heads = new long[COUNT_USUAL];
            one = new int[0];
            other = new int[0];
            spareStarts = new int[0];
            spareHeads = new long[0];
        }
    }
}
