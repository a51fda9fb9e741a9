package dev.oriel.store.transaction;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.Transaction;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.checkpoint.Load;
import dev.oriel.store.data.Core;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.Pages;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.Readers;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Changes pages and commits: the holder of the page writer's role works here, one at a time ([CommitQueue]). An
/// exclusive transaction has the role from its beginning to its end, any other for the commit alone. [#write] is
/// the list of a commit's steps, with the steps of [CommitLog#add] among them.
///
/// Lock order: the role, then `commitLock`, then the checkpoint's locks, then the monitors of [PageTable]
/// and `Log`.
public final class Committer {
    private static final long ROLE_NANOS_MAX = 20_000_000;

    private final Core core;
    private final WriteGate writeGate;
    private final Readers readers;
    private final Writers writers;
    private final PageTable table;
    private final @Nullable CommitLog log;
    private final @Nullable Checkpoint checkpoint;
    private final CommitQueue queue;
    private final @Nullable IdleWatch watch;

    /// Made by the first commit that gathers.
    private volatile @Nullable IdleAbsorption idle;

    /// Held while a commit is written and published, and while the store closes.
    private final ReentrantLock commitLock = new ReentrantLock();

    // State of the holder of the role.
    private final PageWriter pages;
    private final TreeEditor editor;
    private final DirectWrites direct;
    private final Gathering gathering;
    private final Absorber absorber;
    private final @Nullable DataFile data;
    private final @Nullable Load load;
    private final @Nullable TemporaryFiles temporary;
    private boolean loading;

    /// Number of changed pages that ends a part of a large commit.
    private final int partPages;

    private final int heldPages; // a commit from memory with more is made in parts too

    Committer(
            Core core,
            WriteGate writeGate,
            Writers writers,
            PageTable table,
            PageWriter pages,
            @Nullable Checkpoint checkpoint) {
        StoreFiles files = core.files();
        this.core = core;
        this.writeGate = writeGate;
        this.readers = core.readers();
        this.writers = writers;
        this.table = table;
        this.log = files == null ? null : new CommitLog(files, writeGate, table, pages, checkpoint);
        this.data = files == null ? null : files.data();
        this.checkpoint = checkpoint;
        long idleMillis = core.options().exclusiveIdleMillisMax();
        boolean watches = idleMillis > 0 && core.threads().attending();
        this.watch = watches ? new IdleWatch(this, core.threads(), idleMillis) : null;
        this.temporary = core.temporaryFiles();
        this.partPages = CommitParts.pages(core.options());
        this.heldPages = CommitParts.heldPages(core.options());
        this.queue = new CommitQueue(this, core::nanos);
        this.pages = pages;
        this.editor = new TreeEditor(pages);
        this.direct = new DirectWrites(editor, this::endPartWhereDue);
        this.gathering = new Gathering(core);
        this.absorber = new Absorber(this, core, writeGate, queue, gathering, log, checkpoint);
        keepRoomForGathered();
        this.load =
                files == null || checkpoint == null
                        ? null
                        : new Load(writeGate, pages, files, checkpoint, editor);
    }

    public PageWriter pages() {
        return pages;
    }

    public TreeEditor editor() {
        return editor;
    }

    DirectWrites direct() {
        return direct;
    }

    public Absorber absorber() {
        return absorber;
    }

    /// Takes the role and begins to change pages.
    void begin() {
        queue.takeRole();
        boolean begun = false;
        try {
            absorber.settleAll();
            beginPages();
            begun = true;
        } finally {
            if (!begun) {
                queue.giveRole();
            }
        }
    }

    /// Gives back memory of superseded and written versions, unless a transaction holds the role. Versions that the
    /// last checkpoint has written are dropped too if there is no reader: one that begins after the state is published
    /// again finds their pages in the file.
    public void giveBackMemory() {
        if (!writeGate.isWritable() || !queue.tryTakeRole(ROLE_NANOS_MAX)) {
            return;
        }
        try {
            State state = core.state();
            core.publish(pages.republished(state));
            synchronized (table) { // a checkpoint looks for its snapshot either before or after
                long next = state.txid() + 1;
                boolean alone = readers.oldest(next) == next;
                long[] snapshots = alone ? new long[] {next} : readers.snapshots(state.txid());
                table.reclaim(snapshots, alone ? 1 : readers.snapshotCount());
            }
            pages.trim();
            if (log != null) {
                log.trim();
            }
        } finally {
            queue.giveRole();
        }
    }

