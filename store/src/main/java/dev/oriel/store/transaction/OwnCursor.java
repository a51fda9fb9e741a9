package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.tree.TreeCursor;
import java.util.Arrays;

/// A position in a transaction's writes to one tree, in all layers of its [WriteSet] together: of entries with one
/// key the newest layer's counts. One half of a [MergedCursor].
///
/// Each layer has a head, at its nearest entry in the direction of the last move. The cursor stands on the nearest
/// of all. Mostly there is one layer, and nothing to merge.
final class OwnCursor {
    private TreeCursor[] heads = {};
    private boolean[] live = {};
    private int count;

    /// Index of the current head.
    private int standing;

    private boolean forward;
    private final Slice nearest = new Slice();
    private final Slice turning = new Slice();

    /// Resets to the entries of `root` in `layers`, newest first, not yet positioned. False if no layer has any.
    boolean reset(CursorOwner owner, WriteSetLayer[] layers, long root) {
        count = 0;
        for (WriteSetLayer layer : layers) {
            long own = layer.rootOf(root);
            if (own != 0) {
                add(owner, layer, own);
            }
        }
        standing = 0;
        return count > 0;
    }

    private void add(CursorOwner owner, WriteSetLayer layer, long own) {
        if (count == heads.length) {
            heads = Arrays.copyOf(heads, count + 1);
            live = Arrays.copyOf(live, count + 1);
            heads[count] = new TreeCursor(owner, layer.pages, layer.reader, own);
        } else {
            heads[count].reset(owner, layer.pages, layer.reader, own);
        }
        count++;
    }

    /// The cursor of the layer with the current entry.
    TreeCursor head() {
        return heads[standing];
    }

    boolean seek(Slice key) {
        forward = true;
        for (int i = 0; i < count; i++) {
            live[i] = heads[i].seek(key);
        }
        return settle();
    }

    boolean seekBefore(Slice key) {
        forward = false;
        for (int i = 0; i < count; i++) {
            live[i] = heads[i].seekBefore(key);
        }
        return settle();
    }

    /// Goes to the first entry, or to the last one.
    boolean edge(boolean first) {
        forward = first;
        for (int i = 0; i < count; i++) {
            live[i] = first ? heads[i].first() : heads[i].last();
        }
        return settle();
    }

    /// A step from the current entry.
    boolean step(boolean ahead) {
        if (count == 1) {
            return ahead ? heads[0].next() : heads[0].previous();
        }
        if (ahead != forward) {
            return turn();
        }
        heads[standing].key(nearest);
        for (int i = 0; i < count; i++) {
            if (i != standing && live[i] && heads[i].compareKeyTo(nearest) == 0) {
                live[i] = ahead ? heads[i].next() : heads[i].previous();
            }
        }
        live[standing] = ahead ? heads[standing].next() : heads[standing].previous();
        return settle();
    }

    private boolean turn() {
        heads[standing].copyKeyTo(turning);
        if (forward) {
            return seekBefore(turning);
        }
        return seek(turning) && (head().compareKeyTo(turning) != 0 || step(true));
    }

    /// Moves to the nearest head; of equal ones to the newest layer's.
    private boolean settle() {
        if (count == 1) {
            return live[0];
        }
        standing = -1;
        for (int i = 0; i < count; i++) {
            if (live[i] && (standing < 0 || isNearer(i))) {
                standing = i;
                heads[i].key(nearest);
            }
        }
        if (standing < 0) {
            standing = 0;
            return false;
        }
        return true;
    }

    private boolean isNearer(int i) {
        int order = heads[i].compareKeyTo(nearest);
        return forward ? order < 0 : order > 0;
    }

    int compareKeyTo(Slice key) {
        return head().compareKeyTo(key);
    }

    void key(Slice out) {
        head().key(out);
    }

    void value(Slice out) {
        head().value(out);
    }

    boolean isAbsent() {
        return head().isAbsent();
    }
}
