package com.example.buffers;

/// A value of a property as bytes.
final class PropertyCodec {
    private PropertyCodec() {}

    static byte[] encode(Object value) {
        Output output = new Output();
        if (value instanceof Integer number) {
            output.writeInt(number);
        } else {
            output.writeText(value.toString());
        }
        return output.toBytes();
    }
}