    /// Whether the role is held for longer than a commit without a sync takes.
    boolean isHeld() {
        return queue.isHeld();
    }

    /// Begins page changes; the caller has the role.
    void beginPages() {
        writeGate.checkWritable();
        synchronized (table) { // a checkpoint looks for its snapshot either before or after
            long[] snapshots = readers.snapshots(core.state().txid());
            table.reclaim(snapshots, readers.snapshotCount());
        }
        pages.dropFreed();
        pages.begin(core.state());
        editor.begin();
        if (log != null) {
            log.begin();
        }
    }

    /// Makes an idle exclusive transaction end. Returns false if it may stay for ever.
    boolean watch(WriteTransaction transaction) {
        if (watch != null) {
            watch.begin(transaction);
        }
        return watch != null;
    }

    /// Commits. A failure before the record is written leaves the transaction open, to be rolled back.
    Transaction.Commit commit(WriteTransaction transaction) {
        try {
            return commitAndEnd(transaction);
        } catch (InternalError e) {
            // Of a map that another process has cut short: the bytes read are unknown.
            throw writeGate.damagedFromOutside(e);
        } catch (OutOfMemoryError e) {
            if (checkpoint != null) {
                checkpoint.beginForMemory();
            }
            throw e;
        }
    }

    private Transaction.Commit commitAndEnd(WriteTransaction transaction) {
        State committed;
        if (transaction.isDirect()) {
            committed = write(List.of(transaction));
            end(transaction);
            makeDurable(committed, transaction.durability());
        } else if (transaction.beside().writeSet.isEmpty()) {
            writeGate.checkWritable();
            committed = transaction.beside().snapshot.state();
            State seen = transaction.beside().seen();
            end(transaction);
            makeDurable(seen, transaction.durability());
        } else {
            transaction.checkReads();
            committed =
                    mayHaveParts(transaction.beside().writeSet)
                            ? commitInParts(transaction)
                            : queue.commit(transaction);
        }
        if (checkpoint != null) {
            checkpoint.beginWhereDue();
        }
        return new Transaction.Commit(
                committed.txid(), committed.lsn(), reached(committed), transaction.logBytes);
    }

    /// Commits non-exclusive transactions as one group, on one thread, and returns the commit that they share; see
    /// [CommitQueue#commitTogether].
    public State commitMet(List<WriteTransaction> transactions) {
        return queue.commitTogether(transactions);
    }

    /// Whether pages can be loaded without being logged.
    public boolean loads() {
        return load != null;
    }

    /// Fills trees; the caller has the role.
    long load(List<Load.Filling> fillings, Runnable watch) {
        beginLoad();
        try {
            return Objects.requireNonNull(load, "a store without files").run(fillings, watch);
        } catch (IOException e) {
            throw writeGate.failed(
                    "Loaded pages cannot be synced; close the database and open it again", e);
        } finally {
            editor.forgetFingers();
        }
    }

    void rollback(WriteTransaction transaction) {
        try {
            if (transaction.isDirect()) {
                undoPages();
                dropLoaded();
            }
        } finally { // whatever fails: other transactions wait for the role
            end(transaction);
        }
    }

    private void dropLoaded() {
        if (loading && data != null) {
            data.dropLoaded();
        }
    }

    private void end(WriteTransaction transaction) {
        boolean role = transaction.isDirect();
        boolean ended = false;
        try {
            try {
                transaction.ended();
                if (role) {
                    if (watch != null) {
                        watch.end(transaction);
                    }
                    endLoad();
                }
            } finally {
                if (role) {
                    queue.giveRole();
                }
            }
            writers.end(transaction.owner(), transaction.beside());
            ended = true;
        } finally {
            if (!ended) { // memory has run out, and other transactions would wait for its locks
                writeGate.poison(
                        new StorageException(
                                "Ending a transaction failed, so its locks may remain; close the"
                                        + " database and open it again",
                                ""));
            }
        }
    }

    /// A concurrent checkpoint must not be slowed down: both write new pages.
    private void beginLoad() {
        if (!loading && checkpoint != null) {
            checkpoint.beginHurry();
        }
        loading = true;
    }

