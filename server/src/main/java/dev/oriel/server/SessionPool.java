package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Idle sessions on buckets: a client has one only while its requests are executed, so silent clients take no memory
/// for it. Safe for use by any number of threads.
///
/// Each network thread keeps the session it used last in a slot of its own, so that it usually needs no lock.
final class SessionPool {
    /// Number of idle sessions of a bucket that are kept.
    private static final int IDLE_MAX = 64;

    /// Number of idle sessions of all buckets that are kept, without sessions in slots.
    private static final int ALL_MAX = 1_024;

    /// The session that a network thread used last; null while it is in use.
    private static final class Slot {
        String bucket = "";
        @Nullable BucketSession session;
        int drops;
    }

    private final FastThreadLocal<Slot> slots =
            new FastThreadLocal<>() {
                @Override
                protected Slot initialValue() {
                    return new Slot();
                }
            };

    /// The bucket used longest ago comes first.
    private final Map<String, Deque<BucketSession>> idle =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by this

    private int count; // guarded by this

    /// Number of calls of [#drop]: sessions in slots from before one are not used again.
    private final AtomicInteger drops = new AtomicInteger();

    /// An idle session of `bucket`, the one used last; null if there is none.
    ///
    /// @param network whether the caller is a network thread
    @Nullable BucketSession take(String bucket, boolean network) {
        if (network) {
            Slot slot = slots.get();
            BucketSession mine = slot.session;
            if (mine != null && slot.bucket.equals(bucket)) {
                slot.session = null;
                if (slot.drops == drops.get()) {
                    return mine;
                }
                mine.close();
            }
        }
        return takeShared(bucket);
    }

    private synchronized @Nullable BucketSession takeShared(String bucket) {
        Deque<BucketSession> sessions = idle.get(bucket);
        if (sessions == null) {
            return null;
        }
        BucketSession last = sessions.pollLast();
        count -= last == null ? 0 : 1;
        return last;
    }

    /// Keeps a session of `bucket` for others, or closes it if there are enough. Nothing of its last request stays.
    ///
    /// @param network whether the caller is a network thread
    void give(String bucket, BucketSession session, boolean network) {
        session.forget();
        if (!network) {
            giveShared(bucket, session);
            return;
        }
        Slot slot = slots.get();
        BucketSession former = slot.session;
        String formerBucket = slot.bucket;
        boolean current = slot.drops == drops.get();
        slot.bucket = bucket;
        slot.session = session;
        slot.drops = drops.get();
        if (former != null && current) {
            giveShared(formerBucket, former);
        } else if (former != null) {
            former.close();
        }
    }

    private void giveShared(String bucket, BucketSession session) {
        BucketSession surplus = keep(bucket, session);
        if (surplus != null) {
            surplus.close();
        }
    }

    /// Returns the session that is too many; null if there is none.
    private synchronized @Nullable BucketSession keep(String bucket, BucketSession session) {
        Deque<BucketSession> sessions = idle.computeIfAbsent(bucket, name -> new ArrayDeque<>());
        if (sessions.size() >= IDLE_MAX) {
            return session;
        }
        sessions.addLast(session);
        count++;
        return count > ALL_MAX ? pollOldest() : null;
    }

    private synchronized @Nullable BucketSession pollOldest() {
        var buckets = idle.values().iterator();
        while (buckets.hasNext()) {
            BucketSession oldest = buckets.next().pollFirst();
            if (oldest != null) {
                count--;
                return oldest;
            }
            buckets.remove();
        }
        return null;
    }

    /// Drops the idle sessions of `bucket`, whose table is gone: a new session makes it again.
    void drop(String bucket) {
        drops.incrementAndGet();
        for (BucketSession session : remove(bucket)) {
            session.close();
        }
    }

    private synchronized Deque<BucketSession> remove(String bucket) {
        Deque<BucketSession> sessions = idle.remove(bucket);
        if (sessions == null) {
            return new ArrayDeque<>();
        }
        count -= sessions.size();
        return sessions;
    }

    /// Number of idle sessions of `bucket`, without sessions in slots.
    synchronized int idle(String bucket) {
        Deque<BucketSession> sessions = idle.get(bucket);
        return sessions == null ? 0 : sessions.size();
    }
}
