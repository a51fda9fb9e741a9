package dev.oriel.sql.watch;

import dev.oriel.profiler.AllocationCounter;
import dev.oriel.sql.measure.CoarseClock;
import java.util.concurrent.TimeUnit;

/// Keeps the monitoring within its budget. Every second it compares the cost of counting and sampling with the time
/// of statements. If the cost is too high, it steps down: fewer executions are timed, and fewer samples taken. It
/// steps up again after enough quiet seconds.
///
/// The budget is a share of the statements' time, but at least [#CALL_NANOS_MIN] per execution. For statements of
/// less than a microsecond, no computer's clock could keep the share.
///
/// The cost of an execution is measured here in a loop, after compilation; caches are warmer in a loop than for a
/// statement. Written by the clock's thread, read by any.
public final class WatchGovernor {
    /// One level of effort.
    ///
    /// @param timedEvery average number of executions per timed one
    /// @param sampleTicks ticks of 20 ms between two samples
    record Level(int timedEvery, int sampleTicks) {}

    static final long CALL_NANOS_MIN = 10;

    /// Share of a statement's time that its timing may take.
    private static final double TIMING_SHARE = 0.005;

    /// Assumed cost of a reading of the clock, until it has been measured.
    private static final double CLOCK_NANOS = 30;

    private static final Level[] LEVELS = {
        new Level(64, 1), new Level(256, 5), new Level(1_024, 25), new Level(65_536, 50)
    };
    private static final int QUIET_SECONDS = 10;
    private static final long BUSY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(100);

    /// Number of calibrations, one in each of the first seconds without a profile: the code gets faster as it is
    /// compiled.
    private static final int CALIBRATIONS = 6;

    private static final int CALIBRATION_CALLS = 10_000;
    private static final int CALIBRATION_ROUNDS = 4;

    private volatile double budget = 0.01;
    private volatile int level;
    private volatile double callNanos;
    private volatile double clockNanos;
    private volatile double allocationNanos;
    private volatile double share;
    private volatile double secondShare;
    private volatile long stepsDown;
    private volatile long executions;
    private volatile long costNanos;
    private volatile long samplerNanos;
    private volatile long busyNanos;

    private long lastTick;
    private long secondEnd;
    private long secondBusy;
    private long secondSampler;
    private long lastExecutions;
    private long closedExecutions;
    private long closedTimed;
    private long lastTimed;
    private long closedAllocations;
    private long lastAllocations;
    private int quiet;
    private int calibrations;

    /// Sink that keeps the calibration from being optimised away.
    @SuppressWarnings("UnusedVariable")
    private long sink;

    /// The average number of executions per timed one, of statements too short for more.
    public int timedEvery() {
        return LEVELS[level].timedEvery();
    }

    /// The average number of executions per timed one, of statements that take `meanNanos`: as few as keep the two
    /// readings of the clock within [#TIMING_SHARE]. So every execution of some 10 us or more is timed.
    int timedEvery(long meanNanos) {
        int now = level;
        double clock = clockNanos == 0 ? CLOCK_NANOS : clockNanos;
        double every = 2 * clock / (TIMING_SHARE * Math.max(1, meanNanos));
        double most = LEVELS[now].timedEvery();
        // A level steps down those that are sampled; to time the others costs next to nothing.
        return every <= 1 ? 1 : (int) Math.min(most, every * most / LEVELS[0].timedEvery());
    }

    public int ticksBetweenSamples() {
        return LEVELS[level].sampleTicks();
    }

    public int level() {
        return level;
    }

    public double budget() {
        return budget;
    }

    public void budget(double part) {
        budget = part;
    }

    /// The cost of counting an execution that is not timed, in nanoseconds.
    public double callNanos() {
        return callNanos;
    }

    public double clockNanos() {
        return clockNanos;
    }

    /// The cost of reading the bytes that a thread has allocated.
    public double allocationNanos() {
        return allocationNanos;
    }

    /// The total cost as a share of the statements' time.
    public double share() {
        return share;
    }

    /// The cost share of the last second with enough load.
    public double secondShare() {
        return secondShare;
    }

    public long stepsDown() {
        return stepsDown;
    }

    public long executions() {
        return executions;
    }

    /// The total cost of counting and timing.
    public long costNanos() {
        return costNanos;
    }

    /// The total cost of sampling, in a thread of its own.
    public long samplerNanos() {
        return samplerNanos;
    }

    /// The total time of statements, as seen at ticks.
    public long busyNanos() {
        return busyNanos;
    }

