package dev.oriel.store;

/// How a store is opened.
///
/// @param durability when a commit is acknowledged
/// @param readOnly whether nothing may be written, not even a checkpoint
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis how long a writing transaction waits for the one before it
public record StoreOptions(
        Durability durability, boolean readOnly, long checkpointBytes, long writeTimeoutMillis) {
    /// SYNC, writable, a checkpoint every 32 MB of log, 10 seconds.
    public static StoreOptions defaults() {
        return new StoreOptions(Durability.SYNC, false, 32L << 20, 10_000);
    }

    public StoreOptions withDurability(Durability durability) {
        return new StoreOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }

    public StoreOptions withReadOnly(boolean readOnly) {
        return new StoreOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }

    public StoreOptions withCheckpointBytes(long checkpointBytes) {
        return new StoreOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }

    public StoreOptions withWriteTimeoutMillis(long writeTimeoutMillis) {
        return new StoreOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }
}
