package dev.oriel.store.transaction;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.store.tree.TreeEditor;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The changes that one writing transaction makes to entries and trees. It passes them to [Writes], and keeps an
/// undo log while a savepoint is open. A savepoint set before the first write needs none: going back to it forgets
/// all writes.
///
/// A dropped tree has its pages freed at commit, so that a savepoint before the drop stays reachable. Belongs to
/// the transaction's thread.
final class Changes {
    private final TreeEditor editor;
    private final UndoLog undo;
    private final Slice before = new Slice();
    private Writes writes;
    private long[] dropped = {};
    private int droppedCount;
    private int savepoints;

    /// Number of savepoints set before the first write to the write set.
    private int early;

    /// Number of these when the write set was flushed into the trees, and the undo log back to them from there;
    /// null if there is none.
    private int earlyInTrees;

    private @Nullable UndoLog wayToEarly;

    /// Number of entries put and removed so far.
    private long count;

    /// Whether a change failed after it was partly applied (damage, no memory): the transaction can only be rolled
    /// back.
    private boolean broken;

    /// @param editor changes trees in place, once the transaction does
    Changes(Writes writes, TreeEditor editor, UndoLog undo) {
        this.writes = writes;
        this.editor = editor;
        this.undo = undo;
    }

    /// Continues in the trees, into which `written` is about to be flushed.
    void goOnIn(Writes trees, WriteSet written) {
        writes = trees;
        if (early > 0) {
            UndoLog way = undo.another();
            long _ =
                    whole(() -> {
                        written.eachKey((root, key) ->
                                addUndo(way, trees.get(root, key, before), root, key));
                        return 0;
                    });
            earlyInTrees = early;
            wayToEarly = way;
            early = 0;
        }
    }

    boolean get(long root, Slice key, Slice value) {
        return writes.get(root, key, value);
    }

    /// Runs work that must be done as a whole.
    long whole(LongSupplier work) {
        boolean done = false;
        try {
            long result = work.getAsLong();
            done = true;
            return result;
        } finally {
            broken |= !done;
        }
    }

    /// Whether the transaction can only be rolled back.
    boolean isBroken() {
        return broken;
    }

    void checkWhole() {
        if (broken) {
            throw new UsageException(
                    "A change of this transaction failed half way; roll it back", "");
        }
    }

    /// Number of entries put and removed so far. May be read by any thread, perhaps slightly stale.
    long count() {
        return count;
    }

    boolean put(long root, Slice key, Slice value, boolean replace) {
        if (remembers()) {
            boolean existed = writes.get(root, key, before);
            if (existed && !replace) {
                return false;
            }
            addUndo(undo, existed, root, key);
        }
        boolean whole = false;
        try {
            boolean changed = writes.put(root, key, value, replace);
            count += changed ? 1 : 0;
            whole = true;
            return changed;
        } finally {
            broken |= !whole && writes.mayHaveChanged();
        }
    }

    boolean remove(long root, Slice key) {
        if (remembers()) {
            if (!writes.get(root, key, before)) {
                return false;
            }
            addUndo(undo, true, root, key);
        }
        boolean whole = false;
        try {
            boolean removed = writes.delete(root, key);
            count += removed ? 1 : 0;
            whole = true;
            return removed;
        } finally {
            broken |= !whole && writes.mayHaveChanged();
        }
    }

    private void addUndo(UndoLog to, boolean existed, long root, Slice key) {
        if (existed) {
            to.add(UndoLog.PUT, root, key, before);
        } else {
            to.add(UndoLog.DELETE, root, key, before.set(key.segment(), 0, 0));
        }
    }

    /// Removes a range in place; its entries have been added to the undo log if needed.
    long removeRange(long root, Slice from, @Nullable Slice to) {
        boolean whole = false;
        try {
            long removed = editor.deleteRange(root, from, to);
            whole = true;
            return removed;
        } finally {
            broken |= !whole;
        }
    }

    /// Whether an open savepoint was set after the first write.
    boolean remembers() {
        return savepoints > early;
    }

    /// Whether any savepoint is open, also one set before the first write.
    boolean hasSavepoints() {
        return savepoints > 0;
    }

    /// Adds an entry that is about to be removed to the undo log.
    void remember(long root, Slice key, Slice value) {
        undo.add(UndoLog.PUT, root, key, value);
    }

    /// Creates an empty tree in place, and returns its root.
    long create(Slice name) {
        long root = editor.create();
        if (remembers()) {
            undo.add(UndoLog.DROP_TREE, root, before.set(name.segment(), 0, 0), before);
        }
        return root;
    }

    /// Schedules the pages of a tree to be freed at commit.
    void drop(long root) {
        if (droppedCount == dropped.length) {
            dropped = Arrays.copyOf(dropped, Math.max(4, droppedCount * 2));
        }
        dropped[droppedCount++] = root;
    }

    Transaction.Savepoint savepoint() {
        if (early == savepoints && writes.isUntouched()) {
            early++;
        }
        return new Transaction.Savepoint(undo.position(), ++savepoints, droppedCount);
    }

    void rollbackTo(Transaction.Savepoint savepoint) {
        checkCurrent(savepoint);
        boolean whole = false;
        try {
            goBackTo(savepoint);
            whole = true;
        } finally {
            broken |= !whole;
        }
        savepoints = savepoint.depth;
        early = Math.min(early, savepoints);
        droppedCount = savepoint.droppedCount;
    }

    private void goBackTo(Transaction.Savepoint savepoint) {
        if (savepoint.depth <= early) {
            writes.forget();
            undo.clear();
            return;
        }
        goBack(undo, savepoint.undoPosition);
        UndoLog further = wayToEarly;
        if (further != null && savepoint.depth <= earlyInTrees) {
            goBack(further, 0);
        }
    }

    private void goBack(UndoLog by, long position) {
        while (by.position() > position) {
            writes.makeRoom();
            by.undoNewest(this::undo);
        }
    }

    private void undo(byte action, long root, Slice key, Slice value) {
        switch (action) {
            case UndoLog.DELETE -> writes.delete(root, key);
            case UndoLog.PUT -> writes.put(root, key, value, true);
            case UndoLog.DROP_TREE -> editor.drop(root);
            default -> throw new CorruptionException("The undo log is damaged", "in memory");
        }
    }

    void release(Transaction.Savepoint savepoint) {
        checkCurrent(savepoint);
        savepoints = savepoint.depth - 1;
        early = Math.min(early, savepoints);
        earlyInTrees = Math.min(earlyInTrees, savepoints);
        if (savepoints == 0) {
            forgetSavepoints();
        }
    }

    private void checkCurrent(Transaction.Savepoint savepoint) {
        if (savepoint.depth > savepoints) {
            throw new UsageException("The savepoint has been released or rolled over", "");
        }
    }

    /// Forgets the savepoints and any failure: the writes are forgotten too.
    void restart() {
        forgetSavepoints();
        broken = false;
    }

    /// After this no savepoint can be reached, even if the commit then finds no room.
    void prepareCommit() {
        checkWhole();
        forgetSavepoints();
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

    private void forgetSavepoints() {
        savepoints = 0;
        early = 0;
        earlyInTrees = 0;
        undo.clear();
        if (wayToEarly != null) {
            wayToEarly.clear();
            wayToEarly = null;
        }
    }

    /// The transaction has ended.
    void end() {
        forgetSavepoints();
        undo.end();
    }
}
