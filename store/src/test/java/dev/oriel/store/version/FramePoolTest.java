package dev.oriel.store.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.SimDirectory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

final class FramePoolTest {
    /// Number of frames in a chunk.
    private static final int CHUNK = 1 << FramePool.CHUNK_SHIFT;

    private final FramePool framePool = new FramePool();
    private final PageTable table = new PageTable(framePool);
    private final StepDirectory directory = new StepDirectory(new SimDirectory());
    private final TemporaryFiles files = new TemporaryFiles(directory);

    /// Blocks without a frame in use go, from earlier arrays too, and their chunks' numbers are used again.
    @Test
    void whatIsNotInUseIsGivenBack() {
        int count = 40 * CHUNK;
        int[] frames = new int[count];
        for (int i = 0; i < count; i++) {
            frames[i] = framePool.allocate();
        }
        MemorySegment[] before = framePool.chunks();
        int length = before.length;
        long bytes = framePool.bytes();
        for (int i = 0; i < count; i++) {
            if (i != 5 * CHUNK) {
                framePool.free(frames[i]);
            }
        }
        framePool.trim();
        assertTrue(framePool.bytes() <= bytes / 4, () -> "bytes left: " + framePool.bytes());
        int last = frames[count - 1] >>> FramePool.CHUNK_SHIFT;
        assertEquals(0, before[last].byteSize(), "readers' arrays do not keep it");
        int used = frames[5 * CHUNK];
        assertTrue(FramePool.chunk(framePool.chunks(), used).byteSize() > 0, "one is in use");
        BitSet again = new BitSet();
        again.set(used);
        for (int i = 1; i < count; i++) {
            int frame = framePool.allocate();
            assertFalse(again.get(frame), "a frame is given once");
            again.set(frame);
            long end = FramePool.offset(frame) + Page.BYTES;
            assertTrue(FramePool.chunk(framePool.chunks(), frame).byteSize() >= end);
        }
        assertTrue(framePool.chunks().length <= length + 32, "numbers of chunks are used again");
        again.stream().forEach(framePool::free);
        framePool.trim();
        assertEquals(0, framePool.bytes());
    }

    /// Memory runs out when some of the chunks that map the file are made. Then none counts as evicted, nor does a
    /// later one with the same number.
    @Test
    void whatFailsHalfWayPutsNothingOutOfMemory() {
        long[] pages = new long[3 * CHUNK];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = i;
            table.add(i, 1, framePool.allocate());
        }
        int chunks = framePool.chunks().length;
        directory.shortMaps(CHUNK * (long) Page.BYTES); // enough for the first
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> framePool.evict(files, table, pages, pages.length));
        assertEquals(0, files.count());
        directory.shortMaps(Long.MAX_VALUE);
        int frame = 0;
        while (frame >>> FramePool.CHUNK_SHIFT < chunks) {
            frame = framePool.allocate();
        }
        framePool.free(frame);
        assertEquals(frame, framePool.allocate(), "it is memory, and free");
        framePool.evict(files, table, pages, CHUNK);
        assertFalse(framePool.isEvicted(frame));
        assertTrue(framePool.isEvicted(table.frame(table.head(pages[0]))));
    }
}
