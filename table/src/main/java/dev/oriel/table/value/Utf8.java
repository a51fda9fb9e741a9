package dev.oriel.table.value;

import java.lang.foreign.MemorySegment;

/// Text to UTF-8 in native memory, without an array in between. Unsigned order of these bytes is the order of code
/// points.
///
/// Half of a surrogate pair, which is no text, becomes the three bytes of its number. So as the bound of a range
/// it sorts right and equals no row. Rows refuse it.
public final class Utf8 {
    /// Byte before an escaped byte in a key; see `KeyCodec`.
    public static final byte ESCAPE = 1;

    private Utf8() {}

    /// Writes `text` to `to` from `at` and returns the end of the bytes: at most three a char. Characters below
    /// `escapedBelow` become [#ESCAPE] and themselves plus one. Plain ones are written eight at a time, because
    /// each write tests the bounds of the memory.
    public static long encode(String text, int escapedBelow, MemorySegment to, long at) {
        int length = text.length();
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long word = 0;
            int unusual = 0;
            for (int j = 0; j < 8; j++) {
                int c = text.charAt(i + j);
                unusual |= (c - escapedBelow) | (0x7F - c);
                word |= (long) c << (8 * j);
            }
            if (unusual < 0) {
                return encodeRest(text, i, escapedBelow, to, at + i);
            }
            to.set(NativeBuffer.LONG, at + i, word);
        }
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80 || c < escapedBelow) {
                return encodeRest(text, i, escapedBelow, to, at + i);
            }
            to.set(NativeBuffer.BYTE, at + i, (byte) c);
        }
        return at + length;
    }

    private static long encodeRest(
            String text, int from, int escapedBelow, MemorySegment to, long start) {
        int length = text.length();
        long at = start;
        int i = from;
        while (i < length) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c < 0x80) {
                if (c < escapedBelow) {
                    to.set(NativeBuffer.BYTE, at++, ESCAPE);
                    c++;
                }
                to.set(NativeBuffer.BYTE, at++, (byte) c);
            } else if (c < 0x800) {
                to.set(NativeBuffer.BYTE, at++, (byte) (0xC0 | (c >> 6)));
                to.set(NativeBuffer.BYTE, at++, (byte) (0x80 | (c & 0x3F)));
            } else {
                if (c < 0x10000) {
                    to.set(NativeBuffer.BYTE, at++, (byte) (0xE0 | (c >> 12)));
                } else {
                    to.set(NativeBuffer.BYTE, at++, (byte) (0xF0 | (c >> 18)));
                    to.set(NativeBuffer.BYTE, at++, (byte) (0x80 | ((c >> 12) & 0x3F)));
                }
                to.set(NativeBuffer.BYTE, at++, (byte) (0x80 | ((c >> 6) & 0x3F)));
                to.set(NativeBuffer.BYTE, at++, (byte) (0x80 | (c & 0x3F)));
            }
        }
        return at;
    }

    /// Number of bytes to which [#encode] encodes `text`.
    public static long bytes(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes += c < 0x800 ? 1 : 2;
                if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++; // two chars have become four bytes
                }
            }
        }
        return bytes;
    }

    /// Index of the first half of a surrogate pair that stands alone, or -1.
    public static int unpaired(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isHighSurrogate(c)
                        && i + 1 < length
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else {
                    return i;
                }
            }
        }
        return -1;
    }
}
