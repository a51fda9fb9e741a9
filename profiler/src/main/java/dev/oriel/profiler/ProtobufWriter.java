package dev.oriel.profiler;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Writes one message of Protocol Buffers: the three wire types that pprof uses. Confined to one
/// thread.
final class ProtobufWriter {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtobufWriter number(int field, long value) {
        if (value != 0) {
            varint((long) field << 3 | VARINT);
            varint(value);
        }
        return this;
    }

    ProtobufWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtobufWriter message(int field, ProtobufWriter message) {
        return bytes(field, message.toBytes());
    }

    /// Numbers without their tags.
    ProtobufWriter packed(int field, long[] values) {
        ProtobufWriter packed = new ProtobufWriter();
        for (long value : values) {
            packed.varint(value);
        }
        return message(field, packed);
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private ProtobufWriter bytes(int field, byte[] bytes) {
        varint((long) field << 3 | BYTES);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
