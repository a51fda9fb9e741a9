package dev.oriel.sql.cancel;

import dev.oriel.sql.SqlException;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// The one thing that a session shares with other threads: whether its statement is to end.
///
/// Operators ask their session's. Whatever has none at hand (parser, binder, planner, functions of a value, the layers
/// below while they wait for a lock) asks [#pollRunning], which knows the session whose call runs in this thread.
public final class Cancellation {
    /// Cancellation of the session whose call runs in a thread, or ran there last. Weakly: threads outlive the class
    /// loaders of redeployed applications, and the value of a thread local keeps its class, and so its loader.
    private static final ThreadLocal<@Nullable WeakReference<Cancellation>> RUNNING =
            new ThreadLocal<>();

    private final WeakReference<Cancellation> reference = new WeakReference<>(this);

    /// Who asks for the statements of the session; null for nobody in particular.
    private @Nullable Object owner;

    private volatile boolean requested;

    /// Thread of the call that runs; null if none does. Of that thread alone, for others it is only not theirs.
    private @Nullable Thread runner;

    /// Number of calls that have entered, each within the one before.
    private int calls;

    /// The session around this one, whose call has called into this one in the same thread.
    private @Nullable WeakReference<Cancellation> outer;

    /// Fails if the call that runs in this thread has been cancelled.
    public static void pollRunning() {
        Cancellation own = running(RUNNING.get());
        if (own != null && own.requested) {
            throw own.error();
        }
    }

    /// Who asks for the statement that runs in this thread; null for nobody, or if none runs.
    public static @Nullable Object runningOwner() {
        Cancellation own = running(RUNNING.get());
        return own == null ? null : own.owner;
    }

    public void owner(Object of) {
        owner = of;
    }

    @SuppressWarnings("ReferenceEquality") // the very thread
    private static @Nullable Cancellation running(@Nullable WeakReference<Cancellation> held) {
        Cancellation own = held == null ? null : held.get();
        return own != null && own.runner == Thread.currentThread() ? own : null;
    }

    /// A call of the session begins in this thread, to be ended by [#leave].
    @SuppressWarnings("ReferenceEquality") // the very one
    public void enter() {
        if (calls++ > 0) {
            return;
        }
        runner = Thread.currentThread();
        WeakReference<Cancellation> held = RUNNING.get();
        if (held != reference) {
            outer = running(held) == null ? null : held;
            RUNNING.set(reference);
        }
    }

    /// The call is over. That this thread has run it last is kept: to find that out again costs less than to write it
    /// down, and most threads run one session.
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

    /// Its call goes on in this thread, or is given back to `caller`, which waits meanwhile.
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

    /// To be called once a row in every loop: fails if the session has been cancelled.
    public void poll() {
        if (requested) {
            throw error();
        }
    }

    public void request() {
        requested = true;
    }

    public void clear() {
        if (requested) { // to write costs more than to read
            requested = false;
        }
    }

    private SqlException error() {
        return new SqlException(
                SqlException.Kind.CANCELLED, "The statement was cancelled", -1, null);
    }
}
