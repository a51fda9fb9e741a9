package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a writing transaction must do to go back to a savepoint: for each change the entry as it
/// was before, newest last. Written only while a savepoint is open. Past a limit what is in memory goes
/// to a file, and comes back from there where somebody goes back so far.
///
/// An item is `u8 action, u64 root, u32 key length, u32 value length, key, value, u32 item length`;
/// the length at its end lets them be read backwards.
final class UndoLog {
    /// The key was not there: delete it.
    static final byte DELETE = 1;

    /// The key had this value: put it back.
    static final byte PUT = 2;

    /// The tree `root` was created: drop it.
    static final byte DROP_TREE = 3;

    private static final int FIXED_BYTES = 17;

    /// What it may keep for the next transaction.
    private static final long KEPT_BYTES_MAX = 64 << 10;

    private final @Nullable TemporaryFiles files;
    private final long bytesMax;
    private MemorySegment memory = MemorySegment.NULL;
    private long end;

    private @Nullable TemporaryFile file;

    /// Where in the file each part begins that was in memory; they lie one behind the other.
    private final List<Long> parts = new ArrayList<>(0);

    /// Bytes in the file that count.
    private long fileEnd;

    /// @param files null where there are none, and all of it stays in memory
    /// @param bytesMax how much of it stays there else
    UndoLog(@Nullable TemporaryFiles files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /// Another one, with the same limits.
    UndoLog another() {
        return new UndoLog(files, bytesMax);
    }

    long position() {
        return fileEnd + end;
    }

    void clear() {
        end = 0;
        fileEnd = 0;
        parts.clear();
        if (file != null) {
            file.delete();
            file = null;
        }
    }

    /// Ends its use by one transaction.
    void end() {
        clear();
        if (memory.byteSize() > KEPT_BYTES_MAX) {
            memory = MemorySegment.NULL;
        }
    }

    void add(byte action, long root, Slice key, Slice value) {
        long bytes = FIXED_BYTES + (long) key.length() + value.length() + 4;
        if (end > 0 && end + bytes > bytesMax && files != null) {
            putAside(files);
        }
        reserve(bytes);
        memory.set(Page.BYTE, end, action);
        memory.set(Page.LONG, end + 1, root);
        memory.set(Page.INT, end + 9, key.length());
        memory.set(Page.INT, end + 13, value.length());
        long at = end + FIXED_BYTES;
        MemorySegment.copy(key.segment(), key.offset(), memory, at, key.length());
        at += key.length();
        MemorySegment.copy(value.segment(), value.offset(), memory, at, value.length());
        memory.set(Page.INT, end + bytes - 4, (int) bytes);
        end += bytes;
    }

    private void putAside(TemporaryFiles where) {
        TemporaryFile to = file;
        if (to == null) {
            to = where.create();
            file = to;
        }
        to.writeBytes(fileEnd, memory.asSlice(0, end));
        parts.add(fileEnd);
        fileEnd += end;
        end = 0;
    }

    private void takeBack(TemporaryFile from) {
        long start = parts.removeLast();
        long bytes = fileEnd - start;
        reserve(bytes);
        from.read(start, memory.asSlice(0, bytes));
        fileEnd = start;
        end = bytes;
    }

    private void reserve(long bytes) {
        if (memory.byteSize() < end + bytes) {
            long grown = Math.max(end + bytes, Math.max(1 << 12, memory.byteSize() * 2));
            MemorySegment larger = NativeMemory.allocate(grown, 8);
            MemorySegment.copy(memory, 0, larger, 0, end);
            memory = larger;
        }
    }

    /// Takes the newest item off and hands it to `target`; its slices hold until the next `add`.
    void undoNewest(Target target) {
        TemporaryFile from = file;
        if (end == 0 && from != null) {
            takeBack(from);
        }
        int bytes = memory.get(Page.INT, end - 4);
        long start = end - bytes;
        int keyBytes = memory.get(Page.INT, start + 9);
        int valueBytes = memory.get(Page.INT, start + 13);
        long at = start + FIXED_BYTES;
        Slice key = new Slice().set(memory, at, keyBytes);
        Slice value = new Slice().set(memory, at + keyBytes, valueBytes);
        end = start;
        target.undo(memory.get(Page.BYTE, start), memory.get(Page.LONG, start + 1), key, value);
    }

    @FunctionalInterface
    interface Target {
        void undo(byte action, long root, Slice key, Slice value);
    }
}
