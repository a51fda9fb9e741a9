package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// Keeps trees from thinning out. A page less than a quarter full is merged with a neighbour below the same
/// branch. If both do not fit one page, it takes over cells of the neighbour. A root with a single child takes
/// the child's content.
///
/// A merge may fail: prefixes get shorter in a page of a wider range, so that cells grow, and a longer separator
/// may not fit the parent. Then the page stays as it is, which is valid even when it is empty, until one of its
/// neighbours has lost more.
final class TreeMerger {
    static final int QUARTER = Node.ROOM / 4;

    private final PageSpace writer;
    private final Pages pages;
    private final TreePath path;
    private final Redistribution redistribution;

    TreeMerger(PageSpace writer, TreePath path, Redistribution redistribution) {
        this.writer = writer;
        this.pages = writer.pages;
        this.path = path;
        this.redistribution = redistribution;
    }

    /// Whether the located node is less than a quarter full.
    boolean isThin() {
        return Node.used(pages.segment, pages.at) < QUARTER;
    }

    /// Merges the thin pages on the path to `key`, which must not lie in a page. Without `even`, a leaf that
    /// cannot be merged is left alone until it is empty: if entries are deleted in order, it soon is.
    void shrink(long root, Slice key, boolean even) {
        boolean changed;
        do {
            path.descend(pages, root, key);
            boolean evenLeaf = even || Page.count(pages.segment, pages.at) == 0;
            changed = collapseRoot(root);
            for (int level = path.depth; level > 0 && !changed; level--) {
                pages.locate(path.pages[level]);
                if (isThin()) {
                    changed = merge(level) || ((evenLeaf || level < path.depth) && even(level));
                }
            }
        } while (changed);
    }

    private boolean collapseRoot(long root) {
        if (path.depth == 0) {
            return false;
        }
        pages.locate(root);
        if (Page.count(pages.segment, pages.at) > 0) {
            return false;
        }
        long child = path.pages[1];
        writer.touch(root);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        pages.locate(child);
        MemorySegment.copy(pages.segment, pages.at, segment, at, Page.BYTES);
        segment.set(Page.LONG, at + Page.NUMBER, root);
        writer.free(child);
        return true;
    }

    private boolean merge(int level) {
        long parent = path.pages[level - 1];
        int index = path.indexes[level - 1];
        return mergeAt(parent, index) || (index > 0 && mergeAt(parent, index - 1));
    }

    private boolean mergeAt(long parent, int index) {
        if (!hasNeighbour(parent, index)) {
            return false;
        }
        int used = usedOf(parent, index) + usedOf(parent, index + 1);
        if (used > Node.ROOM) { // cells never shrink in a merge
            return false;
        }
        redistribution.gather(parent, index, 2);
        if (!redistribution.planEven(1)) {
            return false;
        }
        redistribution.apply();
        return true;
    }

    private boolean even(int level) {
        long parent = path.pages[level - 1];
        int index = path.indexes[level - 1];
        return evenAt(parent, index) || (index > 0 && evenAt(parent, index - 1));
    }

    /// Evens out with the right neighbour, only if neither page is thin afterwards; otherwise this would recur
    /// for ever.
    private boolean evenAt(long parent, int index) {
        if (!hasNeighbour(parent, index)) {
            return false;
        }
        redistribution.gather(parent, index, 2);
        if (!redistribution.planEven(2)
                || redistribution.leastUsed() < QUARTER
                || !redistribution.fitsParent()) {
            return false;
        }
        redistribution.apply();
        return true;
    }

    private boolean hasNeighbour(long parent, int index) {
        pages.locate(parent);
        return index < Page.count(pages.segment, pages.at);
    }

    private int usedOf(long parent, int index) {
        pages.locate(parent);
        pages.locate(Node.child(pages.segment, pages.at, index));
        return Node.used(pages.segment, pages.at);
    }
}
