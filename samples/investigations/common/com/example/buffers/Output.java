package com.example.buffers;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Bytes that are written one value after the other, into a buffer that grows where it has to.
final class Output {
    private byte[] buffer;
    private int length;

    /// With a buffer that is large enough for most things.
    Output() {
        buffer = new byte[4_096];
    }

    Output(int bytes) {
        buffer = new byte[bytes];
    }

    void writeInt(int value) {
        room(Integer.BYTES);
        for (int shift = 24; shift >= 0; shift -= 8) {
            buffer[length++] = (byte) (value >>> shift);
        }
    }

    void writeText(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        writeInt(bytes.length);
        room(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(buffer, length);
    }

    private void room(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + more));
        }
    }
}
