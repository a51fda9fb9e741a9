package dev.oriel.server;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// When entries were read, for those clients that ask (the meta commands' `h` and `l`): in memory, in a
/// table of fixed size, from the first such question on. Where two keys share a place the later read
/// stays, so an entry that was read may look as if it had not been; never the other way round. Safe for
/// use by any number of threads.
final class EntryReads {
    /// A power of two.
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

    /// Whether anybody has asked.
    boolean isKept() {
        return places != null;
    }

    /// From now on it is kept.
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

    /// What was stored anew has not been read.
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

    /// When the entry was read last, in microseconds since 1970; 0 where that is not known.
    long last(@Nullable String bucket, String key) {
        AtomicReferenceArray<@Nullable Read> kept = places;
        Read read = kept == null || bucket == null ? null : kept.get(place(bucket, key));
        return read != null && bucket != null && read.isOf(bucket, key) ? read.micros : 0;
    }
}
