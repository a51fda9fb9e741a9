package dev.oriel.store;

import dev.oriel.profiler.Probe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Brings committed pages into the data file, so that the log can be used again.
///
/// 1. Take the oldest snapshot `upto` that anybody reads, and hold it as a reader does.
/// 2. Sync the log up to `upto`'s record: nothing reaches the data file before its log record.
/// 3. Write the newest version `<= upto` of each page to its place, in order of page numbers.
/// 4. Sync; write the other header page, which names `upto` and the end of its record; sync.
/// 5. Send readers to the file, free the versions, release the log before that point.
///
/// No reader can look at an old copy that step 3 overwrites: its snapshot is `>= upto`, so it finds
/// the version being written, in scratch memory. A crash before step 4 is done leaves the old
/// header, and a log that restores every page that step 3 may have torn (docs/durability.md).
///
/// It runs in a thread of its own beside the writer, never more than one at a time.
final class Checkpoint {
    private static final Probe RUN = Probe.of(Checkpoint.class, "run");
    private static final System.Logger LOGGER = System.getLogger("dev.oriel.store");
    private static final int RUN_BYTES = 1 << 20;

    private final Store store;
    private final DataFile data;
    private final Log log;
    private final PageTable table;
    private final ReentrantLock lock = new ReentrantLock();
    private final MemorySegment staging = Arena.ofAuto().allocate(RUN_BYTES, 4096);
    private volatile FileHeader header;

    /// Where each commit since the last checkpoint ended, by txid: ends and page counts.
    private long firstTxid;

    private long[] ends = new long[256];
    private long[] pageCounts = new long[256];
    private int commits;

    /// The log has grown since then by what the next checkpoint can release.
    private volatile long doneLsn;

    private volatile long doneTxid;
    private volatile @Nullable Thread running;
    private volatile boolean warned;

    /// Pages to be written, in order, and the version of each.
    private long[] pages = new long[256];

    private int[] entries = new int[256];
    private int count;

    Checkpoint(Store store, Store.Files files, PageTable table) {
        this.store = store;
        this.data = files.data();
        this.log = files.log();
        this.table = table;
        this.header = files.header();
        // What recovery left counts in full, else kills without a close between would pile it up.
        this.doneLsn = Math.min(header.lsn(), log.writtenLsn() - log.heldBytes());
        this.doneTxid = header.txid();
        State recovered = store.state();
        this.firstTxid = recovered.txid();
        addCommit(recovered);
    }

    /// Remembers where a commit ended; called before it is published.
    void committed(State state) {
        synchronized (this) {
            addCommit(state);
        }
    }

    private void addCommit(State state) {
        if (commits == ends.length) {
            ends = Arrays.copyOf(ends, commits * 2);
            pageCounts = Arrays.copyOf(pageCounts, commits * 2);
        }
        ends[commits] = state.lsn();
        pageCounts[commits++] = state.pageCount();
    }

    private synchronized long end(long txid) {
        return ends[(int) (txid - firstTxid)];
    }

    private synchronized long pageCount(long txid) {
        return pageCounts[(int) (txid - firstTxid)];
    }

    private synchronized void forgetBefore(long txid) {
        int gone = (int) (txid - firstTxid);
        commits -= gone;
        System.arraycopy(ends, gone, ends, 0, commits);
        System.arraycopy(pageCounts, gone, pageCounts, 0, commits);
        firstTxid = txid;
    }

    /// Starts a checkpoint where enough log has been written since the last; waits for it where the
    /// writer has run far ahead of it.
    void beginWhereDue() {
        long limit = store.options().checkpointBytes();
        long behind = log.writtenLsn() - doneLsn;
        if (behind < limit || store.oldestSnapshot() <= doneTxid) {
            return;
        }
        Thread thread = running;
        if (thread == null) {
            thread = start();
        }
        if (thread != null && behind > 4 * limit) {
            joinUninterruptibly(thread);
        }
    }

    private synchronized @Nullable Thread start() {
        if (running != null) {
            return running;
        }
        Thread thread = new Thread(this::runInBackground, "oriel-checkpoint");
        thread.setDaemon(true);
        running = thread;
        thread.start();
        return thread;
    }

    private void runInBackground() {
        try {
            run(false);
            warned = false;
        } catch (DatabaseException e) {
            warnOnce(e);
        } finally {
            running = null;
        }
    }

