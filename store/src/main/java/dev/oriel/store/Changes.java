package dev.oriel.store;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The changes that one writing transaction makes to entries and trees: puts them where they belong
/// ([Writes]), and keeps, while a savepoint is open, what it takes to go back to it.
///
/// A tree that is dropped has its pages freed at commit, so that a savepoint before the drop stays
/// reachable. Belongs to the transaction's thread.
final class Changes {
    private final TreeEditor editor;
    private final UndoLog undo;
    private final Slice before = new Slice();
    private Writes writes;
    private long[] dropped = {};
    private int droppedCount;
    private int savepoints;

    /// A change failed half way (damage, no memory): the transaction can only be rolled back.
    private boolean broken;

    /// @param editor changes trees in place, once the transaction does
    Changes(Writes writes, TreeEditor editor, UndoLog undo) {
        this.writes = writes;
        this.editor = editor;
        this.undo = undo;
    }

    /// Goes on in other writes; what was changed so far is in them already.
    void goOnIn(Writes others) {
        writes = others;
    }

    boolean get(long root, Slice key, Slice value) {
        return writes.get(root, key, value);
    }

    /// Does work that must be done as a whole.
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

    void checkWhole() {
        if (broken) {
            throw new UsageException(
                    "A change of this transaction failed half way; roll it back", "");
        }
    }

    boolean put(long root, Slice key, Slice value, boolean replace) {
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

    boolean remove(long root, Slice key) {
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

    /// Removes a range in place; what it holds has been remembered where that is needed.
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

    /// Whether somebody may want to go back.
    boolean remembers() {
        return savepoints > 0;
    }

    /// Remembers an entry that is about to be removed.
    void remember(long root, Slice key, Slice value) {
        undo.add(UndoLog.PUT, root, key, value);
    }

    /// Makes an empty tree in place, and returns its root.
    long create(Slice name) {
        long root = editor.create();
        if (savepoints > 0) {
            undo.add(UndoLog.DROP_TREE, root, before.set(name.segment(), 0, 0), before);
        }
        return root;
    }

    /// Has the pages of a tree freed at commit.
    void drop(long root) {
        if (droppedCount == dropped.length) {
            dropped = Arrays.copyOf(dropped, Math.max(4, droppedCount * 2));
        }
        dropped[droppedCount++] = root;
    }

    Transaction.Savepoint savepoint() {
        return new Transaction.Savepoint(undo.position(), ++savepoints, droppedCount);
    }

    void rollbackTo(Transaction.Savepoint savepoint) {
        checkCurrent(savepoint);
        boolean whole = false;
        try {
            while (undo.position() > savepoint.undoPosition) {
                writes.makeRoom();
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
            case UndoLog.DROP_TREE -> editor.drop(root);
            default -> throw new CorruptionException("The undo log is damaged", "in memory");
        }
    }

    void release(Transaction.Savepoint savepoint) {
        checkCurrent(savepoint);
        savepoints = savepoint.depth - 1;
        if (savepoints == 0) {
            undo.clear();
        }
    }

    private void checkCurrent(Transaction.Savepoint savepoint) {
        if (savepoint.depth > savepoints) {
            throw new UsageException("The savepoint has been released or rolled over", "");
        }
    }

    /// Forgets the savepoints and that anything failed: the writes are forgotten too.
    void restart() {
        forgetSavepoints();
        broken = false;
    }

    /// From here on no savepoint can be reached any more, also where the commit then finds no room.
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
        undo.clear();
    }

    /// The transaction has ended.
    void end() {
        undo.clear();
    }
}
