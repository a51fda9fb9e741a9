package dev.oriel.sql.rows;

import dev.oriel.sql.SqlException;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// The one thing that a session shares with other threads.
public final class Cancellation {
    /// Of the session that writes in a thread: what the layers below ask there while they wait for a
    /// lock, or work for long. Weakly: threads outlive the class loaders of redeployed applications, and the value
    /// of a thread local keeps its class, and so its loader.
    private static final ThreadLocal<@Nullable WeakReference<Cancellation>> WRITING =
            new ThreadLocal<>();

    private final WeakReference<Cancellation> reference = new WeakReference<>(this);

    private volatile boolean requested;

    /// Where it writes; of that thread alone, for others it is only not theirs.
    private @Nullable Thread writer;

    /// Fails if what this thread writes has been cancelled.
    @SuppressWarnings("ReferenceEquality") // the very thread
    public static void pollWriting() {
        WeakReference<Cancellation> held = WRITING.get();
        Cancellation own = held == null ? null : held.get();
        if (own != null && own.requested && own.writer == Thread.currentThread()) {
            throw own.error();
        }
    }

    /// This thread writes from now on.
    @SuppressWarnings("ReferenceEquality") // the very one
    public void enter() {
        writer = Thread.currentThread();
        if (WRITING.get() != reference) {
            WRITING.set(reference);
        }
    }

    /// It does not any more. That this thread has written last is kept: to find that out again costs less than to
    /// write it down, and most threads write for one session.
    public void leave() {
        writer = null;
    }

    /// To be called once a row in every loop: fails if the session has been cancelled.
    public void poll() {
        if (requested) {
            throw error();
        }
    }

    boolean requested() {
        return requested;
    }

    public void request() {
        requested = true;
    }

    public void clear() {
        if (requested) { // to write costs more than to read
            requested = false;
        }
    }

    SqlException error() {
        return new SqlException(
                SqlException.Kind.CANCELLED, "The statement was cancelled", -1, null);
    }
}
