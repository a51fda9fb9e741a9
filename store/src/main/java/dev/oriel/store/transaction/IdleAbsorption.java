package dev.oriel.store.transaction;

import dev.oriel.store.ClosedException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.data.Core;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.StoreThreads;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Brings the entries above the pages of a store with files into pages, so that reads are faster. It does so if no
/// commit has come for a while, or if scans have passed the entries often. Its thread runs while there are such entries.
final class IdleAbsorption {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Number of looks in a row without a commit that make the store idle.
    private static final int SAME_MIN = 3;

    private final Absorber absorber;
    private final Core core;
    private final Checkpoint checkpoint;
    private final StoreThreads threads;
    private volatile @Nullable Thread thread;
    private boolean closed;

    /// Whether the last failure was logged.
    private boolean warned;

    // State of the thread: the newest commit at the last look, and the number of looks since then.
    private long seen;
    private int same;

    IdleAbsorption(Absorber absorber, Core core, Checkpoint checkpoint) {
        this.absorber = absorber;
        this.core = core;
        this.checkpoint = checkpoint;
        this.threads = core.threads();
    }

    /// A commit has left entries above the pages.
    void wake() {
        Thread there = thread;
        if (there == null || !there.isAlive()) { // one may have died of an error
            start();
        }
    }

    private synchronized void start() {
        if ((thread != null && thread.isAlive()) || closed) {
            return;
        }
        WeakReference<IdleAbsorption> weak = new WeakReference<>(this);
        try {
            thread = threads.start("oriel-absorb", () -> lookAgainAndAgain(weak));
        } catch (LimitException e) { // the next commit tries again
            warnOnce(e);
        }
    }

    /// While it sleeps, the thread keeps no store in memory.
    private static void lookAgainAndAgain(WeakReference<IdleAbsorption> weak) {
        boolean on = true;
        while (on) {
            LockSupport.parkNanos(LOOK_NANOS);
            IdleAbsorption one = weak.get();
            on = one != null && one.look();
        }
    }

    /// Returns whether to continue.
    private boolean look() {
        long newest = core.changedTxid();
        same = newest == seen ? same + 1 : 0;
        seen = newest;
        if (same < SAME_MIN && !Gathering.isScanned(core.state().deltas())) {
            return mayGoOn(false);
        }
        same = 0;
        boolean done = false;
        try {
            done = absorber.settleInSteps();
            checkpoint.beginWhereDue();
            warned = false;
        } catch (ClosedException e) {
            done = true;
        } catch (DatabaseException | OutOfMemoryError e) { // commits and checkpoints report it too
            warnOnce(e);
            done = true;
        }
        return mayGoOn(done);
    }

    /// Ends if it is closed or `done`, unless a commit has come since.
    private synchronized boolean mayGoOn(boolean done) {
        boolean on = !closed && (!done || core.changedTxid() != seen);
        if (!on) {
            thread = null;
        }
        return on;
    }

    private void warnOnce(Throwable reason) {
        warned = EventLog.sayOnce(warned, "Entries stay above the pages for now", reason);
    }

    /// Ends the thread, and waits for it.
    void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
        }
        StoreThreads.join(running);
    }
}
