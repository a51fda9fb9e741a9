package dev.oriel.server;

import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A long-running task on the database: its progress and its result. One thread runs it; any thread may read its
/// state or cancel it.
final class Job implements Progress {
    /// State of a job.
    enum State {
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    /// Does the work, and returns its result as a sentence.
    interface Work {
        String run(Job job);
    }

    private static final long REST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

    final long id;
    final String kind;
    final String by;
    final long startedMicros;
    private final Work work;
    private final long startedNanos = System.nanoTime();

    /// Greatest rate in pages a second; 0 for no limit.
    private final double pagesASecond;

    private volatile State state = State.RUNNING;
    private volatile long done;
    private volatile long total;
    private volatile long endedNanos;
    private volatile String result = "";
    private volatile boolean cancelled;
    private volatile @Nullable Thread thread;

    /// @param by name of the requester
    Job(long id, String kind, String by, long startedMicros, double pagesASecond, Work work) {
        this.id = id;
        this.kind = kind;
        this.by = by;
        this.startedMicros = startedMicros;
        this.pagesASecond = pagesASecond;
        this.work = work;
    }

    /// Runs the work; null, or the failure.
    @Nullable Throwable run() {
        try {
            result = work.run(this);
            end(State.DONE);
        } catch (CancellationException e) {
            result = "It was cancelled";
            end(State.CANCELLED);
        } catch (RuntimeException | Error e) { // kept for the readers of the job
            result = String.valueOf(e.getMessage());
            end(State.FAILED);
            return e;
        }
        return null;
    }

    private void end(State how) {
        endedNanos = System.nanoTime();
        state = how;
    }

    /// Notes the progress, waits if it is faster than its limit, and ends the work if it was cancelled.
    @Override
    public void at(long pages, long of) {
        done = pages;
        total = of;
        while (true) {
            if (cancelled) {
                throw new CancellationException();
            }
            double ahead =
                    pagesASecond <= 0
                            ? 0
                            : pages / pagesASecond * 1e9 - (System.nanoTime() - startedNanos);
            if (ahead <= 0) {
                return;
            }
            LockSupport.parkNanos((long) Math.min(ahead, (double) REST_NANOS_MAX));
        }
    }

    /// Starts `runner`, which calls [#run].
    ///
    /// @throws LimitException if the JVM can start no thread; the job has failed then
    void runOn(Thread runner) {
        thread = runner;
        try {
            runner.start();
        } catch (OutOfMemoryError e) {
            LimitException failure =
                    new LimitException(
                            "The JVM can make no more threads; let the process have more of them, or more memory",
                            "kind=" + kind,
                            e);
            result = String.valueOf(failure.getMessage());
            end(State.FAILED);
            throw failure;
        }
    }

    /// Waits for the end of its thread; false if it has not ended after `nanos`.
    boolean awaitEnd(long nanos) {
        Thread runner = thread;
        if (runner == null || !runner.isAlive()) {
            return true;
        }
        try {
            return runner.join(Duration.ofNanos(Math.max(1, nanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !runner.isAlive();
        }
    }

    /// Cancels the job: it ends at its next page.
    void cancel() {
        cancelled = true;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    State state() {
        return state;
    }

    /// Pages that are done.
    long done() {
        return done;
    }

    /// Total number of pages, as far as it is known; else 0.
    long total() {
        return total;
    }

    String result() {
        return result;
    }

    long millis() {
        long end = isRunning() ? System.nanoTime() : endedNanos;
        return (end - startedNanos) / 1_000_000;
    }
}
