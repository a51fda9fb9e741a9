package dev.oriel.store.transaction;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ClosedException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Entries;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.checkpoint.Load;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.lock.LockOwner;
import dev.oriel.store.page.Page;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.tree.TreeReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A writing transaction: one of many, with its own write set ([BufferedWrites]), or the exclusive one, which
/// changes the trees in place ([DirectWrites]). The first kind may become the second.
public final class WriteTransaction extends StoreTransaction {
    private static final Probe COMMIT = Probe.of(WriteTransaction.class, "commit");
    private static final Probe PUT = Probe.of(WriteTransaction.class, "put");
    private static final Probe DELETE = Probe.of(WriteTransaction.class, "delete");

    private final Transactions transactions;
    private final Isolation isolation;
    private final KeyLocks locks;
    private final BufferedWrites beside;
    private final @Nullable ReadSet reads;
    private Durability durability;
    private final Changes changes;
    private final RangeWrites ranges;
    private final OpenCursors cursors = new OpenCursors();
    private final CallGuard guard = new CallGuard();
    private final List<CommitHook> hooks = new ArrayList<>(2);
    private boolean direct;
    private boolean moving;
    private boolean open = true;

    /// Bytes of its share of the log record of its commit.
    long logBytes;

    /// Begins a transaction that the store has admitted among its writers.
    WriteTransaction(
            Transactions transactions,
            Isolation isolation,
            LockOwner owner,
            BufferedWrites beside) {
        this(transactions, isolation, owner, beside, transactions.writers().patience());
    }

    /// Begins a transaction with the given patience.
    ///
    /// @param patience default wait for a lock
    WriteTransaction(
            Transactions transactions,
            Isolation isolation,
            LockOwner owner,
            BufferedWrites beside,
            Wait patience) {
        this.transactions = transactions;
        this.isolation = isolation;
        this.locks = new KeyLocks(transactions, owner, beside, patience);
        this.beside = beside;
        this.changes = new Changes(beside, transactions.committer().editor(), beside.undo);
        this.ranges = new RangeWrites(this, transactions, changes);
        this.durability = transactions.core().options().durability();
        this.reads = isolation == Isolation.SERIALIZABLE ? new ReadSet() : null;
        transactions.committer().absorber().absorbIfQuiet();
        beside.takeSnapshot();
    }

    @Override
    public void beginCall() {
        guard.enter();
    }

    @Override
    public void endCall() {
        guard.exit();
    }

    CallGuard guard() {
        return guard;
    }

    @Override
    public Pages pages() {
        return direct ? transactions.committer().pages().pages : beside.snapshot.pages;
    }

    @Override
    TreeReader reader() {
        return direct ? transactions.committer().editor().reader() : beside.snapshot.reader;
    }

    /// An exclusive transaction has none: all entries went into pages before it began.
    @Override
    Deltas deltas() {
        return direct ? Deltas.NONE : beside.snapshot.deltas();
    }

    LockOwner owner() {
        return locks.owner();
    }

    @Override
    public long writer() {
        return owner().number();
    }

    @Override
    public long locks() {
        return open ? owner().count() : 0;
    }

    @Override
    public long writes() {
        return changes.count();
    }

    @Override
    public long lockWaits() {
        return owner().waits();
    }

    @Override
    public long lockWaitNanos() {
        return owner().waitedNanos();
    }

    public BufferedWrites beside() {
        return beside;
    }

    /// SERIALIZABLE: throws unless its reads give the same result in the newest state. Called before the page
    /// writer's role is taken, because there may be much to compare.
    void checkReads() {
        if (reads != null && !beside.snapshot.isNewest()) {
            beside.latest.take();
            checkReads(beside.snapshot.view(), beside.latest.view());
        }
    }

    /// Whether its reads must be validated again: others have committed since [#checkReads].
    ///
    /// @param others whether the group has changed anything
    boolean mustCheckReads(boolean others) {
        return reads != null && (others || !checked().isNewest());
    }

    private Snapshot checked() {
        return beside.latest.isTaken() ? beside.latest : beside.snapshot;
    }

    /// Validates the reads against commits since [#checkReads] and against the earlier commits of the same group.
    /// Called inside the role, before the changes are applied.
    void checkReadsAgain(SnapshotView newest) {
        checkReads(checked().view(), newest);
    }

    private void checkReads(SnapshotView older, SnapshotView newer) {
        if (reads != null && !reads.isSame(older, newer)) {
            throw locks.changed();
        }
    }

