package dev.oriel.server;

import dev.oriel.table.TableSize;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The sizes of all buckets, counted at most once in ten seconds. Counting reads many pages of each bucket, and any
/// client may ask for the metrics. Safe for use by any number of threads.
final class BucketSizes {
    static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Supplier<SortedMap<String, TableSize>> count;
    private final LongSupplier nanos;
    private SortedMap<String, TableSize> last = new TreeMap<>();
    private long countedNanos;
    private boolean counted;

    BucketSizes(Supplier<SortedMap<String, TableSize>> count, LongSupplier nanos) {
        this.count = count;
        this.nanos = nanos;
    }

    /// The sizes, at most ten seconds old. A caller waits while another one counts.
    synchronized SortedMap<String, TableSize> get() {
        if (!counted || nanos.getAsLong() - countedNanos >= KEPT_NANOS) {
            last = count.get();
            countedNanos = nanos.getAsLong();
            counted = true;
        }
        return last;
    }
}
