package dev.oriel.store.sort;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.Slice;
import dev.oriel.store.page.Page;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Entries in memory, in order of arrival, until they are sorted by key. Their bytes are contiguous. Each has a
/// start and the first sixteen bytes of its key, which decide most comparisons.
///
/// ```
/// bytes   | u32 key length | u32 value length | key | value | ...
/// starts  where each begins      heads, seconds  its key's first bytes, big-endian
/// ```
/// Belongs to one thread at a time.
public final class EntryBuffer {
    static final int HEADER_BYTES = 8;

    /// Approximate bytes of an entry without its content: start, heads, place in the order and a copy of it.
    private static final int ENTRY_BYTES = 28;

    /// Upper bound of the sort memory, so that an int can address its bytes.
    static final long BYTES_MAX = BulkOptions.SORT_BYTES_MAX;

    /// Bytes lie in chunks, and each entry lies within one chunk, so that growing moves nothing. A start is the number
    /// of a chunk and, in its low bits, an offset. An entry longer than a chunk has one of its own, which takes up
    /// several numbers.
    private static final int CHUNK_BITS = 22;

    private static final int CHUNK_BYTES = 1 << CHUNK_BITS;
    private static final int CHUNK_BYTES_MIN = 64 << 10;

    /// Number of chunk numbers in an int: 2 GB.
    public static final int CHUNKS_MAX = Integer.MAX_VALUE >>> CHUNK_BITS;

    private final int chunksMax;
    private MemorySegment[] chunks = {};
    private int chunkCount;

    /// Offset of the next entry in the last chunk.
    private int chunkUsed;

    /// The first number of the last chunk.
    private int firstNumber;

    private long used;
    private int count;
    private int[] starts = new int[64];
    private long[] heads = new long[64];
    private long[] seconds = new long[64];
    private final Slice left = new Slice();
    private final Slice right = new Slice();

    /// @param chunksMax number of chunk numbers it may use; [#CHUNKS_MAX] except in tests
    EntryBuffer(int chunksMax) {
        this.chunksMax = chunksMax;
    }

    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// Approximate bytes of memory.
    long memoryBytes() {
        return used + (long) count * ENTRY_BYTES;
    }

    static long sizeOf(Slice key, Slice value) {
        return HEADER_BYTES + (long) key.length() + value.length();
    }

    /// Whether there can be room for one more entry of `entryBytes` bytes; to be called before each [#add].
    boolean takes(long entryBytes) {
        long numbers = (entryBytes + CHUNK_BYTES - 1) >>> CHUNK_BITS;
        return chunkCount + numbers <= chunksMax || count == 0;
    }

    void add(Slice key, Slice value) {
        long size = sizeOf(key, value);
        if (chunkCount == 0 || chunkUsed + size > chunks[chunkCount - 1].byteSize()) {
            addChunk(size);
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            heads = Arrays.copyOf(heads, count * 2);
            seconds = Arrays.copyOf(seconds, count * 2);
        }
        MemorySegment chunk = chunks[chunkCount - 1];
        starts[count] = firstNumber << CHUNK_BITS | chunkUsed;
        heads[count] = head(key, 0);
        seconds[count] = head(key, 8);
        count++;
        chunk.set(Page.INT, chunkUsed, key.length());
        chunk.set(Page.INT, chunkUsed + 4L, value.length());
        long at = (long) chunkUsed + HEADER_BYTES;
        MemorySegment.copy(key.segment(), key.offset(), chunk, at, key.length());
        MemorySegment.copy(
                value.segment(), value.offset(), chunk, at + key.length(), value.length());
        chunkUsed += (int) size;
        used += size;
    }

    private void addChunk(long size) {
        int numbers = (int) Math.max(1, (size + CHUNK_BYTES - 1) >>> CHUNK_BITS);
        if (chunkCount + numbers > chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(chunkCount + numbers, 2 * chunks.length));
        }
        long bytes = Math.max(size, Math.clamp(used, CHUNK_BYTES_MIN, CHUNK_BYTES));
        MemorySegment chunk = Arena.ofAuto().allocate(bytes, 8);
        firstNumber = chunkCount;
        for (int i = 0; i < numbers; i++) {
            chunks[chunkCount++] = chunk;
        }
        chunkUsed = 0;
    }

    /// Eight bytes of a key from `from` on, with zeros after its end.
    private static long head(Slice key, int from) {
        long at = key.offset() + from;
        int length = key.length() - from;
        if (length >= 8) {
            return key.segment().get(Slice.LONG_BE, at);
        }
        long head = 0;
        for (int i = 0; i < length; i++) {
            head |= Byte.toUnsignedLong(key.segment().get(Page.BYTE, at + i)) << (56 - 8 * i);
        }
        return head;
    }

    private MemorySegment chunk(int start) {
        return chunks[start >>> CHUNK_BITS];
    }

    private static long offset(int start) {
        return start & (CHUNK_BYTES - 1);
    }

    /// Points `key` and `value` at entry `index` in order of arrival.
    void get(int index, Slice key, Slice value) {
        int start = starts[index];
        MemorySegment chunk = chunk(start);
        long at = offset(start);
        int keyBytes = chunk.get(Page.INT, at);
        key.set(chunk, at + HEADER_BYTES, keyBytes);
        value.set(chunk, at + HEADER_BYTES + keyBytes, chunk.get(Page.INT, at + 4L));
    }

    /// Reads ahead the entries from `from` to `to` in `order`: the processor fetches several at once, and later reads
    /// one by one find them in its cache.
    long touch(int[] order, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            int entry = order[i];
            int start = starts[entry];
            sum += heads[entry] + seconds[entry] + chunk(start).get(Page.INT, offset(start));
        }
        return sum;
    }

    /// All bytes of entry `index`, as they stand in a run.
    MemorySegment bytesOf(int index) {
        int start = starts[index];
        MemorySegment chunk = chunk(start);
        long at = offset(start);
        long bytes = (long) chunk.get(Page.INT, at) + chunk.get(Page.INT, at + 4L);
        return chunk.asSlice(at, HEADER_BYTES + bytes);
    }

    /// The entries by key, and within one key in order of arrival.
    int[] order() {
        return EntryOrder.of(this, heads);
    }

    /// Order of the keys of two entries.
    int compare(int a, int b) {
        int order = Long.compareUnsigned(heads[a], heads[b]);
        if (order == 0) {
            order = Long.compareUnsigned(seconds[a], seconds[b]);
        }
        if (order != 0) {
            return order;
        }
        key(a, left);
        key(b, right);
        return Slice.compare(left, right);
    }

    private void key(int index, Slice out) {
        int start = starts[index];
        MemorySegment chunk = chunk(start);
        out.set(chunk, offset(start) + HEADER_BYTES, chunk.get(Page.INT, offset(start)));
    }

    /// Empties it, and releases its memory.
    void clear() {
        used = 0;
        count = 0;
        chunkCount = 0;
        chunks = new MemorySegment[0];
        if (starts.length > 64) {
            starts = new int[64];
            heads = new long[64];
            seconds = new long[64];
        }
    }
}
