package dev.oriel.bench.voron;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;

/// Threads that take a snapshot, look pages up in it, release it and start over, until they are stopped. They register
/// like the readers of a store: publish the snapshot's number, then check that it is still the newest. So the writer
/// removes no version that a reader may look for. Each position found is checked: it must not be newer than the
/// snapshot, and one in each snapshot must be of its page.
final class VoronReaders implements AutoCloseable {
    private static final long FREE = Long.MAX_VALUE;
    private static final int STRIDE = 16;
    private static final int LOOKUPS_A_SNAPSHOT = 256;

    private final VersionMap map;
    private final VoronWorkout.Pages pages;
    private final int threads;
    private final AtomicLongArray slots;
    private final ExecutorService executor;
    private final List<Future<Long>> futures = new ArrayList<>();
    private volatile long committed;
    private volatile boolean stopped;

    /// Starts `threads` threads.
    VoronReaders(VersionMap map, VoronWorkout.Pages pages, int threads) {
        this.map = map;
        this.pages = pages;
        this.threads = threads;
        this.slots = new AtomicLongArray((threads + 1) * STRIDE);
        this.executor = Executors.newFixedThreadPool(Math.max(1, threads));
        for (int i = 0; i < threads; i++) {
            int slot = (i + 1) * STRIDE;
            slots.set(slot, FREE);
            futures.add(executor.submit(() -> look(slot)));
        }
    }

    /// Publishes commit `txid` to readers.
    void publish(long txid) {
        committed = txid;
    }

    /// The oldest snapshot in use, or `newest`.
    long oldest(long newest) {
        long oldest = newest;
        for (int i = 1; i <= threads; i++) {
            oldest = Math.min(oldest, slots.get(i * STRIDE));
        }
        return oldest;
    }

    private long look(int slot) {
        long count = 0;
        int next = slot * 31;
        while (!stopped) {
            long snapshot;
            do {
                snapshot = committed;
                slots.set(slot, snapshot);
            } while (committed != snapshot);
            VersionMap.Snapshot seen = map.snapshot(snapshot);
            for (int i = 0; i < LOOKUPS_A_SNAPSHOT; i++) {
                long page = pages.lookup(next++);
                long position = seen.get(page);
                if (position >= pages.firstPosition(snapshot + 1)) {
                    throw new IllegalStateException(
                            "Snapshot " + snapshot + " sees the later position " + position);
                }
                if (i == 0 && position != VersionMap.MISSING && pages.at(position) != page) {
                    throw new IllegalStateException(
                            "Page " + page + " is found at " + position + ", another's");
                }
            }
            count += LOOKUPS_A_SNAPSHOT;
            slots.set(slot, FREE);
        }
        return count;
    }

    /// Stops them.
    ///
    /// @return number of their lookups
    long stop() {
        stopped = true;
        long count = 0;
        try {
            for (Future<Long> future : futures) {
                count += future.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("A reader failed", e);
        }
        return count;
    }

    @Override
    public void close() {
        stopped = true;
        executor.close();
    }
}
