package dev.oriel.store;

import dev.oriel.profiler.Probe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Brings committed pages out of memory to where the log is not needed for them, and then to their
/// places in the data file.
///
/// 1. Take the newest state and hold its snapshot as a reader does.
/// 2. Sync the log up to its record. Write the newest version of each page that has one in memory to
///    the shadow file; sync; write the header that names it; sync. Now the log may be used again. A page
///    that is new since the last header goes to its place at once, before the new one: nothing
///    durable counts on what is there, and the log holds all of it until then.
/// 3. Copy those versions to their places whose old copy there no snapshot sees, and that no commit has
///    superseded meanwhile; sync; send readers to the file and free the versions.
/// 4. Where the file has become longer than its pages need, cut it.
///
/// If the disk has no room for all pages in the shadow, steps 2 and 3 go on with a few pages at a time, and
/// the header that covers the log comes last ([#moveInPortions]). Until then this holds after each call:
///
/// 1. Every header written covers the same LSN, and the log from there to the end of the state is synced and
///    not released.
/// 2. Each page that the header before counted is whole in the slot that the newest header names, or, if it
///    names none, in its place; also one that the state no longer has, because the log may change it before it
///    takes it off the end.
/// 3. That page is as old as the header's LSN, or newer, and never newer than the state. A record has absolute
///    bytes, so the replay ends in the same page.
/// 4. A slot is written over, and a place without a named slot, only after the header that no longer needs it
///    is synced; memory lets go of a version only after the header that covers it.
///
/// No reader can look at an old copy that step 3 overwrites: its snapshot is as new as the version
/// being written, so it finds that one, or a newer one, in scratch memory. A page that a reader
/// keeps from its place stays in scratch memory and in the shadow; the next checkpoints try again.
/// So does one that was changed again while step 2 ran: its newer version stays in memory anyway, and the
/// next checkpoint would write over what this one had put in its place. Pages that change all the time are
/// written once by each checkpoint, not twice.
/// What a crash in step 3 makes of a page does not matter: its copy in the shadow counts until a
/// later header says otherwise, and none is written before the data file is synced.
///
/// It runs in a thread of its own beside the writer, never more than one at a time, and not faster than it
/// must ([CheckpointThrottle]), unless somebody waits for it. It holds the
/// monitors of table and log for a few instructions, and `headerLock` while a header is written.
final class Checkpoint {
    /// However little memory there was once, so that a moment without any does not have each commit wait.
    private static final long DIRTY_BYTES_LEAST = 1 << 20;

    private static final Probe RUN = Probe.of(Checkpoint.class, "run");

    /// So many pages go through the shadow at once where it has no room for all, and half as many where it has none
    /// for these.
    private static final int PORTION_PAGES_MAX = 256;

    private static final long KEPT_BYTES_MIN = 64 << 10;
    private static final long KEPT_BYTES_MAX = 1 << 20;

    /// What one is for.
    enum Aim {
        /// That the log may be used again, and memory.
        COVER,

        /// That on a full disk all of the shadow can be used again: its header names nothing there, where no reader
        /// keeps a page from its place. Of the holder of the write role.
        ROOM,

        /// That the database is marked as closed.
        CLOSE
    }

    private final Store store;
    private final WriteGate writeGate;
    private final DataFile data;
    private final Fence fence;
    private final DoubleWriteBuffer doubleWrite;
    private final Log log;
    private final PageTable table;
    private final ReentrantLock lock = new ReentrantLock();

    /// Whether the files may be closed now; guarded by the lock.
    private boolean ended;

    /// Guards that headers are written one after the other.
    private final Object headerLock = new Object();

    /// No header that was durable since the store was opened has more pages than this.
    private volatile long countedPages;

    /// Versions that went to their places as new pages, and that some reader kept in memory too.
    private PageSet inPlace = new PageSet();

    private volatile FileHeader header;
    private volatile @Nullable Thread running;
    private volatile boolean warned;

    /// Whether a commit has found no memory since the last one ended.
    private volatile boolean memoryRanOut;

    /// Whether the last one has found no room for its files, whatever the disk says of what is free: a file may grow no
    /// further, or the process may open none.
    private volatile boolean roomless;

