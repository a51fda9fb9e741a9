package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StoreStats;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Backups, checks and compactions while the server runs: one at a time. The last 32 are kept. Safe for use by any
/// number of threads.
final class Jobs {
    private static final int KEPT = 32;
    private static final long PAGE_BYTES_MIN = 8 << 10;
    private static final long PAGE_BYTES_MAX = 32 << 10;

    /// Greatest time that [#close] waits: a job looks at every page whether it was cancelled.
    private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final OrielServer server;
    private final Deque<Job> jobs = new ArrayDeque<>(); // guarded by this, the newest first
    private long lastId; // guarded by this
    final LongAdder backups = new LongAdder();
    final LongAdder failures = new LongAdder();
    private volatile long backedUpMicros;

    Jobs(OrielServer server) {
        this.server = server;
    }

    /// Copies the database into `target`.
    Job backup(Path target, int megabytesASecond, String by) {
        return start(
                "backup",
                by,
                megabytesASecond,
                job -> {
                    server.database().backup(target, job);
                    backups.increment();
                    backedUpMicros = server.buckets().nowMicros();
                    return "The copy in " + target + " is complete";
                });
    }

    /// Checks the whole database.
    Job check(int megabytesASecond, String by) {
        return start(
                "check",
                by,
                megabytesASecond,
                job -> {
                    List<String> faults = server.database().check(job);
                    if (!faults.isEmpty()) {
                        throw new CorruptionException(
                                "The database is damaged; restore a backup, or copy the readable data into"
                                        + " a new one: "
                                        + String.join(" ", faults),
                                "faults=" + faults.size());
                    }
                    return "All is well";
                });
    }

    /// Returns free space to the file system.
    Job compact(int megabytesASecond, String by) {
        return start(
                "compact",
                by,
                megabytesASecond,
                job -> {
                    long before = server.database().stats().fileBytes();
                    server.database().compact(job);
                    long after = server.database().stats().fileBytes();
                    return "%d bytes before, %d bytes after".formatted(before, after);
                });
    }

    private Job start(String kind, String by, int megabytesASecond, Job.Work work) {
        Job job;
        synchronized (this) {
            Job newest = jobs.peekFirst();
            if (newest != null && newest.isRunning()) {
                throw new LimitException(
                        "Another job is running; wait for it, or cancel it",
                        "job=" + newest.id + " kind=" + newest.kind);
            }
            job =
                    new Job(
                            ++lastId,
                            kind,
                            by,
                            server.buckets().nowMicros(),
                            megabytesASecond * 1e6 / pageBytes(server.database()),
                            work);
            jobs.addFirst(job);
            if (jobs.size() > KEPT) {
                jobs.removeLast();
            }
        }
        server.log().said("Work has begun", "kind", kind, "job", job.id + "", "by", by);
        job.runOn(Thread.ofPlatform().daemon().name("oriel-" + kind).unstarted(() -> run(job)));
        return job;
    }

    private void run(Job job) {
        Throwable failure = job.run();
        String millis = Long.toString(job.millis());
        String[] facts = {
            "kind", job.kind, "job", job.id + "", "millis", millis, "result", job.result()
        };
        if (failure == null) {
            server.log().said("Work has ended", facts);
        } else {
            failures.increment();
            server.log().failed("Work has failed", failure, facts);
        }
    }

    /// Bytes of a page: the data file is less than twice as long as its pages.
    private static long pageBytes(Database database) {
        StoreStats stats = database.stats();
        long most = Long.highestOneBit(Math.max(1, stats.dataBytes() / Math.max(1, stats.pages())));
        return Math.clamp(most, PAGE_BYTES_MIN, PAGE_BYTES_MAX);
    }

    /// The kept jobs, the newest first.
    synchronized List<Job> all() {
        return List.copyOf(jobs);
    }

    /// The job of that number, or null.
    synchronized @Nullable Job of(long id) {
        return jobs.stream().filter(job -> job.id == id).findFirst().orElse(null);
    }

    /// There is a backup from an earlier start.
    void backedUp(long micros) {
        backedUpMicros = Math.max(backedUpMicros, micros);
    }

    /// Time at which the last backup was complete, in microseconds since 1970; 0 if there is none. A backup from an
    /// earlier start counts from its begin.
    long backedUpMicros() {
        return backedUpMicros;
    }

    /// Cancels the running job and waits for its end, for a limited time.
    void close() {
        List<Job> last = all();
        last.forEach(Job::cancel);
        long end = System.nanoTime() + END_NANOS_MAX;
        for (Job job : last) {
            if (!job.awaitEnd(end - System.nanoTime())) {
                server.log()
                        .warned("Work goes on after the end", "kind", job.kind, "job", job.id + "");
            }
        }
    }
}
