package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.UsageException;
import org.jspecify.annotations.Nullable;

/// The session of a client, on its bucket or on a collection of it. The client has one only while its requests are
/// executed. Used by one thread at a time.
final class HeldSession {
    private final OrielServer server;
    private @Nullable BucketSession session;

    /// The bucket that `session` belongs to.
    private String place = "";

    /// Whether a request has failed in it: then no other client gets it.
    private boolean broken;

    HeldSession(OrielServer server) {
        this.server = server;
    }

    /// The session on `bucket`.
    ///
    /// @throws MustWait if one has to be opened, and the thread may not wait
    BucketSession on(String bucket, boolean mayWait) {
        if (!isReady(bucket, mayWait)) {
            if (!mayWait) {
                throw MustWait.INSTANCE;
            }
            session = server.buckets().session(bucket);
        }
        BucketSession open = session;
        if (open == null) {
            throw new IllegalStateException("there is no session");
        }
        return open;
    }

    /// Takes an idle session on `bucket`; false if there is none.
    boolean isReady(String bucket, boolean mayWait) {
        if (session != null && !place.equals(bucket)) {
            rest(mayWait);
        }
        if (session == null) {
            place = bucket;
            session = server.sessions().take(bucket, !mayWait);
        }
        return session != null;
    }

    @Nullable BucketSession orNull() {
        return session;
    }

    /// A request has failed with `cause`. Unless another transaction was in its way, the session is not used again.
    void failed(DatabaseException cause) {
        broken |= !(cause instanceof ConflictException);
        if (cause instanceof UsageException && !server.buckets().exists(place)) {
            server.sessions().drop(place);
        }
    }

    /// A request has ended.
    void endRequest() {
        if (broken) {
            close();
        }
    }

    /// The requests so far are executed: others may have the session.
    void rest(boolean mayWait) {
        BucketSession open = session;
        if (broken) {
            close();
        } else if (open != null) {
            session = null;
            server.sessions().give(place, open, !mayWait);
        }
    }

    void close() {
        BucketSession open = session;
        session = null;
        broken = false;
        if (open != null) {
            open.close();
        }
    }
}
