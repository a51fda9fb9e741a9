package dev.oriel.server;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Received bytes that are not yet processed: bytes of an array from `position` to `limit`. Requests are read in
/// place, so that a request makes no garbage but its value. Used by one thread at a time.
///
/// The connections of a thread share one, which is empty between two of them. A connection that waits for the rest
/// of a request has one of its own until then.
final class Input {
    private static final int CAPACITY = 1 << 10;

    /// Capacity in bytes above which an input drops its array after a large request.
    private static final int KEPT_BYTES_MAX = 256 << 10;

    private byte[] bytes;
    private int position;
    private int limit;

    /// Length of the request at the position in bytes, as far as it is known.
    private int expected;

    Input() {
        this(CAPACITY);
    }

    Input(int capacity) {
        this.bytes = new byte[capacity];
    }

    /// Takes over the bytes of `more` and releases it in any case.
    void add(ByteBuf more) {
        try {
            int count = more.readableBytes();
            reserve(count);
            more.readBytes(bytes, limit, count);
            limit += count;
        } finally {
            more.release();
        }
    }

    /// Takes over all bytes of `other`.
    void take(Input other) {
        int count = other.length();
        expected = other.expected;
        reserve(count);
        System.arraycopy(other.bytes, other.position, bytes, limit, count);
        limit += count;
        other.position = other.limit;
    }

    private void reserve(int count) {
        if (position == limit) {
            position = 0;
            limit = 0;
            if (bytes.length > KEPT_BYTES_MAX && count <= KEPT_BYTES_MAX) {
                bytes = new byte[CAPACITY];
            }
        }
        if (limit + count > bytes.length) {
            int held = limit - position;
            byte[] target = bytes;
            if (held + count > bytes.length) {
                int grown = expected > bytes.length ? expected : 2 * bytes.length;
                target = new byte[Math.max(held + count, grown)];
            }
            System.arraycopy(bytes, position, target, 0, held);
            bytes = target;
            position = 0;
            limit = held;
        }
    }

    /// Announces a request of `bytes`: the buffer next grows to that size instead of doubling. 0 ends this.
    void expect(int bytes) {
        expected = bytes;
    }

    /// Number of bytes.
    int length() {
        return limit - position;
    }

    /// The array, of which the next byte is at [#position()].
    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    void skip(int count) {
        position += count;
    }

    /// Goes back to an earlier position; nothing was added since.
    void rewind(int earlier) {
        position = earlier;
    }

    /// Drops the array of a large request that was processed, before its memory counts as free. A short rest, of the
    /// next request, moves to a small array.
    void trim() {
        int rest = limit - position;
        if (bytes.length > KEPT_BYTES_MAX && rest <= KEPT_BYTES_MAX) {
            byte[] small = new byte[Math.max(CAPACITY, rest)];
            System.arraycopy(bytes, position, small, 0, rest);
            bytes = small;
            position = 0;
            limit = rest;
        }
    }

    /// Drops everything.
    void clear() {
        position = 0;
        limit = 0;
        expected = 0;
    }

    int byteAt(int offset) {
        return bytes[position + offset] & 0xFF;
    }

    int shortAt(int offset) {
        return byteAt(offset) << 8 | byteAt(offset + 1);
    }

    int intAt(int offset) {
        return shortAt(offset) << 16 | shortAt(offset + 2);
    }

    long longAt(int offset) {
        return (long) intAt(offset) << 32 | Integer.toUnsignedLong(intAt(offset + 4));
    }

    /// A copy of `count` bytes from `offset`, both counted from the position.
    byte[] copy(int offset, int count) {
        return Arrays.copyOfRange(bytes, position + offset, position + offset + count);
    }

    String text(int offset, int count) {
        return new String(bytes, position + offset, count, StandardCharsets.UTF_8);
    }

    /// Number of bytes before the next line feed, or -1 if there is none.
    ///
    /// @param from number of bytes known to hold no line feed
    int lineLength(int from) {
        for (int i = position + from; i < limit; i++) {
            if (bytes[i] == '\n') {
                return i - position;
            }
        }
        return -1;
    }
}
