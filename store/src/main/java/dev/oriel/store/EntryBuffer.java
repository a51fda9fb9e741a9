package dev.oriel.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Entries in memory, in the order in which they came, until they are put in the order of their keys:
/// bytes one behind the other, and for each where it begins and the first eight bytes of its key, at
/// which most comparisons end.
///
/// ```
/// bytes   | u32 key length | u32 value length | key | value | ...
/// starts  where each begins      heads  its key's first bytes, big-endian
/// ```
/// Belongs to one thread at a time.
final class EntryBuffer {
    static final int HEADER_BYTES = 8;
    private static final long BYTES_MIN = 64 << 10;

    /// What an entry takes beside its bytes, about: start, head, place in the order and a copy of it.
    private static final int ENTRY_BYTES = 20;

    /// Longer entries could not be addressed by an int.
    static final long BYTES_MAX = 1 << 30;

    private MemorySegment bytes = MemorySegment.NULL;
    private int used;
    private int count;
    private int[] starts = new int[64];
    private long[] heads = new long[64];
    private final Slice left = new Slice();
    private final Slice right = new Slice();

    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// About what it takes.
    long memoryBytes() {
        return used + (long) count * ENTRY_BYTES;
    }

    static long sizeOf(Slice key, Slice value) {
        return HEADER_BYTES + (long) key.length() + value.length();
    }

    /// Whether there can be room for one more entry of so many bytes.
    boolean takes(long entryBytes) {
        return used + entryBytes <= BYTES_MAX || count == 0;
    }

    void add(Slice key, Slice value) {
        long size = sizeOf(key, value);
        if (used + size > bytes.byteSize()) {
            grow(used + size);
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            heads = Arrays.copyOf(heads, count * 2);
        }
        starts[count] = used;
        heads[count] = head(key);
        count++;
        bytes.set(Page.INT, used, key.length());
        bytes.set(Page.INT, used + 4L, value.length());
        long at = (long) used + HEADER_BYTES;
        MemorySegment.copy(key.segment(), key.offset(), bytes, at, key.length());
        MemorySegment.copy(
                value.segment(), value.offset(), bytes, at + key.length(), value.length());
        used += (int) size;
    }

    private void grow(long wanted) {
        long larger = Math.max(Math.max(wanted, 2 * bytes.byteSize()), BYTES_MIN);
        MemorySegment more = Arena.ofAuto().allocate(larger, 8);
        MemorySegment.copy(bytes, 0, more, 0, used);
        bytes = more;
    }

    private static long head(Slice key) {
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

    /// Points `key` and `value` at entry `index` as it came.
    void get(int index, Slice key, Slice value) {
        int at = starts[index];
        int keyBytes = bytes.get(Page.INT, at);
        key.set(bytes, at + (long) HEADER_BYTES, keyBytes);
        value.set(bytes, at + (long) HEADER_BYTES + keyBytes, bytes.get(Page.INT, at + 4L));
    }

    /// All bytes of entry `index`, as they stand in a run.
    MemorySegment bytesOf(int index) {
        int end = index + 1 < count ? starts[index + 1] : used;
        return bytes.asSlice(starts[index], end - starts[index]);
    }

    /// The entries by their keys; those with one key in the order in which they came. Merges from below,
    /// and passes over what is in order already: so entries that came sorted cost one look each.
    int[] order() {
        int[] from = new int[count];
        Arrays.setAll(from, i -> i);
        int[] to = from.clone();
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

    /// Order of the keys of two entries.
    int compare(int a, int b) {
        int order = Long.compareUnsigned(heads[a], heads[b]);
        if (order != 0) {
            return order;
        }
        key(a, left);
        key(b, right);
        return Slice.compare(left, right);
    }

    private void key(int index, Slice out) {
        int at = starts[index];
        out.set(bytes, at + (long) HEADER_BYTES, bytes.get(Page.INT, at));
    }

    /// Empties it, and lets go of memory beyond what a small one has.
    void clear() {
        used = 0;
        count = 0;
        if (bytes.byteSize() > BYTES_MIN) {
            bytes = MemorySegment.NULL;
            starts = new int[64];
            heads = new long[64];
        }
    }
}
