package dev.oriel.store.checkpoint;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ClosedException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.data.Core;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.Fence;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.log.Log;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.version.PageSet;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.Readers;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Moves committed pages out of memory: first so that recovery no longer needs the log for them, then to their
/// places in the data file.
///
/// 1. Take the newest state and hold its snapshot as a reader does.
/// 2. Sync the log up to its record. Write the newest version of each page that has one in memory to the shadow
///    file; sync; write the header that names it; sync. Now the log may be used again. A page that is new since the
///    last header goes to its place at once, before the new header. Nothing durable relies on the old bytes there,
///    and the log holds the whole page until then.
/// 3. Copy to its place each version whose old copy there no snapshot sees, unless a later commit has superseded
///    it. Sync; send readers to the file and free the versions.
/// 4. If the file has become longer than its pages need, cut it.
///
/// If the shadow has no room for all pages, steps 2 and 3 go on with a few pages at a time. The header that covers
/// the log comes last ([#moveInPortions]). Until then this holds after each call:
///
/// 1. Every header written covers the same LSN, and the log from there to the end of the state is synced and
///    not released.
/// 2. Each page counted by the previous header is whole in the slot that the newest header names, or, if it names
///    none, in its place. This includes a page that the state no longer has, because the log may change it before
///    it takes it off the end.
/// 3. That page is as old as the header's LSN, or newer, and never newer than the state. A record has absolute
///    bytes, so the replay ends in the same page.
/// 4. A slot, or a place without a named slot, is overwritten only after the header that no longer needs it is
///    synced. Memory lets go of a version only after the header that covers it.
///
/// No reader can look at an old copy that step 3 overwrites: its snapshot is as new as the version being written.
/// So it finds that version, or a newer one, in scratch memory. A page that a reader keeps from its place stays in
/// scratch memory and in the shadow; the next checkpoints try again. So does a page that was changed again while
/// step 2 ran: its newer version stays in memory anyway. The next checkpoint would overwrite the one put in its
/// place now. So pages that change all the time are written once by each checkpoint, not twice. A crash in step 3
/// may tear a page. Its copy in the shadow counts until a later header says otherwise, and no header is written
/// before the data file is synced.
///
/// It runs in a thread of its own concurrently with the writer, never more than one at a time.
/// [CheckpointThrottle] slows it down unless a thread waits for it. It holds the monitors of table and log for a
/// few instructions, and `headerLock` while a header is written.
public final class Checkpoint {
    /// Lower bound of the memory limit, so that a moment without memory does not make each commit wait.
    private static final long DIRTY_BYTES_LEAST = 1 << 20;

    private static final Probe RUN = Probe.of(Checkpoint.class, "run");

    /// Number of pages that go through the shadow at once if it has no room for all; halved while these do not fit.
    private static final int PORTION_PAGES_MAX = 256;

    private static final long KEPT_BYTES_MIN = 64 << 10;
    private static final long KEPT_BYTES_MAX = 1 << 20;

    private final Core core;
    private final PageWriter pages;
    private final WriteGate writeGate;
    private final DataFile data;
    private final Fence fence;
    private final DoubleWriteBuffer doubleWrite;
    private final Log log;
    private final PageTable table;
    private final ReentrantLock lock = new ReentrantLock();

    /// Whether the files may be closed now; guarded by the lock.
    private boolean ended;

    /// Serializes header writes.
    private final Object headerLock = new Object();

    /// Upper bound of the page counts of all headers that were durable since the store was opened.
    private volatile long countedPages;

    /// Versions that went to their places as new pages, and that some reader kept in memory too.
    private PageSet inPlace = new PageSet();

    private volatile FileHeader header;
    private volatile @Nullable Thread running;
    private volatile boolean warned;

    /// Whether a commit has found no memory since the last checkpoint ended.
    private volatile boolean memoryRanOut;

    /// Whether the last checkpoint found no room for its files, whatever free space the disk reports.
    private volatile boolean roomless;

    /// Bytes of pages that the last checkpoint could not bring to their places.
    private volatile long dirtyLeft;

    private volatile long covered;

    /// Part of the time between two background checkpoints that one may take; less if the log fills faster.
    private static final double PACED_PART = 0.5;

    private static final long PACED_NANOS_MAX = 10_000_000_000L;

