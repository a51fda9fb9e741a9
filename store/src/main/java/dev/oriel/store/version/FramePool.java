package dev.oriel.store.version;

import dev.oriel.store.file.PageRun;
import dev.oriel.store.file.ScratchFile;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Native memory for versions of pages that are not (yet) in the data file: frames of one page each, in chunks that
/// never move. The memory is taken in blocks of chunks: 128 KB at first, each twice as large as the previous one,
/// up to 4 MB, and smaller if memory is short. Used by the holder of the write role alone; readers only follow
/// frames that the page table names, through the chunk array of their [State].
///
/// Versions that no reader sees yet can be evicted from memory ([#evict]): to a temporary file, which is mapped as
/// chunks. Nothing is written to these, and the file is deleted when the last of its frames is free.
///
/// Blocks without a frame in use can be given back ([#trim]).
public final class FramePool {
    static final int CHUNK_SHIFT = 4;
    private static final int CHUNK_FRAMES = 1 << CHUNK_SHIFT;
    private static final long CHUNK_BYTES = (long) CHUNK_FRAMES << Page.SHIFT;
    private static final int BLOCK_CHUNKS_MAX = 32;

    private MemorySegment[] chunks = {};

    /// Earlier arrays of chunks that a state may still hold. Transient: it has no influence on decisions, so models of
    /// all states omit it.
    private final transient List<WeakReference<MemorySegment[]>> earlier = new ArrayList<>();

    /// Number of its block, by chunk; -1 for a chunk that is not memory.
    private int[] blocks = {};

    private int blockCount;
    private int[] free = new int[CHUNK_FRAMES];
    private int freeCount;

    /// Frames of the newest block that were never used.
    private int next;

    private int nextEnd;

    /// Chunks of memory.
    private int memoryChunks;

    private int blockChunksMax = BLOCK_CHUNKS_MAX;

    /// Memory in use when a whole block could not be allocated.
    private volatile long memoryBytesMax = Long.MAX_VALUE;

    /// The file mapped as each chunk; null for memory.
    private @Nullable Evicted[] evicted = {};

    private int evictedFrames;

    /// Head of the list of files without frames in use: freeing a frame must not fail, deleting a file may.
    private @Nullable Evicted freed;

    /// Indexes of chunks that are not in use.
    private int[] freeChunks = {};

    private int freeChunkCount;

    /// A temporary file and its chunks.
    private static final class Evicted {
        final ScratchFile file;
        final int[] chunks;
        int live;

        /// Next file without frames in use.
        @Nullable Evicted after;

        Evicted(ScratchFile file, int[] chunks, int live) {
            this.file = file;
            this.chunks = chunks;
            this.live = live;
        }
    }

    /// The chunks; the array is replaced, never changed, when one is added. Those given back become empty in it.
    public MemorySegment[] chunks() {
        return chunks;
    }

    public static MemorySegment chunk(MemorySegment[] chunks, int frame) {
        return chunks[frame >>> CHUNK_SHIFT];
    }

    public static long offset(int frame) {
        return (long) (frame & (CHUNK_FRAMES - 1)) << Page.SHIFT;
    }

    /// Copies a page from frame to frame.
    public static void copy(MemorySegment[] chunks, int from, int to) {
        MemorySegment.copy(
                chunk(chunks, from), offset(from), chunk(chunks, to), offset(to), Page.BYTES);
    }

