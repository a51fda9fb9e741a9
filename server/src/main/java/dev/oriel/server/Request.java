package dev.oriel.server;

import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import dev.oriel.store.Durability;
import org.jspecify.annotations.Nullable;

/// The request of the binary protocol at the start of an input, read in place. Offsets count from the input's
/// position. Used by one thread, one request after the other.
///
/// ```
/// 0      1       2             4         5         6        8         12      16   24
/// | magic| opcode| key length | extras | datatype | vbucket| body    | opaque| cas | framing | extras | key | value |
/// ```
/// If the magic is 08, the key length is one byte, preceded by the length of the framing.
final class Request {
    static final int HEADER_BYTES = 24;
    static final int MAGIC = 0x80;
    static final int MAGIC_FRAMED = 0x08;

    private static final int FRAME_BARRIER = 0;
    private static final int FRAME_DURABILITY = 1;
    private static final int FRAME_KEEP_EXPIRY = 5;

    Input in;
    int opcode;
    int extrasAt;
    int extrasLength;
    int keyAt;
    int keyLength;
    int valueAt;
    int valueLength;
    int bodyLength;
    int opaque;
    long cas;
    int collection;

    @Nullable Durability durability;
    boolean keepsExpiry;

    Request(Input in) {
        this.in = in;
    }

    /// Reads the header; false if the lengths contradict each other. The body need not be there yet.
    boolean readHeader(Input from) {
        in = from;
        opcode = in.byteAt(1);
        boolean framed = in.byteAt(0) == MAGIC_FRAMED;
        int framing = framed ? in.byteAt(2) : 0;
        keyLength = framed ? in.byteAt(3) : in.shortAt(2);
        extrasLength = in.byteAt(4);
        bodyLength = in.intAt(8);
        opaque = in.intAt(12);
        cas = in.longAt(16);
        extrasAt = HEADER_BYTES + framing;
        keyAt = extrasAt + extrasLength;
        valueAt = keyAt + keyLength;
        valueLength = bodyLength - framing - extrasLength - keyLength;
        collection = 0;
        durability = null;
        keepsExpiry = false;
        return bodyLength >= 0 && valueLength >= 0;
    }

    /// Reads the frames before the extras; SUCCESS, or the status of the error.
    Status readFrames() {
        int at = HEADER_BYTES;
        while (at < extrasAt) {
            int first = in.byteAt(at++);
            int id = first >>> 4;
            int length = first & 0xF;
            if (id == 15 || length == 15 || at + length > extrasAt) {
                return Status.INVALID;
            }
            if (id == FRAME_DURABILITY && (length == 1 || length == 3)) {
                int level = in.byteAt(at);
                if (level < 1 || level > 3) {
                    return Status.DURABILITY_INVALID;
                }
                durability = level == 1 ? null : Durability.SYNC;
            } else if (id == FRAME_KEEP_EXPIRY && length == 0) {
                keepsExpiry = true;
            } else if (id != FRAME_BARRIER || length != 0) { // all requests keep their order anyway
                return Status.INVALID;
            }
            at += length;
        }
        return Status.SUCCESS;
    }

    /// Removes the number of a collection, in LEB128, from the start of the key; false if it is invalid.
    boolean readCollection() {
        long number = 0;
        for (int i = 0; i < 5 && i < keyLength; i++) {
            int b = in.byteAt(keyAt + i);
            number |= (long) (b & 0x7F) << (7 * i);
            if ((b & 0x80) == 0) {
                collection = (int) number;
                keyAt += i + 1;
                keyLength -= i + 1;
                return true;
            }
        }
        return false;
    }

    int extraInt(int offset) {
        return in.intAt(extrasAt + offset);
    }

    long extraLong(int offset) {
        return in.longAt(extrasAt + offset);
    }

    int extraByte(int offset) {
        return in.byteAt(extrasAt + offset);
    }

    /// The key as text; null if it is not a valid key.
    @Nullable String key() {
        return Client.key(in.bytes(), in.position() + keyAt, keyLength);
    }

    /// The key as the words of an operation without an entry.
    String keyText() {
        return in.text(keyAt, keyLength);
    }

    byte[] value() {
        return in.copy(valueAt, valueLength);
    }

    /// The expiry of an entry from the extras at `offset`.
    long expiry(Client client, int offset) {
        long seconds = Integer.toUnsignedLong(extraInt(offset));
        return keepsExpiry && seconds == 0 ? Change.KEEP : client.expiry(seconds);
    }
}
