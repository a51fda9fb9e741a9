package dev.oriel.server;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Times at which entries were last read, for clients that ask (the meta commands' `h` and `l`). They are in
/// memory, in a table of fixed size, from the first such request on. If two keys share a slot, the later read
/// stays. So an entry that was read may look unread, but never the other way round. Safe for use by any number of
/// threads.
final class EntryReads {
    /// Number of slots, a power of two.
    private static final int PLACES = 1 << 16;

    private record Read(String bucket, String key, long micros) {
        boolean isOf(String otherBucket, String otherKey) {
            return key.equals(otherKey) && bucket.equals(otherBucket);
        }
    }

    private final LongSupplier clock;
    private volatile @Nullable AtomicReferenceArray<@Nullable Read> places;

    EntryReads(LongSupplier clock) {
        this.clock = clock;
    }

    /// Whether a client has requested it.
    boolean isKept() {
        return places != null;
    }

    /// Starts to keep it.
    void keep() {
        if (places == null) {
            synchronized (this) {
                if (places == null) {
                    places = new AtomicReferenceArray<>(PLACES);
                }
            }
        }
    }

    private static int place(String bucket, String key) {
        int hash = (31 * bucket.hashCode() + key.hashCode()) * 0x9E3779B9;
        return hash >>> 16;
    }

    void note(@Nullable String bucket, String key) {
        AtomicReferenceArray<@Nullable Read> kept = places;
        if (kept != null && bucket != null) {
            kept.set(place(bucket, key), new Read(bucket, key, clock.getAsLong()));
        }
    }

    /// Resets an entry that was stored again: it counts as unread.
    void forget(@Nullable String bucket, String key) {
        AtomicReferenceArray<@Nullable Read> kept = places;
        if (kept == null || bucket == null) {
            return;
        }
        int place = place(bucket, key);
        Read read = kept.get(place);
        if (read != null && read.isOf(bucket, key)) {
            kept.compareAndSet(place, read, null);
        }
    }

    /// Time of the entry's last read, in microseconds since 1970; 0 if unknown.
    long last(@Nullable String bucket, String key) {
        AtomicReferenceArray<@Nullable Read> kept = places;
        Read read = kept == null || bucket == null ? null : kept.get(place(bucket, key));
        return read != null && bucket != null && read.isOf(bucket, key) ? read.micros : 0;
    }
}
