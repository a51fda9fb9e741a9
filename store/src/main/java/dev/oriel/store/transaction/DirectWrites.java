package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.tree.TreeEditor;

/// Changes of an exclusive writer: made in the trees, in its own versions of their pages.
final class DirectWrites implements Writes {
    private final TreeEditor editor;
    private final Runnable between;

    /// @param between called after each change: the changes so far may leave memory then
    DirectWrites(TreeEditor editor, Runnable between) {
        this.editor = editor;
        this.between = between;
    }

    @Override
    public boolean get(long root, Slice key, Slice value) {
        return editor.get(root, key, value);
    }

    @Override
    public boolean put(long root, Slice key, Slice value, boolean replace) {
        boolean changed = editor.put(root, key, value, replace);
        between.run();
        return changed;
    }

    @Override
    public boolean delete(long root, Slice key) {
        boolean removed = editor.delete(root, key);
        between.run();
        return removed;
    }

    @Override
    public boolean mayHaveChanged() {
        return editor.mayHaveChanged();
    }

    /// Unknown: earlier changes are in the trees as well.
    @Override
    public boolean isUntouched() {
        return false;
    }

    @Override
    public void forget() {
        throw new IllegalStateException("changes in the trees themselves");
    }

    @Override
    public void makeRoom() {}
}
