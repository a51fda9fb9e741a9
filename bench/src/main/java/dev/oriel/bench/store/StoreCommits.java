package dev.oriel.bench.store;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Durable commits of one small change each: their latency with and without concurrent checkpoints, and their rate
/// from several threads.
final class StoreCommits {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int RECORDS = 100_000;
    private static final int VALUE_BYTES = 150;

    /// A log size so small that checkpoints follow each other without a pause.
    static final long SMALL_CHECKPOINT_BYTES = 1 << 20;

    /// A quarter of the usual.
    static final long LARGER_CHECKPOINT_BYTES = 8 << 20;

    static final long NO_CHECKPOINT = Long.MAX_VALUE / 8;

    private final Run run;
    private final long nanos;

    StoreCommits(Run run, long nanos) {
        this.run = run;
        this.nanos = nanos;
    }

    private static Slice key(int i) {
        return Slice.of("record %06d".formatted(i));
    }

    private static Store open(Path folder, long checkpointBytes) throws IOException {
        Files.createDirectories(folder);
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(checkpointBytes);
        return Store.open(DiskDirectory.open(folder), options);
    }

    private static Tree fill(Store store) {
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.createTree("t");
            Slice value = Slice.copyOf(new byte[VALUE_BYTES]);
            for (int i = 0; i < RECORDS; i++) {
                transaction.put(tree, key(i), value);
            }
            transaction.commit();
            return tree;
        }
    }

    /// One thread changes records at random.
    ///
    /// @param checkpointBytes bytes of log between two checkpoints
    void latencies(String caseName, long checkpointBytes) throws IOException {
        Path folder = run.folder().resolve("checkpoints-" + checkpointBytes);
        try (Store store = open(folder, checkpointBytes)) {
            Tree tree = fill(store);
            store.checkpoint();
            run.phase("warming up");
            change(store, tree, Durability.SYNC, nanos / 2);
            run.phase("timing");
            long before = store.stats().checkpoints();
            Latencies latencies = change(store, tree, Durability.SYNC, nanos);
            long done = store.stats().checkpoints() - before;
            run.latencies(caseName, latencies, Durability.SYNC);
            if (done > 0) {
                run.figure(caseName, "checkpoints", "times", (double) done, Durability.SYNC);
            }
        }
        RunFiles.delete(folder);
    }

    /// One thread makes commits that are written and not synced, while another one makes durable commits.
    void besideSyncs(String caseName) throws Exception {
        Path folder = run.folder().resolve("beside-syncs");
        try (Store store = open(folder, NO_CHECKPOINT);
                ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Tree tree = fill(store);
            run.phase("warming up");
            change(store, tree, Durability.WRITTEN, nanos / 2);
            run.phase("timing");
            Future<Latencies> synced =
                    executor.submit(() -> change(store, tree, Durability.SYNC, nanos));
            Latencies latencies = change(store, tree, Durability.WRITTEN, nanos);
            run.latencies(caseName, latencies, Durability.WRITTEN);
            run.figure(
                    caseName,
                    "durable commits",
                    "times",
                    (double) synced.get().count(),
                    Durability.SYNC);
        }
        RunFiles.delete(folder);
    }

    /// Each thread has records of its own.
    private Latencies change(Store store, Tree tree, Durability durability, long time) {
        SplittableRandom random = new SplittableRandom(run.seed());
        Latencies latencies = new Latencies();
        byte[] content = new byte[VALUE_BYTES];
        dev.oriel.store.Durability wanted = dev.oriel.store.Durability.valueOf(durability.name());
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < time) {
            long before = now;
            try (Transaction transaction = store.beginWrite()) {
                random.nextBytes(content);
                int record =
                        2 * random.nextInt(RECORDS / 2) + (durability == Durability.SYNC ? 0 : 1);
                transaction.put(tree, key(record), Slice.copyOf(content));
                transaction.durability(wanted);
                transaction.commit();
            }
            now = System.nanoTime();
            latencies.add(now - before);
        }
        return latencies;
    }

    /// Each thread adds one to a counter and commits: all to the same counter, or each to one of its own. In the
    /// end the counters must add up to the number of commits.
    void writers(String caseName, int threads, boolean hot) throws Exception {
        Path folder = run.folder().resolve((hot ? "hot-" : "distinct-") + threads);
        try (Store store = open(folder, StoreOptions.defaults().checkpointBytes())) {
            Tree tree = fill(store);
            run.phase("warming up");
            addAll(store, tree, threads, hot, nanos / 2);
            long before = sum(store, tree, threads);
            run.phase("timing");
            Meter meter = Meter.start();
            Latencies latencies = addAll(store, tree, threads, hot, nanos);
            run.rate(caseName, meter.stop(latencies.count()), Durability.SYNC, 0);
            run.latencies(caseName, latencies, Durability.SYNC);
            if (sum(store, tree, threads) - before != latencies.count()) {
                throw new IllegalStateException("Updates are lost");
            }
        }
        RunFiles.delete(folder);
    }

    private Latencies addAll(Store store, Tree tree, int threads, boolean hot, long time)
            throws Exception {
        Latencies all = new Latencies();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Callable<Latencies>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int counter = hot ? 0 : i * (RECORDS / threads);
                tasks.add(() -> add(store, tree, counter, time));
            }
            for (Future<Latencies> future : executor.invokeAll(tasks)) {
                all.add(future.get());
            }
        }
        return all;
    }

    private static Latencies add(Store store, Tree tree, int counter, long time) {
        Latencies latencies = new Latencies();
        Slice key = key(counter);
        Slice value = Slice.copyOf(new byte[VALUE_BYTES]);
        Slice found = new Slice();
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < time) {
            long before = now;
            try (Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
                lockAsItIsNow(transaction, tree, key);
                transaction.get(tree, key, found);
                long count = found.segment().get(LONG, found.offset());
                value.segment().set(LONG, value.offset(), count + 1);
                transaction.put(tree, key, value);
                transaction.commit();
            }
            now = System.nanoTime();
            latencies.add(now - before);
        }
        return latencies;
    }

    /// Locks as a statement of SQL does: a change since the snapshot is seen by refreshing it, and the lock is
    /// kept.
    private static void lockAsItIsNow(Transaction transaction, Tree tree, Slice key) {
        while (true) {
            try {
                transaction.lock(tree, key, LockMode.EXCLUSIVE, transaction.patience());
                return;
            } catch (ConflictException e) {
                if (e.reason() != ConflictException.Reason.CHANGED) {
                    throw e;
                }
                transaction.refresh();
            }
        }
    }

    private static long sum(Store store, Tree tree, int threads) {
        long sum = 0;
        Slice found = new Slice();
        try (Transaction transaction = store.beginRead()) {
            for (int i = 0; i < threads; i++) {
                if (transaction.get(tree, key(i * (RECORDS / threads)), found)) {
                    sum += found.segment().get(LONG, found.offset());
                }
            }
        }
        return sum;
    }
}
