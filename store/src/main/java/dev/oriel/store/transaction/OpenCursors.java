package dev.oriel.store.transaction;

import dev.oriel.store.data.Pages;
import dev.oriel.store.tree.TreeReader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cursors of one writing transaction that may be positioned: before it writes, they save their keys, to find
/// their positions again.
///
/// A transaction of many statements makes many cursors, of which few are in use at a time. Unreachable and
/// unpositioned ones are forgotten each time the number has doubled. A forgotten cursor comes back when it is
/// positioned ([MergedCursor#unlist()]).
final class OpenCursors {
    private static final int LOOKED_AT_LEAST = 64;

    private final List<WeakReference<MergedCursor>> cursors = new ArrayList<>();

    /// Number of cursors at which useless ones are removed.
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

    /// Searches from the latest on: these come and go most often.
    void remove(MergedCursor cursor) {
        for (int i = cursors.size() - 1; i >= 0; i--) {
            if (cursors.get(i).refersTo(cursor)) {
                cursors.remove(i);
                return;
            }
        }
    }

    /// Called before any change.
    void saveKeys() {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.saveKey();
            }
        }
    }

    /// Called before the write set of the tree at `root` changes.
    void saveKeys(long root) {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.saveKey(root);
            }
        }
    }

    /// Moves the cursors to other pages.
    void rebase(Pages pages, TreeReader reader) {
        for (int i = 0; i < cursors.size(); i++) {
            MergedCursor cursor = cursors.get(i).get();
            if (cursor != null) {
                cursor.rebase(pages, reader);
            }
        }
    }

    /// The transaction has ended, and the pages of the cursors may be reused.
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
