package dev.oriel.store.file;

import dev.oriel.store.page.Page;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// The pace of a checkpoint's writes: spread over some time, so that concurrent log syncs find the disk idle most
/// of the time, and never wait for much.
///
/// Progress is compared to the part of the time that has passed, and to the progress of log or memory towards the
/// next checkpoint. A checkpoint ahead of both pauses. So it is done in time however fast transactions write, and
/// at the set time if none do. If a caller is in a hurry (a close, a backup, a requested checkpoint, commits that
/// wait), there are no more pauses.
///
/// ```
/// written   |-----|.....|-----|.....|          a sync at the end of each stretch
/// demanded  |================|                 the greater one of time and log
///           0               here              1
/// ```
/// It affects only the times of writes and the number of syncs between them; correctness depends on neither. Used
/// by the thread that runs the checkpoint.
public final class CheckpointThrottle {
    /// Pages after which an unhurried checkpoint syncs: a sync of the log may have to wait for these.
    private static final int PAGES_A_SYNC = (1 << 20) >> Page.SHIFT;

    /// Pages after which a checkpoint in a hurry syncs. The final sync then finds little to do.
    private static final int PAGES_A_SYNC_HURRIED = (8 << 20) >> Page.SHIFT;

    /// Pauses shorter than this are put together, longer ones are taken in parts: a hurry may begin.
    private static final long PAUSE_NANOS_MIN = 500_000;

    private static final long PAUSE_NANOS_MAX = 10_000_000;

    /// Lower bound of the way left, the divisor of the progress.
    private static final double FILLED_MIN = 0.05;

    /// Full speed.
    public static final CheckpointThrottle NONE =
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

    /// Nanoseconds that all pauses together may still take, whatever the clock says.
    private long pauseNanosLeft;

    /// @param nanosOfAll time for the checkpoint, in nanoseconds
    /// @param filled progress towards the next checkpoint: from 0 at the beginning
    /// @param pause waits for the given nanoseconds, or less
    public CheckpointThrottle(
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

    /// Begins to write `pagesToWrite` pages: in half of the time, or sooner if the way reaches `until` before.
    public void begin(long pagesToWrite, double until) {
        pages = pagesToWrite;
        done = 0;
        begunNanos = clock.getAsLong();
        nanos = nanosOfAll / 2;
        pauseNanosLeft = nanos;
        filledBefore = filled.getAsDouble();
        filledUntil = Math.max(until, filledBefore + FILLED_MIN);
    }

    /// Number of pages to write before a sync.
    public int pagesASync() {
        return hurry.getAsBoolean() ? PAGES_A_SYNC_HURRIED : PAGES_A_SYNC;
    }

    /// A stretch has been written and synced: waits for as long as it was early.
    public void wrote(int written) {
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
