package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import java.math.BigInteger;

/// Shifts and rotations of integers of a given width, and of bytes, whose first bit is the highest one of the first
/// byte.
public final class BitShifts {
    private BitShifts() {}

    /// Number of bits that are set.
    ///
    /// @param width of an integer in bits
    public static Object count(Object value, int width) {
        if (value instanceof Long number) {
            return (long) Long.bitCount(number & mask(width));
        }
        long count = 0;
        for (byte one : (byte[]) value) {
            count += Integer.bitCount(one & 0xFF);
        }
        return count;
    }

    /// The value of `function` for `value`, an integer of `width` bits or bytes, and a number of bits.
    public static Object of(Function function, Object value, long by, int width) {
        return value instanceof Long number
                ? (Object) ofInteger(function, number, by, width)
                : ofBytes(function, (byte[]) value, by);
    }

    /// BITAND, BITOR, BITXOR or BITNOT of bytes.
    public static byte[] combined(Function function, Object[] values, Place place) {
        byte[] first = (byte[]) values[0];
        byte[] second = (byte[]) values[values.length - 1];
        if (first.length != second.length) {
            throw place.error(
                    Kind.INVALID_VALUE,
                    function
                            + " needs values of one length; these have "
                            + first.length
                            + " and "
                            + second.length
                            + " bytes");
        }
        byte[] result = new byte[first.length];
        for (int i = 0; i < result.length; i++) {
            int bits =
                    switch (function) {
                        case BITAND -> first[i] & second[i];
                        case BITOR -> first[i] | second[i];
                        case BITXOR -> first[i] ^ second[i];
                        default -> ~first[i];
                    };
            result[i] = (byte) bits;
        }
        return result;
    }

    private static long ofInteger(Function function, long value, long by, int width) {
        return switch (function) {
            case SHIFT_LEFT -> by < 0 ? right(value, -by, width) : left(value, by, width);
            case SHIFT_RIGHT -> by < 0 ? left(value, -by, width) : right(value, by, width);
            case UNSIGNED_LEFT -> by < 0 ? unsigned(value, -by, width) : left(value, by, width);
            case UNSIGNED_RIGHT -> by < 0 ? left(value, -by, width) : unsigned(value, by, width);
            case ROTATELEFT -> rotated(value, Math.floorMod(by, width), width);
            case ROTATERIGHT -> rotated(value, Math.floorMod(-by, width), width);
            case BITGET -> by >= 0 && by < width ? value >> by & 1 : 0;
            default -> throw new IllegalStateException(function + " shifts nothing");
        };
    }

    /// Whether a distance is as long as the value. The negated least long stays negative.
    private static boolean isBeyond(long by, int width) {
        return by < 0 || by >= width;
    }

    private static long left(long value, long by, int width) {
        return isBeyond(by, width) ? 0 : narrow(value << by, width);
    }

    private static long right(long value, long by, int width) {
        return value >> (isBeyond(by, width) ? Long.SIZE - 1 : by);
    }

    private static long unsigned(long value, long by, int width) {
        return isBeyond(by, width) ? 0 : narrow((value & mask(width)) >>> by, width);
    }

    private static long rotated(long value, long by, int width) {
        long bits = value & mask(width);
        return by == 0 ? value : narrow(bits << by | bits >>> (width - by), width);
    }

    private static long mask(int width) {
        return width == Long.SIZE ? -1L : (1L << width) - 1;
    }

    /// The lower bits of `value` as an integer of `width` bits with a sign.
    private static long narrow(long value, int width) {
        int above = Long.SIZE - width;
        return value << above >> above;
    }

    private static Object ofBytes(Function function, byte[] bytes, long by) {
        long width = bytes.length * 8L;
        if (function == Function.BITGET) {
            boolean set = by >= 0 && by < width && (bytes[(int) (by >> 3)] >> (by & 7) & 1) != 0;
            return set ? 1L : 0L;
        } else if (width == 0) {
            return bytes;
        }
        BigInteger value = new BigInteger(1, bytes);
        boolean rotates = function == Function.ROTATELEFT || function == Function.ROTATERIGHT;
        if (rotates) {
            int left = (int) Math.floorMod(function == Function.ROTATELEFT ? by : -by, width);
            BigInteger high = value.shiftLeft(left);
            return fitted(high.or(value.shiftRight((int) width - left)), bytes.length);
        }
        boolean toLeft = function == Function.SHIFT_LEFT || function == Function.UNSIGNED_LEFT;
        boolean beyond = by <= -width || by >= width;
        if (beyond) {
            return new byte[bytes.length];
        }
        int distance = (int) (toLeft ? by : -by);
        return fitted(value.shiftLeft(distance), bytes.length);
    }

    /// The last `length` bytes of `value`, with leading zeros.
    private static byte[] fitted(BigInteger value, int length) {
        byte[] all = value.toByteArray();
        byte[] fitted = new byte[length];
        int count = Math.min(all.length, length);
        System.arraycopy(all, all.length - count, fitted, length - count, count);
        return fitted;
    }
}
