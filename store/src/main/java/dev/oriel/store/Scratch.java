package dev.oriel.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Native memory for versions of pages that are not (yet) in the data file: frames of one page each,
/// in chunks that never move. The memory is taken in blocks of some chunks, of 128 KB at first and
/// each twice as large as the one before, up to 4 MB. Used by the holder of the write role alone; readers only follow
/// frames that the page table names, through the chunk array of their [State].
final class Scratch {
    static final int CHUNK_SHIFT = 4;
    private static final int CHUNK_FRAMES = 1 << CHUNK_SHIFT;
    private static final long CHUNK_BYTES = (long) CHUNK_FRAMES << Page.SHIFT;
    private static final int BLOCK_CHUNKS_MAX = 32;

    private MemorySegment[] chunks = {};
    private int[] free = new int[CHUNK_FRAMES];
    private int freeCount;
    private int allotted;

    /// The chunks; the array is replaced, never changed, when one is added.
    MemorySegment[] chunks() {
        return chunks;
    }

    static MemorySegment chunk(MemorySegment[] chunks, int frame) {
        return chunks[frame >>> CHUNK_SHIFT];
    }

    static long offset(int frame) {
        return (long) (frame & (CHUNK_FRAMES - 1)) << Page.SHIFT;
    }

    /// A frame; its content is whatever was there.
    int allocate() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (allotted == chunks.length << CHUNK_SHIFT) {
            addBlock();
        }
        return allotted++;
    }

    private void addBlock() {
        int before = chunks.length;
        int added = Math.clamp(before, 1, BLOCK_CHUNKS_MAX);
        MemorySegment block = Arena.ofAuto().allocate(added * CHUNK_BYTES, 4096);
        MemorySegment[] more = Arrays.copyOf(chunks, before + added);
        for (int i = 0; i < added; i++) {
            more[before + i] = block.asSlice(i * CHUNK_BYTES, CHUNK_BYTES);
        }
        chunks = more;
    }

    void free(int frame) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = frame;
    }

    /// Native bytes taken from the operating system.
    long bytes() {
        return (long) chunks.length << (CHUNK_SHIFT + Page.SHIFT);
    }
}
