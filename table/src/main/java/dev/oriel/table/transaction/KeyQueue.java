package dev.oriel.table.transaction;

import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.TemporaryFile;
import dev.oriel.table.value.NativeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keys with deferred work of foreign keys, first in, first out: entries of a number and two keys, either of which
/// may be missing. The last ones are in memory; past a limit they go to a temporary file, if there is one.
///
/// ```
///  0 ......... head ......... filed ......... end
///    are done       in the file    in memory
/// ```
///
/// Positions count bytes and stay valid until the queue is empty, so a savepoint remembers just two of them.
///
/// An entry is `i32 number, i32 bytes of the first key, i32 bytes of the second, both keys`; a length of -1 means
/// that the key is missing. Not safe for use by two threads at once.
final class KeyQueue {
    /// Bytes kept in memory, few enough for several transactions at a time.
    static final int MEMORY_BYTES_MAX = 256 << 10;

    private static final int FIXED_BYTES = 12;
    private static final int WINDOW_BYTES = 64 << 10;

    /// Upper bound of the bytes without a file.
    private static final int BYTES_MAX = 1 << 29;

    private final Supplier<@Nullable TemporaryFile> files;
    private final int memoryBytesMax;
    private final NativeBuffer last = new NativeBuffer(256);
    private @Nullable TemporaryFile file;
    private long filed;
    private long head;

    /// Whether a savepoint may return to entries that are done.
    private boolean kept;

    /// A part of the file, from one position to another.
    private MemorySegment window = MemorySegment.NULL;

    private long windowStart;
    private long windowEnd;

    /// @param files creates the file; if it returns null, the queue stays in memory
    KeyQueue(Supplier<@Nullable TemporaryFile> files, int memoryBytesMax) {
        this.files = files;
        this.memoryBytesMax = memoryBytesMax;
    }

    /// An entry as read: its keys hold until the queue is used again.
    static final class Entry {
        private final Slice first = new Slice();
        private final Slice second = new Slice();
        private boolean hasFirst;
        private boolean hasSecond;
        private int number;

        int number() {
            return number;
        }

        @Nullable Slice first() {
            return hasFirst ? first : null;
        }

        @Nullable Slice second() {
            return hasSecond ? second : null;
        }
    }

    boolean isEmpty() {
        return head == end();
    }

    /// Position of the first entry left.
    long head() {
        return head;
    }

    long end() {
        return filed + last.length();
    }

    void add(int number, @Nullable Slice first, @Nullable Slice second) {
        int bytes = FIXED_BYTES + length(first) + length(second);
        if (last.length() + bytes > memoryBytesMax && last.length() > 0) {
            putAside(bytes);
        }
        last.ensure(bytes);
        last.putInt(number);
        last.putInt(first == null ? -1 : first.length());
        last.putInt(second == null ? -1 : second.length());
        if (first != null) {
            last.putSlice(first);
        }
        if (second != null) {
            last.putSlice(second);
        }
    }

    private static int length(@Nullable Slice key) {
        return key == null ? 0 : key.length();
    }

    private void putAside(int more) {
        TemporaryFile to = file;
        if (to == null) {
            to = files.get();
            file = to;
        }
        if (to == null) {
            if (last.length() + more > BYTES_MAX) {
                throw new LimitException(
                        "The statement changes more keys than a memory database keeps until its end;"
                                + " change fewer rows at a time",
                        "bytes=" + last.length() + " bytesMax=" + BYTES_MAX);
            }
            return;
        }
        to.writeBytes(filed, last.segment().asSlice(0, last.length()));
        filed += last.length();
        last.clear();
    }

    /// Reads the entry at `position`, which is not the end; returns the position of the next one.
    long read(long position, Entry out) {
        MemorySegment from = require(position, FIXED_BYTES);
        long at = place(position);
        int first = from.get(NativeBuffer.INT, at + 4);
        int second = from.get(NativeBuffer.INT, at + 8);
        int bytes = FIXED_BYTES + Math.max(0, first) + Math.max(0, second);
        from = require(position, bytes);
        at = place(position);
        out.number = from.get(NativeBuffer.INT, at);
        out.hasFirst = first >= 0;
        out.hasSecond = second >= 0;
        out.first.set(from, at + FIXED_BYTES, Math.max(0, first));
        out.second.set(from, at + FIXED_BYTES + Math.max(0, first), Math.max(0, second));
        return position + bytes;
    }

    /// The memory that holds `bytes` bytes from `position` on, at its [#place].
    private MemorySegment require(long position, int bytes) {
        TemporaryFile from = file;
        if (position >= filed || from == null) {
            return last.segment();
        }
        if (position < windowStart || position + bytes > windowEnd) {
            int count = (int) Math.min(filed - position, Math.max(WINDOW_BYTES, bytes));
            if (window.byteSize() < count) {
                window = Arena.ofAuto().allocate(count);
            }
            windowEnd = 0; // nothing, if it cannot be read
            from.read(position, window.asSlice(0, count));
            windowStart = position;
            windowEnd = position + count;
        }
        return window;
    }

    private long place(long position) {
        return position >= filed ? position - filed : position - windowStart;
    }

    /// The entries before `position` are done.
    void done(long position) {
        head = position;
        if (head == end() && !kept) {
            clear();
        }
    }

    /// A savepoint is about to remember [#head] and [#end], to return to them.
    void remember() {
        if (!isEmpty()) {
            kept = true;
        } else if (!kept) {
            clear();
        }
    }

    /// Undoes all additions and removals since these were [#head] and [#end].
    void restore(long rememberedHead, long rememberedEnd) {
        cut(rememberedEnd);
        head = rememberedHead;
    }

    /// Forgets the entries added since `position` was the end.
    void cut(long position) {
        if (position >= filed) {
            last.length((int) (position - filed));
        } else {
            filed = position;
            last.clear();
            windowEnd = 0; // what it shows may be written over
        }
    }

    /// Empties it until the next addition.
    void clear() {
        last.clear();
        filed = 0;
        head = 0;
        kept = false;
        windowEnd = 0;
        window = MemorySegment.NULL;
        if (file != null) {
            file.delete();
            file = null;
        }
    }
}