    private void endLoad() {
        if (loading && data != null && checkpoint != null) {
            loading = false;
            data.endLoad();
            checkpoint.endHurry();
        }
    }

    /// Whether the write set is too large for memory, or has many entries, each of which may change a page.
    private boolean mayHaveParts(WriteSet writeSet) {
        return writeSet.isSpilled() || (log != null && writeSet.entries() > heldPages);
    }

    /// Commits a transaction that is too large for memory, alone: its pages go to the log in parts, and out of memory
    /// after each. Other commits wait until the last part is written. A crash or a failure before that undoes all of
    /// them.
    private State commitInParts(WriteTransaction transaction) {
        begin();
        State committed;
        boolean written = false;
        try {
            if (transaction.mustCheckReads(false)) {
                transaction.checkReadsAgain(changedPages());
            }
            WriteSet writeSet = transaction.beside().writeSet;
            writeSet.apply(
                    editor, writeSet.isSpilled() ? this::endPartWhereDue : this::endHeldPart);
            committed = write(List.of(transaction));
            written = true;
        } finally {
            if (!written) {
                try {
                    undoPages();
                } finally { // memory may have run out for that too, and other commits wait
                    queue.giveRole();
                }
            }
        }
        try {
            end(transaction);
        } finally {
            queue.giveRole();
        }
        makeDurable(committed, transaction.durability());
        return committed;
    }

    /// Writes the pages changed by the holder of the role to the log, if they are many.
    void endPartWhereDue() {
        endPartOf(partPages);
    }

    /// A write set kept in memory may change as many pages as memory holds, without a part.
    private void endHeldPart() {
        endPartOf(heldPages);
    }

    private void endPartOf(int most) {
        if (pages.changedInPart() >= most && log != null && temporary != null) {
            endPart(log, temporary);
        }
    }

    private void endPart(CommitLog to, TemporaryFiles files) {
        commitLock.lock();
        try {
            writeGate.checkWritable();
            to.addPart(editor.grows());
        } finally {
            commitLock.unlock();
        }
        pages.endPart(files);
    }

