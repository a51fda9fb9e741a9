package dev.oriel.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes pages to a file, those that lie side by side with one call. A page that has no neighbour is
/// written from where it lies.
///
/// After each stretch the file is synced, so that the sync that counts finds little to do and the log's own
/// syncs, which commits wait for, do not stand behind all of it. How long a stretch is, and how soon the next one
/// follows, says a [CheckpointThrottle].
final class PageRun {
    private static final int PAGES_MAX = 16;

    /// The file; `first` counts pages from its beginning.
    interface Target {
        void write(long first, MemorySegment run) throws IOException;

        void sync() throws IOException;
    }

    private final Target target;
    private final CheckpointThrottle throttle;
    private MemorySegment only = MemorySegment.NULL;
    private MemorySegment staging = MemorySegment.NULL;
    private long first;
    private int pages;
    private int unsynced;

    /// As fast as it goes.
    PageRun(Target target) {
        this(target, CheckpointThrottle.NONE);
    }

    PageRun(Target target, CheckpointThrottle throttle) {
        this.target = target;
        this.throttle = throttle;
    }

    /// Adds the page that belongs to place `place`; `page` must stay as it is until the run is flushed.
    void add(long place, MemorySegment page) throws IOException {
        if (pages == PAGES_MAX || place != first + pages) {
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

    private void stage(MemorySegment page) {
        if (staging.byteSize() == 0) {
            staging = NativeMemory.allocate((long) PAGES_MAX << Page.SHIFT, 4096);
        }
        if (pages == 1) {
            MemorySegment.copy(only, 0, staging, 0, Page.BYTES);
        }
        MemorySegment.copy(page, 0, staging, (long) pages << Page.SHIFT, Page.BYTES);
    }

    /// Writes what is left.
    void flush() throws IOException {
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
