package dev.oriel.store.data;

import dev.oriel.store.PageReads;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.memory.HeapMemory;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DataFileTest {
    /// Number of pages with a bit at first.
    private static final long PAGES = 1024;

    @AfterEach
    void enoughMemory() {
        HeapMemory.before = null;
    }

    /// A load and a checkpoint write at the same time, and both need more bits for verified pages. The one that
    /// needs fewer must not replace the longer array.
    @Test
    void theFileGrowsForTwoAtOnce() throws IOException {
        DataFile file =
                new DataFile(
                        new SimDirectory().open("data"),
                        0,
                        new PageReads(PageReads.Way.MAPPED, 1 << 20));
        PageRun.Target loads = file.loadingFrom(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment page = arena.allocate(Page.BYTES, 8);
            Page.format(page, 0, Page.SPACE, 3 * PAGES);
            PageChecksum.complete(page, 0);
            AtomicReference<@Nullable Thread> other = new AtomicReference<>();
            HeapMemory.before =
                    () -> {
                        HeapMemory.before = null;
                        other.set(runBeside(() -> checkpoint(file, loads, page)));
                    };
            write(loads, PAGES, page);
            join(Objects.requireNonNull(other.get()));
            file.verifyOnce(3 * PAGES);
            file.verifyAgain(3 * PAGES);
        }
    }

    /// Writes the page and has it read.
    private static void checkpoint(DataFile file, PageRun.Target to, MemorySegment page) {
        write(to, 3 * PAGES, page);
        try {
            file.mapAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(PageRun.Target to, long page, MemorySegment bytes) {
        try {
            to.write(page, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns once it has ended or waits for the calling thread.
    private static Thread runBeside(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
