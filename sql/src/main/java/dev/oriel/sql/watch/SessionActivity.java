package dev.oriel.sql.watch;

import dev.oriel.sql.Session;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.store.Store;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// What one session is doing, for whoever looks from outside, and what its statements have counted.
///
/// Its fields are plain, written by the session's thread; who reads them sees each as it was a
/// moment ago, and two of them perhaps from two moments. Holds the session weakly: one that was
/// forgotten instead of closed is swept by [Watch].
public final class SessionActivity {
    /// Kinds of statements that a session counts for itself; the one met longest ago is given up.
    static final int KINDS_MAX = 128;

    /// What it does.
    public enum State {
        /// No statement runs.
        IDLE,
        /// It runs a statement, up to the first row of a query.
        EXECUTING,
        /// The result of a query is open: its rows are being made, or the client works on them.
        FETCHING,
        /// It commits, and makes that durable.
        COMMITTING
    }

    private static final int IDLE = 0;
    private static final int EXECUTING = 1;
    private static final int FETCHING = 2;
    private static final int COMMITTING = 3;

    private final Watch watch;
    private final long number;
    private final WeakReference<Session> session;

    /// Changed by the session's thread alone, under the monitor; read by others under the monitor.
    private final Map<Long, StatementCounts> counts = new LinkedHashMap<>();

    private static final State[] STATES = {
        State.IDLE, State.EXECUTING, State.FETCHING, State.COMMITTING
    };

    /// A number rather than the constant: to store a reference costs the collector's barrier.
    private int state;

    private @Nullable StatementCounts current;
    private @Nullable Thread thread;
    private @Nullable FollowedPlan followed;
    private long startTick;
    private int openRuns;

    /// How many statements have begun; what the governor multiplies.
    private long executions;

    /// Of the transaction that writes, or 0.
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

    /// What one moment shows of it.
    ///
    /// @param waiting what its thread waits for: `lock`, `commit` or nothing
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

    public boolean isActive() {
        return state != IDLE;
    }

    /// The counts of the kind of statement that `compiled` is.
    StatementCounts counts(Compiler.Compiled compiled) {
        Long key = compiled.fingerprint();
        StatementCounts found = counts.get(key);
        if (found != null) {
            return found;
        }
        StatementEntry entry = watch.statements().entry(key, compiled.source());
        StatementCounts added = new StatementCounts(entry);
        added.timeOneOf(Math.min(entry.nextSession(), watch.timedEvery()), System.nanoTime());
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

    /// A statement begins. References are stored only where they change: that is cheaper.
    @SuppressWarnings("ReferenceEquality") // the very thread
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

    /// The plan of a statement is measured; null for not any more.
    void follows(@Nullable FollowedPlan plan) {
        followed = plan;
    }

    /// The statement begun last has a result, whose rows will be asked for.
    void fetching() {
        state = FETCHING;
    }

    /// A statement is over, its result too.
    void end() {
        openRuns--;
        state = openRuns > 0 ? FETCHING : IDLE;
    }

    /// Returns what to call [#state(int)] with after the commit.
    public int committing() {
        int before = state;
        state = COMMITTING;
        return before;
    }

    public void state(int now) {
        state = now;
    }

    /// A transaction that writes has begun; or, with 0, ended.
    public void writer(long writerNumber) {
        writer = writerNumber;
    }

    public void inTransaction(boolean now) {
        if (now && !inTransaction) {
            transactionSince = System.nanoTime();
        }
        inTransaction = now;
    }

    /// When its transaction of several statements began, by `System.nanoTime`; of the last one, if there is none.
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

    /// The session is gone, or what was counted is to be counted elsewhere from now on.
    synchronized void fold() {
        counts.values().forEach(watch.statements()::fold);
        counts.clear();
    }
}
