package dev.oriel.store.transaction;

import dev.oriel.store.file.StoreThreads;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Ends an exclusive transaction whose client has been idle for too long: all others wait for it. There is one for
/// a store. Its thread runs while there are such transactions, and for a while after.
///
/// A watched transaction enters each call by its [CallGuard]. It can be ended from outside only while it is idle,
/// and then no further call begins. The watch polls for calls; the calls themselves never read the clock.
final class IdleWatch {
    private static final int LOOKS = 4;
    private static final int VAIN_MAX = 2;

    private final Committer committer;
    private final StoreThreads threads;
    private final long limitNanos;
    private volatile @Nullable WriteTransaction watched;
    private @Nullable Thread thread;
    private volatile boolean closed;

    /// The transaction and its calls at the last poll, and the numbers of consecutive polls without a call and without
    /// a transaction.
    private @Nullable WriteTransaction last;

    private long calls = -1;
    private int same;
    private int vain;

    IdleWatch(Committer committer, StoreThreads threads, long limitMillis) {
        this.committer = committer;
        this.threads = threads;
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /// Watches `transaction`, the only exclusive one, from now on.
    ///
    /// @throws dev.oriel.store.LimitException if the JVM can make no thread for it
    void begin(WriteTransaction transaction) {
        watched = transaction;
        boolean started = false;
        try {
            start();
            started = true;
        } finally {
            if (!started) {
                watched = null;
            }
        }
    }

    /// Stops watching `transaction`, which has ended.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    void end(WriteTransaction transaction) {
        if (watched == transaction) {
            watched = null;
        }
    }

    private synchronized void start() {
        boolean there = thread != null && thread.isAlive(); // it may have died of an error
        if (!there && !closed) {
            WeakReference<IdleWatch> weak = new WeakReference<>(this);
            long rest = limitNanos / LOOKS;
            thread = threads.start("oriel-idle", () -> lookAgainAndAgain(weak, rest));
        }
    }

    /// While it sleeps, the thread keeps no store in memory: a store that is never closed is collected with its
    /// watch.
    private static void lookAgainAndAgain(WeakReference<IdleWatch> weak, long restNanos) {
        boolean on = true;
        while (on) {
            LockSupport.parkNanos(restNanos);
            IdleWatch watch = weak.get();
            on = watch != null && watch.look();
        }
    }

    /// Polls; returns whether to continue.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    private boolean look() {
        WriteTransaction now = watched;
        vain = now == null ? vain + 1 : 0;
        CallGuard guard = now == null ? null : now.guard();
        if (now == null || guard == null) {
            last = null;
            return mayGoOn();
        }
        long seen = guard.look();
        same = now == last && seen == calls && seen >= 0 ? same + 1 : 0;
        last = now;
        calls = seen;
        if (same > LOOKS) { // a poll may come too early, so one more
            guard.endIfSame(seen, () -> committer.rollback(now));
        }
        return mayGoOn();
    }

    private synchronized boolean mayGoOn() {
        boolean on = !closed && (vain < VAIN_MAX || watched != null);
        if (!on) {
            thread = null;
            last = null;
            vain = 0;
        }
        return on;
    }

    synchronized void close() {
        closed = true;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
