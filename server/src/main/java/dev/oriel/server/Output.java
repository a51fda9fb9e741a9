package dev.oriel.server;

import dev.oriel.store.Slice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Unsent answers, gathered to send many in one write. Used by one thread at a time; the connections of a thread share
/// one, which is empty between two of them.
final class Output {
    private static final int CAPACITY = 4 << 10;

    /// Capacity in bytes above which an empty output drops its array after a large answer.
    private static final int KEPT_BYTES_MAX = 256 << 10;

    /// Room for the end of an answer with a long value.
    private static final int END_BYTES = 64;

    private byte[] bytes = new byte[CAPACITY];
    private int length;

    /// Number of bytes taken already.
    private int sent;

    int length() {
        return length;
    }

    /// The gathered bytes, in memory that the system can send from; null if there are none.
    ///
    /// @param bytesMax takes no more than this; the rest comes with the next call
    @Nullable ByteBuf take(ByteBufAllocator allocator, int bytesMax) {
        int count = Math.min(bytesMax, length - sent);
        if (count == 0) {
            return null;
        }
        byte[] gathered = bytes;
        int from = sent;
        sent += count;
        if (sent == length) {
            clear(); // first: the output is emptied even if there is no direct memory
        }
        ByteBuf taken = allocator.directBuffer(count, count);
        taken.writeBytes(gathered, from, count);
        return taken;
    }

    /// Moves all that was gathered to a new output.
    Output detach() {
        Output other = new Output();
        other.bytes = bytes;
        other.length = length;
        bytes = new byte[CAPACITY];
        length = 0;
        return other;
    }

    /// Drops everything, and the memory of a large answer too.
    void clear() {
        length = 0;
        sent = 0;
        if (bytes.length > KEPT_BYTES_MAX) {
            bytes = new byte[CAPACITY];
        }
    }

    /// Drops the bytes after the first `wanted`.
    void truncate(int wanted) {
        length = wanted;
    }

    /// Makes room for `count` more bytes and returns the position of the first.
    private int reserve(int count) {
        int at = length;
        if (count > bytes.length - at) {
            int wanted = Math.addExact(at, count);
            boolean large = count > KEPT_BYTES_MAX; // it comes alone, and little follows
            int capacity = large ? wanted + END_BYTES : Math.max(2 * bytes.length, wanted);
            bytes = Arrays.copyOf(bytes, capacity);
        }
        length = at + count;
        return at;
    }

    Output put(byte[] more) {
        return put(more, 0, more.length);
    }

    Output put(byte[] more, int from, int count) {
        int at = reserve(count);
        System.arraycopy(more, from, bytes, at, count);
        return this;
    }

    /// Appends ASCII.
    @SuppressWarnings("deprecation") // intended: one byte of each character
    Output put(String text) {
        int count = text.length();
        int at = reserve(count);
        text.getBytes(0, count, bytes, at);
        return this;
    }

    Output put(char c) {
        int at = reserve(1);
        bytes[at] = (byte) c;
        return this;
    }

    Output line(String text) {
        return put(text).put('\r').put('\n');
    }

    /// Appends a number in unsigned decimal digits.
    Output putDigits(long number) {
        int count = 1;
        for (long rest = Long.divideUnsigned(number, 10); rest != 0; rest /= 10) {
            count++;
        }
        int at = reserve(count);
        long rest = number;
        for (int i = at + count - 1; i >= at; i--) {
            long quotient = Long.divideUnsigned(rest, 10);
            bytes[i] = (byte) ('0' + (int) (rest - quotient * 10));
            rest = quotient;
        }
        return this;
    }

    Output putByte(int value) {
        int at = reserve(1);
        bytes[at] = (byte) value;
        return this;
    }

    Output putShort(int value) {
        int at = reserve(2);
        bytes[at] = (byte) (value >> 8);
        bytes[at + 1] = (byte) value;
        return this;
    }

    Output putInt(int value) {
        return putShort(value >> 16).putShort(value);
    }

    Output putLong(long value) {
        return putInt((int) (value >> 32)).putInt((int) value);
    }

    /// Copies the bytes of `slice` from the database's page into the answer.
    Output put(Slice slice) {
        int count = slice.length();
        int at = reserve(count);
        MemorySegment.copy(
                slice.segment(), ValueLayout.JAVA_BYTE, slice.offset(), bytes, at, count);
        return this;
    }
}
