package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.tree.RangeComparison;
import dev.oriel.store.tree.TreeReader;
import org.jspecify.annotations.Nullable;

/// Compares a range of keys in two committed states: page by page if all entries of the tree are in pages, else
/// entry by entry.
final class SnapshotComparison {
    private final SnapshotView older;
    private final SnapshotView newer;
    private final RangeComparison pages;

    SnapshotComparison(SnapshotView older, SnapshotView newer) {
        this.older = older;
        this.newer = newer;
        this.pages = new RangeComparison(older.pages(), newer.pages());
    }

    /// Whether the keys from `low` to `high` (inclusive; null for the end) have the same entries in both.
    boolean isSame(long root, Slice low, @Nullable Slice high) {
        if (!older.deltas().has(root) && !newer.deltas().has(root)) {
            return pages.isSame(root, low, high);
        }
        MergedCursor one = new MergedCursor(new Side(older), root);
        MergedCursor other = new MergedCursor(new Side(newer), root);
        Slice key = new Slice();
        Slice left = new Slice();
        Slice right = new Slice();
        boolean inOne = one.seek(low) && isNotAbove(one, high);
        boolean inOther = other.seek(low) && isNotAbove(other, high);
        while (inOne && inOther) {
            one.key(key);
            one.value(left);
            other.value(right);
            if (other.compareKeyTo(key) != 0 || Slice.compare(left, right) != 0) {
                return false;
            }
            inOne = one.next() && isNotAbove(one, high);
            inOther = other.next() && isNotAbove(other, high);
        }
        return inOne == inOther;
    }

    private static boolean isNotAbove(MergedCursor cursor, @Nullable Slice high) {
        return high == null || cursor.compareKeyTo(high) <= 0;
    }

    /// The owner of a cursor over one of the states, which the caller holds.
    private static final class Side extends CursorOwner {
        private final SnapshotView view;

        Side(SnapshotView view) {
            this.view = view;
        }

        @Override
        public Pages pages() {
            return view.pages();
        }

        @Override
        TreeReader reader() {
            return view.reader();
        }

        @Override
        Deltas deltas() {
            return view.deltas();
        }

        @Override
        @Nullable WriteSet writeSet() {
            return null;
        }

        @Override
        void register(MergedCursor cursor) {} // the state does not change

        @Override
        void forget(MergedCursor cursor) {}

        @Override
        public void checkOpen() {} // nor does it end before the comparison
    }
}
