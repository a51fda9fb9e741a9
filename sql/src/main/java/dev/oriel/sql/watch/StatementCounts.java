package dev.oriel.sql.watch;

import dev.oriel.sql.bind.Compiler;
import java.util.concurrent.TimeUnit;

/// Counters of the executions of one kind of statement in one session. They are plain and written by the session's
/// thread alone. Others read them at any time, and may miss the latest executions.
///
/// Every execution is counted. It is timed if its kind takes long enough for that to cost nothing, from some 10 us on.
/// Of shorter ones some are timed: about one in 64 or more, and fewer while that takes too long, down to one in 65,536
/// ([WatchGovernor]). The weight of each is the number of executions since the previous timed one. The very first of a
/// kind is timed with weight 1, so that its cold start counts once. In later sessions the first one timed is chosen at
/// random, see [#timeOneOf].
///
/// The coarse clock ([dev.oriel.sql.measure.CoarseClock]) measures every execution of [#LONG_NANOS] or more, timed
/// or not, and it counts with weight 1. That clock is wrong by up to a tick of 20 ms, so it is used only for
/// executions of several ticks.
///
/// The bytes that its thread allocated are measured of some timed executions: of all of kinds that take
/// [#ALLOCATION_NANOS] or more, of one in [#ALLOCATION_EVERY] of the others. The weight of each is the number of
/// executions since the previous one.
public final class StatementCounts {
    /// Duration by the coarse clock from which an execution is long; accurate to a sixth.
    private static final long SEEN_NANOS = 1L << 27;

    /// Duration by its own clock from which an execution is long, too. It is more than a tick longer, so that the
    /// coarse clock has also seen every untimed execution of this length.
    static final long LONG_NANOS = SEEN_NANOS + SEEN_NANOS / 4;

    /// Mean duration from which the allocation of each timed execution is measured.
    private static final long ALLOCATION_NANOS = 50_000;

    private static final int ALLOCATION_EVERY = 8;

    /// Time between two looks at the plan.
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int LONG_BUCKET = Latencies.bucket(SEEN_NANOS);

    final StatementEntry entry;

    /// Whether the session has evicted it and added its counters to the entry.
    volatile boolean folded;

    public long calls;
    public long rows;
    public long errors;
    public long pages;
    public long logBytes;
    public long lockWaits;
    public long lockWaitNanos;
    public long restarts;
    public long timed;
    public long minNanos = Long.MAX_VALUE;
    public long maxNanos;

    /// Identity of the compiled statement of the last look at the plan, and the timed executions of it since then.
    private int compiledNumber;

    private long compiledExecutions;
    private long compiledNanos;
    private long lookedTick;

    /// Duration of the last execution that was timed.
    private long lastNanos;

    private long longCalls;
    private long longNanos;
    private long sampledWeight;
    private long sampledNanos;
    private final Latencies latencies = new Latencies();
    private int untilTimed = 1;
    private int weight = 1;
    private int chance;

    private int untilAllocation = 1;

    private long callsAtAllocation;
    private long allocationWeight;
    private long allocatedBytes;

    StatementCounts(StatementEntry entry) {
        this.entry = entry;
        this.chance = (int) entry.fingerprint() | 1;
    }

    /// Times a random one of the next `executions` executions first, with that number as its weight. Short sessions
    /// would otherwise time only their first executions.
    void timeOneOf(int executions, long seed) {
        chance = (int) (seed ^ (seed >>> 32)) * 1_664_525 + 1_013_904_223;
        untilTimed = 1 + (chance >>> 8) % executions;
        weight = executions;
    }

    /// Notes the start of an execution; returns the time if it is to be timed, else 0.
    long begin() {
        return --untilTimed > 0 ? 0 : System.nanoTime() | 1;
    }

    /// Whether to measure the allocation of the execution that begins next.
    boolean allocationWanted() {
        if (untilTimed > 1 || (--untilAllocation > 0 && entry.meanNanos() < ALLOCATION_NANOS)) {
            return false;
        }
        untilAllocation = ALLOCATION_EVERY;
        return true;
    }