    /// There is no caller to throw to, and where the disk is full no commit fails before the log is
    /// full too. Said once until a checkpoint succeeds again: each commit makes another attempt.
    private void warnOnce(DatabaseException e) {
        if (!warned) {
            warned = true;
            LOGGER.log(System.Logger.Level.WARNING, "A checkpoint failed; the log grows", e);
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// One checkpoint; `last` marks the data file as closed where nothing is left in the log.
    void run(boolean last) {
        long entered = RUN.enter();
        lock.lock();
        try {
            store.checkHealthy(); // it may have failed while this one waited
            try {
                runHolding(last);
            } finally {
                store.readers().hold(Readers.FREE);
            }
        } finally {
            lock.unlock();
            RUN.exit(entered);
        }
    }

    private void runHolding(boolean last) {
        long newest = store.state().txid();
        long upto;
        synchronized (table) { // no version is freed between the look and the hold
            store.readers().hold(newest);
            // A slot may hold an outdated snapshot for a moment, before its reader looks again.
            upto = Math.max(store.oldestSnapshot(), table.reclaimedTo());
            store.readers().hold(upto);
        }
        boolean clean = last && upto == newest;
        if (upto <= doneTxid && !clean) {
            return;
        }
        syncLog(end(upto));
        collect(upto);
        try {
            data.grow(pageCount(upto));
        } catch (IOException e) {
            throw new LimitException(
                    "There is no room for the data file to grow; free space on the disk",
                    "pages=" + pageCount(upto),
                    e);
        }
        try {
            writePages();
            data.sync();
            writeHeader(upto, clean);
            finish(upto);
        } catch (IOException e) {
            throw store.failed(
                    "The data file cannot be written; close the database and open it again", e);
        }
    }

    private void syncLog(long lsn) {
        try {
            log.sync(lsn);
        } catch (IOException e) {
            throw store.failed("The log cannot be synced; close the database and open it again", e);
        }
    }

    private void collect(long upto) {
        count = 0;
        table.forEach(
                upto,
                (page, entry) -> {
                    if (count == pages.length) {
                        pages = Arrays.copyOf(pages, count * 2);
                    }
                    pages[count++] = page;
                });
        Arrays.sort(pages, 0, count);
        if (entries.length < pages.length) {
            entries = new int[pages.length];
        }
        synchronized (table) {
            for (int i = 0; i < count; i++) {
                int entry = table.head(pages[i]);
                while (table.txid(entry) > upto) {
                    entry = table.older(entry);
                }
                entries[i] = entry;
            }
        }
    }

    private void writePages() throws IOException {
        MemorySegment[] frames = store.frames();
        int i = 0;
        while (i < count) {
            int run = 0;
            while (i + run < count
                    && pages[i + run] == pages[i] + run
                    && run < RUN_BYTES / Page.BYTES) {
                int frame = table.frame(entries[i + run]);
                MemorySegment.copy(
                        Scratch.chunk(frames, frame),
                        Scratch.offset(frame),
                        staging,
                        (long) run << Page.SHIFT,
                        Page.BYTES);
                run++;
            }
            data.write(pages[i], staging.asSlice(0, (long) run << Page.SHIFT));
            i += run;
        }
    }

    /// Says in the header that the log counts from now on, before the first record is written since
    /// the database was closed. The segment that the record goes to is there already.
    void markOpen() throws IOException {
        if (!header.clean()) {
            return;
        }
        lock.lock();
        try {
            log.syncFiles();
            write(header.next(header.txid(), header.lsn(), header.pageCount(), false));
        } finally {
            lock.unlock();
        }
    }

    private void writeHeader(long upto, boolean clean) throws IOException {
        write(header.next(upto, end(upto), pageCount(upto), clean));
    }

    private void write(FileHeader next) throws IOException {
        data.writeHeader(next);
        header = next;
    }

    private void finish(long upto) throws IOException {
        synchronized (table) {
            long tag = store.state().txid() + 1;
            for (int i = 0; i < count; i++) {
                table.written(pages[i], entries[i], tag);
            }
        }
        log.release(header.lsn());
        forgetBefore(upto);
        doneLsn = header.lsn();
        doneTxid = upto;
    }

    /// Waits for the running checkpoint and, where the store is `healthy`, makes the last one.
    void close(boolean healthy) {
        Thread thread = running;
        if (thread != null) {
            joinUninterruptibly(thread);
        }
        if (healthy) {
            try {
                run(true);
            } catch (LimitException e) {
                // No room for the data file to grow: all commits are in the log, and the next
                // opening finds them there. That is no reason to fail a close.
                assert e.getCause() instanceof IOException : e;
            }
            syncLog(log.writtenLsn()); // what open readers have kept out of the data file
        }
    }
}
