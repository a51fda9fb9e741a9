package dev.oriel;

import dev.oriel.io.FileAccess;
import dev.oriel.sql.engine.Sql;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;

/// How a database is opened.
///
/// @param durability when a commit is acknowledged
/// @param readOnly whether nothing may be written; the database must exist then
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis how long a writing transaction waits for the one before it
/// @param queryBytesMax bytes of memory that one statement may take for rows that it sorts, groups, joins or
///     keeps otherwise, above 0; what is beyond goes to files of the database. A database in memory, or one
///     that is read only, has none: there it is a limit
/// @param fileAccess the files that SQL may read and write: usually all for a handle that may write, and those in the
///     folder `files` within the database's for one that only reads. Never those of a database
/// @param afterConflict whether a transaction that has met 40001 or 40P01 goes on or can only be rolled back
public record DatabaseOptions(
        Durability durability,
        boolean readOnly,
        long checkpointBytes,
        long writeTimeoutMillis,
        long queryBytesMax,
        FileAccess fileAccess,
        AfterConflict afterConflict) {
    private static final DatabaseOptions DEFAULTS = of(StoreOptions.defaults());

    /// Synced commits, writable, the store's own sizes and times, a quarter of the heap for a statement.
    public static DatabaseOptions defaults() {
        return DEFAULTS;
    }

    private static DatabaseOptions of(StoreOptions options) {
        return new DatabaseOptions(
                options.durability(),
                options.readOnly(),
                options.checkpointBytes(),
                options.writeTimeoutMillis(),
                Sql.usualQueryBytes(),
                FileAccess.USUAL,
                AfterConflict.CONTINUE);
    }

    StoreOptions toStoreOptions() {
        return StoreOptions.defaults()
                .withDurability(durability)
                .withReadOnly(readOnly)
                .withCheckpointBytes(checkpointBytes)
                .withWriteTimeoutMillis(writeTimeoutMillis);
    }

    public DatabaseOptions withDurability(Durability durability) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }

    public DatabaseOptions withReadOnly(boolean readOnly) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }

    public DatabaseOptions withCheckpointBytes(long checkpointBytes) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }

    public DatabaseOptions withWriteTimeoutMillis(long writeTimeoutMillis) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }

    public DatabaseOptions withQueryBytesMax(long queryBytesMax) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }

    public DatabaseOptions withFileAccess(FileAccess fileAccess) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }

    public DatabaseOptions withAfterConflict(AfterConflict afterConflict) {
        return new DatabaseOptions(
                durability,
                readOnly,
                checkpointBytes,
                writeTimeoutMillis,
                queryBytesMax,
                fileAccess,
                afterConflict);
    }
}