    synchronized long closedExecutions() {
        return closedExecutions;
    }

    /// Adds the executions of a closed session.
    synchronized void closed(SessionActivity session) {
        closedExecutions += session.executions();
        closedTimed += session.timed();
        closedAllocations += session.allocations();
    }

    /// Notes a tick with `active` sessions running a statement; whether a second is over.
    boolean tick(long now, int active) {
        long passed = Math.min(now - lastTick, 5 * CoarseClock.TICK_NANOS);
        lastTick = now;
        secondBusy += active * Math.max(0, passed);
        if (secondEnd == 0) {
            secondEnd = now + TimeUnit.SECONDS.toNanos(1);
        }
        return now >= secondEnd;
    }

    /// Adds the time that a tick took in the clock's thread.
    void worked(long nanos) {
        secondSampler += nanos;
    }

    /// Judges the last second.
    ///
    /// @param openExecutions number of all executions in open sessions
    /// @param openTimed number of the timed ones
    /// @param openAllocations number of executions whose allocation was measured
    synchronized void judge(
            Watch watch, long now, long openExecutions, long openTimed, long openAllocations) {
        // Not while a profile takes samples: its clock readings are no cost of counting, and the
        // calibration would appear in the profile.
        if (calibrations < CALIBRATIONS && watch.timeline() == null) {
            calibrations++;
            if (calibrations == CALIBRATIONS) {
                AllocationCounter.prepare();
            }
            calibrate(watch);
        }
        secondEnd = now + TimeUnit.SECONDS.toNanos(1);
        long total = openExecutions + closedExecutions;
        long calls = Math.max(0, total - lastExecutions);
        lastExecutions = total;
        long timed = openTimed + closedTimed;
        double counting = calls * callNanos + Math.max(0, timed - lastTimed) * 2 * clockNanos;
        lastTimed = timed;
        long allocations = openAllocations + closedAllocations;
        counting += Math.max(0, allocations - lastAllocations) * 2 * allocationNanos;
        lastAllocations = allocations;
        double cost = counting + secondSampler;
        executions = total;
        costNanos += (long) counting;
        samplerNanos += secondSampler;
        busyNanos += secondBusy;
        share = busyNanos == 0 ? 0 : (double) (costNanos + samplerNanos) / busyNanos;
        if (secondBusy >= BUSY_NANOS_MIN && calibrations == CALIBRATIONS) {
            secondShare = cost / secondBusy;
            step(cost, Math.max(budget * secondBusy, calls * (double) CALL_NANOS_MIN));
        }
        secondBusy = 0;
        secondSampler = 0;
    }

    private void step(double cost, double allowed) {
        int now = level; // written by this thread alone
        if (cost > allowed && now < LEVELS.length - 1) {
            level = now + 1;
            long steps = stepsDown;
            stepsDown = steps + 1;
            quiet = 0;
        } else if (cost < allowed / 2 && now > 0) {
            quiet++;
            if (quiet >= QUIET_SECONDS) {
                level = now - 1;
                quiet = 0;
            }
        } else {
            quiet = 0;
        }
    }

    private void calibrate(Watch watch) {
        StatementCounts counts = new StatementCounts(new StatementEntry(watch.statements(), 1, ""));
        StatementRun run = new StatementRun(watch, new SessionActivity(watch, 0, null));
        double clock = clockNanos == 0 ? Double.MAX_VALUE : clockNanos;
        double call = callNanos == 0 ? Double.MAX_VALUE : callNanos;
        double allocation = Double.MAX_VALUE;
        for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
            long begun = System.nanoTime();
            for (int i = 0; i < CALIBRATION_CALLS; i++) {
                sink += System.nanoTime();
            }
            long between = System.nanoTime();
            for (int i = 0; i < CALIBRATION_CALLS; i++) {
                run.start(counts);
                sink += run.stop() ? 1 : 0;
            }
            long ended = System.nanoTime();
            for (int i = 0; i < CALIBRATION_CALLS; i++) {
                sink += AllocationCounter.currentBytes();
            }
            long last = System.nanoTime();
            allocation = Math.min(allocation, (double) (last - ended) / CALIBRATION_CALLS);
            clock = Math.min(clock, (double) (between - begun) / CALIBRATION_CALLS);
            call = Math.min(call, (double) (ended - between) / CALIBRATION_CALLS);
        }
        clockNanos = clock;
        allocationNanos = AllocationCounter.currentBytes() < 0 ? 0 : allocation;
        callNanos = call;
    }
}
