package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What the server knows of a connected client, whatever it speaks: who it is, which bucket it works on,
/// and how its requests are done and counted. For one thread at a time.
final class Client {
    static final int KEY_BYTES_MAX = 250;

    /// A time of expiry up to this many seconds is counted from now, a longer one from 1970.
    private static final long RELATIVE_SECONDS_MAX = 60L * 60 * 24 * 30;

    private final OrielServer server;
    private final Listener listener;
    private @Nullable BucketSession session;
    private @Nullable String bucket;
    private @Nullable String user;

    Client(OrielServer server, Listener listener) {
        this.server = server;
        this.listener = listener;
        this.bucket = listener == Listener.COUCHBASE ? null : server.options().bucket();
    }

    OrielServer server() {
        return server;
    }

    Listener listener() {
        return listener;
    }

    Metrics metrics() {
        return server.metrics();
    }

    /// Whether nothing may be done before the client has said who it is.
    boolean isStranger() {
        return user == null && !server.users().isEmpty();
    }

    void login(String name) {
        user = name;
        metrics().logins.increment();
    }

    /// The bucket it works on; null until one is chosen.
    @Nullable String bucket() {
        return bucket;
    }

    /// Chooses a bucket that is there; false where there is none of that name.
    boolean select(String name) {
        try {
            if (!server.buckets().exists(name) && !name.equals(server.options().bucket())) {
                return false;
            }
        } catch (UsageException noName) {
            return false;
        }
        closeSession();
        bucket = name;
        return true;
    }

    /// The session on its bucket.
    BucketSession session() {
        BucketSession open = session;
        if (open == null) {
            String chosen = bucket;
            if (chosen == null) {
                throw new UsageException("No bucket has been chosen", "");
            }
            open = server.buckets().session(chosen);
            session = open;
        }
        return open;
    }

    /// Whether the session can be had without waiting for anything.
    boolean isReady() {
        return session != null;
    }

    /// Works on another session for a while: that of another collection.
    void use(@Nullable BucketSession other) {
        session = other;
    }

    @Nullable BucketSession sessionOrNull() {
        return session;
    }

    /// Finds an entry, counting.
    Status read(byte[] key, int from, int length) {
        metrics().gets.increment();
        Status status = session().read(key, from, length);
        if (status == Status.SUCCESS) {
            metrics().getHits.increment();
        }
        return status;
    }

    /// Does a change, counting, with a status for whatever can happen.
    Status change(String key, long cas, Change change, @Nullable Durability wanted) {
        if (change instanceof Change.Store store
                && store.value().length > server.options().valueBytesMax()) {
            return Status.TOO_BIG;
        }
        Durability durability = server.options().synced() ? Durability.SYNC : wanted;
        Status status;
        try {
            status = session().change(key, cas, change, durability);
        } catch (ConflictException e) {
            status = Status.TEMPORARY_FAILURE;
        } catch (LimitException e) {
            server.log().failed("A change was refused", e);
            status = Status.OUT_OF_MEMORY;
        } catch (ClosedException e) {
            status = Status.TEMPORARY_FAILURE;
        } catch (DatabaseException e) {
            metrics().failures.increment();
            server.log().failed("A change failed", e);
            status = Status.INTERNAL;
        }
        count(change, cas, status);
        return status;
    }

    private void count(Change change, long cas, Status status) {
        Metrics metrics = metrics();
        boolean done = status == Status.SUCCESS;
        switch (change) {
            case Change.Store _, Change.Edit _ -> {
                metrics.sets.increment();
                if (cas != 0) {
                    (done
                                    ? metrics.casHits
                                    : status == Status.EXISTS ? metrics.casBad : metrics.casMisses)
                            .increment();
                }
            }
            case Change.Counter _ -> {
                metrics.counts.increment();
                if (done) {
                    metrics.countHits.increment();
                }
            }
            case Change.Touch _ -> {
                metrics.touches.increment();
                if (done) {
                    metrics.touchHits.increment();
                }
            }
            case Change.Remove _ -> {
                metrics.deletes.increment();
                if (done) {
                    metrics.deleteHits.increment();
                }
            }
        }
    }

    /// When an entry expires of which the client says `seconds`: never (0), at once (negative), so many
    /// from now (up to 30 days), or so many from 1970.
    long expiry(long seconds) {
        if (seconds == 0) {
            return Change.NEVER;
        }
        if (seconds < 0) {
            return 1; // long ago
        }
        long begin = seconds > RELATIVE_SECONDS_MAX ? 0 : server.buckets().nowMicros();
        return begin + seconds * 1_000_000;
    }

    /// The key as text; null where it can be none.
    static @Nullable String key(byte[] bytes, int from, int length) {
        if (length == 0 || length > KEY_BYTES_MAX) {
            return null;
        }
        return BucketSession.text(bytes, from, length);
    }

    /// Removes all entries of its bucket, after `delaySeconds`.
    void flush(long delaySeconds) {
        metrics().flushes.increment();
        String chosen = bucket;
        if (chosen == null) {
            return;
        }
        if (delaySeconds <= 0) {
            session(); // creates it
            server.buckets().clear(chosen);
        } else {
            server.later(delaySeconds, () -> server.buckets().clear(chosen));
        }
    }

    /// Whether name and password are those of a user.
    boolean isUser(String name, String password) {
        String known = server.users().get(name);
        boolean same =
                java.security.MessageDigest.isEqual(
                        password.getBytes(StandardCharsets.UTF_8),
                        (known == null ? "\u0000" : known).getBytes(StandardCharsets.UTF_8));
        if (known == null || !same) {
            metrics().loginFailures.increment();
            return false;
        }
        login(name);
        return true;
    }

    private void closeSession() {
        BucketSession open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }

    void close() {
        closeSession();
    }
}
