package dev.oriel.store;

import dev.oriel.profiler.Probe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The open writing transaction: changes trees in place, in its own versions of their pages. It
/// holds the store's write role from its beginning to its end.
///
/// Trees that it drops are taken out of the catalog at once, and their pages freed at commit, so
/// that a savepoint before the drop stays reachable.
final class WriteTransaction extends StoreTransaction {
    private static final Probe COMMIT = Probe.of(WriteTransaction.class, "commit");
    private static final Probe PUT = Probe.of(WriteTransaction.class, "put");
    private static final Probe DELETE = Probe.of(WriteTransaction.class, "delete");

    private final Store store;
    private final PageWriter writer;
    private final TreeEditor editor;
    private final UndoLog undo = new UndoLog();
    private final List<TreeCursor> cursors = new ArrayList<>();
    private final List<CommitHook> hooks = new ArrayList<>();
    private final Slice before = new Slice();
    private long[] dropped = new long[4];
    private int droppedCount;
    private int savepoints;
    private boolean open = true;

    /// A change failed half way (damage, no memory): this transaction can only be rolled back.
    private boolean broken;

    WriteTransaction(Store store, PageWriter writer, TreeEditor editor) {
        super(writer.pages);
        this.store = store;
        this.writer = writer;
        this.editor = editor;
        editor.begin();
    }

    @Override
    void checkOpen() {
        if (!open) {
            throw new ClosedException("The transaction has ended", "");
        }
    }

    @Override
    boolean isRegistered(TreeCursor cursor) {
        return cursors.contains(cursor);
    }

    @Override
    void register(TreeCursor cursor) {
        cursors.add(cursor);
    }

    @Override
    void forget(TreeCursor cursor) {
        cursors.remove(cursor);
    }

    private void beforeWrite() {
        checkOpen();
        for (int i = 0; i < cursors.size(); i++) {
            cursors.get(i).saveKey();
        }
    }

    @Override
    public long snapshot() {
        return writer.txid() - 1;
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public boolean getLatest(Tree tree, Slice key, Slice value) {
        return get(tree, key, value);
    }

    @Override
    public boolean lock(Tree tree, Slice key, LockMode mode, Wait wait) {
        checkOpen();
        return true;
    }

    @Override
    public Tree createTree(String name) {
        beforeWrite();
        if (tree(name) != null) {
            throw new UsageException("There is a tree of that name already", "name=" + name);
        }
        long root = editor.create();
        if (savepoints > 0) {
            undo.add(UndoLog.DROP_TREE, root, before.set(nameKey(name).segment(), 0, 0), before);
        }
        Slice value = Slice.copyOf(new byte[8]);
        value.segment().set(Page.LONG, 0, root);
        change(Page.CATALOG_ROOT, nameKey(name), value, false);
        return new Tree(name, root);
    }

    @Override
    public void dropTree(Tree tree) {
        beforeWrite();
        if (!remove(Page.CATALOG_ROOT, nameKey(tree.name()))) {
            throw new UsageException("There is no tree of that name", "name=" + tree.name());
        }
        if (droppedCount == dropped.length) {
            dropped = Arrays.copyOf(dropped, droppedCount * 2);
        }
        dropped[droppedCount++] = tree.root();
    }

    @Override
    public boolean insert(Tree tree, Slice key, Slice value) {
        long entered = PUT.enter();
        try {
            beforeWrite();
            return change(tree.root(), key, value, false);
        } finally {
            PUT.exit(entered);
        }
    }

    @Override
    public void put(Tree tree, Slice key, Slice value) {
        long entered = PUT.enter();
        try {
            beforeWrite();
            change(tree.root(), key, value, true);
        } finally {
            PUT.exit(entered);
        }
    }

    @Override
    public boolean delete(Tree tree, Slice key) {
        long entered = DELETE.enter();
        try {
            beforeWrite();
            return remove(tree.root(), key);
        } finally {
            DELETE.exit(entered);
        }
    }

    @Override
    public long deleteRange(Tree tree, Slice from, @Nullable Slice to) {
        long entered = DELETE.enter();
        try {
            beforeWrite();
            if (savepoints > 0) {
                addUndoOfRange(tree, from, to);
            }
            boolean whole = false;
            try {
                long removed = editor.deleteRange(tree.root(), from, to);
                whole = true;
                return removed;
            } finally {
                broken |= !whole;
            }
        } finally {
            DELETE.exit(entered);
        }
    }

    private void addUndoOfRange(Tree tree, Slice from, @Nullable Slice to) {
        TreeCursor cursor = new TreeCursor(this, tree);
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

    private boolean change(long root, Slice key, Slice value, boolean replace) {
        TreeEditor.checkLengths(key, value);
        if (savepoints > 0) {
            boolean existed = editor.get(root, key, before);
            if (existed && !replace) {
                return false;
            }
            addUndo(existed, root, key);
        }
        boolean whole = false;
        try {
            boolean changed = editor.put(root, key, value, replace);
            whole = true;
            return changed;
        } finally {
            broken |= !whole;
        }
    }

    private boolean remove(long root, Slice key) {
        if (savepoints > 0) {
            if (!editor.get(root, key, before)) {
                return false;
            }
            addUndo(true, root, key);
        }
        boolean whole = false;
        try {
            boolean removed = editor.delete(root, key);
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
        beforeWrite();
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
            case UndoLog.DELETE -> editor.delete(root, key);
            case UndoLog.PUT -> editor.put(root, key, value, true);
            case UndoLog.DROP_TREE -> editor.drop(root);
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
            return store.commit(this, writer);
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
                editor.drop(dropped[--droppedCount]);
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
        cursors.clear();
    }

    @Override
    public void close() {
        if (open) {
            store.rollback(this, writer);
        }
    }
}
