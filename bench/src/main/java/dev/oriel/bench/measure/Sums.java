package dev.oriel.bench.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The sum of a value: its little-endian longs, and the rest as single bytes. So each byte is read, at eight a
/// step, in whatever form a store returns the value.
public final class Sums {
    /// Sum of a missing record; no value of a workload sums to it.
    public static final long ABSENT = Long.MIN_VALUE;

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Sums() {}

    /// The sum of a part of an array.
    public static long of(byte[] bytes, int offset, int length) {
        long sum = 0;
        int end = offset + length;
        int at = offset;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            sum += (long) LONGS.get(bytes, at);
        }
        for (; at < end; at++) {
            sum += bytes[at];
        }
        return sum;
    }

    /// The sum of a part of a segment.
    public static long of(MemorySegment segment, long offset, int length) {
        long sum = 0;
        long end = offset + length;
        long at = offset;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            sum += segment.get(LONG, at);
        }
        for (; at < end; at++) {
            sum += segment.get(ValueLayout.JAVA_BYTE, at);
        }
        return sum;
    }

    /// The sum of a buffer's remaining bytes in little-endian order; its position stays.
    public static long of(ByteBuffer buffer) {
        long sum = 0;
        int end = buffer.limit();
        int at = buffer.position();
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            sum += buffer.getLong(at);
        }
        for (; at < end; at++) {
            sum += buffer.get(at);
        }
        return sum;
    }
}
