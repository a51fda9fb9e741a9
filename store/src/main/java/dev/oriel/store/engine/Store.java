package dev.oriel.store.engine;

import dev.oriel.io.Directory;
import dev.oriel.store.BulkOptions;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.LockWait;
import dev.oriel.store.Progress;
import dev.oriel.store.RecoveryFigures;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.TemporaryFile;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.checkpoint.CheckpointAim;
import dev.oriel.store.data.Core;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.Fence;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.lock.Locks;
import dev.oriel.store.maintenance.Backup;
import dev.oriel.store.maintenance.Check;
import dev.oriel.store.maintenance.Compaction;
import dev.oriel.store.page.CorruptPages;
import dev.oriel.store.transaction.CallGuard;
import dev.oriel.store.transaction.CommitQueue;
import dev.oriel.store.transaction.ReadTransaction;
import dev.oriel.store.transaction.Transactions;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.Readers;
import dev.oriel.store.version.State;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store: named trees under transactions. The composition root of this module.
///
/// Any number of threads may begin transactions; one thread at a time uses a transaction.
///
/// Lock order: key locks, then the writers' shared lock, then the page writer's role, then the locks of
/// `Committer` in its own order. Readers take none of them.
public final class Store implements AutoCloseable {
    /// Bytes of memory for changed pages that a quiet store keeps without another checkpoint.
    private static final int KEPT_FRAME_BYTES_MAX = 16 << 20;

    private final Core core;
    private final PageTable table;
    private final FramePool framePool;
    private final WriteGate writeGate;
    private final @Nullable Checkpoint checkpoint;
    private final Transactions transactions;

    /// Objects that all users of one name share.
    private final ConcurrentMap<String, Object> shared = new ConcurrentHashMap<>();

    private final Set<PlainWriter> plainWriters = ConcurrentHashMap.newKeySet();
    private RecoveryFigures recovery = RecoveryFigures.NONE;

    Store(
            StoreOptions options,
            @Nullable StoreFiles files,
            State state,
            PageTable table,
            FramePool framePool,
            LongSupplier clock,
            DeltaLayers deltaLayers) {
        this.core = new Core(options, clock, files, state, deltaLayers);
        this.table = table;
        this.framePool = framePool;
        this.writeGate =
                new WriteGate(options.readOnly(), files == null ? Fence.NONE : files.fence());
        PageWriter pages =
                new PageWriter(files == null ? null : files.data(), table, framePool, state);
        this.checkpoint =
                files == null || options.readOnly()
                        ? null
                        : new Checkpoint(core, writeGate, files, table, pages);
        this.transactions = new Transactions(core, writeGate, table, pages, checkpoint);
        if (checkpoint != null) {
            core.settling(transactions.committer().absorber()::settleInSteps);
        }
    }

    /// Makes every attempt to write fail with a report of the damage.
    void refuseWrites(CorruptPages reason) {
        writeGate.refuseWrites(reason);
    }

    /// Opens the store in `directory` and replays the log from the last checkpoint on. Creates the store if the
    /// directory is empty.
    ///
    /// @throws dev.oriel.store.UsageException if the directory holds something else
    /// @throws dev.oriel.store.LimitException if another process or caller holds it open
    /// @throws CorruptionException if an acknowledged commit cannot be restored
    public static Store open(Directory directory, StoreOptions options) {
        return new Opening(directory, options, new SplittableRandom(), System::nanoTime).open();
    }

    /// A store without files: no log, no checkpoint, gone at `close`.
    public static Store inMemory(StoreOptions options) {
        FramePool framePool = new FramePool();
        PageTable table = new PageTable(framePool);
        State empty = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
        Store store =
                new Store(
                        options.withDurability(Durability.ASYNC),
                        null,
                        empty,
                        table,
                        framePool,
                        System::nanoTime,
                        new DeltaLayers());
        PageWriter pages = store.transactions.committer().pages();
        pages.begin(empty);
        pages.create();
        store.core.publish(pages.committed(0, Deltas.NONE));
        return store;
    }

    Core core() {
        return core;
    }

    Transactions transactions() {
        return transactions;
    }

    /// Returns the object that all users of `name` share; `load` makes it once.
    public <T> T shared(String name, Class<T> type, Function<String, T> load) {
        return type.cast(shared.computeIfAbsent(name, load));
    }

    /// Creates an empty [TemporaryFile] for an operation on this store. Returns null if the store has no files or
    /// is read-only.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room for it
    public @Nullable TemporaryFile temporaryFile() {
        TemporaryFiles files = core.temporaryFiles();
        return files == null || core.options().readOnly() ? null : files.create();
    }

    /// Lists the lock waits of this moment: waiter and holder.
    public List<LockWait> lockWaits() {
        return transactions.writers().locks().waits();
    }

