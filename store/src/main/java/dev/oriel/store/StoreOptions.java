package dev.oriel.store;

/// How a store is opened.
///
/// @param durability when a commit is acknowledged
/// @param readOnly whether nothing may be written, not even a checkpoint
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis how long a writing transaction waits for the one before it
/// @param snapshotAgeMillisMax how long a read-only transaction may read; 0 is without a limit. One
///     that is older ends with a [ConflictException] when it reads again
public record StoreOptions(
        Durability durability,
        boolean readOnly,
        long checkpointBytes,
        long writeTimeoutMillis,
        long snapshotAgeMillisMax) {
    /// SYNC, writable, a checkpoint every 32 MB of log, 10 seconds, snapshots of any age.
    public static StoreOptions defaults() {
        return new StoreOptions(Durability.SYNC, false, 32L << 20, 10_000, 0);
    }

    public StoreOptions withDurability(Durability wanted) {
        return new StoreOptions(
                wanted, readOnly, checkpointBytes, writeTimeoutMillis, snapshotAgeMillisMax);
    }

    public StoreOptions withReadOnly(boolean wanted) {
        return new StoreOptions(
                durability, wanted, checkpointBytes, writeTimeoutMillis, snapshotAgeMillisMax);
    }

    public StoreOptions withCheckpointBytes(long wanted) {
        return new StoreOptions(
                durability, readOnly, wanted, writeTimeoutMillis, snapshotAgeMillisMax);
    }

    public StoreOptions withWriteTimeoutMillis(long wanted) {
        return new StoreOptions(
                durability, readOnly, checkpointBytes, wanted, snapshotAgeMillisMax);
    }

    public StoreOptions withSnapshotAgeMillisMax(long wanted) {
        return new StoreOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis, wanted);
    }
}
