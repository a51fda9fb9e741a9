package dev.oriel.store;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cursors of one writing transaction that may stand somewhere: before it writes, they keep the key at
/// which they stand, to find their places again.
///
/// A transaction of many statements makes many cursors, of which few are in use at a time. Those that nobody
/// has any more, and those that stand nowhere, are forgotten each time their number has doubled; a cursor
/// that was forgotten comes back when it is placed ([MergedCursor#unlist()]).
final class OpenCursors {
    private static final int LOOKED_AT_LEAST = 64;

    private final List<WeakReference<MergedCursor>> cursors = new ArrayList<>();

    /// When there are so many it is looked which of them are of use.
    private int lookedAt = LOOKED_AT_LEAST;

    int size() {
        return cursors.size();
    }

    void add(MergedCursor cursor) {
        if (cursors.size() >= lookedAt) {
            cursors.removeIf(each -> isOfNoUse(each.get()));
            lookedAt = Math.max(LOOKED_AT_LEAST, 2 * cursors.size());
        }
        cursors.add(cursor.reference());
    }

    private static boolean isOfNoUse(@Nullable MergedCursor cursor) {
        return cursor == null || cursor.unlist();
    }

    /// The latest are looked at first: they are the ones that come and go.
    void remove(MergedCursor cursor) {
        for (int i = cursors.size() - 1; i >= 0; i--) {
            if (cursors.get(i).refersTo(cursor)) {
                cursors.remove(i);
                return;
            }
        }
    }

    /// Something is about to change, whatever it is.
    void saveKeys() {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.saveKey();
            }
        }
    }

    /// What is written beside the tree at `root` is about to change.
    void saveKeys(long root) {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.saveKey(root);
            }
        }
    }

    /// They go on in other pages.
    void rebase(Pages pages, TreeReader reader) {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.rebase(pages, reader);
            }
        }
    }

    /// The transaction has ended, and the pages that they stand on may be used again.
    void leave() {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.ended();
            }
        }
        cursors.clear();
    }
}
