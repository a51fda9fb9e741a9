package dev.oriel;

import dev.oriel.io.FileAccess;
import dev.oriel.io.FileMode;
import dev.oriel.sql.engine.Sql;
import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.StoreOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Options of an open database. Immutable: each `with` method returns changed options.
///
/// ```java
/// Database.open(path, DatabaseOptions.defaults().withDurability(Durability.WRITTEN).withCheckpointBytes(256L << 20));
/// ```
/// Each is a property of the URL of JDBC too, under the same name. A number out of its range is refused by a
/// [dev.oriel.store.UsageException].
public final class DatabaseOptions {
    private static final DatabaseOptions DEFAULTS =
            new DatabaseOptions(
                    StoreOptions.defaults(),
                    Sql.usualQueryBytes(),
                    FileAccess.USUAL,
                    AfterConflict.CONTINUE,
                    FileMode.OWNER);

    private final StoreOptions store;
    private final long queryBytesMax;
    private final FileAccess fileAccess;
    private final AfterConflict afterConflict;
    private final FileMode fileMode;

    private DatabaseOptions(
            StoreOptions store,
            long queryBytesMax,
            FileAccess fileAccess,
            AfterConflict afterConflict,
            FileMode fileMode) {
        this.store = store;
        this.queryBytesMax = queryBytesMax;
        this.fileAccess = fileAccess;
        this.afterConflict = afterConflict;
        this.fileMode = fileMode;
    }

    /// Synced commits, writable, the store's own sizes and times, a quarter of the heap for a statement.
    public static DatabaseOptions defaults() {
        return DEFAULTS;
    }

    StoreOptions toStoreOptions() {
        return store;
    }

    private DatabaseOptions with(StoreOptions other) {
        return new DatabaseOptions(other, queryBytesMax, fileAccess, afterConflict, fileMode);
    }

    /// When a commit is acknowledged; [Durability#SYNC] by default.
    public Durability durability() {
        return store.durability();
    }

    public DatabaseOptions withDurability(Durability durability) {
        return with(store.withDurability(durability));
    }

    /// Whether nothing may be written; the database must exist then.
    public boolean readOnly() {
        return store.readOnly();
    }

    public DatabaseOptions withReadOnly(boolean readOnly) {
        return with(store.withReadOnly(readOnly));
    }

    /// Bytes of log after which a checkpoint begins; 32 MB by default.
    public long checkpointBytes() {
        return store.checkpointBytes();
    }

    public DatabaseOptions withCheckpointBytes(long checkpointBytes) {
        return with(store.withCheckpointBytes(checkpointBytes));
    }

    /// Bytes of memory for changed pages that the data file lacks. A checkpoint begins at half of it, and commits wait
    /// at all of it. 256 MB by default, a third of the heap if that is less.
    public long dirtyBytesMax() {
        return store.dirtyBytesMax();
    }

    public DatabaseOptions withDirtyBytesMax(long dirtyBytesMax) {
        return with(store.withDirtyBytesMax(dirtyBytesMax));
    }

    /// Milliseconds that a transaction waits for a lock, or for an exclusive transaction; 10,000 by default.
    public long writeTimeoutMillis() {
        return store.writeTimeoutMillis();
    }

    public DatabaseOptions withWriteTimeoutMillis(long writeTimeoutMillis) {
        return with(store.withWriteTimeoutMillis(writeTimeoutMillis));
    }

    /// Milliseconds that a read-only transaction may read before it is ended; 0, the default, for any time.
    public long snapshotAgeMillisMax() {
        return store.snapshotAgeMillisMax();
    }

    public DatabaseOptions withSnapshotAgeMillisMax(long snapshotAgeMillisMax) {
        return with(store.withSnapshotAgeMillisMax(snapshotAgeMillisMax));
    }

    /// Bytes of memory for the writes of one transaction until it commits; more spills to files. 256 MB by default, a
    /// quarter of the heap if that is less.
    public long writeSetBytesMax() {
        return store.writeSetBytesMax();
    }

