package dev.oriel.store;

import dev.oriel.io.Directory;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store: named trees under transactions. The composition root of this module.
///
/// Any number of threads may begin transactions; each transaction belongs to one of them at a time.
///
/// Lock order: the write role (`role`), then `commitLock`, then the checkpoint's lock, then the
/// monitors of [PageTable] and [Log]. Readers take none of them.
public final class Store implements AutoCloseable {
    private final StoreOptions options;
    private final Readers readers = new Readers();
    private final Scratch scratch;
    private final PageTable table;
    private final PageWriter writer;
    private final TreeEditor editor;
    private final LogRecord record = new LogRecord();
    private final @Nullable Files files;
    private final @Nullable Checkpoint checkpoint;
    private final LongSupplier clock;

    /// Held by the open writing transaction.
    private final Semaphore role = new Semaphore(1, true);

    /// Held while a commit is written and published, and while the store closes.
    private final ReentrantLock commitLock = new ReentrantLock();

    private volatile State state;
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

    StoreOptions options() {
        return options;
    }

    /// Nanoseconds since some moment.
    long nanos() {
        return clock.getAsLong();
    }

    /// Begins a read-only transaction on the newest committed state. Never waits.
    public Transaction beginRead() {
        checkOpen();
        DataFile data = files == null ? null : files.data();
        ReadTransaction transaction = new ReadTransaction(this, new Pages(data, state));
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

    /// Begins a writing transaction, after waiting for the one that is open.
    ///
    /// @throws ConflictException if that one does not end in time
    public Transaction beginWrite() {
        checkWritable();
        try {
            // Only a wait can be interrupted: a free role is taken whatever the flag says.
            boolean taken = Thread.currentThread().isInterrupted() && role.tryAcquire();
            if (!taken && !role.tryAcquire(options.writeTimeoutMillis(), TimeUnit.MILLISECONDS)) {
                throw new ConflictException(
                        "Another transaction is writing and did not end in time; end it, or try"
                                + " again",
                        "waitedMillis=" + options.writeTimeoutMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConflictException("The wait for another transaction was interrupted", "", e);
        }
        try {
            checkWritable();
            synchronized (table) { // a checkpoint looks for its snapshot either before or after
                long[] snapshots = readers.snapshots(state.txid());
                table.reclaim(snapshots, readers.snapshotCount());
            }
            writer.begin(state);
            return new WriteTransaction(this, writer, editor);
        } catch (Throwable e) {
            role.release();
            throw e;
        }
    }

    /// The steps of a commit. Whatever fails before the record is written leaves the transaction
    /// open, to be rolled back.
    Transaction.Commit commit(WriteTransaction transaction, PageWriter pages) {
        State committed;
        commitLock.lock();
        try {
            checkWritable();
            if (pages.isUnchanged()) {
                committed = state;
                transaction.runHooks(committed.txid());
            } else {
                long lsn = files == null ? 0 : appendRecord(files.log(), pages);
                committed = publish(transaction, pages, lsn);
            }
            transaction.ended();
        } finally {
            commitLock.unlock();
        }
        role.release();
        if (files != null && options.durability() == Durability.SYNC) {
            syncLog(files.log(), committed.lsn());
        }
        if (checkpoint != null) {
            checkpoint.beginWhereDue();
        }
        return new Transaction.Commit(committed.txid(), committed.lsn(), options.durability());
    }

    /// From the record on there is no way back: the commit is in the log. Whatever fails now (a hook,
    /// memory) poisons the store, or the next record would take the number of this one.
    private State publish(WriteTransaction transaction, PageWriter pages, long lsn) {
        boolean published = false;
        try {
            State committed = pages.committed(lsn);
            transaction.runHooks(committed.txid());
            synchronized (table) { // a checkpoint that ends now tags versions by the state
                pages.retireOld();
                state = committed;
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

    void rollback(WriteTransaction transaction, PageWriter pages) {
        pages.rollback();
        state = pages.republished(state); // new readers look past nothing that was rolled back
        transaction.ended();
        role.release();
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
                    files == null ? 0 : files.log().bytes(),
                    files == null ? 0 : files.log().bytesWritten(),
                    files == null ? 0 : files.log().syncs(),
                    checkpoint == null ? 0 : checkpoint.covered(),
                    readers.open());
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
