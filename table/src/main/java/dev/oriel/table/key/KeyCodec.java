package dev.oriel.table.key;

import dev.oriel.store.LimitException;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.FoldedText;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Utf8;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;

/// Keys whose unsigned byte order is SQL's order, so that a tree of bytes is an index of values.
///
/// A key is its columns one after the other. No value's code is a prefix of another's, so columns compare one by
/// one. A key compares with a bound over its first columns by its first bytes alone.
///
/// | value | bytes |
/// |---|---|
/// | NULL | `FE`: after every value |
/// | LONG shape | `18 + n`, then the `n` low bytes of the number, big-endian, without leading zeros; of a negative one `17 - n`, without leading ones. So 0 is `18`, 300 is `1A 01 2C`, -1 is `17` |
/// | DOUBLE shape | `01`, 8 bytes big-endian: of a positive number the sign bit is flipped, of a negative one all bits. -0.0 is 0.0; NaN comes last. A REAL is coded as the double it equals |
/// | TEXT shape | `01`, UTF-8 with `00` written as `01 01` and `01` as `01 02`, then `00` |
/// | FOLDED shape | the same over [FoldedText] |
/// | BYTES shape | the same over raw bytes |
/// | UUID | `01` and its 16 bytes |
/// | DECIMAL | `01`, then `01`, `02`, `03` for negative, zero, positive. Of the value `0.d1d2... * 10^e` with `d1 > 0` and no zeros at the end follow three parts. `e` as a LONG, the digits in pairs, each plus one, and `00`. A negative value has their complement. 1.0 and 1.00 are the same key |
///
/// In an index, a column may have another [KeyOrder] than ASC. NULL is then `00` if it comes first. A value in
/// descending order is `02` and the complement of its code. Readers need not know the order of a key they read.
///
/// No value's code begins with `FF`, so a bound plus `FF` comes right after all that begins with it.
///
/// Nothing here allocates, but for DECIMAL.
public final class KeyCodec {
    /// Longest key of a row or an index: a page of the store holds several of any length up to it.
    public static final int BYTES_MAX = 1000;

    static final int NULL = 0xFE;
    static final int NULL_FIRST = 0x00;
    static final int VALUE = 0x01;
    static final int INVERTED = 0x02;
    static final int ZERO = 0x18;

    /// A byte that ends a bound: it sorts after every key that begins with the bytes before it.
    public static final int AFTER = 0xFF;

    static final byte END = 0;
    static final int ESCAPED_BELOW = 2;

    static final int NEGATIVE_DECIMAL = 1;
    static final int ZERO_DECIMAL = 2;
    static final int POSITIVE_DECIMAL = 3;

    public static final int UUID_BYTES = 16;

    private static final long TWOS = 0x0202020202020202L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private KeyCodec() {}

    /// Appends the first `count` of `values`, whose types are `types`.
    public static void putRow(NativeBuffer out, Row values, Type[] types, int count) {
        for (int i = 0; i < count; i++) {
            if (values.isNull(i)) {
                putNull(out);
            } else {
                putValue(out, values, i, types[i]);
            }
        }
    }

    /// Appends the first `count` of `values`, of which the first ones have the orders `orders`.
    public static void putRow(
            NativeBuffer out, Row values, Type[] types, int count, KeyOrder[] orders) {
        int ordered = Math.min(count, orders.length);
        for (int i = 0; i < ordered; i++) {
            if (values.isNull(i)) {
                putNull(out, orders[i]);
            } else {
                int start = begin(out, orders[i]);
                putValue(out, values, i, types[i]);
                end(out, start);
            }
        }
        for (int i = ordered; i < count; i++) {
            if (values.isNull(i)) {
                putNull(out);
            } else {
                putValue(out, values, i, types[i]);
            }
        }
    }

    /// Begins a value of the order `order`; to be passed to [#end].
    public static int begin(NativeBuffer out, KeyOrder order) {
        if (!order.descending()) {
            return -1;
        }
        out.putByte(INVERTED);
        return out.length();
    }

    public static void end(NativeBuffer out, int start) {
        if (start >= 0) {
            complement(out, start);
        }
    }

    public static void putNull(NativeBuffer out, KeyOrder order) {
        out.putByte(order.nullsFirst() ? NULL_FIRST : NULL);
    }

    @SuppressWarnings("NullAway") // isNull was asked
    public static void putValue(NativeBuffer out, Row values, int column, Type type) {
        switch (type.shape()) {
            case LONG -> putLong(out, values.longAt(column));
            case DOUBLE -> putDouble(out, values.doubleAt(column));
            case DECIMAL -> putDecimal(out, values.decimalAt(column));
            case TEXT -> putText(out, values.textAt(column));
            case FOLDED -> putText(out, FoldedText.of(values.textAt(column)));
            case BYTES -> {
                byte[] bytes = values.bytesAt(column);
                if (type.name() == Type.Name.UUID && bytes.length == UUID_BYTES) {
                    out.putByte(VALUE);
                    out.putBytes(bytes);
                } else {
                    putBytes(out, bytes);
                }
            }
        }
    }