    /// Number of callers that want the running checkpoint to finish soon.
    private final AtomicInteger hurried = new AtomicInteger();

    /// Time at which the last background checkpoint began, and the log end and dirty bytes then.
    private long begunNanos;

    private long begunLsn;
    private long begunDirty;

    public Checkpoint(
            Core core, WriteGate writeGate, StoreFiles files, PageTable table, PageWriter pages) {
        this.core = core;
        this.pages = pages;
        this.writeGate = writeGate;
        this.data = files.data();
        this.fence = files.fence();
        this.doubleWrite = files.doubleWrite();
        this.log = files.log();
        this.table = table;
        this.header = files.header();
        this.countedPages = header.pageCount();
        this.begunNanos = core.nanos();
    }

    public Log log() {
        return log;
    }

    /// Starts a checkpoint if enough log has been written since the last, or enough pages were changed. If the
    /// writers have run far ahead, it waits until log or memory has been released.
    public void beginWhereDue() {
        if (!isDue(1, 0.5)) {
            return;
        }
        try {
            start();
        } catch (LimitException e) {
            runHere(e);
            return;
        }
        if (isDue(4, 1)) {
            await(() -> isDue(4, 1));
        }
    }

    /// Runs a long overdue checkpoint on the committing thread: the JVM can create no other.
    private void runHere(LimitException reason) {
        warnOnce(reason);
        if (isDue(4, 1)) {
            try {
                run(CheckpointAim.COVER);
            } catch (DatabaseException e) {
                warnOnce(e);
            }
        }
    }

    /// Whether the log since the last checkpoint is at least `times` * `checkpointBytes`, or the dirty bytes at
    /// least `part` * `dirtyBytesMax`. Pages that the last checkpoint had to leave to a reader do not count.
    private boolean isDue(long times, double part) {
        return behind() >= times * core.options().checkpointBytes()
                || dirty() - dirtyLeft >= part * dirtyBytesMax();
    }

    /// Whether changed pages take less memory than they may.
    public boolean hasMemory() {
        return dirty() - dirtyLeft < dirtyBytesMax();
    }

    /// The configured limit, or half of the memory if that is less: a version outlives its checkpoint by a commit.
    private long dirtyBytesMax() {
        long possible = Math.max(DIRTY_BYTES_LEAST, table.memoryBytesMax() / 2);
        return Math.min(core.options().dirtyBytesMax(), possible);
    }

    private long dirty() {
        return (long) table.livePages() << Page.SHIFT;
    }

    /// Bytes of log that a recovery at this moment would have to read.
    public long behind() {
        return log.committedLsn() - header.lsn();
    }

    /// Memory has run out: starts a checkpoint at full speed, which frees the pages that it brings to their places.
    public void beginForMemory() {
        memoryRanOut = true;
        try {
            start();
        } catch (LimitException e) {
            warnOnce(e); // no thread either: the next commit runs it, when it is due
        }
    }

    private synchronized void start() {
        if (running == null) {
            running = core.threads().start("oriel-checkpoint", this::runInBackground);
        }
    }

    private void runInBackground() {
        try {
            runPaced();
            warned = false;
        } catch (DatabaseException | OutOfMemoryError e) {
            if (!(e instanceof ClosedException)) { // else the last checkpoint covers everything
                warnOnce(e);
            }
        } finally {
            memoryRanOut = false;
            synchronized (this) {
                running = null;
                notifyAll();
            }
        }
    }

    /// Waits for the checkpoint that runs in the background, if there is one.
    public void awaitRunning() {
        await(() -> true);
    }

    private void warnOnce(Throwable e) {
        warned = EventLog.sayOnce(warned, "A checkpoint failed; the log grows", e);
    }

