package dev.oriel.store;

import dev.oriel.profiler.Probe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A writing transaction: one of many, with an overlay of its own ([OverlayWrites]), or the exclusive
/// one, which changes the trees in place ([DirectWrites]). The first kind may become the second.
///
/// Of an exclusive one: trees that it drops are taken out of the catalog at once, and their pages
/// freed at commit, so that a savepoint before the drop stays reachable.
final class WriteTransaction extends StoreTransaction {
    private static final Probe COMMIT = Probe.of(WriteTransaction.class, "commit");
    private static final Probe PUT = Probe.of(WriteTransaction.class, "put");
    private static final Probe DELETE = Probe.of(WriteTransaction.class, "delete");

    private final Store store;
    private final Isolation isolation;
    private final LockOwner owner;
    private final OverlayWrites beside;
    private final @Nullable ReadSet reads;
    private Durability durability;
    private Writes writes;
    private final UndoLog undo = new UndoLog();
    private final List<MergedCursor> cursors = new ArrayList<>();
    private final List<CommitHook> hooks = new ArrayList<>(2);
    private final Slice before = new Slice();
    private long[] dropped = {};
    private int droppedCount;
    private int savepoints;
    private boolean direct;
    private boolean moving;
    private boolean open = true;

    /// A change failed half way (damage, no memory): this transaction can only be rolled back.
    private boolean broken;

    /// Begins; the store has let it in among its writers.
    WriteTransaction(Store store, Isolation isolation, LockOwner owner, OverlayWrites beside) {
        this.store = store;
        this.isolation = isolation;
        this.owner = owner;
        this.beside = beside;
        this.writes = beside;
        this.durability = store.options().durability();
        this.reads = isolation == Isolation.SERIALIZABLE ? new ReadSet() : null;
        beside.takeSnapshot();
    }

    @Override
    Pages pages() {
        return direct ? store.writer().pages : beside.snapshot.pages;
    }

    @Override
    TreeReader reader() {
        return direct ? store.writer().reader : beside.snapshot.reader;
    }

    LockOwner owner() {
        return owner;
    }

    OverlayWrites beside() {
        return beside;
    }

    /// SERIALIZABLE: throws unless what it has read is in the newest state what it was. Before the page
    /// writer's role is taken, because there may be much to look at.
    void checkReads() {
        if (reads != null && !beside.snapshot.isNewest()) {
            beside.latest.take();
            checkReads(beside.snapshot.pages, beside.latest.pages);
        }
    }

    /// And what was committed meanwhile, or is about to be, in the same group; inside the role, before
    /// the changes are applied.
    void checkReadsAgain() {
        Snapshot checked = beside.latest.isTaken() ? beside.latest : beside.snapshot;
        boolean others = !checked.isNewest() || !store.writer().isUnchanged();
        if (reads != null && others) {
            checkReads(checked.pages, store.writer().pages);
        }
    }

    private void checkReads(Pages older, Pages newer) {
        if (reads != null && !reads.isSame(older, newer)) {
            throw changed();
        }
    }

    /// Whether all entries stay what they are.
    boolean isMoving() {
        return moving;
    }

    /// Whether it changes the trees in place.
    boolean isDirect() {
        return direct;
    }

    /// Tells the tree of trees where the root of `tree` is by now. Nobody else may know the tree.
    void rootMoved(Tree tree, long root) {
        beforeChange();
        Slice value = Slice.copyOf(new byte[8]);
        value.segment().set(Page.LONG, 0, root);
        change(CATALOG, nameKey(tree.name()), value, true);
    }

    @Override
    void checkOpen() {
        if (!open) {
            throw new ClosedException("The transaction has ended", "");
        }
    }

    @Override
    @Nullable Overlay overlay() {
        return direct ? null : beside.overlay;
    }

    @Override
    boolean isRegistered(MergedCursor cursor) {
        return cursors.contains(cursor);
    }

    @Override
    void register(MergedCursor cursor) {
        cursors.add(cursor);
    }

    @Override
    void forget(MergedCursor cursor) {
        cursors.remove(cursor);
    }

