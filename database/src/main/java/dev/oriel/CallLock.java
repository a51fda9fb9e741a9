package dev.oriel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Mutual exclusion between the calls of one connection, its statements and its results, or of all faces of one
/// [Transaction]. A call of a second thread waits until the running one has ended.
///
/// Calls within calls of the same thread count as one. A waiting thread polls at most a millisecond apart, as
/// contention is rare. So an uncontended call costs one compare-and-set and one release store.
///
/// Getters and moves of results are too frequent for that: the thread that entered last owns the lock, and reads
/// results under a bias. Its reads count themselves in the owner, with plain stores and no fence. A thread that takes
/// the lock over revokes the bias and makes up for the fence: it takes a stack trace of the owner's thread. For that
/// the JVM stops the thread at a safepoint. So either the owner's count is visible, or the owner's next getter sees the
/// revocation.
final class CallLock {
    private static final VarHandle USER;
    private static final VarHandle OWNER;
    private static final int SPINS = 100;
    private static final long PAUSE_NANOS_MIN = 20_000;
    private static final long PAUSE_NANOS_MAX = 1_000_000;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            USER = lookup.findVarHandle(CallLock.class, "user", Thread.class);
            OWNER = lookup.findVarHandle(CallLock.class, "owner", Owner.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Thread user;

    /// The thread that entered last, with its bias. Written by the user.
    private @Nullable Owner owner;

    /// Whether there can be biased reads; null if there never are.
    private @Nullable BooleanSupplier reads;

    /// Depth of nested calls.
    private int depth;

    /// A thread, and its bias. An idle connection keeps neither the thread nor its class loader.
    static final class Owner {
        private static final VarHandle READS;
        private static final VarHandle REVOKED;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                READS = lookup.findVarHandle(Owner.class, "reads", int.class);
                REVOKED = lookup.findVarHandle(Owner.class, "revoked", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final WeakReference<Thread> thread;
        private final long threadId;

        /// Depth of nested reads. Written by the thread.
        private int reads;

        /// Whether the thread may not begin a read. Stays set if another owner follows.
        @SuppressWarnings("UnusedVariable") // by REVOKED
        private boolean revoked;

        private Owner(Thread thread) {
            this.thread = new WeakReference<>(thread);
            this.threadId = thread.threadId();
        }

        private boolean is(Thread caller) {
            return threadId == caller.threadId();
        }

        private boolean tryBegin() {
            READS.setOpaque(this, reads + 1);
            if (!(boolean) REVOKED.getOpaque(this)) {
                return true;
            }
            endRead();
            return false;
        }

        /// A read of the owner ends.
        void endRead() {
            READS.setRelease(this, reads - 1);
        }

        /// Refuses further reads; false if one runs, which then goes on with its bias.
        private boolean tryRevoke() {
            REVOKED.setVolatile(this, true);
            Thread running = thread.get(); // null after its end
            if (running != null) {
                StackTraceElement[] _ = running.getStackTrace(); // stops it at a safepoint
            }
            if ((int) READS.getAcquire(this) == 0) {
                return true;
            }
            REVOKED.setVolatile(this, false);
            return false;
        }

        /// Refuses further reads if none can have begun since the thread's last call ended; false if one runs that
        /// began before it.
        private boolean tryRevokeIdle() {
            if ((int) READS.getOpaque(this) > 0) {
                return false;
            }
            REVOKED.setVolatile(this, true);
            return true;
        }
    }

    /// A call begins, once no call of another thread runs.
    void enter() {
        if (!tryEnter()) {
            boolean _ = await(Long.MAX_VALUE);
        }
    }

    /// A call begins; false if a call or a biased read of another thread runs.
    @SuppressWarnings("ReferenceEquality") // the very thread
    boolean tryEnter() {
        Thread caller = Thread.currentThread();
        if (user == caller) { // only this thread can have set it
            depth++;
            return true;
        }
        if (!USER.compareAndSet(this, null, caller)) {
            return false;
        }
        Owner before = owner;
        if (before != null && before.is(caller)) {
            return true;
        }
        BooleanSupplier possible = reads;
        boolean read = possible != null && possible.getAsBoolean();
        if (before != null && !(read ? before.tryRevoke() : before.tryRevokeIdle())) {
            USER.setRelease(this, null);
            return false;
        }
        OWNER.setRelease(this, new Owner(caller));
        return true;
    }

    /// A read begins under the caller's bias, to be ended by [Owner#endRead]; null if another thread entered last.
    @Nullable Owner tryBeginRead() {
        Owner last = (Owner) OWNER.getAcquire(this);
        return last != null && last.is(Thread.currentThread()) && last.tryBegin() ? last : null;
    }

    /// Sets the condition under which biased reads can run: results are open.
    void reads(BooleanSupplier possible) {
        reads = possible;
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

    /// Whether the caller's call is the outermost one, and within no read.
    boolean isOutermost() {
        Owner caller = owner;
        return depth == 0 && (caller == null || caller.reads == 0);
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
