package dev.oriel.sql.engine;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// LRU cache of plans, bounded in entries and in bytes. Not safe for use by two threads at once.
final class RecentPlans<K, V> {
    private final int entriesMax;
    private final long bytesMax;
    private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private long evicted;

    private record Entry<V>(V value, long bytes) {}

    RecentPlans(int entriesMax, long bytesMax) {
        this.entriesMax = entriesMax;
        this.bytesMax = bytesMax;
    }

    @Nullable V get(K key) {
        Entry<V> found = entries.get(key);
        return found == null ? null : found.value;
    }

    /// @param about approximate size in bytes
    void put(K key, V value, long about) {
        Entry<V> before = entries.put(key, new Entry<>(value, about));
        bytes += about - (before == null ? 0 : before.bytes);
        Iterator<Entry<V>> eldest = entries.values().iterator();
        while (entries.size() > entriesMax || (bytes > bytesMax && entries.size() > 1)) {
            bytes -= eldest.next().bytes;
            eldest.remove();
            evicted++;
        }
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }

    /// Number of evicted entries.
    long evicted() {
        return evicted;
    }
}
