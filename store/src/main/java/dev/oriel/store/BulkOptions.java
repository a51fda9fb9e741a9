package dev.oriel.store;

/// Options of a bulk load.
///
/// @param sortBytesMax memory for entries until they are sorted and written to a file; at least 64 KB
/// @param idleMillisMax time without a call after which it is rolled back, because no other transaction can write
///     meanwhile; 0 is never
/// @param whileFilling is run periodically by the calling thread while trees are filled; an exception from it ends
///     the load
public record BulkOptions(long sortBytesMax, long idleMillisMax, Runnable whileFilling) {
    private static final long SORT_BYTES_MIN = 64 << 10;

    /// Maximum memory for entries, 1 GB.
    public static final long SORT_BYTES_MAX = 1L << 30;

    private static final long SORT_BYTES_USUAL = 64 << 20;

    public BulkOptions {
        if (sortBytesMax < SORT_BYTES_MIN || sortBytesMax > SORT_BYTES_MAX) {
            throw new UsageException(
                    "A bulk load sorts in 64 KB to 1 GB of memory", "sortBytesMax=" + sortBytesMax);
        }
        if (idleMillisMax < 0) {
            throw new UsageException(
                    "A time cannot be negative; 0 is without a limit",
                    "idleMillisMax=" + idleMillisMax);
        }
    }

    /// 64 MB (less if the JVM may use less than 512 MB), one minute.
    public static BulkOptions defaults() {
        long sort =
                Math.clamp(Runtime.getRuntime().maxMemory() / 8, SORT_BYTES_MIN, SORT_BYTES_USUAL);
        return new BulkOptions(sort, 60_000, BulkOptions::nothing);
    }

    private static void nothing() {}

    public BulkOptions withSortBytesMax(long wanted) {
        return new BulkOptions(wanted, idleMillisMax, whileFilling);
    }

    public BulkOptions withIdleMillisMax(long wanted) {
        return new BulkOptions(sortBytesMax, wanted, whileFilling);
    }

    public BulkOptions withWhileFilling(Runnable wanted) {
        return new BulkOptions(sortBytesMax, idleMillisMax, wanted);
    }
}
