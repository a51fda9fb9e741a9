package dev.oriel;

import dev.oriel.io.FileAccess;
import dev.oriel.io.FileMode;
import dev.oriel.sql.engine.Sql;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import java.util.function.Consumer;

/// Options of an open database.
///
/// @param durability when a commit is acknowledged
/// @param readOnly whether nothing may be written; the database must exist then
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis how long a writing transaction waits for the one before it
/// @param queryBytesMax bytes of memory that one statement may take for rows that it sorts, groups, joins or keeps
///     otherwise, above 0; the rest spills to files of the database. A database in memory, or a read-only one, has
///     none: there it is a limit
/// @param fileAccess the files that SQL may read and write: usually all for a handle that may write, and only the
///     folder
///     `files` within the database's for a read-only one. Never files of a database
/// @param afterConflict whether a transaction continues after 40001 or 40P01, or can only be rolled back
/// @param fileMode the permissions that a new database's folder and files are created with. An existing one keeps
///     to
///     the permissions of its file `lock`
public record DatabaseOptions(
        Durability durability,
        boolean readOnly,
        long checkpointBytes,
        long writeTimeoutMillis,
        long queryBytesMax,
        FileAccess fileAccess,
        AfterConflict afterConflict,
        FileMode fileMode) {
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
                AfterConflict.CONTINUE,
                FileMode.OWNER);
    }

    StoreOptions toStoreOptions() {
        return StoreOptions.defaults()
                .withDurability(durability)
                .withReadOnly(readOnly)
                .withCheckpointBytes(checkpointBytes)
                .withWriteTimeoutMillis(writeTimeoutMillis);
    }

    public DatabaseOptions withDurability(Durability durability) {
        return with(draft -> draft.durability = durability);
    }

    public DatabaseOptions withReadOnly(boolean readOnly) {
        return with(draft -> draft.readOnly = readOnly);
    }

    public DatabaseOptions withCheckpointBytes(long checkpointBytes) {
        return with(draft -> draft.checkpointBytes = checkpointBytes);
    }

    public DatabaseOptions withWriteTimeoutMillis(long writeTimeoutMillis) {
        return with(draft -> draft.writeTimeoutMillis = writeTimeoutMillis);
    }

    public DatabaseOptions withQueryBytesMax(long queryBytesMax) {
        return with(draft -> draft.queryBytesMax = queryBytesMax);
    }

    public DatabaseOptions withFileAccess(FileAccess fileAccess) {
        return with(draft -> draft.fileAccess = fileAccess);
    }

    public DatabaseOptions withAfterConflict(AfterConflict afterConflict) {
        return with(draft -> draft.afterConflict = afterConflict);
    }

    public DatabaseOptions withFileMode(FileMode fileMode) {
        return with(draft -> draft.fileMode = fileMode);
    }

    private DatabaseOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /// The options while one of them is changed.
    private static final class Draft {
        private Durability durability;
        private boolean readOnly;
        private long checkpointBytes;
        private long writeTimeoutMillis;
        private long queryBytesMax;
        private FileAccess fileAccess;
        private AfterConflict afterConflict;
        private FileMode fileMode;

        private Draft(DatabaseOptions from) {
            durability = from.durability;
            readOnly = from.readOnly;
            checkpointBytes = from.checkpointBytes;
            writeTimeoutMillis = from.writeTimeoutMillis;
            queryBytesMax = from.queryBytesMax;
            fileAccess = from.fileAccess;
            afterConflict = from.afterConflict;
            fileMode = from.fileMode;
        }

        private DatabaseOptions options() {
            return new DatabaseOptions(
                    durability,
                    readOnly,
                    checkpointBytes,
                    writeTimeoutMillis,
                    queryBytesMax,
                    fileAccess,
                    afterConflict,
                    fileMode);
        }
    }
}
