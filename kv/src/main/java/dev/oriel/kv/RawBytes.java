package dev.oriel.kv;

/// Bytes as they are; a singleton, because every call of [Codec#bytes()] returns it.
final class RawBytes implements Codec<byte[]> {
    static final Codec<byte[]> CODEC = new RawBytes();

    private RawBytes() {}

    @Override
    public byte[] encode(byte[] value) {
        return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }

    @Override
    public int flags() {
        return BYTES;
    }
}