    /// Notes the end of the execution for which [#begin()] returned `started`.
    ///
    /// @param ticks duration by the coarse clock, in nanoseconds
    /// @param watch tells how many executions to pass until the next timed one
    void end(long started, long ticks, Watch watch) {
        calls++;
        if (started != 0 || ticks >= SEEN_NANOS) {
            timed(started, ticks, watch);
        }
    }

    private void timed(long started, long ticks, Watch watch) {
        long nanos = started == 0 ? ticks : System.nanoTime() - started;
        if (started == 0 || nanos >= LONG_NANOS) {
            longCalls++;
            longNanos += nanos;
            latencies.add(nanos, 1);
        } else {
            sampledWeight += weight;
            sampledNanos += weight * nanos;
            latencies.add(nanos, weight);
        }
        if (started != 0) {
            timed++;
            lastNanos = nanos;
            entry.took(nanos);
            int timedEvery = watch.timedEvery(entry.meanNanos());
            // A random interval, to avoid a rhythm in step with other periodic work.
            chance = chance * 1_664_525 + 1_013_904_223;
            weight = Math.max(1, timedEvery / 2 + (chance >>> 8) % timedEvery);
            untilTimed = weight;
        }
        minNanos = Math.min(minNanos, nanos);
        maxNanos = Math.max(maxNanos, nanos);
    }

    /// Notes the bytes that the execution counted last has allocated.
    void allocated(long bytes) {
        long since = Math.max(1, calls - callsAtAllocation);
        callsAtAllocation = calls;
        allocationWeight += since;
        allocatedBytes += since * bytes;
    }

    /// Notes that the last execution, a timed one, ran `compiled` and ended at `tick` of the coarse clock. About once
    /// a second it tells its kind, which all sessions share.
    void ran(Compiler.Compiled compiled, long tick) {
        int number = System.identityHashCode(compiled);
        boolean same = number == compiledNumber;
        compiledExecutions = same ? compiledExecutions + 1 : 1;
        compiledNanos = same ? compiledNanos + lastNanos : lastNanos;
        compiledNumber = number;
        if (tick - lookedTick >= LOOK_NANOS) {
            lookedTick = tick;
            entry.ran(compiled, compiledExecutions, compiledNanos, tick);
            compiledExecutions = 0;
            compiledNanos = 0;
        }
    }

    void add(StatementCounts other) {
        calls += other.calls;
        rows += other.rows;
        errors += other.errors;
        pages += other.pages;
        logBytes += other.logBytes;
        lockWaits += other.lockWaits;
        lockWaitNanos += other.lockWaitNanos;
        restarts += other.restarts;
        timed += other.timed;
        minNanos = Math.min(minNanos, other.minNanos);
        maxNanos = Math.max(maxNanos, other.maxNanos);
        longCalls += other.longCalls;
        longNanos += other.longNanos;
        sampledWeight += other.sampledWeight;
        sampledNanos += other.sampledNanos;
        latencies.add(other.latencies);
        allocationWeight += other.allocationWeight;
        allocatedBytes += other.allocatedBytes;
    }

    /// The bytes that all executions have allocated, extrapolated from the measured ones; -1 if none was measured.
    public long allocatedBytes() {
        return allocationWeight == 0
                ? -1
                : Math.round((double) allocatedBytes / allocationWeight * calls);
    }

    /// Number of executions, other than long ones, per unit of weight.
    private double factor() {
        return sampledWeight == 0 ? 0 : (double) Math.max(0, calls - longCalls) / sampledWeight;
    }

    /// The total time of all executions, extrapolated from the timed ones.
    public double totalNanos() {
        return longNanos + factor() * sampledNanos;
    }

    public double meanNanos() {
        return calls == 0 ? 0 : totalNanos() / calls;
    }

    /// The time that `share` of the executions stay below.
    public double percentileNanos(double share) {
        return Math.min(latencies.percentile(share, LONG_BUCKET, factor()), maxNanos);
    }
}
