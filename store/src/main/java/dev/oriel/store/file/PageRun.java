package dev.oriel.store.file;

import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes pages to a file, neighbouring ones with one call. A page without a neighbour is written from its own
/// memory; so is each if there is no memory to put neighbours together, since a checkpoint gives memory back.
///
/// After each stretch the file is synced, so that the final sync finds little to do. The log's own syncs, which
/// commits wait for, do not queue behind all of it. A [CheckpointThrottle] sets the length of a stretch and the
/// pause to the next.
public final class PageRun {
    private static final int PAGES_MAX = 16;

    /// The target file; `first` counts pages from its beginning.
    public interface Target {
        void write(long first, MemorySegment run) throws IOException;

        void sync() throws IOException;
    }

    private final Target target;
    private final CheckpointThrottle throttle;
    private MemorySegment only = MemorySegment.NULL;
    private MemorySegment staging = MemorySegment.NULL;
    private boolean alone;
    private long first;
    private int pages;
    private int unsynced;

    /// Creates an unthrottled run.
    public PageRun(Target target) {
        this(target, CheckpointThrottle.NONE);
    }

    public PageRun(Target target, CheckpointThrottle throttle) {
        this.target = target;
        this.throttle = throttle;
    }

    /// Adds the page for place `place`; `page` must stay unchanged until the run is flushed.
    public void add(long place, MemorySegment page) throws IOException {
        if (pages == PAGES_MAX || place != first + pages || (pages == 1 && !hasStaging())) {
            flush();
        }
        if (pages == 0) {
            first = place;
            only = page;
        } else {
            stage(page);
        }
        pages++;
    }

    /// Tries once to get memory for neighbours.
    private boolean hasStaging() {
        if (staging.byteSize() == 0 && !alone) {
            try {
                staging = NativeMemory.allocate((long) PAGES_MAX << Page.SHIFT, 4096);
            } catch (OutOfMemoryError scarce) {
                alone = true;
            }
        }
        return !alone;
    }

    private void stage(MemorySegment page) {
        if (pages == 1) {
            MemorySegment.copy(only, 0, staging, 0, Page.BYTES);
        }
        MemorySegment.copy(page, 0, staging, (long) pages << Page.SHIFT, Page.BYTES);
    }

    /// Writes the remaining pages.
    public void flush() throws IOException {
        if (pages == 0) {
            return;
        }
        target.write(first, pages == 1 ? only : staging.asSlice(0, (long) pages << Page.SHIFT));
        unsynced += pages;
        pages = 0;
        if (unsynced >= throttle.pagesASync()) {
            target.sync();
            throttle.wrote(unsynced);
            unsynced = 0;
        }
    }
}
