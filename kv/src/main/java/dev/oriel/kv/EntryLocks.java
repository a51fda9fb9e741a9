package dev.oriel.kv;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// Entries that were read to be changed and that nobody else may change until then, or until their time is
/// over ([Bucket#getAndLock]). They are in memory: a database that was closed has none.
///
/// Who changes an entry through a bucket holds the lock of its key in the store while this is looked at,
/// so of two that want one entry the second sees what the first has put here. SQL does not look here.
final class EntryLocks {
    /// More locks at once than this are refused: each takes memory, and none is there for longer than
    /// [Bucket#LOCK_SECONDS_MAX].
    private static final int LOCKS_MAX = 100_000;

    /// @param cas the number that the entry got when it was locked: whoever knows it may change it
    record Held(String tableName, String key, long cas, long untilMicros) {}

    private record Place(String tableName, String key) {}

    private final ConcurrentMap<Place, Held> held = new ConcurrentHashMap<>();

    /// Whether there are any: what reads ask first.
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

    /// Keeps a lock; false where there are too many.
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

    /// Removes this lock, unless there is another one in its place by now.
    void remove(Held lock) {
        held.remove(new Place(lock.tableName, lock.key), lock);
    }

    /// Removes all locks of a bucket.
    void removeAll(String tableName) {
        held.values().removeIf(lock -> lock.tableName.equals(tableName));
    }

    /// Forgets those whose time is over.
    void sweep(long nowMicros) {
        held.values().removeIf(old -> old.untilMicros <= nowMicros);
    }
}
