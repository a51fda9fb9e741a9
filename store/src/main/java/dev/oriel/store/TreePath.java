package dev.oriel.store;

/// The way from a root down to a leaf: the pages, and which child was taken in each. It holds until
/// the tree's pages change.
final class TreePath {
    final long[] pages = new long[TreeReader.DEPTH_MAX];
    final int[] indexes = new int[TreeReader.DEPTH_MAX];

    /// Level of the leaf; that of the root is 0.
    int depth;

    /// Goes to the leaf that holds `key` if any does, and leaves it located.
    void descend(Pages at, long root, Slice key) {
        long page = root;
        for (depth = 0; depth < TreeReader.DEPTH_MAX; depth++) {
            if (enter(at, root, page)) {
                return;
            }
            int index =
                    Node.childIndex(at.segment, at.at, key.segment(), key.offset(), key.length());
            indexes[depth] = index;
            page = Node.child(at.segment, at.at, index);
        }
        throw TreeReader.damaged(root, page);
    }

    /// Goes to the last leaf.
    void descendToEnd(Pages at, long root) {
        long page = root;
        for (depth = 0; depth < TreeReader.DEPTH_MAX; depth++) {
            if (enter(at, root, page)) {
                return;
            }
            int index = Page.count(at.segment, at.at);
            indexes[depth] = index;
            page = Node.child(at.segment, at.at, index);
        }
        throw TreeReader.damaged(root, page);
    }

    /// Locates the next page of the path; whether it is a leaf.
    private boolean enter(Pages at, long root, long page) {
        at.locate(page);
        pages[depth] = page;
        byte kind = Page.kind(at.segment, at.at);
        if (kind != Page.LEAF && kind != Page.BRANCH) {
            throw TreeReader.damaged(root, page);
        }
        return kind == Page.LEAF;
    }

    long leaf() {
        return pages[depth];
    }
}
