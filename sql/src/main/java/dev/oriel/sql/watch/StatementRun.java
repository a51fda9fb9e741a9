package dev.oriel.sql.watch;

import dev.oriel.profiler.AllocationCounter;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.measure.CoarseClock;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.TableTransaction;
import org.jspecify.annotations.Nullable;

/// Counts one execution of a prepared statement, from its start to the end of its result. Reused for each
/// execution; allocates nothing.
///
/// Its cost is the whole cost of the counters that are always on: see `sys.profile_overhead`.
public final class StatementRun {
    private final Watch watch;
    private final SessionActivity activity;
    private @Nullable StatementCounts counts;
    private @Nullable TableTransaction entered;

    /// The plan being measured; null if none is.
    private @Nullable FollowedPlan followed;

    private boolean running;
    private long started;

    /// Bytes that the thread had allocated at the start; -1 if they are not measured.
    private long allocatedBefore = -1;

    /// The thread whose allocation is measured. An execution that ends in another one is not.
    private @Nullable Thread measured;

    /// Start time if a profile ran then; else 0.
    private long profiled;

    private long startTick;

    /// Number of rows changed so far; for a query the number is passed at its end.
    private long rows;

    private long pages;

    /// Number of pages that the query's transaction had read before it.
    private long pagesBefore;

    private long lockWaits;
    private long lockWaitNanos;

    public StatementRun(Watch watch, SessionActivity activity) {
        this.watch = watch;
        this.activity = activity;
    }

    public void begin(Compiler.Compiled compiled) {
        if (!watch.on()) {
            return;
        }
        StatementCounts known = counts;
        if (known == null || known.folded || known.entry.fingerprint() != compiled.fingerprint()) {
            known = activity.counts(compiled);
        }
        start(known);
    }

    /// Same as [#begin], with the counters known.
    void start(StatementCounts known) {
        if (counts != known) { // comparing a reference costs less than storing it
            counts = known;
        }
        CoarseClock.wake();
        startTick = CoarseClock.now();
        activity.begin(known, startTick);
        running = true;
        if (watch.timeline() != null) {
            profiled = System.nanoTime() | 1;
        }
        if (known.allocationWanted()) {
            measured = Thread.currentThread();
            allocatedBefore = AllocationCounter.currentBytes();
        } else if (measured != null) {
            measured = null;
        }
        started = known.begin();
    }

    /// Measures the operators of `plan` from now on; null stops it.
    public void follows(@Nullable FollowedPlan plan) {
        followed = plan;
        activity.follows(plan);
    }

    /// Whether to time the operators of this execution.
    public boolean timesWanted() {
        StatementCounts own = counts;
        return running && own != null && own.entry.takeTimesWanted();
    }

    /// Notes that a result is open, whose rows will be read one by one.
    public void fetching() {
        if (running) {
            activity.fetching();
        }
    }

    /// Notes that a query begins to read in `transaction`, whose earlier reads do not count.
    public void readsFrom(TableTransaction transaction) {
        pagesBefore = transaction.pagesRead();
    }

    /// Notes that the statement continues in `transaction`, to write.
    public void enter(TableTransaction transaction) {
        leave();
        if (running) {
            entered = transaction;
            pages -= transaction.pagesRead();
            lockWaits -= transaction.lockWaits();
            lockWaitNanos -= transaction.lockWaitNanos();
        }
    }

    /// Notes that the statement is done with the transaction entered, if any.
    public void leave() {
        TableTransaction transaction = entered;
        if (transaction != null) {
            pages += transaction.pagesRead();
            lockWaits += transaction.lockWaits();
            lockWaitNanos += transaction.lockWaitNanos();
            entered = null;
        }
    }

    public void rows(long more) {
        if (running) {
            rows += more;
        }
    }

    public void restarted() {
        if (running && counts != null) {
            counts.restarts++;
        }
    }

    public void logged(long bytes) {
        if (running && counts != null) {
            counts.logBytes += bytes;
        }
    }

    public void failed(Throwable failure) {
        if (running && counts != null) {
            counts.errors++;
            watch.failed(
                    counts.entry,
                    failure instanceof DatabaseException known
                            ? watch.stateOf(known)
                            : failure.getClass().getSimpleName());
        }
    }

    /// Notes the end of the execution; a second call does nothing.
    public void end(Compiler.Compiled compiled) {
        leave();
        long ownRows = rows;
        long ownPages = pages;
        if (ownRows != 0 || ownPages != 0) {
            rows = 0;
            pages = 0;
        }
        end(compiled, ownRows, ownPages);
    }

    /// Notes the end of a query that has read in `transaction` and returned `returned` rows.
    public void end(Compiler.Compiled compiled, TableTransaction transaction, long returned) {
        if (running) {
            end(compiled, returned, transaction.pagesRead() - pagesBefore);
        }
    }

    private void end(Compiler.Compiled compiled, long ownRows, long ownPages) {
        StatementCounts own = counts;
        if (!running || own == null) {
            return;
        }
        own.rows += ownRows;
        own.pages += Math.max(0, ownPages);
        long waited = 0;
        if (lockWaits > 0) {
            waited = lockWaitNanos;
            own.lockWaits += lockWaits;
            own.lockWaitNanos += waited;
            lockWaits = 0;
            lockWaitNanos = 0;
        }
        boolean slow = stop();
        if (started != 0) {
            own.ran(compiled, CoarseClock.now());
        }
        if (slow) {
            long nanos = started == 0 ? CoarseClock.now() - startTick : System.nanoTime() - started;
            watch.slow(activity, own.entry, nanos, ownRows, ownPages, waited, compiled, followed);
        }
    }

    /// The end of a running execution; whether it was slow.
    boolean stop() {
        StatementCounts own = counts;
        if (own == null) {
            return false;
        }
        running = false;
        long ticks = CoarseClock.now() - startTick;
        if (started != 0) {
            activity.wasTimed(measured != null);
        }
        own.end(started, ticks, watch);
        if (measured != null) {
            allocated(own);
        }
        activity.end();
        StatementTimeline timeline = watch.timeline();
        if (timeline != null) {
            timeline.add(
                    Thread.currentThread(),
                    new StatementTimeline.Execution(
                            profiled == 0 ? timeline.startedNanos() : profiled,
                            System.nanoTime(),
                            activity.number(),
                            own.entry,
                            followed));
        }
        if (profiled != 0) {
            profiled = 0;
        }
        return ticks >= watch.slowNanos();
    }

    @SuppressWarnings("ReferenceEquality") // identity of the thread
    private void allocated(StatementCounts own) {
        if (allocatedBefore >= 0 && measured == Thread.currentThread()) {
            own.allocated(AllocationCounter.currentBytes() - allocatedBefore);
        }
        measured = null;
    }
}
