package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Texts;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// The functions of bytes. SUBSTRING and similar functions count bytes from 1; GET_BYTE and similar ones count
/// from 0. Bits are numbered from the lowest bit of the first byte.
public final class BytesLibrary {
    private BytesLibrary() {}

    public static StrictCall.Body body(Function function) {
        return switch (function) {
            case BIT_LENGTH ->
                    (v, at) ->
                            v[0] instanceof String text
                                    ? Texts.utf8Length(text) * Byte.SIZE
                                    : (long) bytes(v, 0).length * Byte.SIZE;
            case GET_BIT ->
                    (v, at) -> {
                        int place = place(v, Byte.SIZE, at);
                        return (long) (bytes(v, 0)[place] >> number(v, 1) % Byte.SIZE & 1);
                    };
            case SET_BIT -> BytesLibrary::withBit;
            case GET_BYTE -> (v, at) -> (long) (bytes(v, 0)[place(v, 1, at)] & 0xff);
            case SET_BYTE ->
                    (v, at) -> {
                        byte[] changed = bytes(v, 0).clone();
                        changed[place(v, 1, at)] = (byte) number(v, 2);
                        return changed;
                    };
            case BIT_COUNT ->
                    (v, at) -> {
                        long count = 0;
                        for (byte each : bytes(v, 0)) {
                            count += Integer.bitCount(each & 0xff);
                        }
                        return count;
                    };
            case FLOAT4SEND ->
                    (v, at) ->
                            ByteBuffer.allocate(4).putFloat(((Double) v[0]).floatValue()).array();
            case FLOAT8SEND -> (v, at) -> ByteBuffer.allocate(8).putDouble((Double) v[0]).array();
            case POSITION -> (v, at) -> position(bytes(v, 1), bytes(v, 0));
            case STRPOS -> (v, at) -> position(bytes(v, 0), bytes(v, 1));
            case OVERLAY -> BytesLibrary::overlaid;
            case SUBSTRING -> BytesLibrary::part;
            case TRIM -> (v, at) -> trimmed(v, true, true);
            case LTRIM -> (v, at) -> trimmed(v, true, false);
            case RTRIM -> (v, at) -> trimmed(v, false, true);
            case MD5 -> (v, at) -> md5(bytes(v, 0));
            default -> throw new IllegalStateException(function + " is of no bytes");
        };
    }

    private static byte[] bytes(Object[] values, int i) {
        return (byte[]) values[i];
    }

    private static long number(Object[] values, int i) {
        return (Long) values[i];
    }

    /// Offset of the byte for the number of a byte or bit.
    private static int place(Object[] values, int each, Place place) {
        long number = number(values, 1);
        long count = (long) bytes(values, 0).length * each;
        if (number < 0 || number >= count) {
            throw place.error(
                    Kind.SUBSCRIPT, "The number " + number + " is not from 0 to " + (count - 1));
        }
        return (int) (number / each);
    }

    private static byte[] withBit(Object[] values, Place place) {
        int at = place(values, Byte.SIZE, place);
        long bit = number(values, 2);
        if (bit != 0 && bit != 1) {
            throw place.error(Kind.INVALID_PARAMETER, "A bit is 0 or 1");
        }
        byte[] changed = bytes(values, 0).clone();
        int mask = 1 << number(values, 1) % Byte.SIZE;
        changed[at] = (byte) (bit == 1 ? changed[at] | mask : changed[at] & ~mask);
        return changed;
    }

    private static long position(byte[] whole, byte[] part) {
        for (int i = 0; i + part.length <= whole.length; i++) {
            if (Arrays.equals(whole, i, i + part.length, part, 0, part.length)) {
                return i + 1L;
            }
        }
        return 0;
    }

    private static byte[] slice(byte[] bytes, long first, long end) {
        long from = Math.clamp(first - 1, 0, bytes.length);
        return Arrays.copyOfRange(
                bytes, (int) from, (int) Math.max(from, Math.min(end - 1, bytes.length)));
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
    }

    private static byte[] part(Object[] values, Place place) {
        long first = number(values, 1);
        if (values.length == 2) {
            return slice(bytes(values, 0), first, Long.MAX_VALUE);
        }
        long length = number(values, 2);
        if (length < 0) {
            throw place.error(Kind.SUBSTRING, "The length of a SUBSTRING cannot be negative");
        }
        return slice(bytes(values, 0), first, sum(first, length));
    }

    private static byte[] overlaid(Object[] values, Place place) {
        byte[] whole = bytes(values, 0);
        byte[] by = bytes(values, 1);
        long start = number(values, 2);
        long length = values.length > 3 ? number(values, 3) : by.length;
        if (start < 1 || length < 0) {
            throw place.error(
                    Kind.SUBSTRING, "OVERLAY begins at 1 or later and replaces 0 or more");
        }
        byte[] before = slice(whole, 1, start);
        byte[] after = slice(whole, sum(start, length), Long.MAX_VALUE);
        return ByteBuffer.allocate(before.length + by.length + after.length)
                .put(before)
                .put(by)
                .put(after)
                .array();
    }

    private static byte[] trimmed(Object[] values, boolean left, boolean right) {
        byte[] bytes = bytes(values, 0);
        byte[] set = values.length > 1 ? bytes(values, 1) : new byte[] {' '};
        int from = 0;
        int to = bytes.length;
        while (left && from < to && position(set, new byte[] {bytes[from]}) > 0) {
            from++;
        }
        while (right && from < to && position(set, new byte[] {bytes[to - 1]}) > 0) {
            to--;
        }
        return Arrays.copyOfRange(bytes, from, to);
    }

    private static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has MD5", missing);
        }
    }
}
