package dev.oriel.table.value;

import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Growable native memory, filled from the front and reused, into which keys and rows are encoded on their way to the
/// store. The memory is freed after the buffer has become unreachable. Numbers are little-endian unless a method says
/// otherwise.
///
/// A slice of the buffer is valid until the next `put`. Not safe for use by two threads at once.
public final class NativeBuffer {
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG_BE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// Upper bound of a row's bytes.
    private static final long BYTES_MAX = 1L << 30;

    /// Bytes that an emptied buffer keeps at most.
    private static final int KEPT_BYTES_MAX = 1 << 20;

    /// Length up to which a text is assumed to take the most bytes; those of longer texts are counted.
    private static final int SHORT_TEXT_MAX = 1 << 12;

    private final int firstBytes;
    private MemorySegment segment = MemorySegment.NULL;
    private int capacity;
    private int length;

    /// An empty buffer, which takes no memory before it is filled: each transaction has several, and fills few.
    ///
    /// @param firstBytes least number of bytes to take then
    public NativeBuffer(int firstBytes) {
        this.firstBytes = firstBytes;
    }

    public void clear() {
        length = 0;
        if (capacity > KEPT_BYTES_MAX) {
            segment = MemorySegment.NULL;
            capacity = 0;
        }
    }

    public int length() {
        return length;
    }

    /// Cuts the content off at `newLength`, or includes bytes written after its end.
    public void length(int newLength) {
        assert newLength <= capacity : newLength + " of " + capacity;
        length = newLength;
    }

    public MemorySegment segment() {
        return segment;
    }

    /// Points `out` at the whole content.
    public Slice slice(Slice out) {
        return out.set(segment, 0, length);
    }

    /// Makes room for `more` bytes after the content.
    public void ensure(long more) {
        if (length + more > capacity) {
            grow(length + more);
        }
    }

    private void grow(long needed) {
        if (needed > BYTES_MAX) {
            throw new LimitException(
                    "The row is too long; store large values in pieces",
                    "bytes=" + needed + " bytesMax=" + BYTES_MAX);
        }
        // A long value comes at once, and little follows: twice its length would be wasted.
        long grown =
                needed > KEPT_BYTES_MAX ? needed + needed / 8 : Math.max(needed, 2L * capacity);
        int larger = (int) Math.min(BYTES_MAX, Math.max(firstBytes, grown));
        MemorySegment copy = Arena.ofAuto().allocate(larger);
        MemorySegment.copy(segment, 0, copy, 0, length);
        segment = copy;
        capacity = larger;
    }

    public void putByte(int value) {
        ensure(1);
        segment.set(BYTE, length, (byte) value);
        length++;
    }

    public void putShort(int value) {
        ensure(2);
        segment.set(SHORT, length, (short) value);
        length += 2;
    }

    public void putInt(int value) {
        ensure(4);
        segment.set(INT, length, value);
        length += 4;
    }

    public void putLong(long value) {
        ensure(8);
        segment.set(LONG, length, value);
        length += 8;
    }

    /// Appends the last bytes of `value`, the highest of them first.
    ///
    /// @param bytes 1 to 8
    void putLast(long value, int bytes) {
        ensure(8);
        segment.set(LONG_BE, length, value << (Long.SIZE - Byte.SIZE * bytes));
        length += bytes; // bytes behind the end are ignored
    }

    public void putZeros(int bytes) {
        ensure(bytes + 7L);
        for (int i = 0; i < bytes; i += 8) {
            segment.set(LONG, length + i, 0); // bytes behind the end are ignored
        }
        length += bytes;
    }

    public void putBytes(byte[] bytes) {
        putBytes(bytes, 0, bytes.length);
    }

    public void putBytes(byte[] bytes, int from, int count) {
        ensure(count);
        MemorySegment.copy(bytes, from, segment, BYTE, length, count);
        length += count;
    }

    public void putSlice(Slice slice) {
        ensure(slice.length());
        MemorySegment.copy(slice.segment(), slice.offset(), segment, length, slice.length());
        length += slice.length();
    }

    /// Appends the UTF-8 bytes of `text`, as [Utf8] makes them.
    public void putText(String text) {
        ensure(text.length() <= SHORT_TEXT_MAX ? 3L * text.length() : Utf8.bytes(text));
        length = (int) Utf8.encode(text, 0, segment, length);
    }

    /// Copies the content to `bytes`, which must hold it.
    public void copyTo(byte[] bytes) {
        MemorySegment.copy(segment, BYTE, 0, bytes, 0, length);
    }
}