    /// A frame; its content is undefined.
    public int allocate() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (next == nextEnd) {
            addBlock();
        }
        return freeCount > 0 ? free[--freeCount] : next++;
    }

    /// Maximum of memory in bytes: if the system refused more, the size at that moment.
    long memoryBytesMax() {
        return memoryBytesMax;
    }

    private MemorySegment newBlock(int chunksWanted) {
        try {
            return NativeMemory.allocate(chunksWanted * CHUNK_BYTES, 4096);
        } catch (OutOfMemoryError e) {
            memoryBytesMax = memoryChunks * CHUNK_BYTES;
            if (chunksWanted == 1) {
                throw e;
            }
            blockChunksMax = chunksWanted / 2;
            return newBlock(blockChunksMax);
        }
    }

    /// Remembers the chunks, which a reader may still use, and forgets chunks that are garbage.
    private void keepEarlier() {
        // No lambda: a young JVM would load a class for it.
        for (int i = earlier.size() - 1; i >= 0; i--) {
            if (earlier.get(i).get() == null) {
                earlier.remove(i);
            }
        }
        earlier.add(new WeakReference<>(chunks));
    }

    private void addBlock() {
        MemorySegment block = newBlock(Math.clamp(memoryChunks, 1, blockChunksMax));
        int added = (int) (block.byteSize() / CHUNK_BYTES);
        int reused = Math.min(added, freeChunkCount);
        int before = chunks.length;
        int length = before + added - reused;
        MemorySegment[] more = Arrays.copyOf(chunks, length);
        int[] moreBlocks = Arrays.copyOf(blocks, length);
        // Room for all frames, so freeing cannot fail.
        free = Arrays.copyOf(free, (memoryChunks + added) << CHUNK_SHIFT);
        keepEarlier();
        for (int i = 0; i < added; i++) {
            int index = i < reused ? freeChunks[freeChunkCount - 1 - i] : before + i - reused;
            more[index] = block.asSlice(i * CHUNK_BYTES, CHUNK_BYTES);
            moreBlocks[index] = blockCount;
        }
        for (int i = 0; i < reused; i++) { // from here on nothing may fail
            int first = freeChunks[--freeChunkCount] << CHUNK_SHIFT;
            for (int frame = 0; frame < CHUNK_FRAMES; frame++) {
                free[freeCount++] = first + frame;
            }
        }
        blockCount++;
        chunks = more;
        blocks = moreBlocks;
        memoryChunks += added;
        next = before << CHUNK_SHIFT;
        nextEnd = length << CHUNK_SHIFT;
    }

    /// Gives back the blocks of memory without a frame in use. No reader looks at a free frame, so the arrays that
    /// readers hold may lose them too.
    public void trim() {
        while (next < nextEnd) {
            free[freeCount++] = next++;
        }
        int[] used = new int[blockCount];
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            if (blocks[chunk] >= 0) {
                used[blocks[chunk]] += CHUNK_FRAMES;
            }
        }
        for (int i = 0; i < freeCount; i++) {
            used[blocks[free[i] >>> CHUNK_SHIFT]]--;
        }
        int kept = 0;
        for (int i = 0; i < freeCount; i++) {
            if (used[blocks[free[i] >>> CHUNK_SHIFT]] > 0) {
                free[kept++] = free[i];
            }
        }
        freeCount = kept;
        freeChunks = Arrays.copyOf(freeChunks, chunks.length);
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            if (blocks[chunk] >= 0 && used[blocks[chunk]] == 0) {
                forget(chunk);
            }
        }
        blockChunksMax = BLOCK_CHUNKS_MAX;
        memoryBytesMax = Long.MAX_VALUE;
    }

    private void forget(int chunk) {
        chunks[chunk] = MemorySegment.NULL;
        blocks[chunk] = -1;
        freeChunks[freeChunkCount++] = chunk;
        memoryChunks--;
        for (WeakReference<MemorySegment[]> old : earlier) {
            MemorySegment[] array = old.get();
            if (array != null && chunk < array.length) {
                array[chunk] = MemorySegment.NULL;
            }
        }
    }

    /// Whether the frame is out of memory, and must not be written to.
    public boolean isEvicted(int frame) {
        int chunk = frame >>> CHUNK_SHIFT;
        return evictedFrames > 0 && chunk < evicted.length && evicted[chunk] != null;
    }

    /// Moves the newest versions of the first `count` of `pages` to a file. They lie in memory, and no reader sees
    /// them. Their checksums are set.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room; nothing has changed then
    public void evict(TemporaryFiles files, PageTable table, long[] pages, int count) {
        dropFreed();
        if (count == 0) {
            return;
        }
        ScratchFile file = files.create();
        boolean done = false;
        try {
            PageRun run = new PageRun(file);
            for (int i = 0; i < count; i++) {
                int frame = table.frame(table.head(pages[i]));
                MemorySegment page = chunk(chunks, frame).asSlice(offset(frame), Page.BYTES);
                PageChecksum.complete(page, 0);
                run.add(i, page);
            }
            run.flush();
            adopt(file, file.map(), table, pages, count);
            done = true;
        } catch (IOException e) {
            throw TemporaryFiles.noRoom(e);
        } finally {
            if (!done) {
                file.delete();
            }
        }
    }

    private void adopt(
            ScratchFile file, MemorySegment map, PageTable table, long[] pages, int count) {
        int[] indexes = new int[(count + CHUNK_FRAMES - 1) / CHUNK_FRAMES];
        int length = chunks.length;
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = i < freeChunkCount ? freeChunks[freeChunkCount - 1 - i] : length++;
        }
        MemorySegment[] more = Arrays.copyOf(chunks, length);
        int[] moreBlocks = Arrays.copyOf(blocks, length);
        evicted = Arrays.copyOf(evicted, Math.max(evicted.length, length));
        Evicted one = new Evicted(file, indexes, count);
        for (int i = 0; i < indexes.length; i++) {
            long from = i * CHUNK_BYTES;
            more[indexes[i]] = map.asSlice(from, Math.min(CHUNK_BYTES, map.byteSize() - from));
        }
        keepEarlier();
        for (int index : indexes) { // from here on nothing may fail
            evicted[index] = one;
            moreBlocks[index] = -1;
        }
        freeChunkCount = Math.max(0, freeChunkCount - indexes.length);
        chunks = more;
        blocks = moreBlocks;
        evictedFrames += count;
        for (int i = 0; i < count; i++) {
            int frame = indexes[i >>> CHUNK_SHIFT] << CHUNK_SHIFT | (i & CHUNK_FRAMES - 1);
            free(table.replaceFrame(pages[i], frame));
        }
    }

    /// Deletes the files without frames in use.
    public void dropFreed() {
        for (Evicted one = freed; one != null; one = freed) {
            MemorySegment[] fewer = chunks.clone(); // older states keep their array
            freeChunks = Arrays.copyOf(freeChunks, chunks.length);
            keepEarlier();
            for (int index : one.chunks) { // from here on nothing may fail
                fewer[index] = MemorySegment.NULL;
                evicted[index] = null;
                freeChunks[freeChunkCount++] = index;
            }
            chunks = fewer;
            freed = one.after;
            one.file.delete();
        }
    }

    public void free(int frame) {
        int chunk = frame >>> CHUNK_SHIFT;
        Evicted one = chunk < evicted.length ? evicted[chunk] : null;
        if (one != null) {
            evictedFrames--;
            if (--one.live == 0) {
                one.after = freed;
                freed = one;
            }
            return;
        }
        if (freeCount == free.length) { // never for frames that were allocated here
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = frame;
    }

    /// Native bytes taken from the operating system.
    public long bytes() {
        return (long) memoryChunks << (CHUNK_SHIFT + Page.SHIFT);
    }
}