    /// Applies the write sets of `group` to the trees and commits them as one; the caller has the role. A
    /// transaction that cannot be applied gets its failure and stays open, and the others are committed without it.
    /// Returns null if none is left.
    @Nullable State commitTogether(List<CommitQueue.Member> group) {
        boolean appends = appends(group);
        if (!appends && gathering.takes(group) && hasRoomToGather(group)) {
            try {
                return gather(group);
            } catch (LimitException full) { // no room for entries in the log, perhaps for pages
                EventLog.say(System.Logger.Level.DEBUG, "Entries cannot be gathered", full);
            }
        }
        if (!gathering.isEmpty() && (!appends || !hasRoomToGather(group))) {
            absorber.settle();
        }
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
            for (int i = 0; i < applied.size(); i++) {
                end(applied.get(i));
            }
            return committed;
        } finally {
            if (!written) {
                undoPages();
            }
        }
    }

    /// Whether the group only adds entries behind those of their trees, and above no page: pages take these at once.
    private boolean appends(List<CommitQueue.Member> group) {
        if (!gathering.mayAppend()) {
            return false;
        }
        pages.begin(core.state());
        Deltas deltas = gathering.deltas();
        boolean appends = true;
        for (int i = 0; i < group.size() && appends; i++) {
            WriteSet writeSet = group.get(i).transaction.beside().writeSet;
            appends = writeSet.appends(deltas, pages.pages, editor.reader());
        }
        gathering.appended(appends);
        return appends;
    }

    /// Whether the disk has room for the pages that all entries above pages may need. It is kept for them.
    private boolean hasRoomToGather(List<CommitQueue.Member> group) {
        if (log == null) {
            return true;
        }
        long bytes = gathering.bytesNeeded(group, core.state().pageCount());
        boolean has = log.hasRoomFor(bytes + gathering.roomBytes(group));
        if (has) {
            log.keepForGathered(bytes);
        } else {
            gathering.lacksRoom();
        }
        return has;
    }

    private void keepRoomForGathered() {
        if (log != null) {
            long pageCount = core.state().pageCount();
            log.keepForGathered(
                    gathering.isEmpty() ? 0 : gathering.bytesNeeded(List.of(), pageCount));
        }
    }

    /// Commits the entries of the group above the pages.
    private @Nullable State gather(List<CommitQueue.Member> group) {
        int due = gathering.dueEntries();
        if (due > 0) {
            absorber.absorb(due);
        } else if (gathering.isFull()) {
            absorber.turn();
        }
        State before = core.state();
        beginRecord(before);
        List<WriteTransaction> added = new ArrayList<>(group.size());
        boolean written = false;
        try {
            while (!addAll(before, group, added)) {
                gathering.rollback();
            }
            if (added.isEmpty()) {
                return null;
            }
            State committed = publishAs(CommitContent.ENTRIES, added);
            written = true;
            wakeIdle();
            for (int i = 0; i < added.size(); i++) {
                end(added.get(i));
            }
            return committed;
        } finally {
            if (!written) {
                gathering.rollback();
            }
        }
    }

    private void wakeIdle() {
        IdleAbsorption there = idle;
        if (there == null && checkpoint != null && core.threads().attending()) {
            there = new IdleAbsorption(absorber, core, checkpoint);
            commitLock.lock(); // a store that closes now either finds it or starts none
            try {
                idle = writeGate.isWritable() ? there : null;
            } finally {
                commitLock.unlock();
            }
            there = idle;
        }
        if (there != null) {
            there.wake();
        }
    }

    private void beginRecord(State before) {
        pages.begin(before); // its numbers are those of the record
        if (log != null) {
            log.begin();
        }
    }

    /// Begins a commit of entries that stay above the pages; the caller has the role.
    void beginEntries() {
        State before = core.state();
        beginRecord(before);
        gathering.begin(before, readers);
    }

    /// False if a transaction failed when partly added: all must begin again without it.
    private boolean addAll(
            State before, List<CommitQueue.Member> group, List<WriteTransaction> added) {
        added.clear();
        gathering.begin(before, readers);
        for (int i = 0; i < group.size(); i++) { // no iterator for each commit
            CommitQueue.Member member = group.get(i);
            if (isRefused(member)) {
                continue;
            }
            try {
                if (member.transaction.mustCheckReads(!added.isEmpty())) {
                    member.transaction.checkReadsAgain(uncommitted(before));
                }
            } catch (ConflictException e) {
                member.failure = e;
                continue;
            }
            try {
                gathering.add(member.transaction.beside().writeSet);
                added.add(member.transaction);
            } catch (RuntimeException | Error e) {
                member.failure = e;
                return false;
            }
        }
        return true;
    }

    private boolean isRefused(CommitQueue.Member member) {
        if (member.failure == null) {
            member.failure = gathering.refusal(member.transaction.beside().writeSet);
        }
        return member.failure != null;
    }

    private SnapshotView uncommitted(State before) {
        Pages seen = core.pagesOf(before);
        return new SnapshotView(seen, new TreeReader(seen), gathering.uncommitted());
    }

    /// Logs and publishes what is not only page changes of transactions.
    State publishAs(CommitContent content, List<WriteTransaction> transactions) {
        commitLock.lock();
        try {
            writeGate.checkWritable();
            return publish(transactions, content);
        } finally {
            commitLock.unlock();
        }
    }

    /// False if a transaction failed when partly applied: all must begin again without it.
    private boolean applyAll(List<CommitQueue.Member> group, List<WriteTransaction> applied) {
        applied.clear();
        for (int i = 0; i < group.size(); i++) { // no iterator for each commit
            CommitQueue.Member member = group.get(i);
            if (isRefused(member)) {
                continue;
            }
            WriteTransaction transaction = member.transaction;
            try {
                if (transaction.mustCheckReads(!pages.isUnchanged())) {
                    transaction.checkReadsAgain(changedPages());
                }
            } catch (ConflictException e) {
                member.failure = e;
                continue;
            }
            try {
                transaction.beside().writeSet.apply(editor, () -> {});
                applied.add(transaction);
            } catch (RuntimeException | Error e) {
                member.failure = e;
                return false;
            }
        }
        return true;
    }

    private SnapshotView changedPages() {
        return new SnapshotView(pages.pages, editor.reader(), gathering.deltas());
    }

    /// If memory runs out during the undo, the store is poisoned.
    void undoPages() {
        boolean undone = false;
        try {
            pages.rollback();
            core.publish(
                    pages.republished(core.state())); // so that new readers do not look past it
            undone = true;
        } finally {
            if (!undone) {
                writeGate.poison(
                        new StorageException(
                                "The changes of a transaction could not be undone in memory; close the"
                                        + " database and open it again",
                                "txid=" + pages.txid()));
            }
        }
    }

    /// The steps of a commit for the page changes of `transactions`.
    private State write(List<WriteTransaction> transactions) {
        commitLock.lock();
        try {
            writeGate.checkWritable();
            if (pages.isUnchanged()) {
                State unchanged = core.state();
                writeWhatTheySaw(transactions, unchanged);
                runHooks(transactions, unchanged.txid());
                return unchanged;
            }
            return publish(transactions, CommitContent.PAGES);
        } finally {
            commitLock.unlock();
        }
    }

    /// If the group writes no record, records of earlier ASYNC commits may still wait in memory. Syncs are done
    /// later.
    private void writeWhatTheySaw(List<WriteTransaction> transactions, State seen) {
        if (transactions.stream().anyMatch(one -> one.durability() == Durability.WRITTEN)) {
            makeDurable(seen, Durability.WRITTEN);
        }
    }

    /// Logs and publishes. Once the record is written there is no way back: the commit is in the log. A later
    /// failure (a hook, memory) poisons the store, or the next record would take this one's number.
    ///
    /// @param transactions none if no entry changes
    private State publish(List<WriteTransaction> transactions, CommitContent content) {
        long before = log == null ? 0 : log.endLsn();
        boolean done = false;
        try {
            long lsn = log == null ? 0 : addTo(log, transactions, content);
            State committed = pages.committed(lsn, gathering.after(content));
            runHooks(transactions, committed.txid());
            pages.freeParts();
            synchronized (table) { // a checkpoint that ends now tags versions by the state
                core.publish(committed);
            }
            gathering.published(content, committed.deltas());
            if (content == CommitContent.ABSORBED || content == CommitContent.ALL_ABSORBED) {
                keepRoomForGathered();
            }
            if (!transactions.isEmpty() && !transactions.getFirst().isMoving()) {
                core.entriesChanged(committed.txid());
            }
            done = true;
            return committed;
        } finally {
            if (!done && log != null && log.endLsn() > before) {
                writeGate.poison(
                        new StorageException(
                                "A commit was logged and could not be published; close the database and"
                                        + " open it again",
                                "txid=" + pages.txid()));
            }
        }
    }

    /// Adds the record, and returns its end.
    private long addTo(CommitLog to, List<WriteTransaction> transactions, CommitContent content) {
        long lsn =
                switch (content) {
                    case PAGES -> to.add(transactions, editor.grows());
                    case ENTRIES, KEPT -> to.addEntries(transactions, gathering.layers());
                    case ABSORBED -> to.addAbsorbed(editor.grows(), false);
                    case ALL_ABSORBED -> to.addAbsorbed(editor.grows(), true);
                };
        long share = transactions.isEmpty() ? 0 : to.recordBytes() / transactions.size();
        for (int i = 0; i < transactions.size(); i++) {
            transactions.get(i).logBytes = share;
        }
        return lsn;
    }

    private static void runHooks(List<WriteTransaction> transactions, long txid) {
        for (int i = 0; i < transactions.size(); i++) {
            transactions.get(i).runHooks(txid);
        }
    }

    /// Writes the log's buffered records.
    public void writeLog() {
        if (log != null) {
            log.write();
        }
    }

    /// The durability of `committed` by now, never less than the one waited for.
    public Durability reached(State committed) {
        return log == null ? Durability.ASYNC : log.reached(committed);
    }

    /// Waits until the commit has reached the durability `wanted`.
    void makeDurable(State committed, Durability wanted) {
        if (log != null) {
            log.makeDurable(committed, wanted);
        }
    }

    /// Lets no further commit begin, and waits for the running one. Returns false if the store was closed before.
    public boolean close() {
        commitLock.lock();
        try {
            if (!writeGate.close()) {
                return false;
            }
        } finally {
            commitLock.unlock();
        }
        if (watch != null) {
            watch.close();
        }
        IdleAbsorption waiting = idle;
        if (waiting != null) {
            waiting.close();
        }
        writers.locks().close(); // for waiters on a transaction that can commit no more
        if (log != null) {
            log.close();
        }
        return true;
    }
}
