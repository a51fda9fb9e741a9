package dev.oriel.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/// Pages of a tree that is being loaded in the order of keys: they are written straight to places of the
/// data file that nobody counts on, each once, when it is full. No versions, no log.
///
/// A leaf that keys in order have filled is never looked at again, nor is an overflow page. So only the
/// one that is being filled stays in memory, and the branches, of which there is one for a hundred leaves or so.
/// Numbers ascend from the first on and pass over the pages of the free map.
final class LoadedPages extends PageSpace {
    /// So many pages come together before they are written.
    private static final int KEPT_PAGES = 64;

    private static final int BLOCK_PAGES = 64;
    private static final int RUN_PAGES = 64;

    private final Health health;
    private final PageRun.Target target;
    private long next;

    /// By page number; those that were written are there no more.
    private MemorySegment[] frames;

    private MemorySegment[] idle = {};
    private int idleCount;
    private final Queue<Long> newest = new ArrayDeque<>();
    private final Queue<Long> branches = new ArrayDeque<>();

    /// Pages side by side, to be written with one call.
    private final MemorySegment run = Arena.ofAuto().allocate((long) RUN_PAGES << Page.SHIFT, 4096);

    private long runFirst;
    private int runPages;

    /// @param first no page from this one on is of any use to anybody
    LoadedPages(Health health, PageRun.Target target, long first) {
        super(Pages.ofOneTransaction());
        this.health = health;
        this.target = target;
        this.next = first;
        this.frames = new MemorySegment[(int) first + BLOCK_PAGES];
    }

    /// The number behind the last page.
    long end() {
        return next;
    }

    @Override
    void touch(long page) {
        pages.locate(page);
    }

    @Override
    long allocate() {
        next += PageWriter.isFreeMap(next) ? 1 : 0;
        long page = next++;
        if (page >= frames.length) {
            frames = Arrays.copyOf(frames, (int) Math.max(page + 1, frames.length * 3L / 2));
        }
        frames[(int) page] = takeFrame();
        pages.usePrivate(frames);
        pages.locate(page);
        newest.add(page);
        return page;
    }

    private MemorySegment takeFrame() {
        if (idleCount == 0) {
            MemorySegment block = Arena.ofAuto().allocate((long) BLOCK_PAGES << Page.SHIFT, 4096);
            idle = new MemorySegment[BLOCK_PAGES];
            for (int i = 0; i < BLOCK_PAGES; i++) {
                idle[i] = block.asSlice((long) i << Page.SHIFT, Page.BYTES);
            }
            idleCount = BLOCK_PAGES;
        }
        return idle[--idleCount];
    }

    /// Entries in order free no page.
    @Override
    void free(long page) {
        throw new IllegalStateException("a page of a load was freed: " + page);
    }

    /// Writes the leaves and overflow pages that entries in order have left behind, where there are some:
    /// all but the leaf that is being filled, which is located.
    void writeFilled() {
        if (newest.size() < KEPT_PAGES) {
            return;
        }
        long filling = Page.number(pages.segment, pages.at);
        for (int i = newest.size(); i > 0; i--) {
            long page = newest.remove();
            if (Page.kind(frames[(int) page], 0) == Page.BRANCH) {
                branches.add(page);
            } else if (page == filling) {
                newest.add(page);
            } else {
                write(page);
            }
        }
    }

    private void write(long page) {
        MemorySegment frame = frames[(int) page];
        frames[(int) page] = MemorySegment.NULL;
        DataFile.complete(frame, 0);
        if (runPages == RUN_PAGES || page != runFirst + runPages) {
            flush();
            runFirst = page;
        }
        MemorySegment.copy(frame, 0, run, (long) runPages << Page.SHIFT, Page.BYTES);
        runPages++;
        if (idleCount < idle.length) {
            idle[idleCount++] = frame;
        }
    }

    private void flush() {
        if (runPages == 0) {
            return;
        }
        try {
            target.write(runFirst, run.asSlice(0, (long) runPages << Page.SHIFT));
        } catch (IOException e) {
            throw health.failed(
                    "Loaded pages cannot be written; close the database and open it again", e);
        }
        runPages = 0;
    }

    /// Writes what is left.
    void finish() {
        branches.addAll(newest);
        newest.clear();
        branches.forEach(this::write);
        flush();
    }
}
