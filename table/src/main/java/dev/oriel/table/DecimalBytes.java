package dev.oriel.table;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/// A DECIMAL in a row: its scale in one byte, or -128 and four bytes (little-endian) where it does
/// not fit; then the unscaled number, big-endian, in as few bytes as its sign allows. The scale is
/// kept: 1.0 and 1.00 are equal, but print as they were written.
final class DecimalBytes {
    private static final byte FAR = Byte.MIN_VALUE;

    private DecimalBytes() {}

    static void put(NativeBuffer out, BigDecimal value) {
        int scale = value.scale();
        if (scale > FAR && scale <= Byte.MAX_VALUE) {
            out.putByte(scale);
        } else {
            out.putByte(FAR);
            out.putInt(scale);
        }
        out.putBytes(value.unscaledValue().toByteArray());
    }

    static BigDecimal read(MemorySegment segment, long start, int length) {
        long at = start;
        int scale = segment.get(NativeBuffer.BYTE, at++);
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
