package dev.oriel.graph.element;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Rolls back the transactions of threads that have ended without ending them. No caller can reach such a
/// transaction, and its locks and its snapshot would stay until the database is closed.
///
/// One for the [GraphTransactions] of a graph. Its thread checks once a second. It runs while transactions of
/// threads are open, and for a while after.
final class OwnerWatch {
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int VAIN_MAX = 10;

    private final GraphTransactions works;

    private volatile @Nullable Thread thread;

    /// Number of consecutive checks without an open transaction of a thread.
    private int vain;

    OwnerWatch(GraphTransactions works) {
        this.works = works;
    }

    /// Called when a transaction of a thread has begun.
    void begun() {
        if (!isRunning()) {
            start();
        }
    }

    /// The watch thread may have died of an error.
    private boolean isRunning() {
        Thread known = thread;
        return known != null && known.isAlive();
    }

    private synchronized void start() {
        if (isRunning()) {
            return;
        }
        vain = 0;
        WeakReference<OwnerWatch> weak = new WeakReference<>(this);
        try {
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("oriel-graph-watch")
                            .start(() -> lookAgainAndAgain(weak));
        } catch (OutOfMemoryError e) {
            thread = null; // the JVM can make no thread now; the next transaction tries again
        }
    }

    /// The thread does not keep the graph in memory while it rests.
    private static void lookAgainAndAgain(WeakReference<OwnerWatch> weak) {
        boolean on = true;
        while (on) {
            LockSupport.parkNanos(REST_NANOS);
            OwnerWatch watch = weak.get();
            on = watch != null && watch.look();
        }
    }

    /// Checks once; returns whether to check again.
    private boolean look() {
        boolean any = works.endAbandoned();
        synchronized (this) {
            vain = any ? 0 : vain + 1;
            if (vain < VAIN_MAX) {
                return true;
            }
            thread = null;
        }
        // A transaction may have begun just before, without starting a thread.
        if (works.endAbandoned()) {
            begun();
        }
        return false;
    }
}
