package dev.oriel.table.value;

import dev.oriel.store.CorruptionException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/// A DECIMAL in a row: its scale in one byte, or -128 and four bytes (little-endian) if it does not fit. The
/// unscaled number follows, big-endian, in as few bytes as its sign allows. The scale is kept: 1.0 and 1.00 are
/// equal, but print as they were written.
public final class DecimalBytes {
    private static final byte FAR = Byte.MIN_VALUE;

    /// Mark, scale and at least one byte of digits.
    private static final int FAR_BYTES_MIN = 6;

    private DecimalBytes() {}

    public static void put(NativeBuffer out, BigDecimal value) {
        int scale = value.scale();
        if (scale > FAR && scale <= Byte.MAX_VALUE) {
            out.putByte(scale);
        } else {
            out.putByte(FAR);
            out.putInt(scale);
        }
        out.putBytes(value.unscaledValue().toByteArray());
    }

    /// Encodes a number given by its digits.
    ///
    /// @param scale 0 to 18
    public static void put(NativeBuffer out, long digits, int scale) {
        out.putByte(scale);
        int bits = Long.SIZE - Long.numberOfLeadingZeros(digits ^ digits >> (Long.SIZE - 1));
        out.putLast(digits, bits / Byte.SIZE + 1);
    }

    /// The digits as a long, if the number has this scale; else [Row#NO_DIGITS].
    public static long digits(MemorySegment segment, long start, long end, int scale) {
        int length = (int) (end - start);
        if (length <= Long.BYTES) {
            // Scale and digits in one read.
            int others = Long.SIZE - Byte.SIZE * length;
            long all = segment.get(NativeBuffer.LONG_BE, end - Long.BYTES) << others;
            return all >> (Long.SIZE - Byte.SIZE) == scale
                    ? (all << Byte.SIZE) >> (others + Byte.SIZE)
                    : Row.NO_DIGITS;
        }
        return length == Long.BYTES + 1 && segment.get(NativeBuffer.BYTE, start) == scale
                ? last(segment, end, Long.BYTES)
                : Row.NO_DIGITS;
    }

    /// Reads into a tuple, as digits if a long holds them.
    public static void read(MemorySegment segment, long start, int length, Tuple out, int column) {
        int scale = segment.get(NativeBuffer.BYTE, start);
        if (length > 1
                && length - 1 <= Long.BYTES
                && scale >= 0
                && scale <= DecimalDigits.DIGITS_MAX) {
            out.setDigits(column, last(segment, start + length, length - 1), scale);
        } else {
            out.setDecimal(column, read(segment, start, length));
        }
    }

    /// The number in the last `bytes` before `end`. One read takes the bytes before it too: a row always has
    /// eight.
    private static long last(MemorySegment segment, long end, int bytes) {
        int others = Long.SIZE - Byte.SIZE * bytes;
        return segment.get(NativeBuffer.LONG_BE, end - Long.BYTES) << others >> others;
    }

    public static BigDecimal read(MemorySegment segment, long start, int length) {
        long at = start;
        int scale = length < 2 ? FAR : segment.get(NativeBuffer.BYTE, at++);
        if (length < (scale == FAR ? FAR_BYTES_MIN : 2)) {
            throw new CorruptionException(
                    "A number in a row is cut off; run check", "bytes=" + length);
        }
        if (scale == FAR) {
            scale = segment.get(NativeBuffer.INT, at);
            at += 4;
        }
        int bytes = (int) (start + length - at);
        if (bytes > 8) {
            byte[] unscaled = new byte[bytes];
            MemorySegment.copy(segment, NativeBuffer.BYTE, at, unscaled, 0, bytes);
            return new BigDecimal(new BigInteger(unscaled), scale);
        }
        long unscaled = segment.get(NativeBuffer.BYTE, at);
        for (int i = 1; i < bytes; i++) {
            unscaled = unscaled << 8 | (segment.get(NativeBuffer.BYTE, at + i) & 0xFF);
        }
        return BigDecimal.valueOf(unscaled, scale);
    }
}
