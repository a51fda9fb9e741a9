package dev.oriel.sql.watch;

/// What the executions of one kind of statement in one session came to: plain counters that the
/// session's thread alone writes. Others read them at any time; they may miss what happened last.
///
/// Every execution is counted. About one in 64 is timed, and stands for those since the last one that
/// was: its weight. The very first of a kind is timed and stands for itself, so that what it paid for a
/// cold start counts once; in the sessions after it any may be the first, see [#timeOneOf]. An execution of [#LONG_NANOS] or more is seen by the coarse clock
/// ([dev.oriel.sql.measure.CoarseClock]) whether timed or not, and counts by itself. That clock is wrong
/// by up to a tick of 20 ms, which is why nothing shorter than several of them goes by it.
public final class StatementCounts {
    /// From here on by the coarse clock an execution is long, and is known to a sixth.
    private static final long SEEN_NANOS = 1L << 27;

    /// From here on an execution is long by its own clock, too: more than a tick later, so that the
    /// coarse clock has seen all that are as long and are not timed.
    static final long LONG_NANOS = SEEN_NANOS + SEEN_NANOS / 4;

    private static final int LONG_BUCKET = Latencies.bucket(SEEN_NANOS);

    final StatementEntry entry;

    /// Its session has given it up: what it holds has been added to the entry.
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

    private long longCalls;
    private long longNanos;
    private long sampledWeight;
    private long sampledNanos;
    private final Latencies latencies = new Latencies();
    private int untilTimed = 1;
    private int weight = 1;
    private int chance;

    StatementCounts(StatementEntry entry) {
        this.entry = entry;
        this.chance = (int) entry.fingerprint() | 1;
    }

    /// The first execution that is timed is to be one of the next so many, whichever, and stands for as
    /// many. Sessions that are short would otherwise time nothing but their first ones.
    void timeOneOf(int executions, long seed) {
        chance = (int) (seed ^ (seed >>> 32)) * 1_664_525 + 1_013_904_223;
        untilTimed = 1 + (chance >>> 8) % executions;
        weight = executions;
    }

    /// An execution begins; the time where it is to be timed, else 0.
    long begin() {
        return --untilTimed > 0 ? 0 : System.nanoTime() | 1;
    }

    /// The execution ends that [#begin()] has returned `started` for.
    ///
    /// @param ticks nanoseconds that it lasted by the coarse clock
    /// @param watch says how many executions one that is timed stands for, about
    void end(long started, long ticks, Watch watch) {
        calls++;
        if (started != 0 || ticks >= SEEN_NANOS) {
            timed(started, ticks, watch.timedEvery());
        }
    }

    private void timed(long started, long ticks, int timedEvery) {
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
            // Not in step with whatever else comes every so many times.
            chance = chance * 1_664_525 + 1_013_904_223;
            weight = Math.max(1, timedEvery / 2 + (chance >>> 8) % timedEvery);
            untilTimed = weight;
        }
        minNanos = Math.min(minNanos, nanos);
        maxNanos = Math.max(maxNanos, nanos);
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
    }

    /// How many of the other executions one of weight 1 stands for.
    private double factor() {
        return sampledWeight == 0 ? 0 : (double) Math.max(0, calls - longCalls) / sampledWeight;
    }

    /// The time of all executions, as those that were timed tell.
    public double totalNanos() {
        return longNanos + factor() * sampledNanos;
    }

    public double meanNanos() {
        return calls == 0 ? 0 : totalNanos() / calls;
    }

    /// The time below which `share` of the executions stayed.
    public double percentileNanos(double share) {
        return Math.min(latencies.percentile(share, LONG_BUCKET, factor()), maxNanos);
    }
}
