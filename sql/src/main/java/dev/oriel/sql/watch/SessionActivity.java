package dev.oriel.sql.watch;

import dev.oriel.sql.Session;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.store.engine.Store;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The current activity of one session, for observers, and the counters of its statements.
///
/// Its fields are plain and written by the session's thread. Readers may see slightly stale values, and fields from
/// different moments. Holds the session weakly: [Watch] sweeps one that was forgotten instead of closed.
public final class SessionActivity {
    /// Maximum number of kinds of statements that a session counts itself; the one first met is evicted.
    static final int KINDS_MAX = 128;

    /// Activity of a session.
    public enum State {
        /// No statement runs.
        IDLE,
        /// A statement runs, up to the first row of a query.
        EXECUTING,
        /// The result of a query is open: its rows are being produced, or the client works on them.
        FETCHING,
        /// A commit runs, until it is durable.
        COMMITTING
    }

    private static final int IDLE = 0;
    private static final int EXECUTING = 1;
    private static final int FETCHING = 2;
    private static final int COMMITTING = 3;

    private final Watch watch;
    private final long number;
    private final WeakReference<Session> session;

    /// Counters by fingerprint. Changed only by the session's thread, and read by others, under the monitor.
    private final Map<Long, StatementCounts> counts = new LinkedHashMap<>();

    private static final State[] STATES = {
        State.IDLE, State.EXECUTING, State.FETCHING, State.COMMITTING
    };

    /// A number rather than the constant: storing a reference costs a barrier of the collector.
    private int state;

    private @Nullable StatementCounts current;
    private @Nullable Thread thread;
    private @Nullable FollowedPlan followed;
    private long startTick;
    private int openRuns;

    /// Number of statements begun, which the governor multiplies by their cost.
    private long executions;

    private long timed;
    private long allocations;

    /// Number of the writing transaction, or 0.
    private long writer;

    private boolean inTransaction;
    private long transactionSince;
    private long timeoutMillis;
    private boolean cancelled;

    SessionActivity(Watch watch, long number, @Nullable Session session) {
        this.watch = watch;
        this.number = number;
        this.session = new WeakReference<>(session);
    }

    /// A snapshot of the activity.
    ///
    /// @param waiting event that its thread waits for: `lock`, `commit` or empty
    public record Seen(
            long number,
            State state,
            String waiting,
            @Nullable StatementEntry statement,
            long sinceTick,
            @Nullable Thread thread,
            long writer,
            boolean inTransaction,
            long timeoutMillis,
            boolean cancelled,
            @Nullable FollowedPlan followed) {}

    public long number() {
        return number;
    }

    public @Nullable Session session() {
        return session.get();
    }

    long executions() {
        return executions;
    }

    /// The number of timed executions so far; any thread may read it.
    long timed() {
        return timed;
    }

    /// The number of executions so far whose allocation was measured; any thread may read it.
    long allocations() {
        return allocations;
    }

    /// Notes that an execution was timed.
    void wasTimed(boolean withAllocation) {
        timed++;
        if (withAllocation) {
            allocations++;
        }
    }

    public boolean isActive() {
        return state != IDLE;
    }

    /// The counters of the kind of statement of `compiled`.
    StatementCounts counts(Compiler.Compiled compiled) {
        Long key = compiled.fingerprint();
        StatementCounts found = counts.get(key);
        if (found != null) {
            return found;
        }
        StatementEntry entry = watch.statements().entry(key, compiled.source());
        StatementCounts added = new StatementCounts(entry);
        int every = Math.min(entry.nextSession(), watch.timedEvery(entry.meanNanos()));
        added.timeOneOf(every, System.nanoTime());
        synchronized (this) {
            if (counts.size() == KINDS_MAX) {
                Iterator<StatementCounts> eldest = counts.values().iterator();
                StatementCounts given = eldest.next();
                eldest.remove();
                watch.statements().fold(given);
            }
            counts.put(key, added);
        }
        return added;
    }

    /// Notes the start of a statement. References are stored only if they change, which is cheaper.
    @SuppressWarnings("ReferenceEquality") // identity of the thread
    void begin(StatementCounts of, long tick) {
        if (current != of) {
            current = of;
        }
        Thread here = Thread.currentThread();
        if (thread != here) {
            thread = here;
        }
        startTick = tick;
        executions++;
        openRuns++;
        if (cancelled) {
            cancelled = false;
        }
        state = EXECUTING;
    }

    /// Sets the plan being measured; null to end the measurement.
    void follows(@Nullable FollowedPlan plan) {
        followed = plan;
    }

    /// Notes that the last statement begun has a result whose rows will be read.
    void fetching() {
        state = FETCHING;
    }

    /// Notes the end of a statement and its result.
    void end() {
        openRuns--;
        state = openRuns > 0 ? FETCHING : IDLE;
    }

    /// Notes the start of a commit; returns the state to pass to [#state(int)] after it.
    public int committing() {
        int before = state;
        state = COMMITTING;
        return before;
    }

    public void state(int now) {
        state = now;
    }

    /// Notes the start of a writing transaction; 0 notes its end.
    public void writer(long writerNumber) {
        writer = writerNumber;
    }

    public void inTransaction(boolean now) {
        if (now && !inTransaction) {
            transactionSince = System.nanoTime();
        }
        inTransaction = now;
    }

    /// Start of its transaction of several statements, by `System.nanoTime`; of the last one, if none is open.
    public long transactionSince() {
        return transactionSince;
    }

    public void timeoutMillis(long millis) {
        timeoutMillis = millis;
    }

    public void cancelled() {
        cancelled = true;
    }

    public Seen seen() {
        Thread by = thread;
        Object blocker = by == null || state == IDLE ? null : LockSupport.getBlocker(by);
        String waiting =
                Store.isLockWait(blocker) ? "lock" : Store.isCommitWait(blocker) ? "commit" : "";
        StatementCounts running = current;
        return new Seen(
                number,
                STATES[state],
                waiting,
                running == null ? null : running.entry,
                startTick,
                by,
                writer,
                inTransaction,
                timeoutMillis,
                cancelled,
                followed);
    }

    synchronized List<StatementCounts> counts() {
        return new ArrayList<>(counts.values());
    }

    /// Adds its counters to the table and resets them: the session is gone, or the counters were reset.
    synchronized void fold() {
        counts.values().forEach(watch.statements()::fold);
        counts.clear();
    }
}
