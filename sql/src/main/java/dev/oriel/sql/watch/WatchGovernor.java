package dev.oriel.sql.watch;

import dev.oriel.sql.measure.CoarseClock;
import java.util.concurrent.TimeUnit;

/// Keeps what is always on within its budget: adds up, second by second, what counting and sampling
/// have cost beside what statements took, and steps down while that is too much: fewer executions
/// are timed, fewer samples taken. Steps up again when there is room for long enough.
///
/// The budget is a share of the statements' time, but never less than [#CALL_NANOS_MIN] an execution:
/// where statements take less than a microsecond the clock of no computer could keep the share.
///
/// What one execution costs is measured here, in a loop, after the code has been compiled: the
/// caches of a loop are warmer than a statement's. Written by the clock's thread, read by any.
public final class WatchGovernor {
    /// One level of effort.
    ///
    /// @param timedEvery one of how many executions is timed, about
    /// @param sampleTicks ticks of 20 ms between two samples
    record Level(int timedEvery, int sampleTicks) {}

    static final long CALL_NANOS_MIN = 10;

    private static final Level[] LEVELS = {
        new Level(64, 1), new Level(256, 5), new Level(1_024, 25), new Level(65_536, 50)
    };
    private static final int QUIET_SECONDS = 10;
    private static final long BUSY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(100);

    /// In each of the first seconds without a profile, because the code becomes faster as it is compiled.
    private static final int CALIBRATIONS = 6;

    private static final int CALIBRATION_CALLS = 10_000;
    private static final int CALIBRATION_ROUNDS = 4;

    private volatile double budget = 0.01;
    private volatile int level;
    private volatile double callNanos;
    private volatile double clockNanos;
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
    private int quiet;
    private int calibrations;

    /// Keeps the calibration from being optimised away.
    @SuppressWarnings("UnusedVariable")
    private long sink;

    public int timedEvery() {
        return LEVELS[level].timedEvery();
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

    /// What counting costs an execution that is not timed, in nanoseconds.
    public double callNanos() {
        return callNanos;
    }

    public double clockNanos() {
        return clockNanos;
    }

    /// The part of the statements' time that all of it has cost.
    public double share() {
        return share;
    }

    /// The same of the last second that was busy enough to tell.
    public double secondShare() {
        return secondShare;
    }

    public long stepsDown() {
        return stepsDown;
    }

    public long executions() {
        return executions;
    }

    /// What counting and timing have cost in all.
    public long costNanos() {
        return costNanos;
    }

    /// What sampling has cost in all, in a thread of its own.
    public long samplerNanos() {
        return samplerNanos;
    }

    /// How long statements ran in all, as seen at ticks.
    public long busyNanos() {
        return busyNanos;
    }

    synchronized long closedExecutions() {
        return closedExecutions;
    }

    /// A session has gone that had so many.
    synchronized void closed(long count) {
        closedExecutions += count;
    }

    /// A tick at which so many sessions run a statement; whether a second is over.
    boolean tick(long now, int active) {
        long passed = Math.min(now - lastTick, 5 * CoarseClock.TICK_NANOS);
        lastTick = now;
        secondBusy += active * Math.max(0, passed);
        if (secondEnd == 0) {
            secondEnd = now + TimeUnit.SECONDS.toNanos(1);
        }
        return now >= secondEnd;
    }

    /// The tick took the clock's thread so long.
    void worked(long nanos) {
        secondSampler += nanos;
    }

    /// A second is over, in which sessions that are open have come to `openExecutions` in all.
    synchronized void judge(Watch watch, long now, long openExecutions) {
        // Not while a profile takes samples: its readings of the clock are no cost of counting, and
        // what runs here would be in it.
        if (calibrations < CALIBRATIONS && watch.timeline() == null) {
            calibrations++;
            calibrate(watch);
        }
        secondEnd = now + TimeUnit.SECONDS.toNanos(1);
        long total = openExecutions + closedExecutions;
        long calls = Math.max(0, total - lastExecutions);
        lastExecutions = total;
        double counting = calls * (callNanos + 2 * clockNanos / timedEvery());
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
        StatementCounts counts = new StatementCounts(new StatementEntry(1, ""));
        StatementRun run = new StatementRun(watch, new SessionActivity(watch, 0, null));
        double clock = clockNanos == 0 ? Double.MAX_VALUE : clockNanos;
        double call = callNanos == 0 ? Double.MAX_VALUE : callNanos;
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
            clock = Math.min(clock, (double) (between - begun) / CALIBRATION_CALLS);
            call = Math.min(call, (double) (ended - between) / CALIBRATION_CALLS);
        }
        clockNanos = clock;
        callNanos = call;
    }
}
