package dev.oriel.kv;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// Locks of entries read for update: only the lock's owner may change the entry, until the lock times out
/// ([Bucket#getAndLock]). They are kept in memory and end with the database.
///
/// A change through a bucket holds the key's lock in the store while it looks here. So the second of two changes of one
/// entry sees the lock of the first. SQL does not look here.
final class EntryLocks {
    /// Limit on the number of locks, because each takes memory; none lasts longer than [Bucket#LOCK_SECONDS_MAX].
    private static final int LOCKS_MAX = 100_000;

    /// @param cas the CAS that the entry got when it was locked; a change that demands it is admitted
    record Held(String tableName, String key, long cas, long untilMicros) {}

    private record Place(String tableName, String key) {}

    private final ConcurrentMap<Place, Held> held = new ConcurrentHashMap<>();

    /// Whether there are any locks: the first check of each read.
    boolean any() {
        return !held.isEmpty();
    }

    /// The lock of an entry, or null.
    @Nullable Held of(String tableName, String key, long nowMicros) {
        if (held.isEmpty()) {
            return null;
        }
        Held found = held.get(new Place(tableName, key));
        if (found != null && found.untilMicros <= nowMicros) {
            remove(found);
            return null;
        }
        return found;
    }

    /// Adds a lock; false if there are too many.
    boolean put(Held lock, long nowMicros) {
        if (held.size() >= LOCKS_MAX) {
            held.values().removeIf(old -> old.untilMicros <= nowMicros);
        }
        if (held.size() >= LOCKS_MAX) {
            return false;
        }
        held.put(new Place(lock.tableName, lock.key), lock);
        return true;
    }

    /// Removes `lock`, unless another one has replaced it.
    void remove(Held lock) {
        held.remove(new Place(lock.tableName, lock.key), lock);
    }

    /// Removes all locks of a bucket.
    void removeAll(String tableName) {
        held.values().removeIf(lock -> lock.tableName.equals(tableName));
    }

    /// Removes expired locks.
    void sweep(long nowMicros) {
        held.values().removeIf(old -> old.untilMicros <= nowMicros);
    }
}
