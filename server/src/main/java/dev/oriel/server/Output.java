package dev.oriel.server;

import dev.oriel.store.Slice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Answers that have not been sent yet, gathered so that many go out in one write. For one thread at a
/// time.
final class Output {
    private static final int CAPACITY = 4 << 10;

    private final ByteBufAllocator allocator;
    private final byte[] digits = new byte[20];
    private @Nullable ByteBuf buffer;

    Output(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    private ByteBuf buffer() {
        ByteBuf existing = buffer;
        if (existing == null) {
            existing = allocator.heapBuffer(CAPACITY);
            buffer = existing;
        }
        return existing;
    }

    int length() {
        ByteBuf existing = buffer;
        return existing == null ? 0 : existing.readableBytes();
    }

    /// What was gathered, which belongs to the caller now; null where there is nothing.
    @Nullable ByteBuf take() {
        ByteBuf taken = buffer;
        buffer = null;
        return taken;
    }

    /// Forgets what was written behind the first `length` bytes.
    void truncate(int length) {
        ByteBuf existing = buffer;
        if (existing != null) {
            existing.writerIndex(existing.readerIndex() + length);
        }
    }

    Output put(byte[] bytes) {
        buffer().writeBytes(bytes);
        return this;
    }

    Output put(byte[] bytes, int from, int length) {
        buffer().writeBytes(bytes, from, length);
        return this;
    }

    /// ASCII.
    Output put(String text) {
        buffer().writeCharSequence(text, StandardCharsets.US_ASCII);
        return this;
    }

    Output put(char c) {
        buffer().writeByte(c);
        return this;
    }

    Output line(String text) {
        return put(text).put('\r').put('\n');
    }

    /// A number in unsigned decimal digits.
    Output putDigits(long number) {
        int at = digits.length;
        long rest = number;
        do {
            long quotient = Long.divideUnsigned(rest, 10);
            digits[--at] = (byte) ('0' + (int) (rest - quotient * 10));
            rest = quotient;
        } while (rest != 0);
        return put(digits, at, digits.length - at);
    }

    Output putByte(int value) {
        buffer().writeByte(value);
        return this;
    }

    Output putShort(int value) {
        buffer().writeShort(value);
        return this;
    }

    Output putInt(int value) {
        buffer().writeInt(value);
        return this;
    }

    Output putLong(long value) {
        buffer().writeLong(value);
        return this;
    }

    /// Copies the bytes of `slice` from the database's page into the answer, once.
    Output put(Slice slice) {
        ByteBuf target = buffer();
        int length = slice.length();
        target.ensureWritable(length);
        MemorySegment.copy(
                slice.segment(),
                ValueLayout.JAVA_BYTE,
                slice.offset(),
                target.array(),
                target.arrayOffset() + target.writerIndex(),
                length);
        target.writerIndex(target.writerIndex() + length);
        return this;
    }

    /// Frees what nobody took.
    void release() {
        ByteBuf left = take();
        if (left != null) {
            left.release();
        }
    }
}