    public DatabaseOptions withWriteSetBytesMax(long writeSetBytesMax) {
        return with(store.withWriteSetBytesMax(writeSetBytesMax));
    }

    /// Number of locked keys of a tree after which a transaction locks the whole tree; 100,000 by default.
    public int keyLocksMax() {
        return store.keyLocksMax();
    }

    public DatabaseOptions withKeyLocksMax(int keyLocksMax) {
        return with(store.withKeyLocksMax(keyLocksMax));
    }

    /// Milliseconds that an exclusive transaction, which blocks all writers, may be idle before it is rolled back;
    /// 60,000 by default.
    public long exclusiveIdleMillisMax() {
        return store.exclusiveIdleMillisMax();
    }

    public DatabaseOptions withExclusiveIdleMillisMax(long exclusiveIdleMillisMax) {
        return with(store.withExclusiveIdleMillisMax(exclusiveIdleMillisMax));
    }

    /// How pages of the data file are read: through a map, or by positional reads into a cache. By the size of the file
    /// by default, see [PageReads#usual()].
    public PageReads pageReads() {
        return store.pageReads();
    }

    public DatabaseOptions withPageReads(PageReads pageReads) {
        return with(store.withPageReads(pageReads));
    }

    /// Bytes of memory for entries that small commits gather in the order of their keys before they go into pages. At
    /// most a quarter of the JVM's memory is used. With 0 each commit goes into pages at once. With -1, the default, a
    /// database with files gathers 64 MB, after the first megabyte of such commits, and one in memory nothing. Scans of
    /// gathered entries cost more, until a moment without commits. Beyond half of it, each commit brings some entries
    /// into pages.
    public long gatheredBytesMax() {
        return store.gatheredBytesMax();
    }

    public DatabaseOptions withGatheredBytesMax(long gatheredBytesMax) {
        return with(store.withGatheredBytesMax(gatheredBytesMax));
    }

    /// Bytes of memory that one statement may take for rows that it sorts, groups, joins or keeps otherwise, above 0;
    /// a quarter of the heap by default. The rest spills to files of the database. A database in memory, or a read-only
    /// one, has none: there it is a limit.
    public long queryBytesMax() {
        return queryBytesMax;
    }

    public DatabaseOptions withQueryBytesMax(long other) {
        StoreOptions.check("queryBytesMax", other, 1);
        return new DatabaseOptions(store, other, fileAccess, afterConflict, fileMode);
    }

    /// Files that SQL may read and write: usually all for a handle that may write, and only the folder `files` within
    /// the database's for a read-only one. Never files of a database.
    public FileAccess fileAccess() {
        return fileAccess;
    }

    public DatabaseOptions withFileAccess(FileAccess other) {
        return new DatabaseOptions(store, queryBytesMax, other, afterConflict, fileMode);
    }

    /// Whether a transaction continues after 40001 or 40P01, or can only be rolled back. It continues by default.
    @Incubating
    public AfterConflict afterConflict() {
        return afterConflict;
    }

    @Incubating
    public DatabaseOptions withAfterConflict(AfterConflict other) {
        return new DatabaseOptions(store, queryBytesMax, fileAccess, other, fileMode);
    }

    /// Permissions that a new database's folder and files are created with. An existing one keeps to the permissions of
    /// its file `lock`. Only for the owner by default.
    public FileMode fileMode() {
        return fileMode;
    }

    public DatabaseOptions withFileMode(FileMode other) {
        return new DatabaseOptions(store, queryBytesMax, fileAccess, afterConflict, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DatabaseOptions options
                && store.equals(options.store)
                && queryBytesMax == options.queryBytesMax
                && fileAccess.equals(options.fileAccess)
                && afterConflict == options.afterConflict
                && fileMode == options.fileMode;
    }

    @Override
    public int hashCode() {
        return Objects.hash(store, queryBytesMax, fileAccess, afterConflict, fileMode);
    }

    @Override
    public String toString() {
        return store
                + " queryBytesMax="
                + queryBytesMax
                + " fileAccess="
                + fileAccess
                + " afterConflict="
                + afterConflict
                + " fileMode="
                + fileMode;
    }
}
