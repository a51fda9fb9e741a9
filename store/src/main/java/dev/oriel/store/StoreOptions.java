package dev.oriel.store;

/// How a store is opened.
///
/// @param durability when a commit is acknowledged
/// @param readOnly whether nothing may be written, not even a checkpoint
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis how long a writing transaction waits for the one before it
/// @param dirtyBytesMax bytes of pages in memory that the data file lacks, after which a checkpoint
///     begins too, and commits wait for it. Pages that a reader keeps in memory are not counted twice
/// @param snapshotAgeMillisMax how long a read-only transaction may read; 0 is without a limit. One
///     that is older ends with a [ConflictException] when it reads again
/// @param overlayBytesMax how much memory the writes of one transaction may take until it commits; one that
///     needs more gets a [LimitException] and can be rolled back. An exclusive one needs none
/// @param pageReads how pages of the data file are read
public record StoreOptions(
        Durability durability,
        boolean readOnly,
        long checkpointBytes,
        long dirtyBytesMax,
        long writeTimeoutMillis,
        long snapshotAgeMillisMax,
        long overlayBytesMax,
        PageReads pageReads) {
    private static final long OVERLAY_BYTES_USUAL = 1L << 30;
    private static final long DIRTY_BYTES_MIN = 8L << 20;
    private static final long DIRTY_BYTES_USUAL = 256L << 20;

    /// SYNC, writable, a checkpoint every 32 MB of log or 128 MB of changed pages (less where the JVM may
    /// use less than 768 MB), 10 seconds, snapshots of any age, 1 GB of
    /// writes a transaction.
    public static StoreOptions defaults() {
        long dirty =
                Math.clamp(
                        Runtime.getRuntime().maxMemory() / 3, DIRTY_BYTES_MIN, DIRTY_BYTES_USUAL);
        return new StoreOptions(
                Durability.SYNC,
                false,
                32L << 20,
                dirty,
                10_000,
                0,
                OVERLAY_BYTES_USUAL,
                PageReads.usual());
    }

    public StoreOptions withDurability(Durability wanted) {
        return new StoreOptions(
                wanted,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                overlayBytesMax,
                pageReads);
    }

    public StoreOptions withReadOnly(boolean wanted) {
        return new StoreOptions(
                durability,
                wanted,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                overlayBytesMax,
                pageReads);
    }

    public StoreOptions withCheckpointBytes(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                wanted,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                overlayBytesMax,
                pageReads);
    }

    public StoreOptions withDirtyBytesMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                wanted,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                overlayBytesMax,
                pageReads);
    }

    public StoreOptions withWriteTimeoutMillis(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                wanted,
                snapshotAgeMillisMax,
                overlayBytesMax,
                pageReads);
    }

    public StoreOptions withSnapshotAgeMillisMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                wanted,
                overlayBytesMax,
                pageReads);
    }

    public StoreOptions withOverlayBytesMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                wanted,
                pageReads);
    }

    public StoreOptions withPageReads(PageReads wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                overlayBytesMax,
                wanted);
    }
}