    /// Cursors on `tree` are to find their places again.
    private void beforeWrite(Tree tree) {
        checkOpen();
        for (int i = 0; i < cursors.size(); i++) {
            if (direct) {
                cursors.get(i).saveKey();
            } else {
                cursors.get(i).saveKey(tree.root());
            }
        }
    }

    /// All cursors are.
    private void beforeChange() {
        checkOpen();
        for (int i = 0; i < cursors.size(); i++) {
            cursors.get(i).saveKey();
        }
    }

    @Override
    public long snapshot() {
        return direct ? store.writer().txid() - 1 : beside.snapshot.txid();
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
        beforeChange();
        if (isolation != Isolation.READ_COMMITTED) {
            throw new UsageException(
                    "Only a READ COMMITTED transaction may see another snapshot", "" + isolation);
        }
        if (!direct && !beside.snapshot.isNewest()) {
            beside.takeSnapshot();
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
        checkOpen();
        if (reads != null) {
            reads.addWhole(tree.root());
        }
    }

    @Override
    public void durability(Durability wanted) {
        checkOpen();
        durability = wanted;
    }

    Durability durability() {
        return durability;
    }

    @Override
    public Wait patience() {
        return store.patience();
    }

    @Override
    public void restart() {
        checkOpen();
        if (direct) {
            throw new UsageException(
                    "An exclusive transaction cannot be begun again; roll it back", "");
        }
        savepoints = 0;
        undo.clear();
        broken = false;
        hooks.forEach(CommitHook::rolledBack);
        if (reads != null) {
            reads.clear();
        }
        beforeChange();
        beside.overlay.clear();
        beside.takeSnapshot();
    }

    @Override
    public void exclusive() {
        if (direct) {
            checkOpen();
            return;
        }
        beforeChange();
        store.locks().lock(owner, Store.WRITERS, LockMode.EXCLUSIVE, store.patience());
        boolean changed = store.changedTxid() > beside.snapshot.txid();
        if (isolation != Isolation.READ_COMMITTED && changed) {
            throw changed();
        }
        goDirect(false);
    }

    /// Changes pages in place from now on; one that is `moving`, nothing but where they lie.
    void goDirect(boolean moves) {
        moving = moves;
        store.beginDirect();
        direct = true;
        writes = store.direct();
        boolean whole = false;
        try {
            beside.overlay.apply(store.editor());
            beside.clear();
            for (int i = 0; i < cursors.size(); i++) {
                cursors.get(i).rebase(pages(), reader());
            }
            whole = true;
        } finally {
            broken |= !whole;
        }
    }

    @Override
    public boolean get(Tree tree, Slice key, Slice value) {
        checkOpen();
        if (reads != null) {
            reads.add(tree.root(), key);
        }
        return writes.get(tree.root(), key, value);
    }

    @Override
    public boolean getLatest(Tree tree, Slice key, Slice value) {
        checkOpen();
        if (direct) {
            return writes.get(tree.root(), key, value);
        }
        long hash = Locks.hash(tree.root(), key);
        store.locks().lock(owner, tree, hash, LockMode.SHARED, store.patience());
        return beside.getLatest(tree.root(), key, value);
    }

    @Override
    public boolean lock(Tree tree, Slice key, LockMode mode, Wait wait) {
        checkOpen();
        return direct || lockUnchanged(tree, key, mode, wait);
    }

    /// Looks at the entry also where the lock was held already: perhaps for another key of the same
    /// hash.
    private boolean lockUnchanged(Tree tree, Slice key, LockMode mode, Wait wait) {
        long hash = Locks.hash(tree.root(), key);
        if (store.locks().lock(owner, tree, hash, mode, wait) == Locks.Grant.REFUSED) {
            return false;
        }
        if (!beside.isUnchanged(tree.root(), key)) {
            throw changed();
        }
        return true;
    }

    private ConflictException changed() {
        return new ConflictException(
                ConflictException.Reason.CHANGED,
                "Another transaction has committed a change of what this one wants to write; run it"
                        + " again",
                "snapshot=" + snapshot() + " newest=" + store.state().txid());
    }

    @Override
    public Tree createTree(String name) {
        exclusive();
        beforeChange();
        if (tree(name) != null) {
            throw new UsageException("There is a tree of that name already", "name=" + name);
        }
        long root = store.editor().create();
        if (savepoints > 0) {
            undo.add(UndoLog.DROP_TREE, root, before.set(nameKey(name).segment(), 0, 0), before);
        }
        Slice value = Slice.copyOf(new byte[8]);
        value.segment().set(Page.LONG, 0, root);
        change(CATALOG, nameKey(name), value, false);
        return new Tree(name, root);
    }

    @Override
    public void dropTree(Tree tree) {
        exclusive();
        beforeChange();
        if (!remove(CATALOG, nameKey(tree.name()))) {
            throw new UsageException("There is no tree of that name", "name=" + tree.name());
        }
        if (droppedCount == dropped.length) {
            dropped = Arrays.copyOf(dropped, Math.max(4, droppedCount * 2));
        }
        dropped[droppedCount++] = tree.root();
    }

    @Override
    public boolean insert(Tree tree, Slice key, Slice value) {
        long entered = PUT.enter();
        try {
            beforeWrite(tree);
            return change(tree, key, value, false);
        } finally {
            PUT.exit(entered);
        }
    }

    @Override
    public void put(Tree tree, Slice key, Slice value) {
        long entered = PUT.enter();
        try {
            beforeWrite(tree);
            change(tree, key, value, true);
        } finally {
            PUT.exit(entered);
        }
    }

    @Override
    public boolean delete(Tree tree, Slice key) {
        long entered = DELETE.enter();
        try {
            beforeWrite(tree);
            return remove(tree, key);
        } finally {
            DELETE.exit(entered);
        }
    }

    @Override
    public void putUnlocked(Tree tree, Slice key, Slice value) {
        long entered = PUT.enter();
        try {
            beforeWrite(tree);
            TreeEditor.checkLengths(key, value);
            changeLocked(tree.root(), key, value, true);
        } finally {
            PUT.exit(entered);
        }
    }

    @Override
    public void deleteUnlocked(Tree tree, Slice key) {
        long entered = DELETE.enter();
        try {
            beforeWrite(tree);
            removeLocked(tree.root(), key);
        } finally {
            DELETE.exit(entered);
        }
    }

    @Override
    public long deleteRange(Tree tree, Slice from, @Nullable Slice to) {
        long entered = DELETE.enter();
        try {
            beforeWrite(tree);
            return direct ? deleteRangeDirect(tree, from, to) : deleteEach(tree, from, to);
        } finally {
            DELETE.exit(entered);
        }
    }

    private long deleteRangeDirect(Tree tree, Slice from, @Nullable Slice to) {
        if (savepoints > 0) {
            addUndoOfRange(tree, from, to);
        }
        boolean whole = false;
        try {
            long removed = store.editor().deleteRange(tree.root(), from, to);
            whole = true;
            return removed;
        } finally {
            broken |= !whole;
        }
    }

    private void addUndoOfRange(Tree tree, Slice from, @Nullable Slice to) {
        MergedCursor cursor = new MergedCursor(this, tree.root());
        Slice key = new Slice();
        boolean more = cursor.seek(from);
        while (more && (to == null || cursor.compareKeyTo(to) < 0)) {
            cursor.key(key);
            cursor.value(before);
            undo.add(UndoLog.PUT, tree.root(), key, before);
            more = cursor.next();
        }
        forget(cursor);
    }

    private long deleteEach(Tree tree, Slice from, @Nullable Slice to) {
        MergedCursor cursor = new MergedCursor(this, tree.root());
        Slice key = new Slice();
        Slice copy = new Slice();
        long removed = 0;
        boolean more = cursor.seek(from);
        while (more && (to == null || cursor.compareKeyTo(to) < 0)) {
            cursor.key(key);
            copy.setCopy(key);
            beforeWrite(tree);
            remove(tree, copy);
            removed++;
            more = cursor.next();
        }
        forget(cursor);
        return removed;
    }

    private boolean change(Tree tree, Slice key, Slice value, boolean replace) {
        TreeEditor.checkLengths(key, value);
        lockToWrite(tree, key);
        return changeLocked(tree.root(), key, value, replace);
    }

    private void lockToWrite(Tree tree, Slice key) {
        if (!direct) {
            lockUnchanged(tree, key, LockMode.EXCLUSIVE, store.patience());
        }
    }

    private boolean changeLocked(long root, Slice key, Slice value, boolean replace) {
        if (savepoints > 0) {
            boolean existed = writes.get(root, key, before);
            if (existed && !replace) {
                return false;
            }
            addUndo(existed, root, key);
        }
        boolean whole = false;
        try {
            boolean changed = writes.put(root, key, value, replace);
            whole = true;
            return changed;
        } finally {
            broken |= !whole;
        }
    }

    private boolean remove(Tree tree, Slice key) {
        lockToWrite(tree, key);
        return removeLocked(tree.root(), key);
    }

    private boolean removeLocked(long root, Slice key) {
        if (savepoints > 0) {
            if (!writes.get(root, key, before)) {
                return false;
            }
            addUndo(true, root, key);
        }
        boolean whole = false;
        try {
            boolean removed = writes.delete(root, key);
            whole = true;
            return removed;
        } finally {
            broken |= !whole;
        }
    }

    private void addUndo(boolean existed, long root, Slice key) {
        if (existed) {
            undo.add(UndoLog.PUT, root, key, before);
        } else {
            undo.add(UndoLog.DELETE, root, key, before.set(key.segment(), 0, 0));
        }
    }

    @Override
    public Savepoint savepoint() {
        checkOpen();
        return new Savepoint(undo.position(), ++savepoints, droppedCount);
    }

    @Override
    public void rollbackTo(Savepoint savepoint) {
        beforeChange();
        checkCurrent(savepoint);
        boolean whole = false;
        try {
            while (undo.position() > savepoint.undoPosition) {
                undo.undoNewest(this::undo);
            }
            whole = true;
        } finally {
            broken |= !whole;
        }
        savepoints = savepoint.depth;
        droppedCount = savepoint.droppedCount;
    }

    private void undo(byte action, long root, Slice key, Slice value) {
        switch (action) {
            case UndoLog.DELETE -> writes.delete(root, key);
            case UndoLog.PUT -> writes.put(root, key, value, true);
            case UndoLog.DROP_TREE -> store.editor().drop(root);
            default -> throw new CorruptionException("The undo log is damaged", "in memory");
        }
    }

    @Override
    public void release(Savepoint savepoint) {
        checkOpen();
        checkCurrent(savepoint);
        savepoints = savepoint.depth - 1;
        if (savepoints == 0) {
            undo.clear();
        }
    }

    private void checkCurrent(Savepoint savepoint) {
        if (savepoint.depth > savepoints) {
            throw new UsageException("The savepoint has been released or rolled over", "");
        }
    }

    @Override
    public void beforePublish(CommitHook hook) {
        checkOpen();
        hooks.add(hook);
    }

    @Override
    public Commit commit() {
        long entered = COMMIT.enter();
        try {
            checkOpen();
            if (broken) {
                throw new UsageException(
                        "A change of this transaction failed half way; roll it back", "");
            }
            freeDropped();
            return store.commit(this);
        } finally {
            COMMIT.exit(entered);
        }
    }

    /// From here on no savepoint can be reached any more, also where the commit then finds no room.
    private void freeDropped() {
        savepoints = 0;
        undo.clear();
        boolean whole = false;
        try {
            while (droppedCount > 0) {
                store.editor().drop(dropped[--droppedCount]);
            }
            whole = true;
        } finally {
            broken |= !whole;
        }
    }

    /// Calls the hooks: the log record is written, the state not yet published.
    void runHooks(long txid) {
        for (CommitHook hook : hooks) {
            hook.beforePublish(txid);
        }
    }

    /// The store has ended this transaction.
    void ended() {
        open = false;
        undo.clear();
        cursors.forEach(MergedCursor::leave); // the pages they stand on may be used again
        cursors.clear();
    }

    @Override
    public void close() {
        if (open) {
            store.rollback(this);
            hooks.forEach(CommitHook::rolledBack);
        }
    }
}
