package dev.oriel.store.data;

import dev.oriel.store.file.PageRun;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Pages of trees that are being filled (`TreeFill`): they are written straight to unused places of a file, each
/// once. No versions, no log.
///
/// A page is built in a buffer for a run of contiguous pages. The run is written with one call when it is full or
/// the next page is not contiguous. Numbers ascend from the first on and skip the pages of the free map.
public final class LoadedPages extends PageSpace {
    private static final int RUN_PAGES = 64;

    private final WriteGate writeGate;
    private final PageRun.Target target;
    private final MemorySegment run = Arena.ofAuto().allocate((long) RUN_PAGES << Page.SHIFT, 4096);
    private final PageNumbers numbers;
    private long next;
    private long claimEnd;
    private long runFirst;
    private int runPages;

    public LoadedPages(WriteGate writeGate, PageRun.Target target, PageNumbers numbers) {
        super(Pages.ofOneTransaction());
        this.writeGate = writeGate;
        this.target = target;
        this.numbers = numbers;
    }

    /// A number for a page that is to be built later.
    public long take() {
        while (true) {
            if (next == claimEnd) {
                next = numbers.claim();
                claimEnd = next + numbers.claimed();
            }
            long number = next++;
            if (!PageWriter.isFreeMap(number)) {
                return number;
            }
        }
    }

    /// Points [#pages] at the buffer for the page of this number; it must be built before any other.
    public void build(long page) {
        if (runPages == RUN_PAGES || page != runFirst + runPages) {
            flush();
            runFirst = page;
        }
        pages.segment = run;
        pages.at = (long) runPages << Page.SHIFT;
        runPages++;
    }

    @Override
    public long allocate() {
        long page = take();
        build(page);
        return page;
    }

    /// A page that was built is never changed.
    @Override
    public void touch(long page) {
        throw new IllegalStateException("a page of a load was touched: " + page);
    }

    /// Entries in order free no page.
    @Override
    public void free(long page) {
        throw new IllegalStateException("a page of a load was freed: " + page);
    }

    /// Writes the rest. The last page built stays in the buffer.
    public void finish() {
        flush();
        numbers.giveBack(next, claimEnd);
        next = claimEnd;
    }

    private void flush() {
        if (runPages == 0) {
            return;
        }
        for (int i = 0; i < runPages; i++) {
            PageChecksum.complete(run, (long) i << Page.SHIFT);
        }
        try {
            target.write(runFirst, run.asSlice(0, (long) runPages << Page.SHIFT));
        } catch (IOException e) {
            throw writeGate.failed(
                    "Loaded pages cannot be written; close the database and open it again", e);
        }
        runPages = 0;
    }
}
