package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// The path from a root down to a leaf: the pages, and the index of the child taken in each. It is valid until
/// the tree's pages change.
public final class TreePath {
    public final long[] pages = new long[TreeReader.DEPTH_MAX];
    public final int[] indexes = new int[TreeReader.DEPTH_MAX];

    /// Level of the leaf; the root has level 0.
    public int depth;

    /// Whether the fences of each child are compared with the separators beside it: a change of the tree must not
    /// go by a page that belongs elsewhere.
    private final boolean exact;

    private final Slice fence = new Slice();

    public TreePath(boolean exact) {
        this.exact = exact;
    }

    /// Goes to the leaf for `key`, and leaves it located.
    public void descend(Pages at, long root, Slice key) {
        long page = root;
        at.locate(page);
        for (depth = 0; depth < TreeReader.DEPTH_MAX; depth++) {
            pages[depth] = page;
            if (Page.kind(at.segment, at.at) == Page.LEAF) {
                TreeReader.checkFences(at, root, page, key);
                return;
            }
            TreeReader.checkBranch(at, root, page, key);
            int index =
                    Node.childIndex(at.segment, at.at, key.segment(), key.offset(), key.length());
            page = enter(at, root, index);
        }
        throw TreeReader.damaged(root, page);
    }

    /// Goes to the last leaf.
    void descendToEnd(Pages at, long root) {
        long page = root;
        at.locate(page);
        for (depth = 0; depth < TreeReader.DEPTH_MAX; depth++) {
            pages[depth] = page;
            byte kind = Page.kind(at.segment, at.at);
            boolean node = kind == Page.LEAF || kind == Page.BRANCH;
            if (!node || Node.highLength(at.segment, at.at) >= 0) {
                break;
            }
            if (kind == Page.LEAF) {
                return;
            }
            page = enter(at, root, Page.count(at.segment, at.at));
        }
        throw TreeReader.damaged(root, page);
    }

    /// Goes from the located branch to its child `index`, and returns its number.
    private long enter(Pages at, long root, int index) {
        indexes[depth] = index;
        return exact
                ? locateChild(at, root, index, fence)
                : locateAny(at, Node.child(at.segment, at.at, index));
    }

    private static long locateAny(Pages at, long page) {
        at.locate(page);
        return page;
    }

    /// Locates child `index` of the located branch, and returns its number.
    ///
    /// @param fence working memory
    /// @throws dev.oriel.store.CorruptionException if the child's fences differ from the branch's separators
    static long locateChild(Pages at, long root, int index, Slice fence) {
        MemorySegment branch = at.segment;
        long branchAt = at.at;
        long child = Node.child(branch, branchAt, index);
        at.locate(child);
        byte kind = Page.kind(at.segment, at.at);
        boolean node = kind == Page.LEAF || kind == Page.BRANCH;
        if (!node || !hasFences(at, branch, branchAt, index, fence)) {
            throw TreeReader.damaged(root, child);
        }
        return child;
    }

    private static boolean hasFences(
            Pages at, MemorySegment branch, long branchAt, int index, Slice fence) {
        Node.low(at.segment, at.at, fence);
        boolean low =
                index == 0
                        ? isFence(
                                fence,
                                branch,
                                Node.fences(branch, branchAt),
                                Node.lowLength(branch, branchAt))
                        : isSeparator(fence, branch, branchAt, index - 1);
        if (!low) {
            return false;
        }
        Node.high(at.segment, at.at, fence);
        int high = Node.highLength(branch, branchAt);
        return index == Page.count(branch, branchAt)
                ? isFence(fence, branch, branchAt + Page.BYTES - Math.max(0, high), high)
                : isSeparator(fence, branch, branchAt, index);
    }

    private static boolean isFence(Slice fence, MemorySegment branch, long from, int bytes) {
        return fence.length() == bytes
                && Slice.compare(fence.segment(), fence.offset(), bytes, branch, from, bytes) == 0;
    }

    private static boolean isSeparator(Slice fence, MemorySegment branch, long branchAt, int slot) {
        return fence.length() >= Node.prefix(branch, branchAt)
                && Node.compareKey(branch, branchAt, slot, fence) == 0;
    }

    public long leaf() {
        return pages[depth];
    }
}
