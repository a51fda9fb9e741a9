package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.delta.EntryCursor;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.tree.TreeRanges;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ranges of trees that one transaction has removed as a whole. They hide all entries of the snapshot there; the
/// transaction's later writes lie in its [WriteSet] above. At commit each range is removed from its tree without a
/// look at its entries (`RangeDelete`).
///
/// No other transaction writes to these trees until this one ends: it holds their locks exclusively. No two ranges
/// of a tree touch. There are few, so they are scanned. Belongs to the transaction's thread.
final class HiddenRanges {
    /// Maximum number of ranges that do not touch; further ones are removed entry by entry.
    private static final int RANGES_MAX = 64;

    /// @param to null for the end of the tree
    private record Range(long root, Slice from, @Nullable Slice to) {
        boolean reaches(Slice key) {
            return to == null || Slice.compare(key, to) <= 0;
        }

        boolean has(Slice key) {
            return Slice.compare(from, key) <= 0 && (to == null || Slice.compare(key, to) < 0);
        }
    }

    private final List<Range> ranges = new ArrayList<>(0);

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    boolean isFull() {
        return ranges.size() == RANGES_MAX;
    }

    /// Whether a range of the tree `root` is hidden.
    boolean has(long root) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).root == root) {
                return true;
            }
        }
        return false;
    }

    /// Hides the range from `from` (inclusive) to `to` (exclusive; null for the end). There must be room for one
    /// more ([#isFull]).
    void add(long root, Slice from, @Nullable Slice to) {
        Slice end = to == null ? null : Slice.copyOf(to.toBytes());
        Range added = new Range(root, Slice.copyOf(from.toBytes()), end);
        for (int i = ranges.size() - 1; i >= 0; i--) {
            Range other = ranges.get(i);
            if (other.root == root && other.reaches(added.from) && added.reaches(other.from)) {
                ranges.remove(i);
                added = united(other, added);
            }
        }
        ranges.add(added);
    }

    private static Range united(Range a, Range b) {
        Slice from = Slice.compare(a.from, b.from) <= 0 ? a.from : b.from;
        Slice to = a.to;
        if (to != null && (b.to == null || Slice.compare(to, b.to) < 0)) {
            to = b.to;
        }
        return new Range(a.root, from, to);
    }

    boolean hides(long root, Slice key) {
        for (int i = 0; i < ranges.size(); i++) {
            Range range = ranges.get(i);
            if (range.root == root && range.has(key)) {
                return true;
            }
        }
        return false;
    }

    /// Moves `cursor`, which stands on an entry if `found`, on to one that is not hidden; false if there is none.
    boolean pass(long root, EntryCursor cursor, boolean found, boolean ahead) {
        boolean stands = found;
        int i = 0;
        while (stands && i < ranges.size()) {
            Range range = ranges.get(i++);
            if (range.root == root
                    && cursor.compareKeyTo(range.from) >= 0
                    && (range.to == null || cursor.compareKeyTo(range.to) < 0)) {
                stands = leave(range, cursor, ahead);
                i = 0; // another one may be here
            }
        }
        return stands;
    }

    private static boolean leave(Range range, EntryCursor cursor, boolean ahead) {
        if (!ahead) {
            return cursor.seekBefore(range.from);
        }
        if (range.to != null) {
            return cursor.seek(range.to);
        }
        cursor.leave();
        return false;
    }

    /// Number of entries from `low` to `high` (null for the end) in `snapshot` that are not hidden; an estimate
    /// unless `exactly`.
    long count(TreeRanges snapshot, long root, Slice low, @Nullable Slice high, boolean exactly) {
        long count = 0;
        @Nullable Slice at = low;
        while (at != null && (high == null || Slice.compare(at, high) < 0)) {
            Range next = nextFrom(root, at);
            Slice end = next == null || isBefore(high, next.from) ? high : next.from;
            if (end == null || Slice.compare(at, end) < 0) {
                count += exactly ? snapshot.count(root, at, end) : snapshot.estimate(root, at, end);
            }
            at = next == null ? null : next.to;
        }
        return count;
    }

    private static boolean isBefore(@Nullable Slice high, Slice key) {
        return high != null && Slice.compare(high, key) < 0;
    }

    /// The first range that ends after `key`; null if there is none.
    private @Nullable Range nextFrom(long root, Slice key) {
        Range next = null;
        for (Range range : ranges) {
            if (range.root == root
                    && (range.to == null || Slice.compare(range.to, key) > 0)
                    && (next == null || Slice.compare(range.from, next.from) < 0)) {
                next = range;
            }
        }
        return next;
    }

    /// Removes the ranges from the real trees.
    ///
    /// @param between called after each; nothing is half done then
    void apply(TreeEditor target, Runnable between) {
        for (Range range : ranges) {
            long _ = target.deleteRange(range.root, range.from, range.to);
            between.run();
        }
    }

    void clear() {
        ranges.clear();
    }
}
