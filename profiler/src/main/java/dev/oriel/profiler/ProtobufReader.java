package dev.oriel.profiler;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads one message of Protocol Buffers, field by field. Confined to one thread.
///
/// ```java
/// while (message.next()) {
///     switch (message.field()) { ... }
/// }
/// ```
final class ProtobufReader {
    private final byte[] bytes;
    private final int end;
    private int at;
    private int field;
    private int wireType;
    private long number;
    private int begin;
    private int length;

    ProtobufReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtobufReader(byte[] bytes, int begin, int end) {
        this.bytes = bytes;
        this.at = begin;
        this.end = end;
    }

    /// Goes to the next field; false at the end.
    boolean next() throws ProfileFormatException {
        if (at == end) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        switch (wireType) {
            case 0 -> number = varint();
            case 1 -> skip(8);
            case 2 -> skip(varint());
            case 5 -> skip(4);
            default -> throw new ProfileFormatException("Not Protocol Buffers: type " + wireType);
        }
        return true;
    }

    int field() {
        return field;
    }

    long number() {
        return number;
    }

    String text() {
        return new String(bytes, begin, length, StandardCharsets.UTF_8);
    }

    ProtobufReader message() {
        return new ProtobufReader(bytes, begin, begin + length);
    }

    /// Appends the numbers of a field that may be packed to `before`.
    long[] numbers(long[] before) throws ProfileFormatException {
        if (wireType == 0) {
            long[] one = Arrays.copyOf(before, before.length + 1);
            one[before.length] = number;
            return one;
        }
        ProtobufReader packed = message();
        long[] all = before;
        int count = before.length;
        while (packed.at < packed.end) {
            if (count == all.length) {
                all = Arrays.copyOf(all, Math.max(8, 2 * count));
            }
            all[count++] = packed.varint();
        }
        return Arrays.copyOf(all, count);
    }

    private void skip(long count) throws ProfileFormatException {
        if (count < 0 || count > end - at) {
            throw new ProfileFormatException("Not Protocol Buffers: a field is cut off");
        }
        begin = at;
        length = (int) count;
        at += length;
    }

    private long varint() throws ProfileFormatException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == end) {
                throw new ProfileFormatException("Not Protocol Buffers: a number is cut off");
            }
            byte b = bytes[at++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new ProfileFormatException("Not Protocol Buffers: a number is too long");
    }
}
