package com.example.buffers;

/// A value of a property as bytes. Few are longer than 64; for those the buffer grows.
final class PropertyCodec {
    private PropertyCodec() {}

    static byte[] encode(Object value) {
        Output output = new Output(64);
        if (value instanceof Integer number) {
            output.writeInt(number);
        } else {
            output.writeText(value.toString());
        }
        return output.toBytes();
    }
}
