package dev.oriel.store;

/// Options for opening a store.
///
/// @param durability moment at which a commit is acknowledged
/// @param readOnly whether nothing may be written, not even a checkpoint
/// @param checkpointBytes log bytes after which a checkpoint begins
/// @param writeTimeoutMillis maximum wait of a transaction for a lock, or for an exclusive transaction
/// @param dirtyBytesMax limit on the bytes of pages in memory that the data file lacks; beyond it a checkpoint begins,
///     and commits wait for it. Pages that a reader keeps in memory are not counted twice
/// @param snapshotAgeMillisMax how long a read-only transaction may read; 0 is without a limit. An older one ends
///     with a [ConflictException] when it reads again
/// @param writeSetBytesMax memory for the writes of one transaction until it commits. A larger write set spills
///     to temporary files; in a memory database it gets a [LimitException]. An exclusive transaction needs none
/// @param keyLocksMax number of key locks in a tree after which a transaction locks the tree instead, once no
///     other one has locks there. At four times as many it waits for the others
/// @param exclusiveIdleMillisMax how long an exclusive transaction, which blocks all other writers, may be idle
///     before it is rolled back; 0 is without a limit
/// @param pageReads how pages of the data file are read
/// @param gatheredBytesMax bytes of entries that commits may gather in memory, above the pages, before they go into
///     pages. 0 brings each commit into pages at once. [#GATHERED_USUAL] gathers 64 MB in a store with files after its
///     first small commits at random keys, and nothing in a memory database
public record StoreOptions(
        Durability durability,
        boolean readOnly,
        long checkpointBytes,
        long dirtyBytesMax,
        long writeTimeoutMillis,
        long snapshotAgeMillisMax,
        long writeSetBytesMax,
        int keyLocksMax,
        long exclusiveIdleMillisMax,
        PageReads pageReads,
        long gatheredBytesMax) {
    /// The value of `gatheredBytesMax` if nobody has set it.
    public static final long GATHERED_USUAL = -1;

    private static final long WRITE_SET_BYTES_MIN = 8L << 20;
    private static final long WRITE_SET_BYTES_USUAL = 256L << 20;
    private static final int KEY_LOCKS_USUAL = 100_000;
    private static final long EXCLUSIVE_IDLE_USUAL = 60_000;
    private static final long DIRTY_BYTES_MIN = 8L << 20;
    private static final long DIRTY_BYTES_USUAL = 256L << 20;

    /// @throws UsageException if a number is out of its range
    public StoreOptions {
        check("checkpointBytes", checkpointBytes, 1);
        check("dirtyBytesMax", dirtyBytesMax, 1);
        check("writeTimeoutMillis", writeTimeoutMillis, 1);
        check("snapshotAgeMillisMax", snapshotAgeMillisMax, 0);
        check("writeSetBytesMax", writeSetBytesMax, 1);
        check("keyLocksMax", keyLocksMax, 1);
        check("exclusiveIdleMillisMax", exclusiveIdleMillisMax, 0);
        check("gatheredBytesMax", gatheredBytesMax, GATHERED_USUAL);
    }

    /// Refuses a value of `option` below `least`.
    public static void check(String option, long value, long least) {
        if (value < least) {
            throw new UsageException(
                    "A number of the options is too small; give at least the minimum",
                    option + "=" + value + ", minimum=" + least);
        }
    }

    /// The defaults: SYNC, writable, a wait of 10 seconds, snapshots of any age, 100,000 key locks of a tree, and
    /// a minute of idleness of an exclusive transaction. A checkpoint runs every 32 MB of log or 128 MB of
    /// changed pages (less if the JVM may use less than 768 MB). The writes of a transaction may take 256 MB of
    /// memory (less if the JVM may use less than 1 GB).
    public static StoreOptions defaults() {
        long dirty =
                Math.clamp(
                        Runtime.getRuntime().maxMemory() / 3, DIRTY_BYTES_MIN, DIRTY_BYTES_USUAL);
        long writeSet =
                Math.clamp(
                        Runtime.getRuntime().maxMemory() / 4,
                        WRITE_SET_BYTES_MIN,
                        WRITE_SET_BYTES_USUAL);
        return new StoreOptions(
                Durability.SYNC,
                false,
                32L << 20,
                dirty,
                10_000,
                0,
                writeSet,
                KEY_LOCKS_USUAL,
                EXCLUSIVE_IDLE_USUAL,
                PageReads.usual(),
                GATHERED_USUAL);
    }

    public StoreOptions withDurability(Durability wanted) {
        return new StoreOptions(
                wanted,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withReadOnly(boolean wanted) {
        return new StoreOptions(
                durability,
                wanted,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withCheckpointBytes(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                wanted,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withDirtyBytesMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                wanted,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withWriteTimeoutMillis(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                wanted,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withSnapshotAgeMillisMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                wanted,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withWriteSetBytesMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                wanted,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withKeyLocksMax(int wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                wanted,
                exclusiveIdleMillisMax,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withExclusiveIdleMillisMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                wanted,
                pageReads,
                gatheredBytesMax);
    }

    public StoreOptions withPageReads(PageReads wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                wanted,
                gatheredBytesMax);
    }

    public StoreOptions withGatheredBytesMax(long wanted) {
        return new StoreOptions(
                durability,
                readOnly,
                checkpointBytes,
                dirtyBytesMax,
                writeTimeoutMillis,
                snapshotAgeMillisMax,
                writeSetBytesMax,
                keyLocksMax,
                exclusiveIdleMillisMax,
                pageReads,
                wanted);
    }
}