    /// Makes the committer watch this exclusive transaction for idleness.
    void watch() {
        boolean _ = transactions.committer().watch(this);
    }

    /// Whether it moves pages only and changes no entry.
    boolean isMoving() {
        return moving;
    }

    /// Whether it was committed or rolled back.
    public boolean hasEnded() {
        return !open;
    }

    /// Whether a change failed after it was partly applied, so the transaction can only be rolled back.
    public boolean isBroken() {
        return changes.isBroken();
    }

    /// Whether it changes the trees in place.
    boolean isDirect() {
        return direct;
    }

    /// Updates the root of `tree` in the catalog. No other transaction may know the tree.
    public void rootMoved(Tree tree, long root) {
        beforeChange();
        Slice value = Slice.copyOf(new byte[8]);
        value.segment().set(Page.LONG, 0, root);
        change(CATALOG, nameKey(tree.name()), value, true);
    }

    @Override
    public void checkOpen() {
        if (!open) {
            throw new ClosedException("The transaction has ended", "");
        }
    }

    @Override
    @Nullable WriteSet writeSet() {
        return direct ? null : beside.writeSet;
    }

    /// Upper bound of the number of open cursors.
    int openCursors() {
        return cursors.size();
    }

    @Override
    void register(MergedCursor cursor) {
        cursors.add(cursor);
    }

    @Override
    void forget(MergedCursor cursor) {
        cursors.remove(cursor);
    }

    /// Prepares a write to `tree`: cursors on it save their keys, to reposition. Returns whether the write set
    /// was spilled: then slices of the caller that point into it may be overwritten.
    boolean beforeWrite(Tree tree) {
        checkOpen();
        if (!direct && !beside.mustSpill()) {
            cursors.saveKeys(tree.root());
            return false;
        }
        cursors.saveKeys();
        if (direct) {
            return false;
        }
        beside.spill();
        return true;
    }

    private static Slice steady(Slice slice, boolean moved) {
        return moved ? new Slice().setCopy(slice) : slice;
    }

    /// Makes all cursors save their keys, to reposition after the change.
    private void beforeChange() {
        checkOpen();
        cursors.saveKeys();
    }

