package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Removes all entries of a range from a tree. Leaves wholly in the range are freed after a look at their counts
/// and overflowing values; none of their entries is moved, and no page is copied.
///
/// It proceeds from branch to branch on the level above the leaves.
/// ```
/// | a b c | d e f | g h i | j k l |      delete from b to k
///
/// | a     |       | j k l |              first leaf trimmed; d..i one empty leaf with their bounds
/// | a | k l |                            merged if that fits; then the next branch
/// ```
///
/// The empty leaf keeps the fences of its neighbours unchanged, so no page's prefix changes before [TreeMerger]
/// has checked that its cells have room.
final class RangeDelete {
    private final PageSpace writer;
    private final Pages pages;
    private final TreePath path;
    private final TreeMerger merger;

    /// Key before which all entries of the range have been removed.
    private final Slice position = new Slice();

    /// Memory for the end of the range; `end` is null if it has none.
    private final Slice endMemory = new Slice();

    private @Nullable Slice end;

    /// Fences of the last run of leaves.
    private final Slice low = new Slice();

    private final Slice high = new Slice();
    private final Slice fence = new Slice();

    RangeDelete(PageSpace writer, TreePath path, TreeMerger merger) {
        this.writer = writer;
        this.pages = writer.pages;
        this.path = path;
        this.merger = merger;
    }

    /// Removes the entries from `from` (inclusive) to `to` (exclusive; null for the end of the tree), and returns
    /// their number.
    long run(long root, Slice from, @Nullable Slice to) {
        position.setCopy(from);
        end = to == null ? null : endMemory.setCopy(to);
        long removed = 0;
        boolean more = to == null || Slice.compare(from, to) < 0;
        while (more) {
            path.descend(pages, root, position);
            copyFences(path.leaf());
            removed += step();
            merger.shrink(root, low, true);
            merger.shrink(root, position, true);
            more = high.length() >= 0 && (end == null || Slice.compare(high, end) < 0);
            if (more) {
                position.setCopy(high);
            }
        }
        return removed;
    }

    /// Removes the range's entries from the leaf at the end of the path, and from the following leaves below the
    /// same branch that lie wholly in the range.
    private long step() {
        boolean toItsEnd = isInRange(high);
        boolean whole = toItsEnd && Slice.compare(position, low) <= 0;
        if (path.depth == 0) {
            return trim(toItsEnd);
        }
        long removed = whole ? 0 : trim(toItsEnd);
        if (toItsEnd) {
            int index = path.indexes[path.depth - 1];
            removed += clear(path.pages[path.depth - 1], whole ? index : index + 1);
        }
        return removed;
    }

    /// Whether a page with this upper fence ends inside the range.
    private boolean isInRange(Slice upperFence) {
        Slice to = end;
        return to == null || (upperFence.length() >= 0 && Slice.compare(upperFence, to) <= 0);
    }

    /// Removes the entries of the leaf from the position on, up to its end or the end of the range.
    private int trim(boolean toItsEnd) {
        long leaf = path.leaf();
        pages.locate(leaf);
        Slice to = end;
        int from = firstNotLess(position);
        int stop = toItsEnd || to == null ? Page.count(pages.segment, pages.at) : firstNotLess(to);
        if (from >= stop) {
            return 0;
        }
        Overflow.freeAll(writer, leaf, from, stop);
        writer.touch(leaf);
        Node.remove(pages.segment, pages.at, from, stop);
        return stop - from;
    }

    private int firstNotLess(Slice key) {
        int found = Node.search(pages.segment, pages.at, key.segment(), key.offset(), key.length());
        return found >= 0 ? found : -1 - found;
    }

    /// Replaces the children of `parent` from `first` on that end inside the range by one empty leaf; returns the
    /// number of their entries.
    private long clear(long parent, int first) {
        int behind = childrenInRange(parent, first);
        if (behind == first) {
            return 0;
        }
        long removed = 0;
        long kept = 0;
        long link = 0;
        for (int i = first; i < behind; i++) {
            pages.locate(parent);
            long leaf = TreePath.locateChild(pages, path.pages[0], i, fence);
            int count = Page.count(pages.segment, pages.at);
            link = Page.link(pages.segment, pages.at);
            removed += count;
            if (Page.kind(pages.segment, pages.at) != Page.LEAF) {
                throw TreeReader.damaged(path.pages[0], leaf);
            }
            if (i == first) {
                kept = leaf;
                copyLow();
            }
            if (i == behind - 1) {
                copyHigh();
            }
            Overflow.freeAll(writer, leaf, 0, count);
            if (i > first) {
                writer.free(leaf);
            }
        }
        writer.touch(parent);
        Node.remove(pages.segment, pages.at, first, behind - 1);
        writer.touch(kept);
        Node.clear(pages.segment, pages.at, low, high);
        Page.setLink(pages.segment, pages.at, link);
        return removed;
    }

    /// Returns the index after the last child of `parent` that ends inside the range; `first` if there is none.
    private int childrenInRange(long parent, int first) {
        pages.locate(parent);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        Slice to = end;
        int count = Page.count(segment, at);
        int behind = first;
        while (behind < count && (to == null || Node.compareKey(segment, at, behind, to) <= 0)) {
            behind++;
        }
        if (behind == count) {
            Node.high(segment, at, fence);
            return isInRange(fence) ? count + 1 : count;
        }
        return behind;
    }

    private void copyFences(long leaf) {
        pages.locate(leaf);
        copyLow();
        copyHigh();
    }

    private void copyLow() {
        Node.low(pages.segment, pages.at, fence);
        low.setCopy(fence);
    }

    private void copyHigh() {
        Node.high(pages.segment, pages.at, fence);
        if (fence.length() < 0) {
            high.set(MemorySegment.NULL, 0, -1);
        } else {
            high.setCopy(fence);
        }
    }
}
