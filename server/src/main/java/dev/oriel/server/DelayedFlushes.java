package dev.oriel.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Removals of all entries of a bucket that `flush_all` has delayed: at most one for each bucket, as memcached has
/// one for all its entries. None of them outlives the server. Safe for use by any number of threads.
final class DelayedFlushes {
    private final Consumer<String> empty;
    private final Timer timer;
    private final Map<String, Flush> pending = new HashMap<>(); // guarded by this

    /// Runs work after a delay.
    @FunctionalInterface
    interface Timer {
        Future<?> after(Runnable work, long micros);
    }

    /// One delayed removal.
    private static final class Flush {
        private @Nullable Future<?> timer;
    }

    /// @param empty removes the entries of a bucket
    DelayedFlushes(Consumer<String> empty, Timer timer) {
        this.empty = empty;
        this.timer = timer;
    }

    /// Removes the entries of `bucket` after `micros` microseconds, in place of its pending removal.
    synchronized void add(String bucket, long micros) {
        cancel(bucket);
        Flush flush = new Flush();
        pending.put(bucket, flush);
        flush.timer = timer.after(() -> run(bucket, flush), micros);
    }

    /// Cancels the pending removal of `bucket`, if there is one.
    synchronized void cancel(String bucket) {
        Flush before = pending.remove(bucket);
        if (before != null && before.timer != null) {
            before.timer.cancel(false);
        }
    }

    private void run(String bucket, Flush flush) {
        if (isDue(bucket, flush)) {
            empty.accept(bucket);
        }
    }

    /// Takes `flush` from the pending ones; false if it was cancelled after its timer had run out.
    private synchronized boolean isDue(String bucket, Flush flush) {
        return pending.remove(bucket, flush);
    }
}
