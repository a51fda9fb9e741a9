package dev.oriel.store.checkpoint;

import dev.oriel.store.Entries;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.LoadedPages;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.StoreThreads;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.tree.TreeFill;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Fills one tree in one thread: entries become pages ([TreeFill]), and [Load] puts the root in its place later.
final class FillTask {
    /// Number of entries between two calls of the watch.
    private static final int ENTRIES_A_LOOK = 1 << 14;

    private static final int WAIT_MILLIS = 100;

    private final Load.Filling filling;
    private final LoadedPages pages;
    private long count;
    private long top;

    FillTask(Load.Filling filling, LoadedPages pages) {
        this.filling = filling;
        this.pages = pages;
    }

    /// Runs all tasks in this thread and another one, and `watch` periodically in this one. The first exception of
    /// any of them is thrown here, when none is running.
    static void runBesides(StoreThreads threads, List<FillTask> tasks, Runnable watch) {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Runnable goOn =
                () -> {
                    if (failure.get() != null) {
                        throw new IllegalStateException("another tree could not be filled");
                    }
                };
        Thread beside = startBeside(threads, () -> runSome(tasks, next, failure, goOn));
        runSome(
                tasks,
                next,
                failure,
                () -> {
                    goOn.run();
                    watch.run();
                });
        if (beside != null) {
            join(beside, failure, watch);
        }
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /// Null if the JVM can create no thread: then the caller runs all tasks.
    private static @Nullable Thread startBeside(StoreThreads threads, Runnable work) {
        try {
            return threads.start("oriel-bulk-fill", work);
        } catch (LimitException e) {
            EventLog.say(System.Logger.Level.DEBUG, "Trees are filled one after the other", e);
            return null;
        }
    }

    private static void runSome(
            List<FillTask> tasks,
            AtomicInteger next,
            AtomicReference<@Nullable Throwable> failure,
            Runnable watch) {
        int at = next.getAndIncrement();
        while (at < tasks.size() && failure.get() == null) {
            try {
                tasks.get(at).run(watch);
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
            at = next.getAndIncrement();
        }
    }

    /// Waits for `thread`, even if this thread is interrupted.
    private static void join(
            Thread thread, AtomicReference<@Nullable Throwable> failure, Runnable watch) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(WAIT_MILLIS);
                if (failure.get() == null) {
                    watch.run();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// @param watch is run periodically; an exception from it ends the task
    void run(Runnable watch) {
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
            if (count % ENTRIES_A_LOOK == 0) {
                watch.run();
            }
        }
        top = tree.finish();
        pages.finish();
    }

    long root() {
        return filling.root();
    }

    /// Number of entries.
    long count() {
        return count;
    }

    /// The number of the root page, and its position in memory.
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
