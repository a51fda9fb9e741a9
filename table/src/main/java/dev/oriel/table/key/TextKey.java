package dev.oriel.table.key;

import dev.oriel.store.Slice;
import dev.oriel.table.value.NativeBuffer;

/// The row key of a table whose primary key is one column of text. Reusable. Allocates nothing. Not safe for use
/// by two threads at once.
public final class TextKey {
    private final NativeBuffer buffer = new NativeBuffer(64);
    private final Slice slice = new Slice();

    /// An empty key.
    public TextKey() {}

    /// The key of `text`, valid until the next call.
    ///
    /// @throws dev.oriel.store.LimitException if it is longer than a key may be
    public Slice set(String text) {
        buffer.clear();
        KeyCodec.putText(buffer, text);
        return checked();
    }

    /// The key of the text whose UTF-8 bytes are in `bytes`, valid until the next call.
    ///
    /// @throws dev.oriel.store.LimitException if it is longer than a key may be
    public Slice set(byte[] bytes, int from, int length) {
        buffer.clear();
        KeyCodec.putBytes(buffer, bytes, from, length);
        return checked();
    }

    private Slice checked() {
        if (buffer.length() > KeyCodec.BYTES_MAX) {
            throw KeyCodec.tooLong(buffer.length(), "", "");
        }
        return buffer.slice(slice);
    }
}
