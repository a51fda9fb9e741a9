package dev.oriel.store.tree;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// Makes room in trees, one step at a time.
///
/// A full leaf first checks its neighbours below the same branch. If one has a fifth free, the two are evened
/// out; otherwise the two become three. So leaves are at least two thirds full, and four fifths on average, with
/// random keys. With ascending or descending keys, a leaf is cut at the place of the new entry, and the filled
/// side stays full.
///
/// A branch is split in two. Splits begin at the top. The topmost page on the path whose parent has room for a
/// separator is split first, and the caller descends again. So a parent always has room for its child's
/// separator. The root keeps its page number: its content moves to a new child.
final class TreeSplitter {
    /// Minimum room at a neighbour for evening out; less is soon used up, and evening out would recur.
    private static final int SHIFT_BYTES_MIN = Node.ROOM / 5;

    private final PageSpace writer;
    private final Pages pages;
    private final Redistribution redistribution;

    TreeSplitter(PageSpace writer, Redistribution redistribution) {
        this.writer = writer;
        this.pages = writer.pages;
        this.redistribution = redistribution;
    }

    /// Makes room for an entry of `key` on the path to it, or above. The caller descends again and checks whether
    /// there is enough.
    ///
    /// @param slot insertion point of the key in the leaf
    /// @param bytes maximum size of the entry
    /// @param order positive if it continues an ascending run of inserts, negative for a descending one, else 0
    void makeRoom(TreePath path, Slice key, int slot, int bytes, int order) {
        int level = path.depth;
        pages.locate(path.leaf());
        int count = Page.count(pages.segment, pages.at);
        boolean ascending = slot == count && (order > 0 || Page.link(pages.segment, pages.at) == 0);
        boolean descending =
                slot == 0 && (order < 0 || Node.lowLength(pages.segment, pages.at) == 0);
        int direction = ascending ? 1 : descending ? -1 : order;
        if (level > 0) {
            planLeaf(path, key, slot, bytes, direction);
        }
        apply(path, direction);
    }

    /// Cuts a leaf before `slot`, between the keys `left` and `right`, or makes room for that above. The caller descends
    /// again. Returns false if the leaf has no room for its longer fences.
    boolean cutLeaf(TreePath path, int slot, Slice left, Slice right) {
        int level = path.depth;
        if (level > 0) {
            redistribution.gather(path.pages[level - 1], path.indexes[level - 1], 1);
            if (!redistribution.planCut(slot, left, right)) {
                return false;
            }
        }
        apply(path, 0);
        return true;
    }

    /// Carries out the plan for the leaf, or for the topmost page on the path whose parent has room for a separator.
    private void apply(TreePath path, int direction) {
        int level = path.depth;
        while (level > 0 && !redistribution.fitsParent()) {
            level--;
            if (level > 0) {
                planBranch(path, level, direction);
            }
        }
        if (level == 0) {
            growRoot(path.pages[0]);
        } else {
            redistribution.apply();
        }
    }

    private void planLeaf(TreePath path, Slice key, int slot, int bytes, int direction) {
        long parent = path.pages[path.depth - 1];
        int index = path.indexes[path.depth - 1];
        if (direction != 0 && planInOrder(path, key, slot, direction)) {
            return;
        }
        if (planWithNeighbour(parent, index, bytes)) {
            return;
        }
        redistribution.gather(parent, index, 1);
        demand(redistribution.planEven(2), path.leaf());
    }

    /// Plans a cut at the run of inserts. Entries in its way are moved out; if there are none, the run goes on in
    /// a new page.
    private boolean planInOrder(TreePath path, Slice key, int slot, int direction) {
        pages.locate(path.leaf());
        boolean last = slot == Page.count(pages.segment, pages.at);
        boolean right = direction > 0 ? last : slot > 0;
        redistribution.gather(path.pages[path.depth - 1], path.indexes[path.depth - 1], 1);
        return redistribution.planCut(slot, key, right);
    }

    private boolean planWithNeighbour(long parent, int index, int bytes) {
        pages.locate(parent);
        int count = Page.count(pages.segment, pages.at);
        if (count == 0) {
            return false;
        }
        int left = index > 0 ? freeOf(parent, index - 1) : -1;
        int right = index < count ? freeOf(parent, index + 1) : -1;
        redistribution.gather(parent, left > right ? index - 1 : index, 2);
        boolean shifts =
                Math.max(left, right) >= SHIFT_BYTES_MIN
                        && redistribution.planEven(2)
                        && redistribution.leastFree() >= bytes;
        return shifts || redistribution.planEven(3);
    }

    private int freeOf(long parent, int index) {
        pages.locate(parent);
        pages.locate(Node.child(pages.segment, pages.at, index));
        return Node.free(pages.segment, pages.at);
    }

    /// Plans the split of a branch. At the edge of the tree it keeps all but two of its children, so that
    /// ascending and descending keys fill branches too.
    private void planBranch(TreePath path, int level, int direction) {
        redistribution.gather(path.pages[level - 1], path.indexes[level - 1], 1);
        pages.locate(path.pages[level]);
        int count = Page.count(pages.segment, pages.at);
        int index = path.indexes[level];
        boolean last = direction > 0 && index == count;
        boolean first = direction < 0 && index == 0;
        if ((last || first) && redistribution.planCut(last ? count - 2 : 1)) {
            return;
        }
        demand(redistribution.planEven(2), path.pages[level]);
    }

    /// Throws if there is no plan. In a sound page, half of the cells fit between any fences, because cells and
    /// keys are short enough.
    private static void demand(boolean planned, long page) {
        if (!planned) {
            throw new CorruptionException("A page is full and cannot be split", "page=" + page);
        }
    }

    /// Moves the root's content to a new child, its only one.
    private void growRoot(long root) {
        long child = writer.allocate();
        MemorySegment childSegment = pages.segment;
        long childAt = pages.at;
        writer.touch(root);
        MemorySegment.copy(pages.segment, pages.at, childSegment, childAt, Page.BYTES);
        childSegment.set(Page.LONG, childAt + Page.NUMBER, child);
        Node.format(pages.segment, pages.at, Page.BRANCH, root, new Slice(), Node.unbounded());
        Page.setLink(pages.segment, pages.at, child);
    }
}