    private void await(BooleanSupplier still) {
        boolean interrupted = false;
        beginHurry();
        try {
            synchronized (this) {
                while (running != null && still.getAsBoolean()) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            }
        } finally {
            endHurry();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Until [#endHurry] a running checkpoint does not pause: a caller waits for it, or for its lock.
    public void beginHurry() {
        hurried.incrementAndGet();
        LockSupport.unpark(running);
    }

    public void endHurry() {
        hurried.decrementAndGet();
    }

    /// Runs a paced checkpoint, which ends long before the next one is due.
    private void runPaced() {
        long now = core.nanos();
        long nanos = Math.clamp((long) (PACED_PART * (now - begunNanos)), 0, PACED_NANOS_MAX);
        begunNanos = now;
        begunLsn = log.appendedLsn();
        begunDirty = dirty();
        run(
                CheckpointAim.COVER,
                new CheckpointThrottle(
                        nanos,
                        core::nanos,
                        this::filled,
                        () -> hurried.get() > 0 || memoryRanOut,
                        LockSupport::parkNanos));
    }

    /// The part of the way to the next checkpoint, by log or by memory, covered since this one began.
    private double filled() {
        double byLog = (double) (log.appendedLsn() - begunLsn) / core.options().checkpointBytes();
        double byPages = 2.0 * (dirty() - begunDirty) / dirtyBytesMax();
        return Math.max(byLog, byPages);
    }

    /// Runs a checkpoint at full speed.
    public void run(CheckpointAim aim) {
        beginHurry();
        try {
            run(aim, CheckpointThrottle.NONE);
        } finally {
            endHurry();
        }
    }

    /// Runs a checkpoint at the throttle's pace.
    public void run(CheckpointAim aim, CheckpointThrottle throttle) {
        long entered = RUN.enter();
        if (aim.settles() && !memoryRanOut) {
            core.settle(); // before the lock, which the holder of the role may wait for
        }
        lock.lock();
        try {
            checkNotEnded();
            writeGate.checkUnfailed(); // a write may have failed while this thread waited
            try {
                runWhereThereIsRoom(aim, throttle);
            } finally {
                core.readers().hold(Readers.FREE);
            }
        } catch (IOException e) {
            throw writeGate.failed(
                    "The data file cannot be written; close the database and open it again", e);
        } finally {
            lock.unlock();
            RUN.exit(entered);
        }
    }

    /// Gives back spare log files if the disk has no room for the others. If the shadow has no room for all pages,
    /// they go through it a few at a time.
    private void runWhereThereIsRoom(CheckpointAim aim, CheckpointThrottle throttle)
            throws IOException {
        boolean done = false;
        try {
            runHolding(aim, false, throttle);
            done = true;
        } catch (LimitException e) {
            boolean _ = log.giveBack();
            runHolding(aim, true, CheckpointThrottle.NONE);
            done = true;
        } finally {
            roomless = !done;
        }
    }

    /// Whether the last checkpoint failed.
    boolean lacksRoom() {
        return roomless;
    }

    private void runHolding(CheckpointAim aim, boolean inPortions, CheckpointThrottle throttle)
            throws IOException {
        State state = hold();
        boolean closes = aim == CheckpointAim.CLOSE && state.deltas().isEmpty();
        PageSet pages = new PageSet();
        state.versions().collect(state.txid(), pages);
        PageSet beyond = pages.splitAt(state.pageCount());
        PageSet there = pages.takeThoseIn(inPlace);
        if (state.txid() > header.txid()) {
            PageSet added = pages.splitAt(countedPages);
            PageSet gone = inPortions ? beyond.only(i -> isNeeded(beyond.pages[i])) : null;
            cover(state, pages, added, gone, closes, throttle);
            there.addAll(added);
        }
        inPlace = there;
        int kept = moveIn(state, pages, there, aim != CheckpointAim.COVER, throttle);
        dirtyLeft = (long) kept << Page.SHIFT;
        dropBeyond(state, beyond, aim != CheckpointAim.CLOSE);
        boolean emptied = kept == 0 && header.shadowPages() > 0;
        if (closes && (emptied || !header.clean())) {
            synchronized (headerLock) {
                FileHeader now = header;
                write((kept == 0 ? now.covering(state, true) : now.again(true)).ownedBy(0));
            }
        } else if (aim != CheckpointAim.COVER && emptied) {
            synchronized (headerLock) {
                FileHeader next = header.covering(state, header.clean());
                name(
                        doubleWrite.write(
                                new PageSet(), state.frames(), next, CheckpointThrottle.NONE));
            }
        }
    }

    /// Describes the damage in the files that an opening now would read, compared to `snapshot`: see [FileCheck]. No
    /// checkpoint runs meanwhile. The list is empty after a failed write, and if the caller is in a checkpoint.
    public List<String> checkFiles(State snapshot) {
        if (lock.isHeldByCurrentThread()) {
            return List.of();
        }
        beginHurry();
        lock.lock();
        try {
            checkNotEnded();
            if (!writeGate.isUnfailed()) {
                return List.of();
            }
            FileCheck check = new FileCheck(data, doubleWrite, log, snapshot);
            synchronized (headerLock) {
                check.header(header);
            }
            return check.run();
        } finally {
            lock.unlock();
            endHurry();
        }
    }

    private State hold() {
        synchronized (table) { // no version is freed between the look and the hold
            State state = core.state();
            core.readers().hold(state.txid());
            return state;
        }
    }

    /// Whether a recovery from the newest header takes the page from the shadow, and its place is in the file.
    private boolean isNeeded(long page) {
        return doubleWrite.find(page) >= 0 && page < data.mapping().pages();
    }

    /// Step 2: from here on the log before the end of `state` is not needed.
    ///
    /// @param gone if it goes in portions: pages that the shadow holds and `state` no longer has; else null
    private void cover(
            State state,
            PageSet pages,
            PageSet added,
            @Nullable PageSet gone,
            boolean clean,
            CheckpointThrottle throttle)
            throws IOException {
        syncLog(state.lsn());
        long oldest = core.oldestSnapshot();
        PageSet left = gone == null ? new PageSet() : emptyShadow(state, pages, gone, oldest);
        throttle.begin((long) pages.count + added.count, PACED_PART / 2);
        data.add(added, state.frames(), state.pageCount(), throttle);
        if (!data.makeRoom(state.pageCount(), false) && added.count > 0) {
            data.sync();
        }
        if (gone != null) {
            moveInPortions(state, left, PageSet.merged(pages, gone));
        }
        FileHeader next = header.covering(state, clean);
        next = doubleWrite.write(pages, state.frames(), next, throttle);
        name(next);
        count(state.pageCount());
        if (gone != null) {
            // Only once they are counted: uncounted pages are overwritten in place.
            leave(state, oldest);
        }
        log.release(next.lsn());
        synchronized (this) {
            covered++;
            notifyAll();
        }
    }

    /// Brings the pages with an older copy in the shadow to their places: that copy and the log hold them until a
    /// header names others. Then the shadow is free except for pages that readers keep from their places; only these
    /// are left in `pages` and `gone`. Returns the pages that still have to go through the shadow.
    ///
    /// @throws LimitException if there is no room for the pages that readers keep
    private PageSet emptyShadow(State state, PageSet pages, PageSet gone, long oldest)
            throws IOException {
        PageSet left =
                pages.only(i -> pages.txids[i] <= oldest && doubleWrite.find(pages.pages[i]) < 0);
        put(
                pages.only(i -> pages.txids[i] <= oldest && doubleWrite.find(pages.pages[i]) >= 0),
                state);
        put(gone.only(i -> gone.txids[i] <= oldest), state);
        pages.become(pages.only(i -> pages.txids[i] > oldest));
        gone.become(gone.only(i -> gone.txids[i] > oldest));
        nameOnly(PageSet.merged(pages, gone), state);
        doubleWrite.giveBack();
        return left;
    }

    /// Brings the pages in `left` to their places through a shadow that has room for a few of them, and for the
    /// pages in `kept`. The log holds all of `state` durably and keeps its start: replayed over newer pages, it
    /// ends in the same bytes. So no header needs to cover anything before the last page is in its place.
    ///
    /// @throws LimitException if there is no room for one page
    private void moveInPortions(State state, PageSet left, PageSet kept) throws IOException {
        int size = PORTION_PAGES_MAX;
        int from = 0;
        while (from < left.count) {
            int end = Math.min(left.count, from + size);
            PageSet portion = left.range(from, end);
            try {
                nameOnly(PageSet.merged(kept, portion), state);
            } catch (LimitException e) {
                if (size == 1) {
                    throw e;
                }
                size = Math.max(1, Math.min(size, left.count - from) / 2);
                continue;
            }
            put(portion, state);
            nameOnly(kept.only(_ -> true), state); // the next portion may use all slots
            from = end;
        }
        doubleWrite.giveBack();
    }

    /// Makes the shadow hold exactly this set; the log keeps its start.
    private void nameOnly(PageSet set, State state) throws IOException {
        FileHeader next = header.again(false);
        name(doubleWrite.write(set, state.frames(), next, CheckpointThrottle.NONE));
    }

    /// Writes pages to their places.
    private void put(PageSet set, State state) throws IOException {
        PageRun run = new PageRun(data, CheckpointThrottle.NONE);
        for (int i = 0; i < set.count; i++) {
            MemorySegment page = set.page(i, state.frames());
            PageChecksum.complete(page, 0);
            run.add(set.pages[i], page);
        }
        if (set.count > 0) {
            run.flush();
            data.sync();
        }
    }

    /// Writes the header that names the shadow's slots. Once it may be on the disk, a named slot must not be
    /// overwritten. If it is unknown whether the header was written, the store is poisoned.
    private void name(FileHeader next) throws IOException {
        boolean halfWay = true;
        try {
            synchronized (
                    headerLock) { // commits have marked it as open before this state was there
                write(next);
            }
            doubleWrite.named();
            halfWay = false;
        } catch (IOException e) {
            halfWay = false; // the caller reports it
            throw e;
        } finally {
            if (halfWay) {
                writeGate.poison(
                        new StorageException(
                                "A checkpoint failed half way; close the database and open it again",
                                "commit=" + next.txid()));
            }
        }
    }

    /// Number of pages counted by a header, or in their places before a header counts them. They are overwritten by way
    /// of the shadow only.
    long countedPages() {
        return countedPages;
    }

    /// Pages up to `pages` have been loaded to their places.
    void count(long pages) {
        synchronized (headerLock) {
            countedPages = Math.max(countedPages, pages);
        }
    }

    /// Number of times that log was released.
    public long covered() {
        return covered;
    }

    /// Step 3. Returns the number of pages in `pages` and `there` (already in place) that readers keep from their
    /// places or in memory. Superseded pages are moved too if `all`.
    private int moveIn(
            State state, PageSet pages, PageSet there, boolean all, CheckpointThrottle throttle)
            throws IOException {
        long oldest = core.oldestSnapshot();
        long committed = core.state().txid();
        throttle.begin(pages.count, PACED_PART);
        PageRun run = new PageRun(data, throttle);
        int moved = 0;
        int superseded = 0;
        for (int i = 0; i < pages.count; i++) {
            if (pages.txids[i] > oldest) {
                continue;
            }
            if (!all && table.isSuperseded(pages.pages[i], pages.txids[i], committed)) {
                superseded++;
            } else {
                run.add(pages.pages[i], pages.page(i, state.frames()));
                moved++;
            }
        }
        if (moved > 0) {
            run.flush();
            data.sync();
        }
        int left = there.countUpTo(oldest);
        if (moved + left > 0) {
            leave(state, oldest);
        }
        return pages.count - superseded - moved + there.count - left;
    }

    /// Sends readers to the file for the pages of `state` whose newest version is at most `oldest`, the oldest
    /// snapshot: they are in their places now.
    private void leave(State state, long oldest) {
        int from = 0;
        while (from != PageTable.NONE) {
            synchronized (table) { // a part at a time: the writer waits for this monitor
                from = table.written(oldest, state.pageCount(), core.state().txid() + 1, from);
            }
        }
    }

    /// Forgets the versions of pages beyond the end of `state`, and cuts the data file if it has become too long
    /// for the rest. By now the durable header has no more pages than `state` has.
    ///
    /// No reader and no writer looks at a page beyond these, in the file or through any map of it. The oldest
    /// snapshot is not from before the page count was last lowered, so up to `state` the count has only grown, and
    /// no snapshot up to it has more. Later snapshots may have more pages, but these lie in scratch memory until
    /// another checkpoint brings them to the file, longer again by then. An older map that a reader still holds
    /// stays valid: it is of the same file.
    private void dropBeyond(State state, PageSet beyond, boolean roomy) {
        if (core.oldestSnapshot() < pages.loweredAt()) {
            return;
        }
        for (int i = 0; i < beyond.count; i++) {
            synchronized (table) {
                table.written(beyond.pages[i], beyond.txids[i], core.state().txid() + 1);
            }
        }
        try {
            data.cut(() -> Math.max(state.pageCount(), core.state().pageCount()), roomy);
        } catch (IOException e) {
            EventLog.say(System.Logger.Level.WARNING, "The data file stays longer than it must", e);
        }
    }

    private void syncLog(long lsn) {
        try {
            log.sync(lsn);
        } catch (IOException e) {
            throw writeGate.failed(
                    "The log cannot be synced; close the database and open it again", e);
        }
    }

    /// Marks the log as needed in the header, before the first record is written since the database was closed. The
    /// segment for the record exists already.
    public void markOpen() throws IOException {
        if (!header.clean()) {
            return;
        }
        log.syncFiles();
        synchronized (headerLock) {
            write(header.again(false));
        }
    }

    private void write(FileHeader next) throws IOException {
        fence.replace(next.page(), next.owner(), () -> data.writeHeader(next));
        header = next;
    }

    /// Waits for the running checkpoint and, if the store is `healthy`, makes the last one. No other begins.
    public void close(boolean healthy) {
        awaitRunning();
        beginHurry();
        lock.lock(); // callers still waiting for a checkpoint are refused
        try {
            makeLast(healthy);
        } finally {
            ended = true;
            lock.unlock();
            endHurry();
        }
    }

    /// Clears the owner in the header. If that write is lost, the next opening only looks closer.
    private void release() {
        synchronized (headerLock) {
            FileHeader next = header.again(true).ownedBy(0);
            if (header.owner() == 0) {
                return;
            }
            try {
                fence.replace(next.page(), next.owner(), () -> data.putHeader(next));
                header = next;
            } catch (IOException e) {
                EventLog.say(System.Logger.Level.WARNING, "The owner stays in the header", e);
            }
        }
    }

    /// Refuses a caller that waited for the lock until the store was closed.
    private void checkNotEnded() {
        if (ended) {
            writeGate.checkOpen();
        }
    }

    private void makeLast(boolean healthy) {
        if (!healthy) {
            return;
        }
        try {
            run(CheckpointAim.CLOSE);
        } catch (LimitException e) {
            // no room for a file to grow: the next opening finds all commits in the log
            assert e.getCause() instanceof IOException : e;
        }
        syncLog(log.appendedLsn()); // for commits that could not be covered
        if (header.clean()) {
            trim();
            release();
        }
    }

    /// Makes shadow and log take no more of a full disk than they must. The shadow is emptied if possible. If the
    /// header covers all commits, the log goes on in a small file with room for a record of `bytes`. Called by the
    /// holder of the write role.
    public void giveBack(int bytes) {
        clearShadow();
        try {
            log.goOnSmall(header.lsn(), bytes);
        } catch (LimitException e) {
            // There is no room for a small file either: the log goes on in its old one.
            assert e.getCause() instanceof IOException : e;
        } catch (IOException e) {
            throw writeGate.failed(
                    "The log cannot be written; close the database and open it again", e);
        }
    }

    /// Empties the shadow, if the newest header names nothing there.
    public void clearShadow() {
        beginHurry();
        lock.lock();
        try {
            if (header.shadowPages() == 0) {
                doubleWrite.clear();
            }
        } catch (IOException e) {
            EventLog.say(
                    System.Logger.Level.WARNING, "The shadow file stays longer than it must", e);
        } finally {
            lock.unlock();
            endHurry();
        }
    }

    /// Gives back the shadow, unless a reader keeps a page from its place or the file is small. Both headers name
    /// nothing in it by then: a damaged one would make the other count.
    public void giveBackShadow() {
        if (doubleWrite.bytes() <= KEPT_BYTES_MAX) {
            return;
        }
        run(CheckpointAim.QUIET);
        lock.lock();
        try {
            checkNotEnded();
            writeGate.checkUnfailed();
            if (header.shadowPages() == 0) { // no other checkpoint has come between
                synchronized (headerLock) {
                    write(header.again(header.clean()));
                }
                clearShadow();
            }
        } catch (IOException e) {
            throw writeGate.failed(
                    "The data file cannot be written; close the database and open it again", e);
        } finally {
            lock.unlock();
        }
    }

    /// Shrinks files without live content, except for the space that the next opening needs.
    private void trim() {
        try {
            long kept = Math.clamp(data.bytes() / 8, KEPT_BYTES_MIN, KEPT_BYTES_MAX);
            if (header.shadowPages() == 0 && doubleWrite.bytes() > kept) {
                synchronized (headerLock) {
                    write(header.again(true)); // the previous header may name slots of the shadow
                }
                doubleWrite.clear();
            }
            log.trim(kept);
        } catch (IOException e) {
            EventLog.say(System.Logger.Level.WARNING, "Files stay larger than they must", e);
        }
    }
}
