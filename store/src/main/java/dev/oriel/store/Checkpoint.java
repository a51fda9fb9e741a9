package dev.oriel.store;

import dev.oriel.profiler.Probe;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Brings committed pages out of memory to where the log is not needed for them, and then to their
/// places in the data file.
///
/// 1. Take the newest state and hold its snapshot as a reader does.
/// 2. Sync the log up to its record. Write the newest version of each page that has one in memory to
///    the shadow file; sync; write the header that names it; sync. Now the log may be used again.
/// 3. Copy those versions to their places whose old copy there no snapshot sees; sync; send readers
///    to the file and free the versions.
///
/// No reader can look at an old copy that step 3 overwrites: its snapshot is as new as the version
/// being written, so it finds that one, or a newer one, in scratch memory. A page that a reader
/// keeps from its place stays in scratch memory and in the shadow; the next checkpoints try again.
/// What a crash in step 3 makes of a page does not matter: its copy in the shadow counts until a
/// later header says otherwise, and none is written before the data file is synced.
///
/// It runs in a thread of its own beside the writer, never more than one at a time. It holds the
/// monitors of table and log for a few instructions, and `headerLock` while a header is written.
final class Checkpoint {
    private static final Probe RUN = Probe.of(Checkpoint.class, "run");
    private static final System.Logger LOGGER = System.getLogger("dev.oriel.store");

    private final Store store;
    private final DataFile data;
    private final Shadow shadow;
    private final Log log;
    private final PageTable table;
    private final ReentrantLock lock = new ReentrantLock();

    /// Guards that headers are written one after the other.
    private final Object headerLock = new Object();

    private volatile FileHeader header;
    private volatile @Nullable Thread running;
    private volatile boolean warned;
    private volatile long covered;

    Checkpoint(Store store, Store.Files files, PageTable table) {
        this.store = store;
        this.data = files.data();
        this.shadow = files.shadow();
        this.log = files.log();
        this.table = table;
        this.header = files.header();
    }

    /// Starts a checkpoint where enough log has been written since the last. Where the writer has run
    /// far ahead, it waits until the log may be used again, not for the end of the checkpoint.
    void beginWhereDue() {
        long limit = store.options().checkpointBytes();
        if (behind() < limit) {
            return;
        }
        start();
        if (behind() > 4 * limit) {
            awaitRelease(4 * limit);
        }
    }

    private long behind() {
        return log.writtenLsn() - header.lsn();
    }

    private synchronized void start() {
        if (running == null) {
            Thread thread = new Thread(this::runInBackground, "oriel-checkpoint");
            thread.setDaemon(true);
            running = thread;
            thread.start();
        }
    }

    private void runInBackground() {
        try {
            run(false);
            warned = false;
        } catch (DatabaseException e) {
            warnOnce(e);
        } finally {
            synchronized (this) {
                running = null;
                notifyAll();
            }
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

    private synchronized void awaitRelease(long limit) {
        boolean interrupted = false;
        while (running != null && behind() > limit) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// One checkpoint; `last` marks the database as closed.
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
        } catch (IOException e) {
            throw store.failed(
                    "The data file cannot be written; close the database and open it again", e);
        } finally {
            lock.unlock();
            RUN.exit(entered);
        }
    }

    private void runHolding(boolean last) throws IOException {
        State state = hold();
        PageSet pages = new PageSet();
        state.versions().collect(state.txid(), pages);
        if (state.txid() > header.txid()) {
            cover(state, pages, last);
        }
        boolean all = moveIn(state, pages);
        if (last && (!header.clean() || (all && header.shadowPages() > 0))) {
            synchronized (headerLock) {
                FileHeader now = header;
                write(all ? now.covering(state, true, 0, 0) : now.again(true));
            }
        }
    }

    private State hold() {
        synchronized (table) { // no version is freed between the look and the hold
            State state = store.state();
            store.readers().hold(state.txid());
            return state;
        }
    }

    /// Step 2: from here on the log before the end of `state` is not needed.
    private void cover(State state, PageSet pages, boolean clean) throws IOException {
        syncLog(state.lsn());
        makeRoom(data, state.pageCount());
        FileHeader next = shadow.write(pages, state, header, clean);
        synchronized (headerLock) { // commits have marked it as open before this state was there
            write(next);
        }
        shadow.named();
        log.release(next.lsn());
        synchronized (this) {
            covered++;
            notifyAll();
        }
    }

    /// How often log was released.
    long covered() {
        return covered;
    }

    /// Makes the data file large enough, on the disk too.
    ///
    /// @throws LimitException if there is no room
    static void makeRoom(DataFile data, long pageCount) throws IOException {
        boolean grown;
        try {
            grown = data.grow(pageCount);
        } catch (IOException e) {
            throw new LimitException(
                    "There is no room for the data file to grow; free space on the disk",
                    "pages=" + pageCount,
                    e);
        }
        if (grown) {
            data.sync();
        }
    }

    /// Step 3. Whether all of `pages` are in their places now.
    private boolean moveIn(State state, PageSet pages) throws IOException {
        long oldest = store.oldestSnapshot();
        PageRun run = new PageRun(data);
        int moved = 0;
        for (int i = 0; i < pages.count; i++) {
            if (pages.txids[i] <= oldest) {
                run.add(pages.pages[i], pages.page(i, state.frames()));
                moved++;
            }
        }
        if (moved == 0) {
            return pages.count == 0;
        }
        run.flush();
        data.sync();
        for (int i = 0; i < pages.count; i++) {
            if (pages.txids[i] <= oldest) {
                synchronized (table) { // one at a time: the writer waits for this monitor
                    table.written(pages.pages[i], pages.txids[i], store.state().txid() + 1);
                }
            }
        }
        return moved == pages.count;
    }

    private void syncLog(long lsn) {
        try {
            log.sync(lsn);
        } catch (IOException e) {
            throw store.failed("The log cannot be synced; close the database and open it again", e);
        }
    }

    /// Says in the header that the log counts from now on, before the first record is written since
    /// the database was closed. The segment that the record goes to is there already.
    void markOpen() throws IOException {
        if (!header.clean()) {
            return;
        }
        log.syncFiles();
        synchronized (headerLock) {
            write(header.again(false));
        }
    }

    private void write(FileHeader next) throws IOException {
        data.writeHeader(next);
        header = next;
    }

    /// Waits for the running checkpoint and, where the store is `healthy`, makes the last one.
    void close(boolean healthy) {
        awaitRelease(-1);
        if (healthy) {
            try {
                run(true);
            } catch (LimitException e) {
                // No room for a file to grow: all commits are in the log, and the next opening
                // finds
                // them there. That is no reason to fail a close.
                assert e.getCause() instanceof IOException : e;
            }
            syncLog(log.writtenLsn()); // what could not be covered
        }
    }
}