    /// Like [#putValue], but keeps the case of a text, for parts of values, which compare with case, and for values
    /// that are read back.
    @SuppressWarnings("NullAway") // isNull was asked
    public static void putExact(NativeBuffer out, Row values, int column, Type type) {
        if (type.shape() == Type.Shape.FOLDED) {
            putText(out, values.textAt(column));
        } else {
            putValue(out, values, column, type);
        }
    }

    public static void putNull(NativeBuffer out) {
        out.putByte(NULL);
    }

    public static void putLong(NativeBuffer out, long value) {
        out.ensure(9);
        int at = out.length();
        int bytes = (71 - Long.numberOfLeadingZeros(value ^ (value >> 63))) >>> 3;
        int tag = value >= 0 ? ZERO + bytes : ZERO - 1 - bytes;
        MemorySegment segment = out.segment();
        segment.set(NativeBuffer.BYTE, at, (byte) tag);
        // Eight bytes at once; the surplus ones lie after the end.
        segment.set(NativeBuffer.LONG_BE, at + 1, value << (64 - 8 * bytes));
        out.length(at + 1 + bytes);
    }

    public static void putDouble(NativeBuffer out, double value) {
        out.ensure(9);
        int at = out.length();
        long bits = Double.doubleToLongBits(value + 0.0);
        MemorySegment segment = out.segment();
        segment.set(NativeBuffer.BYTE, at, (byte) VALUE);
        segment.set(NativeBuffer.LONG_BE, at + 1, bits ^ (bits >> 63 | Long.MIN_VALUE));
        out.length(at + 9);
    }

    public static void putText(NativeBuffer out, String text) {
        out.ensure(3L * text.length() + 2);
        MemorySegment segment = out.segment();
        long at = out.length();
        segment.set(NativeBuffer.BYTE, at, (byte) VALUE);
        at = Utf8.encode(text, ESCAPED_BELOW, segment, at + 1);
        segment.set(NativeBuffer.BYTE, at, END);
        out.length((int) at + 1);
    }

    static void putBytes(NativeBuffer out, byte[] bytes) {
        putBytes(out, bytes, 0, bytes.length);
    }

    static void putBytes(NativeBuffer out, byte[] bytes, int from, int length) {
        out.ensure(2L * length + 2);
        out.putByte(VALUE);
        for (int i = from; i < from + length; i++) {
            byte b = bytes[i];
            if ((b & 0xFE) == 0) {
                out.putByte(Utf8.ESCAPE);
                out.putByte(b + 1);
            } else {
                out.putByte(b);
            }
        }
        out.putByte(END);
    }

    public static void putUuid(NativeBuffer out, MemorySegment from, long at) {
        out.ensure(1 + UUID_BYTES);
        out.putByte(VALUE);
        MemorySegment.copy(from, at, out.segment(), out.length(), UUID_BYTES);
        out.length(out.length() + UUID_BYTES);
    }

    public static void putEscaped(NativeBuffer out, MemorySegment from, long start, int length) {
        out.ensure(2L * length + 2);
        MemorySegment to = out.segment();
        long at = out.length();
        to.set(NativeBuffer.BYTE, at++, (byte) VALUE);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long word = from.get(NativeBuffer.LONG, start + i);
            if (bytesBelowTwo(word) != 0) {
                break;
            }
            to.set(NativeBuffer.LONG, at, word);
            at += 8;
        }
        for (; i < length; i++) {
            byte b = from.get(NativeBuffer.BYTE, start + i);
            if ((b & 0xFE) == 0) {
                to.set(NativeBuffer.BYTE, at++, Utf8.ESCAPE);
                b++;
            }
            to.set(NativeBuffer.BYTE, at++, b);
        }
        to.set(NativeBuffer.BYTE, at++, END);
        out.length((int) at);
    }

    /// The highest bit of each byte of `word` that is below 2. Bits above the lowest such byte may be wrong,
    /// because of a borrow.
    static long bytesBelowTwo(long word) {
        return (word - TWOS) & ~word & HIGH_BITS;
    }

    public static void putDecimal(NativeBuffer out, BigDecimal value) {
        out.putByte(VALUE);
        int sign = value.signum();
        out.putByte(sign + ZERO_DECIMAL);
        if (sign == 0) {
            return;
        }
        String digits = value.unscaledValue().abs().toString();
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        int start = out.length();
        putLong(out, (long) digits.length() - value.scale());
        for (int i = 0; i < end; i += 2) {
            int tens = digits.charAt(i) - '0';
            int ones = i + 1 < end ? digits.charAt(i + 1) - '0' : 0;
            out.putByte(tens * 10 + ones + 1);
        }
        out.putByte(END);
        if (sign < 0) {
            complement(out, start);
        }
    }

    private static void complement(NativeBuffer out, int start) {
        MemorySegment segment = out.segment();
        for (int i = start; i < out.length(); i++) {
            segment.set(NativeBuffer.BYTE, i, (byte) ~segment.get(NativeBuffer.BYTE, i));
        }
    }

    public static LimitException tooLong(int bytes, String table, String index) {
        return new LimitException(
                "A key is too long to be indexed; index fewer or shorter columns",
                "table="
                        + table
                        + (index.isEmpty() ? " primary key" : " index=" + index)
                        + " bytes="
                        + bytes
                        + " bytesMax="
                        + BYTES_MAX);
    }
}
