package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.store.ClosedException;
import dev.oriel.store.DatabaseException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Gives back the space of files that a database does not need while it is quiet: once in each pause of 50 seconds
/// without a commit. Used by one thread at a time.
final class QuietSpace {
    static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(50);

    private final LongSupplier newest;
    private final Runnable giveBack;
    private final ServerLog log;
    private final LongSupplier nanos;
    private long txid = -1;
    private long sinceNanos;
    private boolean done;

    QuietSpace(Database database, ServerLog log, LongSupplier nanos) {
        this(() -> database.stats().txid(), database::giveBackSpace, log, nanos);
    }

    /// @param newest the number of the newest commit
    /// @param giveBack gives the space back, without a commit
    QuietSpace(LongSupplier newest, Runnable giveBack, ServerLog log, LongSupplier nanos) {
        this.newest = newest;
        this.giveBack = giveBack;
        this.log = log;
        this.nanos = nanos;
    }

    /// Checks whether there was a commit, and gives the space back if there was none for long enough. Returns whether
    /// it did so.
    boolean look() {
        long now = nanos.getAsLong();
        try {
            long last = newest.getAsLong();
            if (last != txid) {
                txid = last;
                sinceNanos = now;
                done = false;
            } else if (!done && now - sinceNanos >= QUIET_NANOS) {
                done = true;
                giveBack.run(); // a commit beside it is found by the next look
                return true;
            }
        } catch (ClosedException e) {
            done = true; // the server ends
        } catch (DatabaseException e) { // on a full disk, for example; the next pause follows
            log.failed("The space of files could not be given back", e);
        }
        return false;
    }
}
