package dev.oriel.store;

import dev.oriel.store.memory.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A range of bytes in native memory: a movable window (`segment`, `offset`, `length`), not a copy. Keys and
/// values are passed as slices, so that a read allocates nothing.
///
/// A slice that the store filled points into a page. It is valid until its cursor moves, or the transaction
/// writes or ends; copy the bytes to keep them longer. A value too long for a page is assembled in memory of the
/// slice itself, which it keeps for the next one.
///
/// The segment is always native: mixing heap and native segments at one call site costs more than
/// a read itself. Not safe for use by two threads at once.
public final class Slice {
    /// Big-endian reads compare like the bytes read.
    static final ValueLayout.OfInt INT_BE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    public static final ValueLayout.OfLong LONG_BE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private MemorySegment segment;
    private long offset;
    private int length;
    private MemorySegment own = MemorySegment.NULL;

    /// An empty slice, to be filled by the store.
    public Slice() {
        this.segment = MemorySegment.NULL;
    }

    /// Points this slice at `length` bytes of the native `segment` from `offset`.
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    public Slice set(MemorySegment segment, long offset, int length) {
        if (this.segment != segment) {
            this.segment = segment;
        }
        this.offset = offset;
        this.length = length;
        return this;
    }

    /// Points this slice at `bytes` bytes of its own memory, to be filled.
    public Slice setOwn(int bytes) {
        if (own.byteSize() < bytes) {
            own = NativeMemory.allocate(Math.max(bytes, 2 * own.byteSize()), 1);
        }
        return set(own, 0, bytes);
    }

    /// Frees its own memory if it is more than `bytesMax`, as after a long value. The window is empty then.
    public void trim(int bytesMax) {
        if (own.byteSize() > bytesMax) {
            own = MemorySegment.NULL;
            set(MemorySegment.NULL, 0, 0);
        }
    }

    /// Points this slice at a copy of `other` in its own memory.
    public Slice setCopy(Slice other) {
        setOwn(other.length);
        MemorySegment.copy(other.segment, other.offset, segment, 0, length);
        return this;
    }

    /// Creates a slice over a native copy of `bytes`, which lives as long as the slice is reachable.
    public static Slice copyOf(byte... bytes) {
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return new Slice().set(copy, 0, bytes.length);
    }

    /// Creates a slice over a native copy of the UTF-8 bytes of `text`.
    public static Slice of(String text) {
        return copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The native memory that contains the window.
    public MemorySegment segment() {
        return segment;
    }

    /// Offset of the window in [#segment()], in bytes.
    public long offset() {
        return offset;
    }

    /// Length of the window in bytes.
    public int length() {
        return length;
    }

    /// Copies the bytes to the heap.
    public byte[] toBytes() {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    /// Decodes the bytes as UTF-8, for tests and messages.
    public String toText() {
        return new String(toBytes(), StandardCharsets.UTF_8);
    }

    /// Compares unsigned bytes, a prefix before its extensions: the order of every tree.
    public static int compare(Slice a, Slice b) {
        return compare(a.segment, a.offset, a.length, b.segment, b.offset, b.length);
    }

    /// [#compare(Slice, Slice)] over raw windows.
    public static int compare(
            MemorySegment a,
            long aOffset,
            int aLength,
            MemorySegment b,
            long bOffset,
            int bLength) {
        int shorter = Math.min(aLength, bLength);
        int i = 0;
        for (; i + 8 <= shorter; i += 8) {
            long left = a.get(LONG_BE, aOffset + i);
            long right = b.get(LONG_BE, bOffset + i);
            if (left != right) {
                return Long.compareUnsigned(left, right);
            }
        }
        if (i + 4 <= shorter) {
            int left = a.get(INT_BE, aOffset + i);
            int right = b.get(INT_BE, bOffset + i);
            if (left != right) {
                return Integer.compareUnsigned(left, right);
            }
            i += 4;
        }
        for (; i < shorter; i++) {
            int difference =
                    Byte.toUnsignedInt(a.get(ValueLayout.JAVA_BYTE, aOffset + i))
                            - Byte.toUnsignedInt(b.get(ValueLayout.JAVA_BYTE, bOffset + i));
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(aLength, bLength);
    }
}
