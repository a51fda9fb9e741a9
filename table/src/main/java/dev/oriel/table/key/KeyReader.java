package dev.oriel.table.key;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.HeapBytes;
import dev.oriel.table.value.Tuple;
import dev.oriel.table.value.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the values of a key that [KeyCodec] wrote, first to last. For NULL the readers return the same as a
/// `Row`'s.
///
/// It reads from an array of the heap, because a String is made from one. A key in native memory is copied once,
/// one of an ARRAY index not at all.
///
/// Not safe for use by two threads at once.
public final class KeyReader {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// Greatest byte of a pair of digits; the least is 1.
    private static final int PAIRS = 100;

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private byte[] copy = new byte[64];

    /// Reads values in descending order; null before the first.
    private @Nullable KeyReader inverse;

    /// A reader of no key yet.
    public KeyReader() {}

    /// Starts at the first value of `key`, whose bytes are copied.
    public KeyReader over(Slice key) {
        int length = key.length();
        if (copy.length < length) {
            copy = new byte[2 * length];
        }
        HeapBytes.copy(key.segment(), key.offset(), copy, length);
        return over(copy, 0, length);
    }

    /// Starts at the first value of the key in `key` between `from` and `to`, which must not change until the last
    /// one is read.
    public KeyReader over(byte[] key, int from, int to) {
        bytes = key;
        at = from;
        end = to;
        return this;
    }

    /// Whether values follow.
    public boolean more() {
        return at < end;
    }

    /// The rest of the key, as a key of its own.
    public Slice rest() {
        return Slice.copyOf(Arrays.copyOfRange(bytes, at, end));
    }

    /// Whether the next value is NULL; does not pass it.
    public boolean isNull() {
        return at < end && (bytes[at] == (byte) KeyCodec.NULL || bytes[at] == KeyCodec.NULL_FIRST);
    }

    private boolean isInverted() {
        return at < end && bytes[at] == KeyCodec.INVERTED;
    }

    /// A reader of the next value, which is in descending order; to be ended by [#passInverted].
    private KeyReader inverted() {
        KeyReader plain = inverse;
        if (plain == null) {
            plain = new KeyReader();
            inverse = plain;
        }
        int length = end - at - 1;
        if (plain.copy.length < length) {
            plain.copy = new byte[2 * length];
        }
        for (int i = 0; i < length; i++) {
            plain.copy[i] = (byte) ~bytes[at + 1 + i];
        }
        return plain.over(plain.copy, 0, length);
    }

    private void passInverted(KeyReader plain) {
        at += 1 + plain.at;
    }

    public void skip(Type type) {
        if (takeNull()) {
            return;
        }
        if (isInverted()) {
            KeyReader plain = inverted();
            plain.skip(type);
            passInverted(plain);
            return;
        }
        switch (type.shape()) {
            case LONG -> takeLong(take(), 0);
            case DOUBLE -> jump(9);
            case DECIMAL -> takeDecimal();
            case TEXT, FOLDED -> skipEscaped();
            case BYTES -> {
                if (type.name() == Type.Name.UUID) {
                    jump(1 + KeyCodec.UUID_BYTES);
                } else {
                    skipEscaped();
                }
            }
        }
    }

    /// Reads the next value, which is of `type`, into `column` of `out`.
    public void read(Type type, Tuple out, int column) {
        if (isNull()) {
            at++;
            out.setNull(column);
            return;
        }
        switch (type.shape()) {
            case LONG -> out.setLong(column, takeLong());
            case DOUBLE -> out.setDouble(column, takeDouble());
            case DECIMAL -> out.setDecimal(column, takeDecimal());
            case TEXT, FOLDED -> out.setText(column, takeText());
            case BYTES -> out.setBytes(column, takeBytes(type));
        }
    }

    public long takeLong() {
        if (isInverted()) {
            KeyReader plain = inverted();
            long value = plain.takeLong();
            passInverted(plain);
            return value;
        }
        return takeNull() ? 0 : takeLong(take(), 0);
    }

    /// @param flip 0, or -1 if the number was written in complement
    private long takeLong(int tagByte, int flip) {
        int tag = (tagByte ^ flip) & 0xFF;
        boolean negative = tag < KeyCodec.ZERO;
        int count = negative ? KeyCodec.ZERO - 1 - tag : tag - KeyCodec.ZERO;
        if (count < 0 || count > 8) {
            throw damaged();
        }
        long value = negative ? -1 : 0;
        for (int i = 0; i < count; i++) {
            value = value << 8 | ((take() ^ flip) & 0xFF);
        }
        return value;
    }