    /// Whether `blocker`, the object a parked thread is blocked on, stands for a wait for a lock.
    public static boolean isLockWait(@Nullable Object blocker) {
        return blocker instanceof Locks;
    }

    /// Whether `blocker` stands for a wait for commits of other threads.
    public static boolean isCommitWait(@Nullable Object blocker) {
        return blocker instanceof CommitQueue;
    }

    /// Sets the check that lock waits and long loops run periodically; an exception from it ends the operation.
    public void poll(Runnable asked) {
        transactions.writers().locks().poll(asked);
    }

    /// Runs the check of [#poll(Runnable)]. Loops over many entries call this periodically.
    public void poll() {
        transactions.writers().locks().poll().run();
    }

    /// Makes all threads that wait for a lock run the check of [#poll(Runnable)] now.
    public void wakeWaiting() {
        transactions.writers().locks().wake();
    }

    /// Whether the store accepts writes: it is open, not read-only, and no damage is known.
    public boolean isWritable() {
        return writeGate.isWritable();
    }

    /// Begins a read-only transaction on the newest committed state. Never waits.
    public Transaction beginRead() {
        return transactions.beginRead(new CallGuard());
    }

    /// Begins a read-only transaction without the check for concurrent calls, which would damage its reads: the
    /// caller's lock prevents them. For a caller that holds a lock of its own during each call: the guard costs 2 to 4
    /// ns a call.
    public Transaction beginReadUnderLock() {
        return transactions.beginRead(null);
    }

    /// Points an ended read-only transaction of this store at the newest committed state, so that a
    /// prepared statement allocates none.
    public void renew(Transaction transaction) {
        transactions.renew(transaction, null);
    }

    /// Points an ended read-only transaction at the snapshot of `like`, so that several threads read one state,
    /// each in its own transaction. `like` is read-only too, and stays open until all of them have ended.
    public void renew(Transaction transaction, Transaction like) {
        transactions.renew(transaction, like);
    }

    /// Begins a writing transaction of level SNAPSHOT.
    public Transaction beginWrite() {
        return beginWrite(Isolation.SNAPSHOT);
    }

    /// Begins a writing transaction, one of many. Waits only for an exclusive transaction.
    ///
    /// @throws dev.oriel.store.ConflictException if that one does not end in time
    public Transaction beginWrite(Isolation isolation) {
        return transactions.writers().begin(isolation, LockMode.SHARED);
    }

    /// Begins a writing transaction for a caller that must not block. Returns null if the beginning would have to
    /// wait, or the commit would have to wait for the disk. Time taken by other threads' unsynced commits does
    /// not count as waiting. A lock that is not granted at once is a `ConflictException` (LOCKED).
    ///
    /// @param durability awaited by its commit; null for the store's default
    public @Nullable Transaction tryBeginWrite(
            Isolation isolation, @Nullable Durability durability) {
        return transactions.tryBeginWrite(isolation, durability);
    }

    /// Begins a second writing transaction on the thread of `other`, to commit on its own whatever becomes of
    /// `other`. `other` is one of many writers and stays open meanwhile. The new transaction waits for no other
    /// one: a transaction that wants to be exclusive waits for `other`.
    ///
    /// @throws dev.oriel.store.UsageException if `other` is exclusive, or does not write
    public Transaction beginBeside(Transaction other) {
        return transactions.beginBeside(other);
    }

    /// Begins an exclusive transaction after waiting for the open writers. It is not counted as a writer while it
    /// waits, so several callers queue for one another. Two transactions that call [Transaction#exclusive] would
    /// deadlock.
    ///
    /// @throws dev.oriel.store.ConflictException if the writers do not end in time
    public Transaction beginExclusive() {
        return transactions.beginExclusive();
    }

    /// Begins a transaction that creates trees beside open writers, and changes no tree of theirs. It holds the page
    /// writer's role until it ends, so only commits wait for it, and it sees all that is committed. A thread with an
    /// open writing transaction passes it as `beside`; otherwise it could wait for itself. A transaction with a
    /// snapshot older than this one's commit must not use the new trees.
    ///
    /// @throws dev.oriel.store.ConflictException if an exclusive transaction does not end in time
    public Transaction beginDefining(@Nullable Transaction beside) {
        return transactions.beginDefining(beside);
    }

    /// Does `work` in its own transaction and commits it, with retries within `writeTimeoutMillis`.
    public <T extends @Nullable Object> T transact(Isolation isolation, Transaction.Work<T> work) {
        return transactions.transact(isolation, work);
    }

