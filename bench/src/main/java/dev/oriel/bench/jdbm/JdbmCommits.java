package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Threads that commit one record at a time.
final class JdbmCommits {
    static final int VALUE_BYTES = 150;

    private final Run run;
    private final RecordSubject subject;
    private final JdbmTimes times;
    private final JdbmData data;

    JdbmCommits(Run run, RecordSubject subject, JdbmTimes times) {
        this.run = run;
        this.subject = subject;
        this.times = times;
        this.data = new JdbmData(true, VALUE_BYTES, run.seed());
    }

    /// Measures `threads` of them in a store of its own in `folder`. The clock stops when it is closed and synced.
    /// The durations are those of single transactions, waits for others included.
    void measure(String caseName, Path folder, int threads, Durability durability)
            throws Exception {
        Files.createDirectories(folder);
        AtomicLong next = new AtomicLong();
        Latencies latencies;
        Meter meter;
        long before;
        try (RecordStore store = subject.open(folder, durability, 1_000_000)) {
            times.warmUp()
                    .repeat(() -> {
                        long done = next.get();
                        commits(store, next, threads, times.warmUp().window());
                        return next.get() - done;
                    });
            before = next.get();
            meter = Meter.start();
            latencies = commits(store, next, threads, times.commits());
        }
        RunFiles.sync(folder);
        run.rate(caseName, meter.stop(next.get() - before), durability, 0);
        run.latencies(caseName, latencies, durability);
        check(folder, durability, (int) next.get());
        RunFiles.delete(folder);
    }

    private Latencies commits(RecordStore store, AtomicLong next, int threads, Duration time)
            throws InterruptedException, ExecutionException {
        Latencies all = new Latencies();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            Callable<Latencies> task = () -> commit(store, next, time);
            List<Callable<Latencies>> tasks = new ArrayList<>(Collections.nCopies(threads, task));
            for (Future<Latencies> future : executor.invokeAll(tasks)) {
                all.add(future.get());
            }
        }
        return all;
    }

    private Latencies commit(RecordStore store, AtomicLong next, Duration time) {
        Latencies latencies = new Latencies();
        byte[] value = data.newValue();
        try (RecordStore.Session session = store.session()) {
            long begin = System.nanoTime();
            long now = begin;
            while (now - begin < time.toNanos()) {
                long before = now;
                session.begin();
                long id = next.getAndIncrement();
                data.fill(id, value);
                session.insert(id, value);
                session.commit();
                now = System.nanoTime();
                latencies.add(now - before);
            }
        }
        return latencies;
    }

    /// Checks that a reopened store has each commit.
    private void check(Path folder, Durability durability, int count) throws IOException {
        try (RecordStore store = subject.open(folder, durability, count);
                RecordStore.Session session = store.session()) {
            session.beginRead();
            long sum = session.scan();
            session.endRead();
            if (sum != data.scanSum(count)) {
                throw new IllegalStateException("Commits are lost");
            }
        }
    }
}
