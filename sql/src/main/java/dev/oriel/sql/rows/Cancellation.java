package dev.oriel.sql.rows;

import dev.oriel.sql.SqlException;
import org.jspecify.annotations.Nullable;

/// The one thing that a session shares with other threads.
public final class Cancellation {
    /// Of the session that writes in a thread: what the layers below ask there while they wait for a
    /// lock, or work for long.
    private static final ThreadLocal<@Nullable Cancellation> WRITING = new ThreadLocal<>();

    private volatile boolean requested;

    /// Fails if what this thread writes has been cancelled.
    public static void pollWriting() {
        Cancellation own = WRITING.get();
        if (own != null && own.requested) {
            throw own.error();
        }
    }

    /// This thread writes from now on.
    public void enter() {
        WRITING.set(this);
    }

    /// It does not any more. The place in the thread's map is kept: each statement that writes uses it.
    public void leave() {
        WRITING.set(null);
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