    /// Does `work` in its own transaction and commits it. After a conflict, all of it is done again in a new
    /// transaction. The pause before a retry grows from some microseconds to some 20 milliseconds. It differs
    /// between transactions, so that two that conflicted do not meet again.
    ///
    /// A conflict later than `timeoutMillis` after the beginning is thrown. A conflict that a retry cannot
    /// resolve (`ConflictException.mayPass`) is thrown at once. An interrupt shortens the pauses and stays set.
    ///
    /// @param timeoutMillis 0 tries once
    public <T extends @Nullable Object> T transact(
            Isolation isolation, long timeoutMillis, Transaction.Work<T> work) {
        return transactions.transact(isolation, timeoutMillis, work);
    }

    /// Begins a bulk load, the only writer until it ends, after waiting for the open writers.
    ///
    /// @throws dev.oriel.store.ConflictException if the writers do not end in time
    public Bulk bulk() {
        return bulk(BulkOptions.defaults());
    }

    /// Begins a bulk load within the given bounds.
    ///
    /// @throws dev.oriel.store.ConflictException if the open writers do not end in time
    public Bulk bulk(BulkOptions bounds) {
        return new Bulk(
                transactions,
                transactions.writers().beginDirect(LockMode.EXCLUSIVE, false),
                bounds);
    }

    /// Writes without transactions: see [PlainWriter]. Its uncommitted changes are committed when the store is
    /// closed.
    ///
    /// @param durability ASYNC lets changes share commits, the others do not
    public PlainWriter withoutTransactions(Durability durability) {
        writeGate.checkWritable();
        PlainWriter writer = new PlainWriter(transactions, durability, plainWriters::remove);
        plainWriters.add(writer);
        return writer;
    }

    /// The oldest snapshot that an open transaction still reads, else the newest commit.
    public long oldestSnapshot() {
        return core.oldestSnapshot();
    }

    /// Moves the committed pages out of the log, so that its space can be reused. They go into the data file, or
    /// into the shadow while an open reader's snapshot is in the way.
    public void checkpoint() {
        writeGate.checkWritable();
        if (checkpoint != null) {
            checkpoint.run(CheckpointAim.COVER);
        }
    }

    /// Runs a checkpoint at the given throttle.
    void checkpoint(CheckpointThrottle throttle) {
        if (checkpoint != null) {
            checkpoint.run(CheckpointAim.COVER, throttle);
        }
    }

    /// Gives back the space of files that a quiet database does not need, the shadow and spare files of the log, and
    /// memory of changed pages. Commits may come meanwhile; the next ones take such space again.
    public void giveBackSpace() {
        writeGate.checkWritable();
        if (checkpoint != null) {
            if (framePool.bytes() > KEPT_FRAME_BYTES_MAX) {
                checkpoint.run(CheckpointAim.COVER); // first: it may write to the shadow
            }
            checkpoint.giveBackShadow();
            checkpoint.log().shrink();
        }
        transactions.committer().giveBackMemory();
    }

    /// Copies the state committed at this moment into the empty folder `target`, as a database of its own, while
    /// readers and writers continue. Pages are verified as they are copied. On return the copy is durable; until
    /// then it cannot be opened. The snapshot is kept, whatever age the options allow.
    ///
    /// @throws dev.oriel.store.UsageException if the folder is not empty
    /// @throws CorruptionException if a page is damaged; the folder is empty again then
    /// @throws StorageException if the copy cannot be written; the folder is empty again then
    public void backup(Directory target, Progress progress) {
        try (ReadTransaction snapshot = transactions.beginSettledRead()) {
            new Backup(snapshot, target, new SplittableRandom(), progress).run();
        }
    }

    /// Makes a database in the empty folder `target` from the backup in the folder `backup`. The backup is
    /// checked as a whole first. Any other closed database will do as well; it is not changed.
    ///
    /// @throws dev.oriel.store.UsageException if there is no database in `backup`, or if `target` is not empty
    /// @throws CorruptionException if anything is wrong with it; `target` stays empty then
    public static void restore(Directory backup, Directory target, Progress progress) {
        Backup.checkEmpty(target);
        try (Store store = open(backup, StoreOptions.defaults().withReadOnly(true))) {
            List<String> wrong = store.check();
            if (!wrong.isEmpty()) {
                throw new CorruptionException(
                        "The backup is damaged, and nothing was restored; take another one",
                        "path=" + backup + " first=" + wrong.getFirst());
            }
            store.backup(target, progress);
        }
    }

    /// Moves pages from the end of the data file to free pages nearer its beginning, and cuts the file. It works
    /// in transactions of about a megabyte, between which others write. Tree roots stay in place, because every
    /// open `Tree` holds its root's page number. The file keeps its length while earlier readers are open; the
    /// first checkpoint after they end cuts it.
    ///
    /// @throws dev.oriel.store.ConflictException if another transaction keeps the write role too long; the work done
    ///     until then
    ///     stays
    public void compact(Progress progress) {
        compact(false, progress);
    }

