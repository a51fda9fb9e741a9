package dev.oriel.sql.cancel;

import dev.oriel.sql.SqlException;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// The cancel flag of a session, the only state it shares with other threads.
///
/// Operators poll their session's flag. Parser, binder, planner, scalar functions, and the layers below while they
/// wait for a lock have no session at hand. They call [#pollRunning], which knows the session whose call runs in
/// this thread.
public final class Cancellation {
    /// Cancellation of the session whose call runs in a thread, or ran there last. A weak reference, as threads
    /// outlive the class loaders of redeployed applications: the value of a thread local keeps its class, and so
    /// its loader.
    private static final ThreadLocal<@Nullable WeakReference<Cancellation>> RUNNING =
            new ThreadLocal<>();

    private final WeakReference<Cancellation> reference = new WeakReference<>(this);

    /// Owner of the session's statements; null if it has none.
    private @Nullable Object owner;

    private volatile boolean requested;

    /// Thread of the running call; null if none runs. Not synchronized: any other thread only needs to see that it
    /// is not itself.
    private @Nullable Thread runner;

    /// Number of nested calls that have entered.
    private int calls;

    /// The session whose call, in the same thread, made the call of this one.
    private @Nullable WeakReference<Cancellation> outer;

    /// Fails if the call that runs in this thread has been cancelled.
    public static void pollRunning() {
        Cancellation own = running(RUNNING.get());
        if (own != null && own.requested) {
            throw own.error();
        }
    }

    /// Owner of the statement that runs in this thread; null if it has none, or if none runs.
    public static @Nullable Object runningOwner() {
        Cancellation own = running(RUNNING.get());
        return own == null ? null : own.owner;
    }

    public void owner(Object of) {
        owner = of;
    }

    @SuppressWarnings("ReferenceEquality") // same thread
    private static @Nullable Cancellation running(@Nullable WeakReference<Cancellation> held) {
        Cancellation own = held == null ? null : held.get();
        return own != null && own.runner == Thread.currentThread() ? own : null;
    }

    /// Begins a call of the session in this thread, to be ended by [#leave].
    @SuppressWarnings("ReferenceEquality") // same reference
    public void enter() {
        if (calls++ > 0) {
            return;
        }
        runner = Thread.currentThread();
        WeakReference<Cancellation> held =
                RUNNING.get(); // each time: some pools erase it between tasks
        if (held != reference) {
            outer = running(held) == null ? null : held;
            RUNNING.set(reference);
        }
    }

    /// Ends the call. The thread keeps this session as its last one: a read and a comparison cost less than a
    /// write, and most threads run one session.
    public void leave() {
        if (--calls > 0) {
            return;
        }
        runner = null;
        if (outer != null) {
            RUNNING.set(outer);
            outer = null;
        }
    }

    /// The session whose call runs in this thread, to be moved to another thread by [#moveTo]; null if there is none.
    static @Nullable Cancellation handOver() {
        return running(RUNNING.get());
    }

    /// Moves the running call to this thread, or gives it back to `caller`, which waits meanwhile.
    ///
    /// @param caller null to take the call
    /// @return the thread it ran in
    @Nullable Thread moveTo(@Nullable Thread caller) {
        Thread before = runner;
        runner = caller == null ? Thread.currentThread() : caller;
        if (caller == null) {
            RUNNING.set(reference);
        }
        return before;
    }

    /// Fails if the session has been cancelled. To be called once a row in every loop.
    public void poll() {
        if (requested) {
            throw error();
        }
    }

    public void request() {
        requested = true;
    }

    public void clear() {
        if (requested) { // a write costs more than a read
            requested = false;
        }
    }

    private SqlException error() {
        return new SqlException(
                SqlException.Kind.CANCELLED, "The statement was cancelled", -1, null);
    }
}
