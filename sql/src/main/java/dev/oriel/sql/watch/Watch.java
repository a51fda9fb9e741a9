package dev.oriel.sql.watch;

import dev.oriel.sql.Session;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.CoarseClock;
import dev.oriel.sql.measure.OperatorTrack;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.syntax.ExplainOptions;
import dev.oriel.store.DatabaseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The monitoring that is always on: counters by kind of statement, samples of sessions, and slow executions. One
/// for each `Sql`. Its sessions write, the thread of [CoarseClock] samples, and the tables of `sys` read. Safe for
/// use by any number of threads.
public final class Watch implements CoarseClock.Watcher {
    /// Number that [#following()] never returns.
    public static final long ANEW = -1;

    /// Default duration from which an execution is logged as slow.
    private static final long SLOW_MILLIS = 500;

    /// Maximum number of exact clock readings, which take a few milliseconds: timing must not slow a slow statement
    /// further.
    private static final long EXACT_CHANGES_MOST = 1 << 15;

    private final Function<DatabaseException, String> states;
    private final Supplier<Estimate> estimates;
    private final StatementTable statements = new StatementTable();
    private final SessionHistory history = new SessionHistory();
    private final SlowStatements slow = new SlowStatements();
    private final ConcurrentHashMap<Long, SessionActivity> sessions = new ConcurrentHashMap<>();
    private final AtomicLong sessionNumbers = new AtomicLong();
    private final WatchGovernor governor = new WatchGovernor();
    private final ProfileRuns profiles = new ProfileRuns(this);

    /// Timeline of the running profile; null if none runs. Plain, like `on`.
    private @Nullable StatementTimeline timeline;

    /// Executions whose operators are timed for the log of slow statements.
    public enum OperatorTimes {
        /// None.
        OFF,
        /// The next execution of a kind of statement that was slow, and later one per 64 slow ones.
        SLOW,
        /// All.
        ON
    }

    private OperatorTimes operatorTimes = OperatorTimes.SLOW;

    /// Version of the choice of statements to measure; incremented on each change. Plain, like `on`.
    private long following;

