package dev.oriel.store.data;

import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Pages in memory that are private to one transaction: no versions, no log, no free map. A page's number is its
/// index in `frames`; 0 is no page, because links and fingers use it for none.
///
/// Memory is taken in blocks, the first of one page, each as large as all before it, up to 4 MB: many small
/// concurrent transactions cost little. After a large one almost all is given back.
public final class PrivatePages extends PageSpace {
    /// Number of pages kept: a power of two, so that the kept part ends with a block.
    public static final int KEPT_PAGES = 32;

    private static final int BLOCK_PAGES_MAX = 512;

    /// Segments of the pages, one each; the array is replaced, never changed, when pages are added.
    private MemorySegment[] frames = {MemorySegment.NULL};

    private int next = 1;
    private int[] free = {};
    private int freeCount;

    public PrivatePages() {
        super(Pages.ofOneTransaction());
    }

    @Override
    public void touch(long page) {
        pages.locate(page);
    }

    @Override
    public long allocate() {
        int page = freeCount > 0 ? free[--freeCount] : takeNew();
        pages.locate(page);
        return page;
    }

    private int takeNew() {
        if (next == frames.length) {
            addBlock();
        }
        return next++;
    }

    private void addBlock() {
        int before = frames.length;
        int added = Math.clamp(before - 1, 1, BLOCK_PAGES_MAX);
        MemorySegment block = NativeMemory.allocate((long) added << Page.SHIFT, 64);
        MemorySegment[] more = Arrays.copyOf(frames, before + added);
        for (int i = 0; i < added; i++) {
            more[before + i] = block.asSlice((long) i << Page.SHIFT, Page.BYTES);
        }
        use(more);
    }

    private void use(MemorySegment[] others) {
        frames = others;
        pages.usePrivate(others);
    }

    @Override
    public void free(long page) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, Math.max(16, freeCount * 2));
        }
        free[freeCount++] = (int) page;
    }

    /// Forgets all pages, and keeps their memory.
    public void begin() {
        next = 1;
        freeCount = 0;
    }

    /// Forgets all pages. The memory of a few is kept for the next transaction; the rest is freed when no slice refers
    /// to it.
    public void clear() {
        begin();
        if (frames.length > KEPT_PAGES + 1) {
            use(Arrays.copyOf(frames, KEPT_PAGES + 1));
            free = new int[0];
            pages.leave();
        }
    }

    /// Bytes of the pages in use.
    public long bytes() {
        return (long) (next - 1 - freeCount) << Page.SHIFT;
    }

    /// Native bytes taken from the operating system.
    public long memoryBytes() {
        return (long) (frames.length - 1) << Page.SHIFT;
    }
}
