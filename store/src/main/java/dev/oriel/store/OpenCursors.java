package dev.oriel.store;

import java.util.ArrayList;
import java.util.List;

/// The cursors of one writing transaction that stand somewhere: before it writes, they keep the key at
/// which they stand, to find their places again.
final class OpenCursors {
    private final List<MergedCursor> cursors = new ArrayList<>();

    boolean contains(MergedCursor cursor) {
        return cursors.contains(cursor);
    }

    void add(MergedCursor cursor) {
        cursors.add(cursor);
    }

    void remove(MergedCursor cursor) {
        cursors.remove(cursor);
    }

    /// Something is about to change, whatever it is.
    void saveKeys() {
        for (int i = 0; i < cursors.size(); i++) {
            cursors.get(i).saveKey();
        }
    }

    /// What is written beside the tree at `root` is about to change.
    void saveKeys(long root) {
        for (int i = 0; i < cursors.size(); i++) {
            cursors.get(i).saveKey(root);
        }
    }

    /// They go on in other pages.
    void rebase(Pages pages, TreeReader reader) {
        for (int i = 0; i < cursors.size(); i++) {
            cursors.get(i).rebase(pages, reader);
        }
    }

    /// The transaction has ended, and the pages that they stand on may be used again.
    void leave() {
        cursors.forEach(MergedCursor::leave);
        cursors.clear();
    }
}