    @Override
    public long snapshot() {
        return direct ? transactions.committer().pages().txid() - 1 : beside.snapshot.txid();
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public void refresh() {
        beginCall();
        try {
            beforeChange();
            if (isolation != Isolation.READ_COMMITTED) {
                throw new UsageException(
                        "Only a READ COMMITTED transaction may see another snapshot",
                        "" + isolation);
            }
            if (!direct && !beside.snapshot.isNewest()) {
                transactions.committer().absorber().absorbIfQuiet();
                beside.takeSnapshot();
            }
        } finally {
            endCall();
        }
    }

    @Override
    void observe(Tree tree, Slice from, @Nullable Slice to) {
        if (reads != null) {
            ReadSet.Range range = reads.add(tree.root(), from);
            if (to == null) {
                range.extendToEnd();
            } else {
                range.extendTo(to);
            }
        }
    }

    @Override
    @Nullable ReadSet reads() {
        return reads;
    }

    @Override
    public void observe(Tree tree) {
        beginCall();
        try {
            checkOpen();
            if (reads != null) {
                reads.addWhole(tree.root());
            }
        } finally {
            endCall();
        }
    }

    @Override
    public void durability(Durability wanted) {
        beginCall();
        try {
            checkOpen();
            durability = wanted;
        } finally {
            endCall();
        }
    }

    Durability durability() {
        return durability;
    }

    @Override
    public Wait patience() {
        return locks.patience();
    }

    @Override
    public void restart() {
        beginCall();
        try {
            checkOpen();
            if (direct) {
                throw new UsageException(
                        "An exclusive transaction cannot be begun again; roll it back", "");
            }
            changes.restart();
            hooks.forEach(CommitHook::rolledBack);
            if (reads != null) {
                reads.clear();
            }
            beforeChange();
            beside.writeSet.clear();
            beside.takeSnapshot();
        } finally {
            endCall();
        }
    }

    @Override
    public void exclusive() {
        beginCall();
        try {
            if (direct) {
                checkOpen();
                return;
            }
            beforeChange();
            locks.everybody();
            boolean changed = transactions.core().changedTxid() > beside.snapshot.txid();
            if (isolation != Isolation.READ_COMMITTED && changed) {
                throw locks.changed();
            }
            goDirect(false);
            watch();
        } finally {
            endCall();
        }
    }

    /// Changes pages in place from now on; if `moves`, the transaction only moves pages.
    void goDirect(boolean moves) {
        beginCall();
        try {
            moving = moves;
            transactions.committer().begin();
            direct = true;
            changes.goOnIn(transactions.committer().direct(), beside.writeSet);
            long _ = changes.whole(this::moveIntoTrees);
        } finally {
            endCall();
        }
    }

    private long moveIntoTrees() {
        long entries = beside.writeSet.entries();
        beside.writeSet.apply(
                transactions.committer().editor(), transactions.committer()::endPartWhereDue);
        beside.clear();
        cursors.rebase(pages(), reader());
        return entries;
    }

    @Override
    public boolean get(Tree tree, Slice key, Slice value) {
        beginCall();
        try {
            checkOpen();
            if (reads != null) {
                reads.add(tree.root(), key);
            }
            return changes.get(tree.root(), key, value);
        } finally {
            endCall();
        }
    }

    @Override
    public boolean getLatest(Tree tree, Slice key, Slice value) {
        beginCall();
        try {
            checkOpen();
            if (direct) {
                return changes.get(tree.root(), key, value);
            }
            locks.shared(tree, key);
            return beside.getLatest(tree.root(), key, value);
        } finally {
            endCall();
        }
    }

    @Override
    public boolean peekLatest(Tree tree, Slice key, Slice value) {
        beginCall();
        try {
            checkOpen();
            return direct
                    ? changes.get(tree.root(), key, value)
                    : beside.getLatest(tree.root(), key, value);
        } finally {
            endCall();
        }
    }

    @Override
    public boolean isExclusive() {
        return direct;
    }

    @Override
    public boolean lock(Tree tree, Slice key, LockMode mode, Wait wait) {
        beginCall();
        try {
            checkOpen();
            return direct || locks.unchanged(tree, key, mode, wait);
        } finally {
            endCall();
        }
    }

    @Override
    public void waitOutside(Runnable waits) {
        beginCall();
        try {
            checkOpen();
            boolean fresh = !direct && beside.writeSet.isEmpty();
            if (!fresh || !transactions.writers().leave(owner())) {
                waits.run();
                return;
            }
            boolean back = false;
            try {
                waits.run();
            } finally {
                try {
                    transactions.writers().comeBack(owner());
                    back = true;
                } finally {
                    if (!back) {
                        close(); // it must not write while it is not admitted
                    }
                }
            }
        } finally {
            endCall();
        }
    }

    @Override
    public boolean lockTree(Tree tree, LockMode mode, Wait wait) {
        beginCall();
        try {
            checkOpen();
            return direct || locks.tree(tree, mode, wait);
        } finally {
            endCall();
        }
    }

    @Override
    public Tree createTree(String name) {
        exclusive();
        beginCall();
        try {
            return create(name);
        } finally {
            endCall();
        }
    }

    private Tree create(String name) {
        beforeChange();
        if (tree(name) != null) {
            throw new UsageException("There is a tree of that name already", "name=" + name);
        }
        long root = changes.create(nameKey(name));
        Slice value = Slice.copyOf(new byte[8]);
        value.segment().set(Page.LONG, 0, root);
        change(CATALOG, nameKey(name), value, false);
        return new Tree(name, root);
    }

    @Override
    public void dropTree(Tree tree) {
        exclusive();
        beginCall();
        try {
            beforeChange();
            if (!remove(CATALOG, nameKey(tree.name()))) {
                throw new UsageException("There is no tree of that name", "name=" + tree.name());
            }
            changes.drop(tree.root());
        } finally {
            endCall();
        }
    }

    @Override
    public boolean insert(Tree tree, Slice key, Slice value) {
        beginCall();
        long entered = PUT.enter();
        try {
            boolean moved = beforeWrite(tree);
            return change(tree, steady(key, moved), steady(value, moved), false);
        } finally {
            PUT.exit(entered);
            endCall();
        }
    }

    @Override
    public void put(Tree tree, Slice key, Slice value) {
        beginCall();
        long entered = PUT.enter();
        try {
            boolean moved = beforeWrite(tree);
            change(tree, steady(key, moved), steady(value, moved), true);
        } finally {
            PUT.exit(entered);
            endCall();
        }
    }

    @Override
    public boolean delete(Tree tree, Slice key) {
        beginCall();
        long entered = DELETE.enter();
        try {
            return remove(tree, steady(key, beforeWrite(tree)));
        } finally {
            DELETE.exit(entered);
            endCall();
        }
    }

    @Override
    public void putUnlocked(Tree tree, Slice key, Slice value) {
        beginCall();
        long entered = PUT.enter();
        try {
            TreeEditor.checkLengths(key, value);
            boolean moved = beforeWrite(tree);
            changes.put(tree.root(), steady(key, moved), steady(value, moved), true);
        } finally {
            PUT.exit(entered);
            endCall();
        }
    }

    @Override
    public void deleteUnlocked(Tree tree, Slice key) {
        beginCall();
        long entered = DELETE.enter();
        try {
            changes.remove(tree.root(), steady(key, beforeWrite(tree)));
        } finally {
            DELETE.exit(entered);
            endCall();
        }
    }

    @Override
    public long load(Tree tree, Entries entries) {
        exclusive();
        beginCall();
        try {
            beforeChange();
            return ranges.load(tree, entries);
        } finally {
            endCall();
        }
    }

    /// Replaces the content of `tree`, bypassing the log. `merged` turns a cursor over the old content into the
    /// new entries, ascending. Only for an exclusive transaction without savepoints, if [Committer#loads()].
    ///
    /// @param watch is run periodically; an exception from it ends the refill
    public long refill(Tree tree, Function<Cursor, Entries> merged, Runnable watch) {
        beginCall();
        try {
            beforeChange();
            return ranges.refill(tree, merged, watch);
        } finally {
            endCall();
        }
    }

    /// Loads empty trees in bulk, bypassing the log, with two threads. Only for an exclusive transaction without
    /// savepoints, if [Committer#loads()].
    public void fill(List<Load.Filling> fillings, Runnable watch) {
        beginCall();
        try {
            beforeChange();
            long _ = changes.whole(() -> transactions.committer().load(fillings, watch));
        } finally {
            endCall();
        }
    }

    @Override
    public long deleteRange(Tree tree, Slice from, @Nullable Slice to) {
        beginCall();
        long entered = DELETE.enter();
        try {
            beforeChange();
            beforeWrite(tree);
            return direct
                    ? ranges.deleteDirect(tree, from, to)
                    : ranges.delete(tree, from, to, locks, beside);
        } finally {
            DELETE.exit(entered);
            endCall();
        }
    }

    /// Locks `key` and maps it to `value`; call [#beforeWrite] or [#beforeChange] first.
    boolean change(Tree tree, Slice key, Slice value, boolean replace) {
        TreeEditor.checkLengths(key, value);
        lockToWrite(tree, key);
        return changes.put(tree.root(), key, value, replace);
    }

    private void lockToWrite(Tree tree, Slice key) {
        if (!direct) {
            locks.toWrite(tree, key);
        }
    }

    /// Locks `key` and removes it; call [#beforeWrite] or [#beforeChange] first.
    boolean remove(Tree tree, Slice key) {
        lockToWrite(tree, key);
        return changes.remove(tree.root(), key);
    }

    @Override
    public Savepoint savepoint() {
        beginCall();
        try {
            checkOpen();
            return changes.savepoint();
        } finally {
            endCall();
        }
    }

    @Override
    public void rollbackTo(Savepoint savepoint) {
        beginCall();
        try {
            beforeChange();
            changes.rollbackTo(savepoint);
        } finally {
            endCall();
        }
    }

    @Override
    public void release(Savepoint savepoint) {
        beginCall();
        try {
            checkOpen();
            changes.release(savepoint);
        } finally {
            endCall();
        }
    }

    @Override
    public void beforePublish(CommitHook hook) {
        beginCall();
        try {
            checkOpen();
            hooks.add(hook);
        } finally {
            endCall();
        }
    }

    @Override
    public Commit commit() {
        beginCall();
        long entered = COMMIT.enter();
        try {
            checkOpen();
            changes.prepareCommit();
            return transactions.committer().commit(this);
        } finally {
            COMMIT.exit(entered);
            endCall();
        }
    }

    /// Runs the hooks, after the log record is written and before the state is published.
    void runHooks(long txid) {
        for (CommitHook hook : hooks) {
            hook.beforePublish(txid);
        }
    }

    /// Marks this transaction as ended by the transactions.
    void ended() {
        open = false;
        changes.end();
        cursors.leave();
    }

    @Override
    public void close() {
        if (!guard.tryEnter()) {
            toldOfEnd(); // the watch has rolled it back
            return;
        }
        try {
            if (open) {
                transactions.committer().rollback(this);
                toldOfEnd();
            }
        } finally {
            endCall();
        }
    }

    private void toldOfEnd() {
        hooks.forEach(CommitHook::rolledBack);
        hooks.clear();
    }
}
