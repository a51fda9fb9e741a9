package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sessions on buckets that no client works with: a client has one only while its requests are executed, so that
/// silent clients need no memory for it. Safe for use by any number of threads.
final class SessionPool {
    /// Number of idle sessions of a bucket that are kept.
    private static final int IDLE_MAX = 64;

    private final Map<String, Deque<BucketSession>> idle = new HashMap<>(); // guarded by this

    /// An idle session of `bucket`, the one used last; null if there is none.
    synchronized @Nullable BucketSession take(String bucket) {
        Deque<BucketSession> sessions = idle.get(bucket);
        return sessions == null ? null : sessions.pollLast();
    }

    /// Keeps a session of `bucket` for others, or closes it if there are enough.
    void give(String bucket, BucketSession session) {
        if (!keeps(bucket, session)) {
            session.close();
        }
    }

    private synchronized boolean keeps(String bucket, BucketSession session) {
        Deque<BucketSession> sessions = idle.computeIfAbsent(bucket, name -> new ArrayDeque<>());
        if (sessions.size() >= IDLE_MAX) {
            return false;
        }
        sessions.addLast(session);
        return true;
    }
}
