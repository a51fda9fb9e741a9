package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.file.ScratchFile;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The undo log of a writing transaction, for going back to a savepoint: for each change the entry as it was
/// before, newest last. Written only while a savepoint is open. Past a limit, its memory moves to a file, and
/// returns if a rollback goes back that far.
///
/// An item is `u8 action, u64 root, u32 key length, u32 value length, key, value, u32 item length`; the length at
/// its end makes it readable backwards.
final class UndoLog {
    /// Undo action: the key was not there, delete it.
    static final byte DELETE = 1;

    /// Undo action: the key had this value, put it back.
    static final byte PUT = 2;

    /// Undo action: the tree `root` was created, drop it.
    static final byte DROP_TREE = 3;

    private static final int FIXED_BYTES = 17;

    /// Maximum bytes of memory kept for the next transaction.
    private static final long KEPT_BYTES_MAX = 64 << 10;

    private final @Nullable TemporaryFiles files;
    private final long bytesMax;
    private MemorySegment memory = MemorySegment.NULL;
    private long end;

    private @Nullable ScratchFile file;

    /// Offsets in the file of the parts moved there from memory; they are contiguous.
    private final List<Long> parts = new ArrayList<>(0);

    /// Number of valid bytes in the file.
    private long fileEnd;

    /// @param files null if there are none; then all of it stays in memory
    /// @param bytesMax maximum number of bytes in memory otherwise
    UndoLog(@Nullable TemporaryFiles files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /// Creates another undo log with the same limits.
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

    /// Ends its use by a transaction.
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
        ScratchFile to = file;
        if (to == null) {
            to = where.create();
            file = to;
        }
        to.writeBytes(fileEnd, memory.asSlice(0, end));
        parts.add(fileEnd);
        fileEnd += end;
        end = 0;
    }

    private void takeBack(ScratchFile from) {
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

    /// Takes the newest item off and passes it to `target`; its slices are valid until the next `add`.
    void undoNewest(Target target) {
        ScratchFile from = file;
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
