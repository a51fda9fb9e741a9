package dev.oriel;

import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;

/// How a database is opened.
///
/// @param durability when a commit is acknowledged
/// @param readOnly whether nothing may be written; the database must exist then
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis how long a writing transaction waits for the one before it
public record DatabaseOptions(
        Durability durability, boolean readOnly, long checkpointBytes, long writeTimeoutMillis) {
    private static final DatabaseOptions DEFAULTS = of(StoreOptions.defaults());

    /// Synced commits, writable, the store's own sizes and times.
    public static DatabaseOptions defaults() {
        return DEFAULTS;
    }

    private static DatabaseOptions of(StoreOptions options) {
        return new DatabaseOptions(
                options.durability(),
                options.readOnly(),
                options.checkpointBytes(),
                options.writeTimeoutMillis());
    }

    StoreOptions toStoreOptions() {
        return StoreOptions.defaults()
                .withDurability(durability)
                .withReadOnly(readOnly)
                .withCheckpointBytes(checkpointBytes)
                .withWriteTimeoutMillis(writeTimeoutMillis);
    }

    public DatabaseOptions withDurability(Durability durability) {
        return new DatabaseOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }

    public DatabaseOptions withReadOnly(boolean readOnly) {
        return new DatabaseOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }

    public DatabaseOptions withCheckpointBytes(long checkpointBytes) {
        return new DatabaseOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }

    public DatabaseOptions withWriteTimeoutMillis(long writeTimeoutMillis) {
        return new DatabaseOptions(durability, readOnly, checkpointBytes, writeTimeoutMillis);
    }
}
