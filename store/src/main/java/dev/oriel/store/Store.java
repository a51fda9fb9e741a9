package dev.oriel.store;

import dev.oriel.io.Directory;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store: named trees under transactions. The composition root of this module.
///
/// Any number of threads may begin transactions; each transaction belongs to one of them at a time.
///
/// Lock order: locks on keys, and the one on writing as such, then the page writer's role (`role`), then `commitLock`, then the checkpoint's lock, then the
/// monitors of [PageTable] and [Log]. Readers take none of them.
public final class Store implements AutoCloseable {
    /// Parts of ended transactions that are kept.
    private static final int IDLE_MAX = 64;

    /// The lock that writing transactions share, and the exclusive one does not.
    static final long WRITERS = Locks.hash(0);

    /// So often [#transact] tries.
    static final int ATTEMPTS_MAX = 50;

    private static final long PAUSE_NANOS = 5_000;

    private final StoreOptions options;
    private final Readers readers = new Readers();
    private final Scratch scratch;
    private final PageTable table;
    private final PageWriter writer;
    private final TreeEditor editor;
    private final DirectWrites direct;
    private final LogRecord record = new LogRecord();
    private final @Nullable Files files;
    private final @Nullable Checkpoint checkpoint;
    private final LongSupplier clock;

    private final Locks locks;
    private final Wait patience;

    /// What ended transactions have left, to be used by the next ones.
    private final Queue<WriterParts> idle = new ConcurrentLinkedQueue<>();

    /// Has the role of whoever changes pages: the exclusive transaction, or those that commit.
    private final CommitQueue commits = new CommitQueue(this);

    /// Held while a commit is written and published, and while the store closes.
    private final ReentrantLock commitLock = new ReentrantLock();

    /// By the name of the collection.
    private final ConcurrentMap<String, RecordIds> recordIds = new ConcurrentHashMap<>();

    private volatile State state;

    /// The newest commit that has changed entries, and not only the places of pages.
    private volatile long changedTxid;

    private volatile boolean closed;

    /// The first failed write or sync: from then on the store only reads.
    private volatile @Nullable StorageException failure;

    /// What a store on disk has.
    record Files(DataFile data, Shadow shadow, Log log, AutoCloseable lock, FileHeader header) {}

    Store(
            StoreOptions options,
            @Nullable Files files,
            State state,
            PageTable table,
            Scratch scratch,
            LongSupplier clock) {
        this.options = options;
        this.clock = clock;
        this.files = files;
        this.state = state;
        this.table = table;
        this.scratch = scratch;
        this.writer = new PageWriter(files == null ? null : files.data(), table, scratch, state);
        this.editor = new TreeEditor(writer);
        this.direct = new DirectWrites(editor);
        this.locks = new Locks(clock);
        this.patience = new Wait(Wait.Kind.WAIT, options.writeTimeoutMillis());
        this.checkpoint =
                files == null || options.readOnly() ? null : new Checkpoint(this, files, table);
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
        Scratch scratch = new Scratch();
        PageTable table = new PageTable(scratch);
        State empty = new State(0, 0, 0, 0, 0, table.view(), scratch.chunks());
        Store store =
                new Store(
                        options.withDurability(Durability.ASYNC),
                        null,
                        empty,
                        table,
                        scratch,
                        System::nanoTime);
        store.writer.begin(empty);
        store.writer.create();
        store.state = store.writer.committed(0);
        return store;
    }

    State state() {
        return state;
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

    /// How a snapshot finds its pages.
    Pages pagesOf(State of) {
        return new Pages(files == null ? null : files.data(), of);
    }

    Locks locks() {
        return locks;
    }

    /// How long a transaction waits for another one's lock.
    Wait patience() {
        return patience;
    }

    // What belongs to the holder of the page writer's role.

    PageWriter writer() {
        return writer;
    }

    TreeEditor editor() {
        return editor;
    }

    DirectWrites direct() {
        return direct;
    }

    /// Begins a read-only transaction on the newest committed state. Never waits.
    public Transaction beginRead() {
        checkOpen();
        ReadTransaction transaction = new ReadTransaction(this);
        transaction.begin();
        return transaction;
    }

    /// Points an ended read-only transaction of this store at the newest committed state, so that a
    /// prepared statement allocates none.
    public void renew(Transaction transaction) {
        checkOpen();
        if (!(transaction instanceof ReadTransaction read)) {
            throw new UsageException("Only read-only transactions can be renewed", "");
        }
        read.begin();
    }

    /// Begins a writing transaction of level SNAPSHOT.
    public Transaction beginWrite() {
        return beginWrite(Isolation.SNAPSHOT);
    }

    /// Begins a writing transaction, one of many. Waits for nobody but an exclusive one.
    ///
    /// @throws ConflictException if that one does not end in time
    public Transaction beginWrite(Isolation isolation) {
        return begin(isolation, LockMode.SHARED);
    }

    private WriteTransaction begin(Isolation isolation, LockMode mode) {
        checkWritable();
        WriterParts parts = idle.poll();
        if (parts == null) {
            parts = new WriterParts(new LockOwner(), new OverlayWrites(this));
        }
        boolean begun = false;
        try {
            locks.lock(parts.owner, WRITERS, mode, patience);
            checkWritable();
            WriteTransaction transaction =
                    new WriteTransaction(this, isolation, parts.owner, parts.writes);
            begun = true;
            return transaction;
        } finally {
            if (!begun) {
                giveBack(parts.owner, parts.writes);
            }
        }
    }

    /// Begins a transaction that is the only one to write, after waiting for those that do. It is not one
    /// of them while it waits, so several that begin so wait for one another, where [Transaction#exclusive]
    /// in two of them would be a deadlock.
    ///
    /// @throws ConflictException if they do not end in time
    public Transaction beginExclusive() {
        WriteTransaction transaction = begin(Isolation.READ_COMMITTED, LockMode.EXCLUSIVE);
        boolean exclusive = false;
        try {
            transaction.exclusive();
            exclusive = true;
            return transaction;
        } finally {
            if (!exclusive) {
                transaction.close();
            }
        }
    }

    /// Begins a transaction that moves pages and changes no entry: beside those that write, but for the
    /// moments in which they commit.
    WriteTransaction beginMoving() {
        WriteTransaction transaction = begin(Isolation.READ_COMMITTED, LockMode.SHARED);
        boolean begun = false;
        try {
            transaction.goDirect(true);
            begun = true;
            return transaction;
        } finally {
            if (!begun) {
                transaction.close();
            }
        }
    }

    /// What is to be done in a transaction, perhaps more than once.
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        T in(Transaction transaction);
    }

