package dev.oriel.sql.cancel;

import dev.oriel.sql.SqlException;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The cancel flag of a session, the only state it shares with other threads.
///
/// Operators poll their session's flag. Parser, binder, planner, scalar functions, and the layers below while they
/// wait for a lock have no session at hand. They call [#pollRunning], which knows the session whose call runs in
/// this thread.
public final class Cancellation {
    /// Cancellation of the session whose call runs in a thread, or ran there last. Classes of the JDK around a weak
    /// reference, as threads outlive the class loaders of redeployed applications: the value of a thread local keeps
    /// its class, and so its loader.
    private static final ThreadLocal<
                    @Nullable AtomicReference<@Nullable WeakReference<Cancellation>>>
            RUNNING = new ThreadLocal<>();

    private static final long NONE = 0;

    private final WeakReference<Cancellation> reference = new WeakReference<>(this);

    /// Owner of the session's statements; null if it has none.
    private @Nullable Object owner;

    private volatile boolean requested;

    /// Number of the thread of the running call, or [#NONE]. Not synchronized: any other thread only needs to see
    /// that it is not itself.
    private long runner;

    /// Value of [#RUNNING] in the thread that called last: finding it by the thread costs more.
    private @Nullable Slot slot;

    /// Number of nested calls that have entered.
    private int calls;

    /// The session whose call, in the same thread, made the call of this one.
    private @Nullable WeakReference<Cancellation> outer;

    /// Value of [#RUNNING] in a thread.
    private record Slot(
            long thread, AtomicReference<@Nullable WeakReference<Cancellation>> running) {
        static Slot of(Thread thread) {
            AtomicReference<@Nullable WeakReference<Cancellation>> own = RUNNING.get();
            if (own == null) {
                own = new AtomicReference<>();
                RUNNING.set(own);
            }
            return new Slot(thread.threadId(), own);
        }
    }

    /// Fails if the call that runs in this thread has been cancelled.
    public static void pollRunning() {
        Cancellation own = running();
        if (own != null && own.requested) {
            throw own.error();
        }
    }

    /// Owner of the statement that runs in this thread; null if it has none, or if none runs.
    public static @Nullable Object runningOwner() {
        Cancellation own = running();
        return own == null ? null : own.owner;
    }

    public void owner(Object of) {
        owner = of;
    }

    private static @Nullable Cancellation running() {
        AtomicReference<@Nullable WeakReference<Cancellation>> own = RUNNING.get();
        return own == null ? null : running(own.getPlain());
    }

    private static @Nullable Cancellation running(@Nullable WeakReference<Cancellation> held) {
        Cancellation own = held == null ? null : held.get();
        return own != null && own.runner == Thread.currentThread().threadId() ? own : null;
    }

    /// Begins a call of the session in this thread, to be ended by [#leave].
    @SuppressWarnings("ReferenceEquality") // same reference
    public void enter() {
        if (calls++ > 0) {
            return;
        }
        Thread caller = Thread.currentThread();
        Slot own = slot;
        if (own == null || own.thread != caller.threadId()) {
            own = Slot.of(caller);
            slot = own;
        }
        runner = own.thread;
        WeakReference<Cancellation> held = own.running.getPlain();
        if (held != reference) {
            outer = running(held) == null ? null : held;
            own.running.setPlain(reference);
        }
    }

    /// Ends the call. The thread keeps this session as its last one: a read and a comparison cost less than a
    /// write, and most threads run one session.
    public void leave() {
        if (--calls > 0) {
            return;
        }
        runner = NONE;
        if (outer != null) {
            Slot.of(Thread.currentThread()).running.setPlain(outer);
            outer = null;
        }
    }

    /// The session whose call runs in this thread, to be moved to another thread by [#take]; null if there is none.
    static @Nullable Cancellation handOver() {
        return running();
    }

    /// Moves the running call to this thread; returns the number of the thread it ran in, which waits meanwhile.
    long take() {
        long before = runner;
        runner = Thread.currentThread().threadId();
        Slot.of(Thread.currentThread()).running.setPlain(reference);
        return before;
    }

    /// Gives the running call back to the thread of number `caller`.
    void giveBack(long caller) {
        runner = caller;
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
