package dev.oriel.sql.rows;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Encodes rows as bytes for spill files, which are read back by the process that wrote them.
///
/// ```
/// row     u32 length, a multiple of 8, the padding included | value | value | ...
/// value   0                                      NULL
///         1  u64                                 a LONG, the bits of a DOUBLE
///         1  u32 bytes | ...                     BYTES; TEXT in ISO 8859-1
///         2  u32 bytes | ...                     TEXT in UTF-16, whatever it holds
///         1  u32 scale | u64                     a DECIMAL whose digits a long holds
///         2  u32 scale | u32 bytes | ...         any other
/// ```
public final class RowCodec {
    public static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private final Type.Shape[] shapes;
    private byte[] bytes = new byte[256];
    private int at;

    RowCodec(Type.Shape[] shapes) {
        this.shapes = shapes;
    }

    /// Approximate size in bytes of `row` as a [Tuple] in a list.
    public static long memoryBytes(Row row, Type.Shape[] shapes) {
        long size = 80 + 12L * shapes.length;
        for (int i = 0; i < shapes.length; i++) {
            size += valueBytes(row, i, shapes[i]);
        }
        return size;
    }

    /// Approximate size in bytes of the object that is the value of `column`.
    public static long valueBytes(Row row, int column, Type.Shape shape) {
        return switch (shape) {
            case LONG, DOUBLE -> 0;
            case DECIMAL -> 48;
            case TEXT, FOLDED -> {
                String text = row.textAt(column);
                yield text == null ? 0 : 48 + text.length();
            }
            case BYTES -> {
                byte[] value = row.bytesAt(column);
                yield value == null ? 0 : 16 + value.length;
            }
        };
    }

    /// Writes `row` into [#bytes]; returns its length in bytes.
    int encode(Row row) {
        at = Integer.BYTES;
        for (int i = 0; i < shapes.length; i++) {
            require(16);
            if (row.isNull(i)) {
                bytes[at++] = 0;
            } else {
                encode(row, i);
            }
        }
        int padded = (at + 7) & -8;
        require(8);
        INT.set(bytes, 0, padded);
        return padded;
    }

    byte[] bytes() {
        return bytes;
    }

    private void require(int more) {
        if (at > Integer.MAX_VALUE - 64 - more) {
            throw new IllegalStateException("a row is too long to be put aside");
        }
        if (at + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16, 2L * (at + more)));
        }
    }

    private void encode(Row row, int i) {
        switch (shapes[i]) {
            case LONG -> {
                bytes[at++] = 1;
                putLong(row.longAt(i));
            }
            case DOUBLE -> {
                bytes[at++] = 1;
                putLong(Double.doubleToRawLongBits(row.doubleAt(i)));
            }
            case DECIMAL -> putDecimal(present(row.decimalAt(i)));
            case TEXT, FOLDED -> putText(present(row.textAt(i)));
            case BYTES -> {
                bytes[at++] = 1;
                putBytes(present(row.bytesAt(i)));
            }
        }
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("NULL where a value was expected");
        }
        return value;
    }

    private void putLong(long value) {
        LONG.set(bytes, at, value);
        at += Long.BYTES;
    }

    private void putInt(int value) {
        INT.set(bytes, at, value);
        at += Integer.BYTES;
    }

    private void putBytes(byte[] value) {
        require(value.length + 8);
        putInt(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
        at += value.length;
    }

    private void putDecimal(BigDecimal value) {
        BigInteger digits = value.unscaledValue();
        boolean isShort = digits.abs().compareTo(LONG_MAX) <= 0;
        bytes[at++] = (byte) (isShort ? 1 : 2);
        putInt(value.scale());
        if (isShort) {
            putLong(digits.longValue());
        } else {
            putBytes(digits.toByteArray());
        }
    }

    /// UTF-8 would lose an unpaired surrogate.
    private void putText(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) > 0xff) {
                bytes[at++] = 2;
                require(2 * length + 8);
                putInt(2 * length);
                for (int j = 0; j < length; j++) {
                    bytes[at++] = (byte) text.charAt(j);
                    bytes[at++] = (byte) (text.charAt(j) >>> 8);
                }
                return;
            }
        }
        bytes[at++] = 1;
        putBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Decodes the row at `position` of `from` into `into`.
    void decode(byte[] from, int position, Tuple into) {
        int next = position + Integer.BYTES;
        for (int i = 0; i < shapes.length; i++) {
            int tag = from[next++];
            if (tag == 0) {
                into.setNull(i);
                continue;
            }
            switch (shapes[i]) {
                case LONG -> {
                    into.setLong(i, (long) LONG.get(from, next));
                    next += Long.BYTES;
                }
                case DOUBLE -> {
                    into.setDouble(i, Double.longBitsToDouble((long) LONG.get(from, next)));
                    next += Long.BYTES;
                }
                case DECIMAL -> {
                    int scale = (int) INT.get(from, next);
                    next += Integer.BYTES;
                    if (tag == 1) {
                        into.setDecimal(i, BigDecimal.valueOf((long) LONG.get(from, next), scale));
                        next += Long.BYTES;
                    } else {
                        int length = (int) INT.get(from, next);
                        next += Integer.BYTES;
                        into.setDecimal(
                                i, new BigDecimal(new BigInteger(from, next, length), scale));
                        next += length;
                    }
                }
                case TEXT, FOLDED -> {
                    int length = (int) INT.get(from, next);
                    next += Integer.BYTES;
                    into.setText(
                            i,
                            tag == 1
                                    ? new String(from, next, length, StandardCharsets.ISO_8859_1)
                                    : utf16(from, next, length));
                    next += length;
                }
                case BYTES -> {
                    int length = (int) INT.get(from, next);
                    next += Integer.BYTES;
                    into.setBytes(i, Arrays.copyOfRange(from, next, next + length));
                    next += length;
                }
            }
        }
    }

    private static String utf16(byte[] from, int position, int length) {
        char[] text = new char[length / 2];
        for (int i = 0; i < text.length; i++) {
            int low = from[position + 2 * i] & 0xff;
            text[i] = (char) (low | from[position + 2 * i + 1] << 8);
        }
        return new String(text);
    }
}