    double takeDouble() {
        if (isInverted()) {
            KeyReader plain = inverted();
            double value = plain.takeDouble();
            passInverted(plain);
            return value;
        }
        if (takeNull()) {
            return 0;
        }
        jump(9);
        long bits = (long) LONG_BE.get(bytes, at - 8);
        return Double.longBitsToDouble(bits ^ (~bits >> 63 | Long.MIN_VALUE));
    }

    @Nullable BigDecimal takeDecimal() {
        if (isInverted()) {
            KeyReader plain = inverted();
            BigDecimal value = plain.takeDecimal();
            passInverted(plain);
            return value;
        }
        if (takeNull()) {
            return null;
        }
        jump(1);
        int sign = take();
        if (sign == KeyCodec.ZERO_DECIMAL) {
            return BigDecimal.ZERO;
        }
        int flip = sign == KeyCodec.NEGATIVE_DECIMAL ? -1 : 0;
        long exponent = takeLong(take(), flip);
        StringBuilder digits = new StringBuilder(flip == 0 ? "" : "-");
        int count = 0;
        for (int pair = (take() ^ flip) & 0xFF; pair != 0; pair = (take() ^ flip) & 0xFF) {
            if (pair > PAIRS) {
                throw damaged();
            }
            digits.append((char) ('0' + (pair - 1) / 10)).append((char) ('0' + (pair - 1) % 10));
            count += 2;
        }
        if (count == 0
                || exponent != (int) exponent
                || count - exponent != (int) (count - exponent)) {
            throw damaged();
        }
        BigDecimal value =
                new BigDecimal(new BigInteger(digits.toString()), (int) (count - exponent));
        return value.stripTrailingZeros();
    }

    public @Nullable String takeText() {
        if (isInverted()) {
            KeyReader plain = inverted();
            String value = plain.takeText();
            passInverted(plain);
            return value;
        }
        if (takeNull()) {
            return null;
        }
        int start = at + 1;
        boolean escaped = skipEscaped();
        int length = at - 1 - start;
        if (escaped) {
            byte[] plain = unescaped(start, length);
            return new String(plain, 0, plain.length, StandardCharsets.UTF_8);
        }
        return new String(bytes, start, length, StandardCharsets.UTF_8);
    }

    public byte @Nullable [] takeBytes(Type type) {
        if (isInverted()) {
            KeyReader plain = inverted();
            byte[] value = plain.takeBytes(type);
            passInverted(plain);
            return value;
        }
        if (takeNull()) {
            return null;
        }
        if (type.name() == Type.Name.UUID) {
            jump(1 + KeyCodec.UUID_BYTES);
            return Arrays.copyOfRange(bytes, at - KeyCodec.UUID_BYTES, at);
        }
        int start = at + 1;
        boolean escaped = skipEscaped();
        int length = at - 1 - start;
        return escaped
                ? unescaped(start, length)
                : Arrays.copyOfRange(bytes, start, start + length);
    }

    private boolean takeNull() {
        if (isNull()) {
            at++;
            return true;
        }
        return false;
    }

    private byte[] unescaped(int start, int length) {
        byte[] plain = new byte[length];
        int to = 0;
        for (int from = start; from < start + length; from++) {
            byte b = bytes[from];
            plain[to++] = b == Utf8.ESCAPE ? (byte) (bytes[++from] - 1) : b;
        }
        return Arrays.copyOf(plain, to);
    }

    /// Passes the terminator; whether there are escapes before it.
    private boolean skipEscaped() {
        jump(1);
        boolean escaped = false;
        while (true) {
            int next = nextBelowTwo();
            if (next >= end) {
                throw damaged();
            }
            at = next + 1;
            if (bytes[next] == KeyCodec.END) {
                return escaped;
            }
            escaped = true;
            jump(1); // what is escaped is below 2 plus one, so it may be 1 again
        }
    }

    /// The next terminator or escape, or the end: eight bytes a step while that many are left.
    private int nextBelowTwo() {
        int i = at;
        for (; i + 8 <= end; i += 8) {
            long below = KeyCodec.bytesBelowTwo((long) LONG.get(bytes, i));
            if (below != 0) {
                return i + (Long.numberOfTrailingZeros(below) >>> 3);
            }
        }
        while (i < end && (bytes[i] & 0xFE) != 0) {
            i++;
        }
        return i;
    }

    private void jump(int count) {
        at += count;
        if (at > end) {
            throw damaged();
        }
    }

    private int take() {
        if (at >= end) {
            throw damaged();
        }
        return bytes[at++] & 0xFF;
    }

    private CorruptionException damaged() {
        return new CorruptionException(
                "A key cannot be decoded: it is truncated or has an unknown type; run check",
                "at=%d bytes=%d".formatted(at, end));
    }
}
