package dev.oriel.store.tree;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// Finds keys in trees, for one transaction. Never allocates, except for overflowing values, which are assembled
/// in memory of the receiving slice.
public final class TreeReader {
    /// Maximum depth, more than any tree of 2^48 pages has: a longer descent is a cycle.
    public static final int DEPTH_MAX = 32;

    private final Pages pages;
    private final Slice fence = new Slice();

    public TreeReader(Pages pages) {
        this.pages = pages;
    }

    /// Locates the leaf for `key`, and returns its number.
    ///
    /// @throws CorruptionException if `key` does not lie between the fences of the leaf reached
    public long leafOf(long root, Slice key) {
        long page = descend(root, key);
        checkFences(pages, root, page, key);
        return page;
    }

    /// Locates the leaf for `key`; returns the slot of `key`, or `-1 - i` if `i` is the first slot of a greater
    /// key. A key between two keys of the leaf needs no fence check.
    public int search(long root, Slice key) {
        long page = descend(root, key);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        long lengths = Node.lengths(segment, at);
        if (!Node.hasPrefix(segment, at, lengths, key)) {
            throw damaged(root, page);
        }
        int prefix = Node.prefix(lengths);
        int found = Node.search(segment, at, prefix, key.segment(), key.offset(), key.length());
        if (found == -1 || found == -1 - Page.count(segment, at)) {
            checkFences(pages, root, page, key);
        }
        return found;
    }