    /// Compacts the store.
    ///
    /// @param rootsToo also moves the roots of trees; then no `Tree` from before may be used again
    void compact(boolean rootsToo, Progress progress) {
        new Compaction(transactions, checkpoint, rootsToo, progress).run();
    }

    /// Compacts the closed store in `directory`, roots of trees included.
    ///
    /// @throws dev.oriel.store.UsageException if there is none
    public static void compact(Directory directory, StoreOptions options, Progress progress) {
        Opening.checkThere(directory);
        try (Store store = open(directory, options)) {
            store.compact(true, progress);
        }
    }

    /// Reads everything and returns the faults found, a sentence each; an empty list if there are none. Covers
    /// all pages in use at this moment. If the store may write, also covers the files that an opening after a
    /// crash now would read: file header, shadow, older pages that the log changes, log.
    public List<String> check() {
        return check(Progress.NONE);
    }

    /// [#check()] that reports each page to `progress`; an exception from it ends the check.
    public List<String> check(Progress progress) {
        try (ReadTransaction snapshot = beginCheck()) {
            List<String> wrong = new ArrayList<>(new Check(snapshot, progress).run());
            if (checkpoint != null) {
                wrong.addAll(checkpoint.checkFiles(snapshot.state()));
            }
            return List.copyOf(wrong);
        }
    }

    /// If a damaged page takes no entries that lie above it, the check finds that page. If the disk has no room for
    /// them, they stay above while it runs.
    private ReadTransaction beginCheck() {
        if (writeGate.isUnfailed()) {
            try {
                return transactions.beginSettledRead();
            } catch (CorruptionException | StorageException | LimitException reason) {
                EventLog.say(System.Logger.Level.WARNING, "Entries lie above the pages", reason);
            }
        }
        return transactions.beginRead(new CallGuard());
    }

    /// The recovery of this opening; all zeros for a store without files.
    public RecoveryFigures recovery() {
        return recovery;
    }

    /// Notes the recovery of this opening.
    void recovery(RecoveryFigures figures) {
        recovery = figures;
    }

    /// Figures of the store's contents and resources at this moment.
    public StoreStats stats() {
        State now = core.state();
        StoreFiles files = core.files();
        Readers readers = core.readers();
        try {
            return new StoreStats(
                    now.txid(),
                    now.pageCount(),
                    now.freePages(),
                    table.livePages(),
                    table.versions(),
                    framePool.bytes(),
                    files == null ? 0 : files.data().bytes(),
                    files == null ? 0 : files.doubleWrite().bytes(),
                    files == null ? 0 : files.doubleWrite().pages(),
                    files == null ? 0 : files.log().bytes(),
                    files == null ? 0 : files.log().bytesWritten(),
                    files == null ? 0 : files.log().syncs(),
                    checkpoint == null ? 0 : checkpoint.behind(),
                    checkpoint == null ? 0 : checkpoint.covered(),
                    readers.open(),
                    now.txid() - readers.oldest(now.txid()),
                    now.deltas().entries(),
                    now.deltas().bytes());
        } catch (IOException e) {
            throw new StorageException("The size of the data file cannot be read", "", e);
        }
    }

    /// Ends the store: a last checkpoint, then the files are closed. An open writing transaction can no longer
    /// commit. A second call does nothing. The store is closed even if this throws.
    ///
    /// @throws dev.oriel.store.LimitException if there was no room for uncommitted changes of a [PlainWriter]
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>();
        if (writeGate.isUnfailed()) {
            plainWriters.forEach(writer -> steps.add(writer::close));
        }
        steps.add(this::end);
        Throwable first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        switch (first) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(first);
        }
    }

    private void end() {
        try {
            if (checkpoint != null && writeGate.isUnfailed()) {
                Checkpoint last = checkpoint;
                core.settle(() -> transactions.committer().absorber().settleToClose(last));
            }
        } finally {
            closeAll(core.files());
        }
    }

    private void closeAll(@Nullable StoreFiles files) {
        if (!transactions.committer().close() || files == null) {
            return;
        }
        try {
            if (checkpoint != null) {
                checkpoint.close(writeGate.isUnfailed());
            }
        } finally {
            closeFiles(files);
        }
    }

    private static void closeFiles(StoreFiles files) {
        try {
            try (Closeable _ = files.temporary()::close;
                    Closeable _ = files.data()::close;
                    Closeable _ = files.doubleWrite()::close) {
                files.log().close();
            } finally {
                files.lock().close();
            }
        } catch (Exception e) {
            throw new StorageException("The files of the database cannot be closed", "", e);
        }
    }
}
