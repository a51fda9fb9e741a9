package dev.oriel.graph.value;

import dev.oriel.store.CorruptionException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A byte buffer on the heap that is written or read from its front. Numbers are varints: seven bits a byte,
/// lowest first, with the high bit set if more follow.
///
/// Reusable, by one thread at a time.
public final class Bytes {
    private byte[] bytes;
    private int at;
    private int end;

    public Bytes() {
        this.bytes = new byte[128];
    }

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
        this.end = bytes.length;
    }

    /// A buffer for reading `bytes`.
    public static Bytes over(byte[] bytes) {
        return new Bytes(bytes);
    }

    public void clear() {
        at = 0;
    }

    public boolean isEmpty() {
        return at == 0;
    }

    /// A copy of the bytes written.
    public byte[] copy() {
        return Arrays.copyOf(bytes, at);
    }

    private void ensure(int more) {
        if (bytes.length - at < more) {
            bytes = Arrays.copyOf(bytes, Math.max(at + more, 2 * bytes.length));
        }
    }

    public void put(int value) {
        ensure(1);
        bytes[at++] = (byte) value;
    }

    public void putVarint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
    }

    /// Writes a signed number; values near zero are short.
    void putSigned(long value) {
        putVarint((value << 1) ^ (value >> 63));
    }

    void putFixed(long value, int count) {
        ensure(count);
        for (int i = count - 1; i >= 0; i--) {
            bytes[at++] = (byte) (value >>> (8 * i));
        }
    }

    void putBytes(byte[] value) {
        putVarint(value.length);
        ensure(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
        at += value.length;
    }

    /// UTF-8 of `text`.
    ///
    /// @throws IllegalArgumentException if it contains an unpaired surrogate, which is no character
    public static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(
                        text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
                    throw new IllegalArgumentException(
                            "A text holds half of a surrogate pair, which is not a character; at="
                                    + i);
                }
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public void putText(String text) {
        int length = text.length();
        int before = at;
        ensure(length + 10);
        putVarint(length);
        ensure(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                at = before;
                putBytes(utf8(text));
                return;
            }
            bytes[at++] = (byte) c;
        }
    }

    public boolean more() {
        return at < end;
    }

    public int take() {
        if (at >= end) {
            throw damaged();
        }
        return bytes[at++] & 0xFF;
    }

    /// The next byte, without advancing.
    public int peek() {
        if (at >= end) {
            throw damaged();
        }
        return bytes[at] & 0xFF;
    }

    public long takeVarint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = take();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw damaged();
    }

    public int takeCount() {
        long count = takeVarint();
        if (count < 0 || count > end - at) {
            throw damaged();
        }
        return (int) count;
    }

    long takeSigned() {
        long value = takeVarint();
        return (value >>> 1) ^ -(value & 1);
    }

    public long takeFixed(int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = value << 8 | take();
        }
        return value;
    }

    byte[] takeBytes() {
        int length = takeCount();
        byte[] value = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return value;
    }

    public String takeText() {
        int length = takeCount();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    public static CorruptionException damaged() {
        return damaged(null);
    }

    static CorruptionException damaged(@Nullable Throwable cause) {
        return new CorruptionException(
                "The properties of an element cannot be read; run check", "", cause);
    }
}
