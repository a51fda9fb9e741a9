package dev.oriel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Mutual exclusion between the calls of one connection, its statements and its results, or of all faces of one
/// [Transaction]. A call of a second thread waits until the running one has ended.
///
/// Calls within calls of the same thread count as one. A waiting thread polls at most a millisecond apart, as
/// contention is rare. So an uncontended call costs one compare-and-set and one release store.
final class CallLock {
    private static final VarHandle USER;
    private static final int SPINS = 100;
    private static final long PAUSE_NANOS_MIN = 20_000;
    private static final long PAUSE_NANOS_MAX = 1_000_000;

    static {
        try {
            USER = MethodHandles.lookup().findVarHandle(CallLock.class, "user", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Thread user;

    /// Depth of nested calls.
    private int depth;

    /// A call begins, once no call of another thread runs.
    void enter() {
        if (!tryEnter()) {
            boolean _ = await(Long.MAX_VALUE);
        }
    }

    /// A call begins; false if a call of another thread runs.
    @SuppressWarnings("ReferenceEquality") // the very thread
    boolean tryEnter() {
        Thread caller = Thread.currentThread();
        if (user == caller) { // only this thread can have set it
            depth++;
            return true;
        }
        return USER.compareAndSet(this, null, caller);
    }

    /// A call begins, if no call of another thread runs within `millis`.
    boolean enterWithin(long millis) {
        return tryEnter() || await(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /// An interrupt does not end the wait, and is kept.
    private boolean await(long nanos) {
        long begun = System.nanoTime();
        long pause = PAUSE_NANOS_MIN;
        boolean interrupted = false;
        boolean entered = false;
        for (int i = 0; !entered && (i < SPINS || System.nanoTime() - begun < nanos); i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                interrupted |= Thread.interrupted(); // or it would not park
                LockSupport.parkNanos(this, pause);
                pause = Math.min(2 * pause, PAUSE_NANOS_MAX);
            }
            entered = tryEnter();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return entered;
    }

    /// Whether the caller's call is the outermost one.
    boolean isOutermost() {
        return depth == 0;
    }

    /// A call ends.
    void exit() {
        if (depth > 0) {
            depth--;
        } else {
            USER.setRelease(this, null);
        }
    }
}
