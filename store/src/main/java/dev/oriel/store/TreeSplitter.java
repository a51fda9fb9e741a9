package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// Makes room in trees, one page at a time.
///
/// A page that has no room is split from above: the topmost page on the path whose parent has room
/// for what goes up is split first, and the caller descends again; so a parent always has room for
/// the separator that its child's split sends up. The root keeps its page number: its content moves
/// to a new child.
///
/// Where keys come in ascending or descending order, a page is cut at the place of the new entry, so
/// that what is behind stays full.
final class TreeSplitter {
    private final PageWriter writer;
    private final Pages pages;
    private final Redistribution redistribution;

    TreeSplitter(PageWriter writer, Redistribution redistribution) {
        this.writer = writer;
        this.pages = writer.pages;
        this.redistribution = redistribution;
    }

    /// Makes room for `key` on the path to it, or above: the caller descends again and looks whether
    /// there is enough. `slot` is where the key belongs in the leaf; `order` is positive where it
    /// continues an ascending run of inserts, negative for a descending one, else 0.
    void makeRoom(TreePath path, Slice key, int slot, int order) {
        int level = path.depth;
        pages.locate(path.leaf());
        int count = Page.count(pages.segment, pages.at);
        boolean ascending = slot == count && (order > 0 || Page.link(pages.segment, pages.at) == 0);
        boolean descending =
                slot == 0 && (order < 0 || Node.lowLength(pages.segment, pages.at) == 0);
        int direction = ascending ? 1 : descending ? -1 : order;
        if (level > 0) {
            planLeaf(path, key, slot, direction);
        }
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

    private void planLeaf(TreePath path, Slice key, int slot, int direction) {
        int parent = path.depth - 1;
        redistribution.gather(path.pages[parent], path.indexes[parent], 1);
        if (direction != 0 && redistribution.planCut(slot, key, direction > 0)) {
            return;
        }
        demand(redistribution.planEven(2), path.leaf());
    }

    /// A branch at the edge of the tree keeps all but two of its children, so that ascending and
    /// descending keys fill branches too.
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

    /// Cells and keys are short enough that half of any full page fits between any fences.
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
