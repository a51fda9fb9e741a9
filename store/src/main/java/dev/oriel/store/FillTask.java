package dev.oriel.store;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// The filling of one tree by one thread: entries become pages ([TreeFill]), and what leads to them
// is left for
/// [Load] to put in its place.
final class FillTask {
    private final Load.Filling filling;
    private final LoadedPages pages;
    private long count;
    private long top;

    FillTask(Load.Filling filling, LoadedPages pages) {
        this.filling = filling;
        this.pages = pages;
    }

    /// Runs all tasks, in this thread and one beside it. What one of them throws is thrown here,
    // when none
    /// runs any more.
    static void runBesides(List<FillTask> tasks) {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Runnable some =
                () -> {
                    int at = next.getAndIncrement();
                    while (at < tasks.size() && failure.get() == null) {
                        try {
                            tasks.get(at).run();
                        } catch (RuntimeException | Error e) {
                            failure.compareAndSet(null, e);
                        }
                        at = next.getAndIncrement();
                    }
                };
        Thread beside = new Thread(some, "oriel-bulk-fill");
        beside.setDaemon(true);
        beside.start();
        some.run();
        join(beside);
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /// Waits for `thread`, whatever happens to this one meanwhile.
    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void run() {
        TreeFill tree = new TreeFill(pages);
        Entries entries = filling.entries();
        Slice key = new Slice();
        Slice value = new Slice();
        while (entries.next(key, value)) {
            TreeEditor.checkLengths(key, value);
            if (!tree.add(key, value)) {
                throw new UsageException(
                        "The keys of a load must ascend, each only once; sort them, or put the entries",
                        "entry=" + count);
            }
            count++;
        }
        top = tree.finish();
        pages.finish();
    }

    long root() {
        return filling.root();
    }

    /// How many entries there were.
    long count() {
        return count;
    }

    /// The number of the root, and where it lies.
    long top() {
        return top;
    }

    MemorySegment content() {
        return pages.pages.segment;
    }

    long contentAt() {
        return pages.pages.at;
    }
}
