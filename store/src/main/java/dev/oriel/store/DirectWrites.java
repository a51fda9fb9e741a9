package dev.oriel.store;

/// Changes of the only writer: in the trees, in its own versions of their pages.
final class DirectWrites implements Writes {
    private final TreeEditor editor;

    DirectWrites(TreeEditor editor) {
        this.editor = editor;
    }

    @Override
    public boolean get(long root, Slice key, Slice value) {
        return editor.get(root, key, value);
    }

    @Override
    public boolean put(long root, Slice key, Slice value, boolean replace) {
        return editor.put(root, key, value, replace);
    }

    @Override
    public boolean delete(long root, Slice key) {
        return editor.delete(root, key);
    }
}
