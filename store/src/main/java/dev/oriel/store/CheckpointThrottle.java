package dev.oriel.store;

import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// How fast a checkpoint writes: spread over some time, so that those who sync the log meanwhile find the disk
/// idle most of the time, and never have to wait for much.
///
/// What has been written is held against the part of the time that has passed, and against how far the log, or
/// memory, has become fuller towards the next checkpoint; whoever is ahead of both pauses. So it is done in time
/// however fast others write, and where nobody does, by the time. When somebody is in a hurry (a close, a backup,
/// a checkpoint that was asked for, commits that wait) there is no pause any more.
///
/// ```
/// written   |-----|.....|-----|.....|          a sync at the end of each stretch
/// demanded  |================|                 the greater one of time and log
///           0               here              1
/// ```
/// It changes nothing but the moments of writes and how many syncs there are between them: nothing counts on
/// either. Of the thread that runs the checkpoint.
final class CheckpointThrottle {
    /// A stretch after which an unhurried checkpoint syncs: what a sync of the log may have to wait for.
    private static final int PAGES_A_SYNC = (1 << 20) >> Page.SHIFT;

    /// The same of one that is in a hurry. The sync that counts then finds little to do.
    private static final int PAGES_A_SYNC_HURRIED = (8 << 20) >> Page.SHIFT;

    /// Pauses shorter than this are put together, longer ones are taken in parts: the hurry may begin.
    private static final long PAUSE_NANOS_MIN = 500_000;

    private static final long PAUSE_NANOS_MAX = 10_000_000;

    /// So much of the way is left at least, to divide the work by.
    private static final double FILLED_MIN = 0.05;

    /// As fast as it goes.
    static final CheckpointThrottle NONE =
            new CheckpointThrottle(0, () -> 0, () -> 1, () -> true, nanos -> {});

    private final long nanosOfAll;
    private final LongSupplier clock;
    private final DoubleSupplier filled;
    private final BooleanSupplier hurry;
    private final LongConsumer pause;
    private long pages;
    private long done;
    private long begunNanos;
    private long nanos;
    private double filledBefore;
    private double filledUntil;

    /// What all pauses together may still take, whatever the clock says.
    private long pauseNanosLeft;

    /// @param nanosOfAll what the checkpoint may take, in nanoseconds
    /// @param filled how far the way to the next checkpoint has been gone by now: from 0 at the beginning
    /// @param pause waits for so many nanoseconds, or less
    CheckpointThrottle(
            long nanosOfAll,
            LongSupplier clock,
            DoubleSupplier filled,
            BooleanSupplier hurry,
            LongConsumer pause) {
        this.nanosOfAll = nanosOfAll;
        this.clock = clock;
        this.filled = filled;
        this.hurry = hurry;
        this.pause = pause;
    }

    /// From now on `pagesToWrite` pages are written: in half of the time, or sooner where `until` of the way is
    /// gone before.
    void begin(long pagesToWrite, double until) {
        pages = pagesToWrite;
        done = 0;
        begunNanos = clock.getAsLong();
        nanos = nanosOfAll / 2;
        pauseNanosLeft = nanos;
        filledBefore = filled.getAsDouble();
        filledUntil = Math.max(until, filledBefore + FILLED_MIN);
    }

    /// After how many pages to sync.
    int pagesASync() {
        return hurry.getAsBoolean() ? PAGES_A_SYNC_HURRIED : PAGES_A_SYNC;
    }

    /// A stretch has been written and synced: waits for as long as that was early.
    void wrote(int written) {
        done += written;
        double part = (double) done / Math.max(done, pages);
        while (!hurry.getAsBoolean() && pauseNanosLeft > 0) {
            long early = (long) (part * nanos) - (clock.getAsLong() - begunNanos);
            double way = (filled.getAsDouble() - filledBefore) / (filledUntil - filledBefore);
            if (early < PAUSE_NANOS_MIN || way >= part) {
                return;
            }
            long next = Math.min(early, PAUSE_NANOS_MAX);
            pauseNanosLeft -= next;
            pause.accept(next);
        }
    }
}
