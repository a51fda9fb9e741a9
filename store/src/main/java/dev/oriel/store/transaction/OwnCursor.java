package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.delta.Delta;
import dev.oriel.store.delta.DeltaCursor;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.delta.EntryCursor;
import dev.oriel.store.tree.TreeCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A position in the entries of one tree above its pages: a transaction's writes, in all layers of its [WriteSet],
/// and beneath them the [Deltas] of its snapshot. Of entries with one key the newest layer's counts. One half of a
/// [MergedCursor].
///
/// Each layer has a head, at its nearest entry in the direction of the last move. The cursor stands on the nearest
/// of all. Mostly there is one layer, and nothing to merge.
final class OwnCursor {
    private static final WriteSetLayer[] NO_LAYERS = {};

    private EntryCursor[] heads = {};
    private boolean[] live = {};
    private int count;

    /// Number of heads in the write set: the first ones. The entries of the others may be hidden by ranges that the
    /// transaction has removed; `hidden` is null if there are none.
    private int writtenCount;

    private @Nullable HiddenRanges hidden;
    private long root;

    /// Cursors for reuse, of write sets and of deltas.
    private TreeCursor[] written = {};

    private @Nullable DeltaCursor newest;
    private @Nullable DeltaCursor older;

    /// Index of the current head.
    private int standing;

    private boolean forward;
    private final Slice nearest = new Slice();
    private final Slice turning = new Slice();

    /// Resets to the entries of `root` in `layers`, newest first, not yet positioned. False if no layer has any.
    boolean reset(CursorOwner owner, WriteSetLayer[] layers, long root) {
        hidden = null;
        return add(owner, layers, Deltas.NONE, root);
    }

    /// Resets to the writes of a transaction and the deltas of its snapshot.
    ///
    /// @param writeSet null if it has written nothing to the tree
    boolean reset(CursorOwner owner, @Nullable WriteSet writeSet, Deltas deltas, long root) {
        hidden = writeSet != null && writeSet.hidden().has(root) ? writeSet.hidden() : null;
        return add(owner, writeSet == null ? NO_LAYERS : writeSet.layers(root), deltas, root);
    }

    private boolean add(CursorOwner owner, WriteSetLayer[] layers, Deltas deltas, long of) {
        root = of;
        count = 0;
        for (WriteSetLayer layer : layers) {
            long own = layer.rootOf(root);
            if (own != 0) {
                add(writtenHead(owner, layer, own));
            }
        }
        writtenCount = count;
        Delta layer = deltas.newest();
        if (layer != null) {
            newest = newest == null ? new DeltaCursor() : newest;
            add(newest, layer, owner);
        }
        layer = deltas.older();
        if (layer != null) {
            older = older == null ? new DeltaCursor() : older;
            add(older, layer, owner);
        }
        standing = 0;
        return count > 0;
    }

    private TreeCursor writtenHead(CursorOwner owner, WriteSetLayer layer, long own) {
        if (count == written.length) {
            written = Arrays.copyOf(written, count + 1);
            written[count] = new TreeCursor(owner, layer.pages, layer.reader, own);
        } else {
            written[count].reset(owner, layer.pages, layer.reader, own);
        }
        return written[count];
    }

    private void add(DeltaCursor cursor, Delta layer, CursorOwner owner) {
        if (cursor.reset(layer, root, owner)) {
            add(cursor);
        }
    }

    private void add(EntryCursor head) {
        if (count == heads.length) {
            heads = Arrays.copyOf(heads, count + 1);
            live = Arrays.copyOf(live, count + 1);
        }
        heads[count++] = head;
    }

    /// The cursor of the layer with the current entry.
    EntryCursor head() {
        return heads[standing];
    }

    boolean seek(Slice key) {
        forward = true;
        for (int i = 0; i < count; i++) {
            live[i] = pass(i, heads[i].seek(key), true);
        }
        return settle();
    }

    boolean seekBefore(Slice key) {
        forward = false;
        for (int i = 0; i < count; i++) {
            live[i] = pass(i, heads[i].seekBefore(key), false);
        }
        return settle();
    }

    /// Goes to the first entry, or to the last one.
    boolean edge(boolean first) {
        forward = first;
        for (int i = 0; i < count; i++) {
            live[i] = pass(i, first ? heads[i].first() : heads[i].last(), first);
        }
        return settle();
    }

    /// A step from the current entry.
    boolean step(boolean ahead) {
        if (count == 1) {
            return step(0, ahead);
        }
        if (ahead != forward) {
            return turn();
        }
        heads[standing].key(nearest);
        for (int i = 0; i < count; i++) {
            if (i != standing && live[i] && heads[i].compareKeyTo(nearest) == 0) {
                live[i] = step(i, ahead);
            }
        }
        live[standing] = step(standing, ahead);
        return settle();
    }

    private boolean step(int i, boolean ahead) {
        return pass(i, ahead ? heads[i].next() : heads[i].previous(), ahead);
    }

    /// Moves head `i`, which stands on an entry if `found`, on to one that is not hidden.
    private boolean pass(int i, boolean found, boolean ahead) {
        HiddenRanges ranges = i < writtenCount ? null : hidden;
        return ranges == null ? found : ranges.pass(root, heads[i], found, ahead);
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