    private long descend(long root, Slice key) {
        long page = root;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            pages.locate(page);
            MemorySegment segment = pages.segment;
            long at = pages.at;
            if (Page.kind(segment, at) == Page.LEAF) {
                return page;
            }
            checkBranch(pages, root, page, key);
            int index = Node.childIndex(segment, at, key.segment(), key.offset(), key.length());
            page = Node.child(segment, at, index);
        }
        throw damaged(root, page);
    }

    /// Locates the leaf that would hold the predecessor of `key`.
    long leafBefore(long root, Slice key) {
        long page = root;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            pages.locate(page);
            byte kind = Page.kind(pages.segment, pages.at);
            if (kind == Page.LEAF) {
                checkFencesBefore(root, page, key);
                return page;
            }
            checkBranch(pages, root, page, key);
            int found =
                    Node.search(pages.segment, pages.at, key.segment(), key.offset(), key.length());
            page = Node.child(pages.segment, pages.at, found >= 0 ? found : -1 - found);
        }
        throw damaged(root, page);
    }

    /// Locates the leaf that ends at `low`, the lower fence of its right neighbour.
    public long leafEndingAt(long root, Slice low) {
        long page = leafBefore(root, low);
        Node.high(pages.segment, pages.at, fence);
        if (fence.length() < 0 || Slice.compare(low, fence) != 0) {
            throw damaged(root, page);
        }
        return page;
    }

    /// Locates the first leaf, or the last one.
    public long outermostLeaf(long root, boolean last) {
        long page = root;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            pages.locate(page);
            MemorySegment segment = pages.segment;
            long at = pages.at;
            byte kind = Page.kind(segment, at);
            boolean outermost =
                    last ? Node.highLength(segment, at) < 0 : Node.lowLength(segment, at) == 0;
            if (!outermost || (kind != Page.LEAF && kind != Page.BRANCH)) {
                break;
            }
            if (kind == Page.LEAF) {
                return page;
            }
            page = Node.child(segment, at, last ? Page.count(segment, at) : 0);
        }
        throw damaged(root, page);
    }

    /// Throws unless the page located by `pages` is a branch that may contain `key`: a search compares only the bytes
    /// after the prefix.
    static void checkBranch(Pages pages, long root, long page, Slice key) {
        boolean branch = Page.kind(pages.segment, pages.at) == Page.BRANCH;
        if (!branch || key.length() < Node.prefix(pages.segment, pages.at)) {
            throw damaged(root, page);
        }
    }

    /// Moves `pages` from a leaf to its right sibling, and returns its number.
    static long toNextLeaf(Pages pages, long root) {
        MemorySegment segment = pages.segment;
        long at = pages.at;
        long next = Page.link(segment, at);
        pages.locate(next);
        checkFollows(pages, root, segment, at);
        return next;
    }

    /// Throws if the page that `pages` has located is not the right sibling of the leaf at `at`, with a matching
    /// fence. So a scan from leaf to leaf meets keys in order, and ends.
    static void checkFollows(Pages pages, long root, MemorySegment segment, long at) {
        int bytes = Node.highLength(segment, at);
        boolean follows =
                Page.kind(pages.segment, pages.at) == Page.LEAF
                        && bytes >= 0
                        && bytes == Node.lowLength(pages.segment, pages.at)
                        && Slice.compare(
                                        segment,
                                        at + Page.BYTES - bytes,
                                        bytes,
                                        pages.segment,
                                        Node.fences(pages.segment, pages.at),
                                        bytes)
                                == 0;
        if (!follows) {
            throw damaged(root, Page.link(segment, at));
        }
    }

    /// Throws if `key` does not belong to the leaf that `pages` has located.
    static void checkFences(Pages pages, long root, long leaf, Slice key) {
        if (!Node.isAboveLow(pages.segment, pages.at, key)
                || !Node.isBelowHigh(pages.segment, pages.at, key)) {
            throw damaged(root, leaf);
        }
    }

    /// Throws if `key` does not belong to the leaf, which may end at `key`.
    private void checkFencesBefore(long root, long leaf, Slice key) {
        boolean first = Node.lowLength(pages.segment, pages.at) == 0;
        Node.high(pages.segment, pages.at, fence);
        boolean ends = fence.length() >= 0 && Slice.compare(key, fence) > 0;
        Node.low(pages.segment, pages.at, fence);
        if (ends || (!first && Slice.compare(fence, key) >= 0)) {
            throw damaged(root, leaf);
        }
    }

    public boolean get(long root, Slice key, Slice value) {
        int slot = search(root, key);
        if (slot >= 0) {
            value(pages.segment, pages.at, slot, value);
        }
        return slot >= 0;
    }

    /// Like [#get], in the leaf for `key`.
    public boolean getInLeaf(MemorySegment segment, long at, Slice key, Slice value) {
        int slot = Node.search(segment, at, key.segment(), key.offset(), key.length());
        if (slot < 0) {
            return false;
        }
        value(segment, at, slot, value);
        return true;
    }

    /// Points `out` at the value in `slot` of a leaf.
    public void value(MemorySegment segment, long at, int slot, Slice out) {
        long word = Node.word(segment, at, slot);
        long cell = at + Node.cellOffset(word);
        int stored = Page.unsignedShort(segment, cell);
        long valueAt = cell + Node.LEAF_CELL + Node.suffixLength(word);
        if ((stored & Node.OVERFLOW_BIT) == 0) {
            out.set(segment, valueAt, stored);
            return;
        }
        Overflow.read(pages, segment, valueAt, out);
    }

    /// Points `out` at the first bytes of the value in `slot` of a leaf, in place.
    void valueHead(MemorySegment segment, long at, int slot, Slice out) {
        long word = Node.word(segment, at, slot);
        long cell = at + Node.cellOffset(word);
        int stored = Page.unsignedShort(segment, cell);
        long valueAt = cell + Node.LEAF_CELL + Node.suffixLength(word);
        if ((stored & Node.OVERFLOW_BIT) == 0) {
            out.set(segment, valueAt, stored);
            return;
        }
        Overflow.readHead(pages, segment, valueAt, out);
    }

    /// Length of the value, wherever it lies.
    static int valueLength(MemorySegment segment, long at, int slot) {
        long word = Node.word(segment, at, slot);
        long cell = at + Node.cellOffset(word);
        int stored = Page.unsignedShort(segment, cell);
        return (stored & Node.OVERFLOW_BIT) == 0
                ? stored
                : segment.get(Page.INT, cell + Node.LEAF_CELL + Node.suffixLength(word));
    }

    static CorruptionException damaged(long root, long page) {
        return new CorruptionException(
                "A tree leads to a page that is not part of it", "root=" + root + " page=" + page);
    }
}
