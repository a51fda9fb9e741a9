package dev.oriel.store;

import dev.oriel.io.Directory;
import dev.oriel.store.Transaction.LockMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store: named trees under transactions. The composition root of this module.
///
/// Any number of threads may begin transactions; each transaction belongs to one of them at a time.
///
/// Lock order: locks on keys, and the one that all writers share, then the page writer's role, and then what
/// [Committer] says. Readers take none of them.
public final class Store implements AutoCloseable {
    /// The first pause of [#transact], about; each is twice as long as the one before, this often.
    private static final long PAUSE_NANOS = 5_000;

    private static final int DOUBLINGS_MAX = 12;

    private final StoreOptions options;
    private final Readers readers = new Readers();
    private final FramePool framePool;
    private final PageTable table;
    private final @Nullable Files files;
    private final @Nullable Checkpoint checkpoint;
    private final LongSupplier clock;
    private final WriteGate writeGate;
    private final Writers writers;
    private final Committer committer;

    /// By the name of the collection.
    private final ConcurrentMap<String, RecordIds> recordIds = new ConcurrentHashMap<>();

    private final Set<PlainWriter> plainWriters = ConcurrentHashMap.newKeySet();

    private volatile State state;

    /// The newest commit that has changed entries, and not only the places of pages.
    private volatile long changedTxid;

    /// What a store on disk has.
    record Files(
            Directory directory,
            DataFile data,
            DoubleWriteBuffer doubleWrite,
            Log log,
            TemporaryFiles temporary,
            AutoCloseable lock,
            FileHeader header,
            Fence fence,
            StoreThreads threads) {}

    Store(
            StoreOptions options,
            @Nullable Files files,
            State state,
            PageTable table,
            FramePool framePool,
            LongSupplier clock) {
        this.options = options;
        this.clock = clock;
        this.files = files;
        this.state = state;
        this.table = table;
        this.framePool = framePool;
        this.writeGate =
                new WriteGate(options.readOnly(), files == null ? Fence.NONE : files.fence());
        this.writers = new Writers(this, writeGate, clock);
        this.checkpoint =
                files == null || options.readOnly()
                        ? null
                        : new Checkpoint(this, writeGate, files, table);
        PageWriter pages =
                new PageWriter(files == null ? null : files.data(), table, framePool, state);
        this.committer = new Committer(this, writeGate, writers, table, pages, files, checkpoint);
    }

    /// Has every attempt to write say what is damaged.
    void refuseWrites(CorruptPages reason) {
        writeGate.refuseWrites(reason);
    }

