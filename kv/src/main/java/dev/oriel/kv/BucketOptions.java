package dev.oriel.kv;

/// Options of buckets.
///
/// @param lockTimeoutMillis how long a change waits for a key that another transaction has locked
/// @param valueBytesMax the longest value in bytes
/// @param sweepMillis pause of the sweeper between two rounds over expired entries; 0 for no sweeper
public record BucketOptions(long lockTimeoutMillis, int valueBytesMax, long sweepMillis) {
    /// 10 seconds, 20 MB, 1 second.
    public static BucketOptions defaults() {
        return new BucketOptions(10_000, 20 << 20, 1_000);
    }

    public BucketOptions withLockTimeoutMillis(long wanted) {
        return new BucketOptions(wanted, valueBytesMax, sweepMillis);
    }

    public BucketOptions withValueBytesMax(int wanted) {
        return new BucketOptions(lockTimeoutMillis, wanted, sweepMillis);
    }

    public BucketOptions withSweepMillis(long wanted) {
        return new BucketOptions(lockTimeoutMillis, valueBytesMax, wanted);
    }
}
