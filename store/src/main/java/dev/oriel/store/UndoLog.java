package dev.oriel.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// What a writing transaction must do to go back to a savepoint: for each change the entry as it
/// was before, newest last. Written only while a savepoint is open.
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
    private MemorySegment memory = MemorySegment.NULL;
    private long end;

    long position() {
        return end;
    }

    void clear() {
        end = 0;
    }

    void add(byte action, long root, Slice key, Slice value) {
        long bytes = FIXED_BYTES + (long) key.length() + value.length() + 4;
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

    private void reserve(long bytes) {
        if (memory.byteSize() < end + bytes) {
            long grown = Math.max(end + bytes, Math.max(1 << 12, memory.byteSize() * 2));
            MemorySegment larger = Arena.ofAuto().allocate(grown, 8);
            MemorySegment.copy(memory, 0, larger, 0, end);
            memory = larger;
        }
    }

    /// Takes the newest item off and hands it to `target`; its slices hold until the next `add`.
    void undoNewest(Target target) {
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