    /// Bytes of pages that the last checkpoint could not bring to their places.
    private volatile long dirtyLeft;

    private volatile long covered;

    /// A background checkpoint takes this part of the time between two, and less where the log fills faster.
    private static final double PACED_PART = 0.5;

    private static final long PACED_NANOS_MAX = 10_000_000_000L;

    /// How many want the checkpoint that runs to be done soon.
    private final AtomicInteger hurried = new AtomicInteger();

    /// When the last one in the background began, and what there was then.
    private long begunNanos;

    private long begunLsn;
    private long begunDirty;

    Checkpoint(Store store, WriteGate writeGate, Store.Files files, PageTable table) {
        this.store = store;
        this.writeGate = writeGate;
        this.data = files.data();
        this.fence = files.fence();
        this.doubleWrite = files.doubleWrite();
        this.log = files.log();
        this.table = table;
        this.header = files.header();
        this.countedPages = header.pageCount();
        this.begunNanos = store.nanos();
    }

    /// Starts a checkpoint where enough log has been written since the last, or enough pages were changed.
    /// Where the writers have run far ahead, it waits until the log may be used again, or until memory
    /// has been given back.
    void beginWhereDue() {
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

    /// The JVM can make no thread: where the writers have run far ahead, the one who commits does the work.
    private void runHere(LimitException reason) {
        warnOnce(reason);
        if (isDue(4, 1)) {
            try {
                run(Aim.COVER);
            } catch (DatabaseException e) {
                warnOnce(e);
            }
        }
    }

    /// Whether there are so many times `checkpointBytes` of log, or so large a part of `dirtyBytesMax` in
    /// pages; those do not count that the last checkpoint had to leave to a reader.
    private boolean isDue(long times, double part) {
        return behind() >= times * store.options().checkpointBytes()
                || dirty() - dirtyLeft >= part * dirtyBytesMax();
    }

    /// Less than is set where there is no memory for that: half of what there is, since a version lives on until the
    /// commit after the checkpoint.
    private long dirtyBytesMax() {
        long possible = Math.max(DIRTY_BYTES_LEAST, table.memoryBytesMax() / 2);
        return Math.min(store.options().dirtyBytesMax(), possible);
    }

    private long dirty() {
        return (long) table.livePages() << Page.SHIFT;
    }

    /// Bytes of log that a recovery at this moment would have to read.
    long behind() {
        return log.committedLsn() - header.lsn();
    }

    /// Memory has run out, perhaps long before one is due: begins one, which frees the pages that it brings to
    /// their places, as fast as it can.
    void beginForMemory() {
        memoryRanOut = true;
        try {
            start();
        } catch (LimitException e) {
            warnOnce(e); // no thread either: the one who commits next makes it, when it is due
        }
    }

    private synchronized void start() {
        if (running == null) {
            running = store.threads().start("oriel-checkpoint", this::runInBackground);
        }
    }

    private void runInBackground() {
        try {
            runPaced();
            warned = false;
        } catch (ClosedException e) {
            // It comes too late: the last one has covered all.
            assert ended : e;
        } catch (DatabaseException e) {
            warnOnce(e);
        } finally {
            memoryRanOut = false;
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
            EventLog.say(System.Logger.Level.WARNING, "A checkpoint failed; the log grows", e);
        }
    }

    private void await(BooleanSupplier still) {
        beginHurry();
        try {
            awaitHurried(still);
        } finally {
            endHurry();
        }
    }

    private synchronized void awaitHurried(BooleanSupplier still) {
        boolean interrupted = false;
        while (running != null && still.getAsBoolean()) {
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

    /// Until [#endHurry] a checkpoint that runs does not pause: somebody waits for it, or for what it holds.
    void beginHurry() {
        hurried.incrementAndGet();
        Thread thread = running;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    void endHurry() {
        hurried.decrementAndGet();
    }

    /// One checkpoint, by and by: it is done long before the next one is due.
    private void runPaced() {
        long now = store.nanos();
        long nanos = Math.clamp((long) (PACED_PART * (now - begunNanos)), 0, PACED_NANOS_MAX);
        begunNanos = now;
        begunLsn = log.appendedLsn();
        begunDirty = dirty();
        run(
                Aim.COVER,
                new CheckpointThrottle(
                        nanos,
                        store::nanos,
                        this::filled,
                        () -> hurried.get() > 0 || memoryRanOut,
                        LockSupport::parkNanos));
    }

    /// How much of the way to the next checkpoint, by log or by memory, has been gone since this one began.
    private double filled() {
        double byLog = (double) (log.appendedLsn() - begunLsn) / store.options().checkpointBytes();
        double byPages = 2.0 * (dirty() - begunDirty) / dirtyBytesMax();
        return Math.max(byLog, byPages);
    }

    /// One checkpoint, at once.
    void run(Aim aim) {
        beginHurry();
        try {
            run(aim, CheckpointThrottle.NONE);
        } finally {
            endHurry();
        }
    }

    /// One checkpoint, so fast.
    void run(Aim aim, CheckpointThrottle throttle) {
        long entered = RUN.enter();
        lock.lock();
        try {
            checkNotEnded();
            writeGate.checkUnfailed(); // it may have failed while this one waited
            try {
                runWhereThereIsRoom(aim, throttle);
            } finally {
                store.readers().hold(Readers.FREE);
            }
        } catch (IOException e) {
            throw writeGate.failed(
                    "The data file cannot be written; close the database and open it again", e);
        } finally {
            lock.unlock();
            RUN.exit(entered);
        }
    }

    /// Spare files of the log may be what the others lack. If there is no room in the shadow for all pages, it goes
    /// on with a few of them at a time.
    private void runWhereThereIsRoom(Aim aim, CheckpointThrottle throttle) throws IOException {
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

    /// Whether the last one has failed.
    boolean lacksRoom() {
        return roomless;
    }

    private void runHolding(Aim aim, boolean inPortions, CheckpointThrottle throttle)
            throws IOException {
        State state = hold();
        PageSet pages = new PageSet();
        state.versions().collect(state.txid(), pages);
        PageSet beyond = pages.splitAt(state.pageCount());
        PageSet there = pages.takeThoseIn(inPlace);
        if (state.txid() > header.txid()) {
            PageSet added = pages.splitAt(countedPages);
            PageSet gone = inPortions ? beyond.only(i -> isNeeded(beyond.pages[i])) : null;
            cover(state, pages, added, gone, aim == Aim.CLOSE, throttle);
            there.addAll(added);
        }
        inPlace = there;
        int kept = moveIn(state, pages, there, aim != Aim.COVER, throttle);
        dirtyLeft = (long) kept << Page.SHIFT;
        dropBeyond(state, beyond, aim != Aim.CLOSE);
        boolean emptied = kept == 0 && header.shadowPages() > 0;
        if (aim == Aim.CLOSE && (emptied || !header.clean())) {
            synchronized (headerLock) {
                FileHeader now = header;
                write((kept == 0 ? now.covering(state, true) : now.again(true)).ownedBy(0));
            }
        } else if (aim == Aim.ROOM && emptied) {
            synchronized (headerLock) {
                FileHeader next = header.covering(state, header.clean());
                name(
                        doubleWrite.write(
                                new PageSet(), state.frames(), next, CheckpointThrottle.NONE));
            }
        }
    }

    /// What is wrong with what an opening at this moment would read, as `snapshot` knows it: see [FileCheck]. No
    /// checkpoint runs meanwhile. Nothing is said after a failed write, or to who is inside a checkpoint.
    List<String> checkFiles(ReadTransaction snapshot) {
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
            FileCheck check = new FileCheck(data, doubleWrite, log, snapshot.state());
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
            State state = store.state();
            store.readers().hold(state.txid());
            return state;
        }
    }

    /// Whether a recovery from the newest header takes the page from the shadow, and its place is in the file.
    private boolean isNeeded(long page) {
        return doubleWrite.find(page) >= 0 && page < data.mapping().pages();
    }

    /// Step 2: from here on the log before the end of `state` is not needed.
    ///
    /// @param gone if it goes in portions, pages that the shadow holds and `state` no longer has; else null
    private void cover(
            State state,
            PageSet pages,
            PageSet added,
            @Nullable PageSet gone,
            boolean clean,
            CheckpointThrottle throttle)
            throws IOException {
        syncLog(state.lsn());
        long oldest = store.oldestSnapshot();
        PageSet left = gone == null ? new PageSet() : emptyShadow(state, pages, gone, oldest);
        throttle.begin((long) pages.count + added.count, PACED_PART / 2);
        data.add(added, state.frames(), state.pageCount(), throttle);
        if (!makeRoom(data, state.pageCount(), false) && added.count > 0) {
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
            leave(
                    state,
                    oldest); // not before they are counted: those that are not are written over at
            // once
        }
        log.release(next.lsn());
        synchronized (this) {
            covered++;
            notifyAll();
        }
    }

    /// Brings the pages to their places of which the shadow has an older copy: that copy and the log hold them
    /// until a header names others. Then all of the shadow is free but for what readers keep from its place: that
    /// alone is left in `pages` and `gone`. Returns those that still have to go through the shadow.
    ///
    /// @throws LimitException if there is no room for those that readers keep
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

    /// Brings the pages that are `left` to their places by way of a shadow that has room for a few of them, and for
    /// those `kept`. The log holds all of `state` durably and counts from where it did: replayed over pages that are
    /// newer than that, it ends in the same bytes. So no header needs to cover anything before the last page is in
    /// its place.
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
            nameOnly(kept.only(_ -> true), state); // so the next portion may use all slots
            from = end;
        }
        doubleWrite.giveBack();
    }

    /// Has the shadow hold these and nothing else; the log counts from where it did.
    private void nameOnly(PageSet set, State state) throws IOException {
        FileHeader next = header.again(false);
        name(doubleWrite.write(set, state.frames(), next, CheckpointThrottle.NONE));
    }

    /// Writes pages to their places.
    private void put(PageSet set, State state) throws IOException {
        PageRun run = new PageRun(data, CheckpointThrottle.NONE);
        for (int i = 0; i < set.count; i++) {
            MemorySegment page = set.page(i, state.frames());
            DataFile.complete(page, 0);
            run.add(set.pages[i], page);
        }
        if (set.count > 0) {
            run.flush();
            data.sync();
        }
    }

    /// Writes the header that names what is in the shadow. Once it may be on the disk, nobody may write over what
    /// it names: not knowing which that is, nobody may go on.
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
            halfWay = false; // whoever called says so
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

    /// So many pages have been counted by some header, or are in their places though none has counted them yet:
    /// they are written over by way of the shadow alone.
    long countedPages() {
        return countedPages;
    }

    /// Pages up to `pages` have been loaded to their places.
    void count(long pages) {
        synchronized (headerLock) {
            countedPages = Math.max(countedPages, pages);
        }
    }

    /// How often log was released.
    long covered() {
        return covered;
    }

    /// Makes the data file large enough, on the disk too; with `roomy` for some more pages. Whether that
    /// took a sync.
    ///
    /// @throws LimitException if there is no room
    static boolean makeRoom(DataFile data, long pageCount, boolean roomy) throws IOException {
        boolean grown;
        try {
            grown = data.grow(pageCount, roomy);
        } catch (IOException e) {
            throw new LimitException(
                    "There is no room for the data file to grow; free space on the disk",
                    "pages=" + pageCount,
                    e);
        }
        if (grown) {
            data.sync();
        }
        return grown;
    }

    /// Step 3. How many of `pages`, and of those that are `there` already, readers keep from their places
    /// or in memory. Those that newer ones have superseded are moved too where `all` are wanted.
    private int moveIn(
            State state, PageSet pages, PageSet there, boolean all, CheckpointThrottle throttle)
            throws IOException {
        long oldest = store.oldestSnapshot();
        long committed = store.state().txid();
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

    /// Sends readers to the file for the pages of `state` whose newest version is not newer than `oldest`,
    /// which no snapshot is older than: they are in their places now.
    private void leave(State state, long oldest) {
        int from = 0;
        while (from != PageTable.NONE) {
            synchronized (table) { // a part at a time: the writer waits for this monitor
                from = table.written(oldest, state.pageCount(), store.state().txid() + 1, from);
            }
        }
    }

    /// Forgets the versions of what are no pages any more, and cuts the data file where it has become
    /// too long for those that are. By now the durable header has no more pages than `state` has.
    ///
    /// No reader and no writer looks at a page beyond these, in the file or through any map of it:
    /// the oldest snapshot is not from before the page count was last lowered, so up to `state` the
    /// count has only grown, and no snapshot up to it has more. Later ones may; what they have more
    /// lies in scratch memory until another checkpoint brings it to the file, longer again by then. A
    /// map that somebody still holds from before is right with that: it is of the same file.
    private void dropBeyond(State state, PageSet beyond, boolean roomy) {
        if (store.oldestSnapshot() < store.loweredAt()) {
            return;
        }
        for (int i = 0; i < beyond.count; i++) {
            synchronized (table) {
                table.written(beyond.pages[i], beyond.txids[i], store.state().txid() + 1);
            }
        }
        try {
            data.cut(() -> Math.max(state.pageCount(), store.state().pageCount()), roomy);
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
        fence.replace(next, () -> data.writeHeader(next));
        header = next;
    }

    /// Waits for the running checkpoint and, where the store is `healthy`, makes the last one. No other begins.
    void close(boolean healthy) {
        await(() -> true);
        beginHurry();
        lock.lock(); // who has asked for one, and still waits, is refused
        try {
            makeLast(healthy);
        } finally {
            ended = true;
            lock.unlock();
            endHurry();
        }
    }

    /// Says in the header that nobody has the database open. If that is lost, the next opening only looks closer.
    private void release() {
        synchronized (headerLock) {
            FileHeader next = header.again(true).ownedBy(0);
            if (header.owner() != 0) {
                try {
                    fence.replace(next, () -> data.putHeader(next));
                    header = next;
                } catch (IOException e) {
                    EventLog.say(System.Logger.Level.WARNING, "The owner stays in the header", e);
                }
            }
        }
    }

    /// Refuses who waited for the lock until the store was closed.
    private void checkNotEnded() {
        if (ended) {
            writeGate.checkOpen();
        }
    }

    private void makeLast(boolean healthy) {
        if (healthy) {
            try {
                run(Aim.CLOSE);
            } catch (LimitException e) {
                // No room for a file to grow: all commits are in the log, and the next opening
                // finds
                // them there. That is no reason to fail a close.
                assert e.getCause() instanceof IOException : e;
            }
            syncLog(log.appendedLsn()); // what could not be covered
            if (header.clean()) {
                trim();
                release();
            }
        }
    }

    /// Has shadow and log take no more of a full disk than they must: what the last checkpoint has left of the shadow
    /// is nothing, where it could, and where it holds all that is committed, the log goes on in a small file with
    /// room for a record of `bytes`. Of the holder of the write role.
    void giveBack(int bytes) {
        clearShadow();
        try {
            log.goOnSmall(header.lsn(), bytes);
        } catch (LimitException e) {
            // There is no room for that either: it goes on where it is.
            assert e.getCause() instanceof IOException : e;
        } catch (IOException e) {
            throw writeGate.failed(
                    "The log cannot be written; close the database and open it again", e);
        }
    }

    /// Empties the shadow, if the newest header names nothing there.
    void clearShadow() {
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

    /// Gives back what the log does not need now, whatever it needed lately.
    void shrinkLog() {
        log.shrink();
    }

    /// Makes files small that hold nothing which counts, except as much as the next opening will
    /// soon want again.
    private void trim() {
        try {
            long kept = Math.clamp(data.bytes() / 8, KEPT_BYTES_MIN, KEPT_BYTES_MAX);
            if (header.shadowPages() == 0 && doubleWrite.bytes() > kept) {
                synchronized (headerLock) {
                    write(header.again(true)); // the one before may name what lies in the shadow
                }
                doubleWrite.clear();
            }
            log.trim(kept);
        } catch (IOException e) {
            EventLog.say(System.Logger.Level.WARNING, "Files stay larger than they must", e);
        }
    }
}
