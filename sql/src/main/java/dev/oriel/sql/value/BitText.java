package dev.oriel.sql.value;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Type;

/// Bit strings: texts of `0` and `1`. Their order is that of texts.
public final class BitText {
    private BitText() {}

    /// The bits written as `0101`, `b0101` or, four by each digit, `x1F`.
    ///
    /// @throws IllegalArgumentException if `text` is something else
    public static String parse(String text) {
        boolean hexadecimal = text.startsWith("x") || text.startsWith("X");
        boolean marked = hexadecimal || text.startsWith("b") || text.startsWith("B");
        String digits = marked ? text.substring(1) : text;
        int radix = hexadecimal ? 16 : 2;
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < digits.length(); i++) {
            int value = Character.digit(digits.charAt(i), radix);
            if (value < 0 || digits.charAt(i) > 'f') {
                throw new IllegalArgumentException("no bit");
            }
            append(bits, value, hexadecimal ? 4 : 1);
        }
        return bits.toString();
    }

    private static void append(StringBuilder bits, long value, int count) {
        for (int i = count - 1; i >= 0; i--) {
            // A shift beyond a long repeats its sign.
            bits.append((char) ('0' + (value >> Math.min(i, Long.SIZE - 1) & 1)));
        }
    }

    /// `bits` as an explicit cast to `type` makes them: cut at the end, or filled up with `0`.
    public static String fit(String bits, Type type) {
        int length = type.length();
        if (length == 0 || bits.length() == length) {
            return bits;
        }
        if (bits.length() > length) {
            return bits.substring(0, length);
        }
        return type.name() == Type.Name.BIT ? bits + "0".repeat(length - bits.length()) : bits;
    }

    /// The last bits of an integer: as many as `type` has, or as the integer's own type.
    public static String of(long value, Type integer, Type type) {
        int own = integer.name() == Type.Name.BIGINT ? Long.SIZE : Integer.SIZE;
        StringBuilder bits = new StringBuilder();
        append(bits, value, type.length() == 0 ? own : type.length());
        return bits.toString();
    }

    public static String of(byte[] bytes) {
        StringBuilder bits = new StringBuilder(bytes.length * Byte.SIZE);
        for (byte each : bytes) {
            append(bits, each, Byte.SIZE);
        }
        return bits.toString();
    }

    /// The integer of `type` with these last bits, as a two's complement.
    ///
    /// @throws ArithmeticException if there are more bits than the type has
    public static long toLong(String bits, Type type) {
        boolean wide = type.name() == Type.Name.BIGINT;
        if (bits.length() > (wide ? Long.SIZE : Integer.SIZE)) {
            throw new ArithmeticException("too many bits");
        }
        long value = bits.isEmpty() ? 0 : Long.parseUnsignedLong(bits, 2);
        return wide ? value : (int) value;
    }

    /// The bits of two strings of one length, combined.
    ///
    /// @param operator `&`, `|` or `#`
    public static String combined(char operator, String a, String b, Place place) {
        if (a.length() != b.length()) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "Bit strings of "
                            + a.length()
                            + " and "
                            + b.length()
                            + " bits cannot be combined; cast them to one length");
        }
        StringBuilder bits = new StringBuilder(a.length());
        for (int i = 0; i < a.length(); i++) {
            boolean first = a.charAt(i) == '1';
            boolean second = b.charAt(i) == '1';
            boolean bit =
                    switch (operator) {
                        case '&' -> first && second;
                        case '|' -> first || second;
                        default -> first != second;
                    };
            bits.append(bit ? '1' : '0');
        }
        return bits.toString();
    }

    public static String inverted(String bits) {
        StringBuilder out = new StringBuilder(bits.length());
        for (int i = 0; i < bits.length(); i++) {
            out.append(bits.charAt(i) == '0' ? '1' : '0');
        }
        return out.toString();
    }

    /// `bits` shifted to the left, or to the right by a negative distance; `0` fills the gap.
    public static String shifted(String bits, long left) {
        int length = bits.length();
        int by = (int) Math.min(Math.abs(Math.max(left, -Long.MAX_VALUE)), length);
        String zeros = "0".repeat(by);
        return left >= 0 ? bits.substring(by) + zeros : zeros + bits.substring(0, length - by);
    }

    /// GET_BIT: the bit at `index`, counted from 0 at the left.
    public static long bit(String bits, long index, Place place) {
        return bits.charAt(checked(bits, index, place)) == '1' ? 1 : 0;
    }

    /// SET_BIT.
    public static String withBit(String bits, long index, long bit, Place place) {
        if (bit != 0 && bit != 1) {
            throw place.error(Kind.INVALID_PARAMETER, "A bit is 0 or 1");
        }
        int at = checked(bits, index, place);
        return bits.substring(0, at) + bit + bits.substring(at + 1);
    }

    private static int checked(String bits, long index, Place place) {
        if (index < 0 || index >= bits.length()) {
            throw none(bits, index, place);
        }
        return (int) index;
    }

    private static SqlException none(String bits, long index, Place place) {
        return place.error(
                Kind.SUBSCRIPT,
                "There is no bit "
                        + index
                        + " in a string of "
                        + bits.length()
                        + " bits; they are counted from 0");
    }
}
