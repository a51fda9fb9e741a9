package dev.oriel.table.value;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Copies of native bytes to arrays and texts on the heap. Most are short. For these, copying by words is faster than a
/// call of the JDK's copy, and testing the highest bits on the way is faster than its decoder.
public final class HeapBytes {
    /// Longer ones are copied, and decoded, by the JDK.
    private static final int SHORT_BYTES_MAX = 64;

    private static final long BEYOND_ASCII = 0x8080_8080_8080_8080L;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private HeapBytes() {}

    /// Copies `length` bytes to the beginning of `to`.
    public static void copy(MemorySegment from, long at, byte[] to, int length) {
        if (length > SHORT_BYTES_MAX) {
            MemorySegment.copy(from, NativeBuffer.BYTE, at, to, 0, length);
        } else {
            long _ = copyShort(from, at, to, length);
        }
    }

    /// The text of these UTF-8 bytes.
    ///
    /// @param scratch room for them
    @SuppressWarnings("deprecation") // the constructor that adds a high byte takes ASCII as it is
    public static String text(MemorySegment from, long at, byte[] scratch, int length) {
        if (length > SHORT_BYTES_MAX) {
            MemorySegment.copy(from, NativeBuffer.BYTE, at, scratch, 0, length);
        } else if ((copyShort(from, at, scratch, length) & BEYOND_ASCII) == 0) {
            return new String(scratch, 0, 0, length);
        }
        return new String(scratch, 0, length, StandardCharsets.UTF_8);
    }

    /// Copies by words, the last of which may overlap the one before; returns the union of all bytes' bits.
    private static long copyShort(MemorySegment from, long at, byte[] to, int length) {
        if (length < Long.BYTES) {
            return copyPart(from, at, to, length);
        }
        long bits = 0;
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            long word = from.get(NativeBuffer.LONG, at + i);
            LONG.set(to, i, word);
            bits |= word;
        }
        long word = from.get(NativeBuffer.LONG, at + last);
        LONG.set(to, last, word);
        return bits | word;
    }

    private static long copyPart(MemorySegment from, long at, byte[] to, int length) {
        if (length >= Integer.BYTES) {
            int last = length - Integer.BYTES;
            int first = from.get(NativeBuffer.INT, at);
            int word = from.get(NativeBuffer.INT, at + last);
            INT.set(to, 0, first);
            INT.set(to, last, word);
            return first | word;
        }
        int bits = 0;
        for (int i = 0; i < length; i++) {
            byte one = from.get(NativeBuffer.BYTE, at + i);
            to[i] = one;
            bits |= one;
        }
        return bits;
    }
}