    private boolean on = true;
    private long slowNanos = TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS);
    private long ticks;

    /// @param states maps an error to its SQLState, the name it is counted by
    /// @param estimates row estimates, for the plans of slow statements
    public Watch(Function<DatabaseException, String> states, Supplier<Estimate> estimates) {
        this.states = states;
        this.estimates = estimates;
        CoarseClock.add(this);
    }

    /// Adds a session.
    public SessionActivity opened(Session session) {
        SessionActivity activity =
                new SessionActivity(this, sessionNumbers.incrementAndGet(), session);
        sessions.put(activity.number(), activity);
        return activity;
    }

    public void closed(SessionActivity activity) {
        sessions.remove(activity.number());
        governor.closed(activity);
        activity.fold();
    }

    /// Whether counting is on. Plain on purpose: sessions may see a change somewhat later.
    public boolean on() {
        return on;
    }

    public void on(boolean now) {
        on = now;
    }

    int timedEvery(long meanNanos) {
        return governor.timedEvery(meanNanos);
    }

    /// Duration from which an execution is kept with its plan.
    public long slowNanos() {
        return slowNanos;
    }

    public void slowNanos(long nanos) {
        slowNanos = nanos;
    }

    public ProfileRuns profiles() {
        return profiles;
    }

    @Nullable StatementTimeline timeline() {
        return timeline;
    }

    /// Records every execution from now on in `into`; null stops it.
    synchronized void record(@Nullable StatementTimeline into) {
        timeline = into;
        following++;
    }

    public OperatorTimes operatorTimes() {
        return operatorTimes;
    }

    public synchronized void operatorTimes(OperatorTimes of) {
        operatorTimes = of;
        following++;
    }

    private synchronized void lookAgain() {
        following++;
    }

    /// A version that changes when statements have to call [#follow] again.
    public long following() {
        return following;
    }

    /// The plan with the measurement of its operators; null if they are not to be measured.
    ///
    /// @param once whether to time this one execution for the log of slow statements
    public @Nullable FollowedPlan follow(Command command, boolean once) {
        boolean profiled = timeline != null;
        boolean exact = once || operatorTimes == OperatorTimes.ON;
        if (!(profiled || exact) || !FollowedPlan.hasOperators(command)) {
            return null;
        }
        Analysis.Clock clock = exact ? Analysis.Clock.EXACT : Analysis.Clock.TICKS;
        Analysis analysis = new Analysis(clock, profiled ? new OperatorTrack() : null);
        boolean asked = profiled || operatorTimes == OperatorTimes.ON;
        return new FollowedPlan(command, asked ? analysis : analysis.exactFor(EXACT_CHANGES_MOST));
    }

    /// Number of statements begun.
    long executions() {
        long executions = governor.closedExecutions();
        for (SessionActivity session : sessions.values()) {
            executions += session.executions();
        }
        return executions;
    }

    public StatementTable statements() {
        return statements;
    }

    public SessionHistory history() {
        return history;
    }

    public SlowStatements slowStatements() {
        return slow;
    }

    public WatchGovernor governor() {
        return governor;
    }

    public Collection<SessionActivity> sessions() {
        return sessions.values();
    }

    boolean hasSession(long number) {
        return sessions.containsKey(number);
    }

    String stateOf(DatabaseException failure) {
        return states.apply(failure);
    }

    void failed(StatementEntry entry, String state) {
        statements.failed(entry, state);
    }

    void slow(
            SessionActivity session,
            StatementEntry statement,
            long nanos,
            long rows,
            long pages,
            long lockWaitNanos,
            Compiler.Compiled compiled,
            @Nullable FollowedPlan followed) {
        String plan;
        if (followed != null && followed.analysis().timing()) {
            PlanReport report =
                    new PlanReport(followed.command(), ExplainOptions.PLAN, estimates.get());
            plan = String.join("\n", report.ofRun(followed.analysis(), rows, null, null));
        } else {
            plan = String.join("\n", PlanText.of(compiled.command()));
            if (operatorTimes == OperatorTimes.SLOW
                    && FollowedPlan.hasOperators(compiled.command())
                    && statement.wasSlow()) {
                lookAgain();
            }
        }
        if (plan.length() > SlowStatements.PLAN_CHARS_MAX) {
            plan = plan.substring(0, SlowStatements.PLAN_CHARS_MAX) + "...";
        }
        slow.add(
                new SlowStatements.Execution(
                        System.currentTimeMillis(),
                        session.number(),
                        statement,
                        nanos / 1e6,
                        rows,
                        pages,
                        lockWaitNanos / 1e6,
                        plan));
    }

    /// All kinds of statements with their counters.
    public List<StatementTable.Totals> totals() {
        List<StatementCounts> live = new ArrayList<>();
        sessions.values().forEach(session -> live.addAll(session.counts()));
        return statements.totals(live);
    }

    /// Clears the counters and the log of slow statements.
    public void reset() {
        sessions.values().forEach(SessionActivity::fold);
        statements.clear();
        slow.clear();
    }

    /// Called by the clock's thread; whether a session runs a statement.
    @Override
    public boolean tick(long now) {
        if (!on) {
            return false;
        }
        ticks++;
        boolean sampling = ticks % governor.ticksBetweenSamples() == 0;
        int active = 0;
        long millis = 0;
        for (SessionActivity session : sessions.values()) {
            if (session.isActive()) {
                active++;
                if (sampling) {
                    millis = millis == 0 ? System.currentTimeMillis() : millis;
                    SessionActivity.Seen seen = session.seen();
                    history.add(
                            new SessionHistory.Sample(
                                    millis,
                                    seen.number(),
                                    seen.state(),
                                    seen.waiting(),
                                    seen.statement()));
                }
            }
        }
        if (governor.tick(now, active)) {
            long executions = 0;
            long timed = 0;
            long allocations = 0;
            for (SessionActivity session : sessions.values()) {
                if (session.session() == null) {
                    closed(session);
                } else {
                    executions += session.executions();
                    timed += session.timed();
                    allocations += session.allocations();
                }
            }
            governor.judge(this, now, executions, timed, allocations);
        }
        governor.worked(System.nanoTime() - now);
        return active > 0;
    }
}
