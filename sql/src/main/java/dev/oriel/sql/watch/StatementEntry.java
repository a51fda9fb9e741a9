package dev.oriel.sql.watch;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.measure.CoarseClock;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One kind of statement: all texts that differ only in literals, white space and case. Holds the counters of
/// sessions that are gone. Guarded by its [StatementTable]'s lock.
public final class StatementEntry {
    /// Maximum number of kinds of errors counted by name; the rest are counted together.
    private static final int STATES_MAX = 16;

    private static final String OTHERS = "other";

    /// Upper bound of `sessions`.
    private static final int SESSIONS_MAX = 1 << 20;

    /// Age from which plans are kept: a statement executed only once gets no history.
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long fingerprint;
    private final String text;
    private final StatementTable table;
    private final long firstMillis = System.currentTimeMillis();
    private final long firstTick = CoarseClock.now();
    private volatile @Nullable PlanHistory plans;
    private final Map<String, Long> errors = new TreeMap<>();

    /// Number of slow executions per one whose operators are timed.
    private static final int TIMED_EVERY = 64;

    /// Whether to time the operators of the next execution, since a slow statement is usually slow again. Plain, as
    /// is `slow`: a race of two sessions is harmless.
    private boolean timesWanted;

    private int slow;

    /// Number of sessions that have counted it, up to [#SESSIONS_MAX]. Plain, too.
    private int sessions;

    /// Moving average of the timed executions of all sessions; 0 before the first. Plain: a lost update is harmless.
    private long meanNanos;

    /// Sum of the counters of closed sessions, and of counters evicted by open ones.
    final StatementCounts past;

    StatementEntry(StatementTable table, long fingerprint, String text) {
        this.table = table;
        this.fingerprint = fingerprint;
        this.text = text;
        this.past = new StatementCounts(this);
    }

    long fingerprint() {
        return fingerprint;
    }

    /// The normalised text, possibly truncated.
    public String text() {
        return text;
    }

    /// [#fingerprint()] as 16 hexadecimal digits.
    public String name() {
        return "%016x".formatted(fingerprint);
    }

    /// Time at which it was met first, since 1970.
    public long firstMillis() {
        return firstMillis;
    }

    /// Notes timed executions of `compiled` in one session, which took `nanos` together. The last one ended at `tick`
    /// of the coarse clock.
    void ran(Compiler.Compiled compiled, long executions, long nanos, long tick) {
        if (tick - firstTick >= SETTLED_NANOS && FollowedPlan.hasOperators(compiled.command())) {
            history().ran(compiled, executions, nanos);
        }
    }

    private PlanHistory history() {
        PlanHistory known = plans;
        if (known == null) {
            synchronized (this) {
                known = plans;
                if (known == null) {
                    known = new PlanHistory(table);
                    plans = known;
                }
            }
        }
        return known;
    }

    /// Plans of this kind; null if none were recorded.
    public @Nullable PlanHistory plans() {
        return plans;
    }

    /// Ends the history of this kind's plans, because the table evicts it.
    void endPlans() {
        history().end();
    }

    /// Notes a slow execution whose operators were not timed; whether to time the next execution.
    boolean wasSlow() {
        if (slow++ % TIMED_EVERY == 0) {
            timesWanted = true;
        }
        return timesWanted;
    }

    /// Whether to time the operators of this execution. Costs one read.
    boolean takeTimesWanted() {
        if (!timesWanted) {
            return false;
        }
        timesWanted = false;
        return true;
    }

    /// The average duration of late, over some eight timed executions.
    long meanNanos() {
        return meanNanos;
    }

    /// Adds a timed execution to the average. Sessions share the field, so it is written only for a large change.
    void took(long nanos) {
        long known = meanNanos;
        long next = known == 0 ? nanos : known + (nanos - known) / 8;
        if (Math.abs(next - known) > known >>> 5) {
            meanNanos = Math.max(1, next);
        }
    }

    /// Adds a session and returns the number of sessions.
    int nextSession() {
        int now = Math.min(sessions + 1, SESSIONS_MAX);
        sessions = now;
        return now;
    }

    void failed(String state) {
        boolean full = errors.size() >= STATES_MAX && !errors.containsKey(state);
        errors.merge(full ? OTHERS : state, 1L, Long::sum);
    }

    /// The number of errors of each kind: `22012: 1, 23505: 3`.
    String errorText() {
        StringBuilder text = new StringBuilder();
        errors.forEach((state, count) ->
                text.append(text.isEmpty() ? "" : ", ").append(state).append(": ").append(count));
        return text.toString();
    }
}
