package dev.oriel.store.transaction;

import dev.oriel.store.ConflictException;
import dev.oriel.store.UsageException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Mutual exclusion between the calls of one transaction: a call of a second thread throws. Two threads in one
/// write set or one set of page windows would damage the data.
///
/// A transaction may move between threads as long as no call runs: each call sees the effects of the calls before
/// it. Calls within calls of the same thread count as one. The idle watch enters like a thread, but only briefly,
/// and calls wait for it. Once it has ended the transaction, no further call begins.
///
/// A call costs one compare-and-set and one release store.
public final class CallGuard {
    private static final VarHandle USER;

    /// Marker of the idle watch during its check, which calls wait for.
    private static final Object WATCH = new Object();

    /// Marker of an end by the idle watch.
    private static final Object ENDED = new Object();

    static {
        try {
            USER = MethodHandles.lookup().findVarHandle(CallGuard.class, "user", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The thread that is in a call, one of the markers above, or null.
    private @Nullable Object user;

    /// Number of calls around the running call.
    private int depth;

    /// Number of calls so far; written within calls.
    private long calls;

    /// A call begins.
    ///
    /// @throws UsageException if a call of another thread runs
    /// @throws ConflictException if the idle watch has ended the transaction
    void enter() {
        if (!tryEnter()) {
            throw idled();
        }
    }

    /// [#enter()] that returns false if the idle watch has ended the transaction.
    @SuppressWarnings("ReferenceEquality") // the very thread
    boolean tryEnter() {
        Thread caller = Thread.currentThread();
        if (user == caller) { // no other thread can have put it there
            depth++;
            return true;
        }
        while (!USER.compareAndSet(this, null, caller)) {
            Object holder = USER.getOpaque(this);
            if (holder == ENDED) {
                return false;
            }
            if (holder instanceof Thread other) {
                throw new UsageException(
                        "A call of another thread runs in this transaction; wait for its end, or"
                                + " begin a transaction for each thread",
                        "other=" + other.getName());
            }
            Thread.onSpinWait();
        }
        calls++;
        return true;
    }

    /// A call ends.
    void exit() {
        if (depth > 0) {
            depth--;
        } else {
            USER.setRelease(this, null);
        }
    }

    /// Whether the idle watch has ended the transaction. Called within a call.
    @SuppressWarnings("ReferenceEquality") // a marker
    boolean hasIdled() {
        return user == ENDED;
    }

    /// Number of calls so far; -1 while one runs.
    long look() {
        if (!USER.compareAndSet(this, null, WATCH)) {
            return -1;
        }
        long seen = calls;
        USER.setRelease(this, null);
        return seen;
    }

    /// Runs `work` if no call has begun since `seen` was read; after it no further call begins.
    void endIfSame(long seen, Runnable work) {
        if (!USER.compareAndSet(this, null, WATCH)) {
            return;
        }
        boolean same = calls == seen;
        try {
            if (same) {
                work.run();
            }
        } finally {
            USER.setRelease(this, same ? ENDED : null);
        }
    }

    private static ConflictException idled() {
        return new ConflictException(
                ConflictException.Reason.IDLE,
                "The exclusive transaction was idle for too long while others waited, and was"
                        + " rolled back; begin another one",
                "");
    }
}