    /// Does `work` in a transaction of its own and commits it. Where another transaction was in the way,
    /// all of it is done again in a new one, after a pause that grows; after [#ATTEMPTS_MAX] attempts
    /// the conflict is thrown.
    public <T extends @Nullable Object> T transact(Isolation isolation, Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try (Transaction transaction = beginWrite(isolation)) {
                T result = work.in(transaction);
                transaction.commit();
                return result;
            } catch (ConflictException e) {
                if (attempt == ATTEMPTS_MAX || !e.mayPass()) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS << Math.min(attempt, 8));
        }
    }

    /// What a writing transaction works with, and leaves to the next one.
    private record WriterParts(LockOwner owner, OverlayWrites writes) {}

    private void giveBack(LockOwner owner, OverlayWrites writes) {
        writes.clear();
        locks.release(owner);
        if (idle.size() < IDLE_MAX) {
            idle.add(new WriterParts(owner, writes));
        }
    }

    /// Takes the page writer's role and begins a transaction of pages.
    void beginDirect() {
        commits.takeRole();
        boolean begun = false;
        try {
            beginPages();
            begun = true;
        } finally {
            if (!begun) {
                commits.giveRole();
            }
        }
    }

    private void beginPages() {
        checkWritable();
        synchronized (table) { // a checkpoint looks for its snapshot either before or after
            long[] snapshots = readers.snapshots(state.txid());
            table.reclaim(snapshots, readers.snapshotCount());
        }
        writer.begin(state);
        editor.begin();
    }

    /// Commits. Whatever fails before the record is written leaves the transaction open, to be rolled
    /// back.
    Transaction.Commit commit(WriteTransaction transaction) {
        State committed;
        if (transaction.isDirect()) {
            committed = write(List.of(transaction));
            end(transaction);
            makeDurable(committed, transaction.durability());
        } else if (transaction.beside().overlay.isEmpty()) {
            checkWritable();
            committed = transaction.beside().snapshot.state();
            end(transaction);
            makeDurable(committed, transaction.durability());
        } else {
            transaction.checkReads();
            committed = commits.commit(transaction);
        }
        if (checkpoint != null) {
            checkpoint.beginWhereDue();
        }
        return new Transaction.Commit(committed.txid(), committed.lsn(), transaction.durability());
    }

    /// Waits until what was committed is as durable as is wanted.
    void makeDurable(State committed, Durability wanted) {
        if (files != null && wanted == Durability.SYNC) {
            syncLog(files.log(), committed.lsn());
        }
    }

    /// Puts the overlays of `group` into the trees and commits all that as one; the caller has the page
    /// writer's role. One that cannot be applied gets its failure and stays open, the others are
    /// committed without it. Returns null where none is left.
    @Nullable State commitTogether(List<CommitQueue.Member> group) {
        List<WriteTransaction> applied = new ArrayList<>(group.size());
        boolean written = false;
        beginPages();
        try {
            while (!applyAll(group, applied)) {
                undoPages();
                beginPages();
            }
            if (applied.isEmpty()) {
                return null;
            }
            State committed = write(applied);
            written = true;
            applied.forEach(this::end);
            return committed;
        } finally {
            if (!written) {
                undoPages();
            }
        }
    }

    /// False where one has failed half way, so that all must begin again without it.
    private boolean applyAll(List<CommitQueue.Member> group, List<WriteTransaction> applied) {
        applied.clear();
        for (CommitQueue.Member member : group) {
            if (member.failure != null) {
                continue;
            }
            WriteTransaction transaction = member.transaction;
            try {
                transaction.checkReadsAgain();
            } catch (ConflictException e) {
                member.failure = e;
                continue;
            }
            try {
                transaction.beside().overlay.apply(editor);
                applied.add(transaction);
            } catch (RuntimeException | Error e) {
                member.failure = e;
                return false;
            }
        }
        return true;
    }

    /// The steps of a commit, of the changes that were made to pages for `transactions`.
    private State write(List<WriteTransaction> transactions) {
        commitLock.lock();
        try {
            checkWritable();
            if (writer.isUnchanged()) {
                State unchanged = state;
                transactions.forEach(one -> one.runHooks(unchanged.txid()));
                return unchanged;
            }
            long lsn = files == null ? 0 : appendRecord(files.log(), writer);
            return publish(transactions, writer, lsn);
        } finally {
            commitLock.unlock();
        }
    }

    private void end(WriteTransaction transaction) {
        boolean direct = transaction.isDirect();
        transaction.ended();
        if (direct) {
            commits.giveRole();
        }
        giveBack(transaction.owner(), transaction.beside());
    }

    /// From the record on there is no way back: the commit is in the log. Whatever fails now (a hook,
    /// memory) poisons the store, or the next record would take the number of this one.
    private State publish(List<WriteTransaction> transactions, PageWriter pages, long lsn) {
        boolean published = false;
        try {
            State committed = pages.committed(lsn);
            transactions.forEach(one -> one.runHooks(committed.txid()));
            synchronized (table) { // a checkpoint that ends now tags versions by the state
                pages.retireOld();
                state = committed;
            }
            if (!transactions.getFirst().isMoving()) {
                changedTxid = committed.txid();
            }
            published = true;
            return committed;
        } finally {
            if (!published && files != null) {
                poison(
                        new StorageException(
                                "A commit was logged and could not be published; close the database and"
                                        + " open it again",
                                "txid=" + pages.txid()));
            }
        }
    }

    private long appendRecord(Log log, PageWriter pages) {
        record.begin();
        pages.describe(record);
        try {
            log.reserve(record.alignedBytes());
            if (checkpoint != null) {
                checkpoint.markOpen();
            }
            return log.append(record, pages.txid(), pages.pageCount());
        } catch (IOException e) {
            throw failed("The log cannot be written; close the database and open it again", e);
        }
    }

    private void syncLog(Log log, long lsn) {
        try {
            log.sync(lsn);
        } catch (IOException e) {
            throw failed(
                    "The log cannot be synced, so the commit may be lost; close the database and"
                            + " open it again",
                    e);
        }
    }

    /// Poisons the store, and returns what to throw.
    StorageException failed(String message, IOException cause) {
        StorageException exception = new StorageException(message, "", cause);
        poison(exception);
        return exception;
    }

    private synchronized void poison(StorageException reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    void rollback(WriteTransaction transaction) {
        if (transaction.isDirect()) {
            undoPages();
        }
        end(transaction);
    }

    private void undoPages() {
        writer.rollback();
        state = writer.republished(state); // new readers look past nothing that was rolled back
    }

    /// The oldest snapshot that an open transaction still reads, else the newest commit.
    public long oldestSnapshot() {
        return readers.oldest(state.txid());
    }

    /// Brings the committed pages to where the log is not needed for them, so that it is used again:
    /// into the data file, or, as long as an open reader's snapshot is in the way, into the shadow.
    public void checkpoint() {
        checkWritable();
        if (checkpoint != null) {
            checkpoint.run(false);
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
        return writer.loweredAt();
    }

    /// Reads everything and returns what is wrong, a sentence each; empty when all is well.
    public List<String> check() {
        try (Transaction transaction = beginRead()) {
            return new Check((ReadTransaction) transaction).run();
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
                    scratch.bytes(),
                    files == null ? 0 : files.data().bytes(),
                    files == null ? 0 : files.shadow().bytes(),
                    files == null ? 0 : files.shadow().pages(),
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

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("The database has been closed", "");
        }
    }

    void checkWritable() {
        checkOpen();
        if (options.readOnly()) {
            throw new UsageException("The database was opened for reading only", "");
        }
        checkHealthy();
    }

    /// Throws when a write or sync has failed.
    void checkHealthy() {
        StorageException first = failure;
        if (first != null) {
            throw new StorageException(
                    "An earlier write failed; close the database and open it again", "", first);
        }
    }

    /// Ends the store: a last checkpoint, then the files are closed. An open writing transaction
    /// cannot commit any more. A second call does nothing.
    @Override
    public void close() {
        commitLock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            commitLock.unlock();
        }
        if (files == null) {
            return;
        }
        try {
            if (checkpoint != null) {
                checkpoint.close(failure == null);
            }
        } finally {
            closeFiles(files);
        }
    }

    private static void closeFiles(Files files) {
        try {
            try {
                files.log().close();
                files.shadow().close();
                files.data().close();
            } finally {
                files.lock().close();
            }
        } catch (Exception e) {
            throw new StorageException("The files of the database cannot be closed", "", e);
        }
    }
}