    /// Opens the store in `directory`, creating it where the directory is empty, and replays what
    /// the log holds beyond the last checkpoint.
    ///
    /// @throws UsageException if the directory holds something else
    /// @throws LimitException if another process or caller holds it open
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
                        System::nanoTime);
        store.writer().begin(empty);
        store.writer().create();
        store.publish(store.writer().committed(0));
        return store;
    }

    State state() {
        return state;
    }

    void publish(State newest) {
        state = newest;
    }

    Readers readers() {
        return readers;
    }

    /// What allots the ids of a collection of records, for all who have it open; made once by `load`.
    RecordIds recordIds(String name, Function<String, RecordIds> load) {
        return recordIds.computeIfAbsent(name, load);
    }

    StoreOptions options() {
        return options;
    }

    /// Nanoseconds since some moment.
    long nanos() {
        return clock.getAsLong();
    }

    long changedTxid() {
        return changedTxid;
    }

    void entriesChanged(long txid) {
        changedTxid = txid;
    }

    /// How a snapshot finds its pages.
    Pages pagesOf(State of) {
        return new Pages(files == null ? null : files.data(), of);
    }

    /// Null where there are no files.
    @Nullable TemporaryFiles temporaryFiles() {
        return files == null ? null : files.temporary();
    }

    /// A new [TemporaryFile], empty, for whoever works on this store; null where there are no files, or none may
    /// be written.
    ///
    /// @throws LimitException if there is no room for it
    public @Nullable TemporaryFile temporaryFile() {
        return files == null || options.readOnly() ? null : files.temporary().create();
    }

    Writers writers() {
        return writers;
    }

    Committer committer() {
        return committer;
    }

    /// Who waits for whom at this moment.
    public List<LockWait> lockWaits() {
        return writers.locks().waits();
    }

    /// Whether `blocker`, which a parked thread gives as its reason, is a wait for a lock.
    public static boolean isLockWait(@Nullable Object blocker) {
        return blocker instanceof Locks;
    }

    /// Whether it is a wait for others who commit.
    public static boolean isCommitWait(@Nullable Object blocker) {
        return blocker instanceof CommitQueue;
    }

    /// Says what threads are to ask that wait for a lock, or work for long: what it throws ends that.
    public void poll(Runnable asked) {
        writers.locks().poll(asked);
    }

    /// To be called now and then in loops over many entries: asks what [#poll(Runnable)] says.
    public void poll() {
        writers.locks().poll().run();
    }

    /// Has all threads that wait for a lock ask again what [#poll(Runnable)] says.
    public void wakeWaiting() {
        writers.locks().wake();
    }

    /// Whether anything may be written: it is open, not for reading only, and nothing is known to be wrong.
    public boolean isWritable() {
        return writeGate.isWritable();
    }

    /// What the holder of the page writer's role changes pages with.
    PageWriter writer() {
        return committer.pages();
    }

    /// Begins a read-only transaction on the newest committed state. Never waits.
    public Transaction beginRead() {
        writeGate.checkOpen();
        ReadTransaction transaction = new ReadTransaction(this);
        transaction.begin();
        return transaction;
    }

    /// Points an ended read-only transaction of this store at the newest committed state, so that a
    /// prepared statement allocates none.
    public void renew(Transaction transaction) {
        writeGate.checkOpen();
        if (!(transaction instanceof ReadTransaction read)) {
            throw new UsageException("Only read-only transactions can be renewed", "");
        }
        read.begin();
    }

    /// Points an ended read-only transaction at the snapshot of `like`, so that several threads read one state,
    /// each in a transaction of its own. `like` is read-only too, and stays open until all of them have ended.
    public void renew(Transaction transaction, Transaction like) {
        writeGate.checkOpen();
        if (!(transaction instanceof ReadTransaction read)
                || !(like instanceof ReadTransaction other)) {
            throw new UsageException("Only read-only transactions can be renewed", "");
        }
        read.begin(other);
    }

    /// Begins a writing transaction of level SNAPSHOT.
    public Transaction beginWrite() {
        return beginWrite(Isolation.SNAPSHOT);
    }

    /// Begins a writing transaction, one of many. Waits for nobody but an exclusive one.
    ///
    /// @throws ConflictException if that one does not end in time
    public Transaction beginWrite(Isolation isolation) {
        return writers.begin(isolation, LockMode.SHARED);
    }

    /// The same for who must not wait: null where it would have to wait to begin, or its commit for the
    /// disk. What commits of other threads take that are not synced is not counted. A lock that it does not
    /// get at once is a [ConflictException] (LOCKED).
    ///
    /// @param durability what its commit waits for; null for what the store does anyway
    public @Nullable Transaction tryBeginWrite(
            Isolation isolation, @Nullable Durability durability) {
        Durability wanted = durability == null ? options.durability() : durability;
        if ((wanted == Durability.SYNC && files != null) || committer.isHeld()) {
            return null;
        }
        WriteTransaction transaction = writers.tryBegin(isolation);
        if (transaction != null) {
            transaction.durability(wanted);
        }
        return transaction;
    }

    /// Begins a writing transaction on the thread of `other`, which is one of many and stays open for as
    /// long: for what is to be committed by itself, whatever becomes of `other`. It waits for nobody: a
    /// transaction that wants to be exclusive waits for `other`.
    ///
    /// @throws UsageException if `other` is exclusive, or does not write
    public Transaction beginBeside(Transaction other) {
        if (!(other instanceof WriteTransaction) || other.isExclusive()) {
            throw new UsageException(
                    "Only a transaction that writes beside others has room for another one", "");
        }
        return writers.begin(Isolation.SNAPSHOT, null);
    }

    /// Begins a transaction that is the only one to write, after waiting for those that do. It is not one
    /// of them while it waits, so several that begin so wait for one another, where [Transaction#exclusive]
    /// in two of them would be a deadlock.
    ///
    /// @throws ConflictException if they do not end in time
    public Transaction beginExclusive() {
        WriteTransaction transaction = writers.beginDirect(LockMode.EXCLUSIVE, false);
        boolean watched = false;
        try {
            transaction.watch();
            watched = true;
            return transaction;
        } finally {
            if (!watched) {
                transaction.close();
            }
        }
    }

    /// Begins a bulk load, which is the only one to write until it ends, after waiting for those that do.
    ///
    /// @throws ConflictException if they do not end in time
    public Bulk bulk() {
        return bulk(BulkOptions.defaults());
    }

    /// The same, within other bounds.
    ///
    /// @throws ConflictException if they do not end in time
    public Bulk bulk(BulkOptions bounds) {
        return new Bulk(this, writers.beginDirect(LockMode.EXCLUSIVE, false), bounds);
    }

    /// Writes without transactions: see [PlainWriter]. What it has not committed yet is committed when the
    /// store is closed.
    ///
    /// @param durability ASYNC lets changes share commits, the others do not
    public PlainWriter withoutTransactions(Durability durability) {
        writeGate.checkWritable();
        PlainWriter writer = new PlainWriter(this, durability);
        plainWriters.add(writer);
        return writer;
    }

    /// It has been closed.
    void forget(PlainWriter writer) {
        plainWriters.remove(writer);
    }

    StoreThreads threads() {
        return files == null ? StoreThreads.PLAIN : files.threads();
    }

    /// Of a store that has files.
    DataFile dataFile() {
        return Objects.requireNonNull(files, "a store without files").data();
    }

    boolean isInMemory() {
        return files == null;
    }

    /// A new file for what a bulk load sorts.
    RunFile runFile() {
        return new RunFile(Objects.requireNonNull(files, "a store without files").directory());
    }

    /// Begins a transaction that creates trees and changes nothing that other transactions may, beside
    /// those that write: it has the page writer's role until it ends, so that only commits wait for it,
    /// and sees all that is committed. Who has a writing transaction open gives it as `beside`, or could
    /// wait for itself; a transaction with an older snapshot than this one's commit must not use the new
    /// trees.
    ///
    /// @throws ConflictException if an exclusive transaction does not end in time
    public Transaction beginDefining(@Nullable Transaction beside) {
        if (beside instanceof WriteTransaction own && own.isDirect()) {
            throw new UsageException(
                    "An exclusive transaction creates trees itself, and lets nobody else", "");
        }
        return beside == null ? writers.beginDirect(LockMode.SHARED, false) : writers.beginBeside();
    }

    /// Begins a transaction that moves pages and changes no entry: beside those that write, but for the
    /// moments in which they commit.
    WriteTransaction beginMoving() {
        return writers.beginDirect(LockMode.SHARED, true);
    }

    /// What is to be done in a transaction, perhaps more than once.
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        T in(Transaction transaction);
    }

    /// Does `work` in a transaction of its own and commits it, within `writeTimeoutMillis`; see the other
    /// one.
    public <T extends @Nullable Object> T transact(Isolation isolation, Work<T> work) {
        return transact(isolation, options.writeTimeoutMillis(), work);
    }

    /// Does `work` in a transaction of its own and commits it. Where another transaction was in the way,
    /// all of it is done again in a new one, after a pause that grows from some microseconds to some 20
    /// milliseconds, and is longer for one transaction than for another, so that those who have met do not
    /// meet again. A conflict that comes later than `timeoutMillis` after the beginning is thrown, and one
    /// that another attempt cannot mend ([ConflictException#mayPass]) at once. An interrupt shortens the pauses
    /// and stays set.
    ///
    /// @param timeoutMillis 0 tries once
    public <T extends @Nullable Object> T transact(
            Isolation isolation, long timeoutMillis, Work<T> work) {
        long begun = nanos();
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        for (int attempt = 1; ; attempt++) {
            long pause = PAUSE_NANOS;
            try (Transaction transaction = beginWrite(isolation)) {
                pause = pauseNanos(transaction.writer(), attempt);
                T result = work.in(transaction);
                transaction.commit();
                return result;
            } catch (ConflictException e) {
                if (!e.mayPass() || nanos() - begun >= timeoutNanos) {
                    throw e;
                }
            }
            LockSupport.parkNanos(pause);
        }
    }

    /// Between half and one and a half times what has doubled so often: by the number of the writer, because
    /// nothing here is random.
    private static long pauseNanos(long writer, int attempt) {
        long usual = PAUSE_NANOS << Math.min(attempt, DOUBLINGS_MAX);
        long mixed = (writer * 31 + attempt) * 0x9E3779B97F4A7C15L;
        return usual / 2 + Math.floorMod(mixed >>> 20, usual);
    }

    /// The oldest snapshot that an open transaction still reads, else the newest commit.
    public long oldestSnapshot() {
        return readers.oldest(state.txid());
    }

    /// Brings the committed pages to where the log is not needed for them, so that it is used again:
    /// into the data file, or, as long as an open reader's snapshot is in the way, into the shadow.
    public void checkpoint() {
        writeGate.checkWritable();
        if (checkpoint != null) {
            checkpoint.run(Checkpoint.Aim.COVER);
        }
    }

    /// Gives back what the log does not need now.
    void shrinkLog() {
        if (checkpoint != null) {
            checkpoint.shrinkLog();
        }
    }

    /// The same, so fast.
    void checkpoint(CheckpointThrottle throttle) {
        if (checkpoint != null) {
            checkpoint.run(Checkpoint.Aim.COVER, throttle);
        }
    }

    /// Copies what is committed at this moment into the folder `target`, which must be empty, as a
    /// database of its own, while readers and writers go on. Pages are verified on their way. When it
    /// returns, the copy is on the disk; until then nobody can open it. The snapshot is kept whatever
    /// age the options allow.
    ///
    /// @throws UsageException if the folder is not empty
    /// @throws CorruptionException if a page is damaged; the folder is empty again then
    /// @throws StorageException if the copy cannot be written; the folder is empty again then
    public void backup(Directory target, Progress progress) {
        try (Transaction transaction = beginRead()) {
            ReadTransaction snapshot = (ReadTransaction) transaction;
            new Backup(snapshot, target, new SplittableRandom(), progress).run();
        }
    }

    /// Makes a database in the folder `target`, which must be empty, of the backup in the folder
    /// `backup`, which is checked as a whole first. Any other database that nobody has open will do as
    /// well; nothing of it is changed.
    ///
    /// @throws UsageException if there is no database in `backup`, or if `target` is not empty
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

    /// Moves pages from the end of the data file to free pages nearer its beginning, in transactions
    /// of a megabyte or so between which others write, and cuts the file. The roots of trees stay
    /// where they are, because whoever holds a [Tree] holds its number. As long as readers that began
    /// before are open, the file keeps its length; the first checkpoint after them cuts it.
    ///
    /// @throws ConflictException if another transaction keeps the write role too long; what was done
    ///     until then stays
    public void compact(Progress progress) {
        new Compaction(this, false, progress).run();
    }

    /// Compacts the store in `directory`, which nobody has open, roots of trees included.
    ///
    /// @throws UsageException if there is none
    public static void compact(Directory directory, StoreOptions options, Progress progress) {
        Opening.checkThere(directory);
        try (Store store = open(directory, options)) {
            new Compaction(store, true, progress).run();
        }
    }

    /// The newest transaction that lowered the page count.
    long loweredAt() {
        return writer().loweredAt();
    }

    /// Reads everything and returns what is wrong, a sentence each; empty when all is well: all pages in use
    /// as this moment has them, and, where the store may write, all that an opening would read if the process
    /// died now (the file header, the shadow, older pages that the log changes, the log).
    public List<String> check() {
        try (Transaction transaction = beginRead()) {
            ReadTransaction snapshot = (ReadTransaction) transaction;
            List<String> wrong = new ArrayList<>(new Check(snapshot).run());
            if (checkpoint != null) {
                wrong.addAll(checkpoint.checkFiles(snapshot));
            }
            return List.copyOf(wrong);
        }
    }

    /// What the store holds and uses at this moment.
    public StoreStats stats() {
        State now = state;
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
                    now.txid() - readers.oldest(now.txid()));
        } catch (IOException e) {
            throw new StorageException("The data file cannot be asked for its size", "", e);
        }
    }

    /// Ends the store: a last checkpoint, then the files are closed. An open writing transaction
    /// cannot commit any more. A second call does nothing. Whatever it throws, the store is closed.
    ///
    /// @throws LimitException if there was no room for what a [PlainWriter] had not committed yet
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
        if (!committer.close() || files == null) {
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

    private static void closeFiles(Files files) {
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
