package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// Finds keys in trees, for one transaction. Never allocates, but for values that overflow, which
/// are copied together into memory of the slice that receives them.
final class TreeReader {
    /// More levels than any tree of 2^48 pages has: what descends further goes in circles.
    static final int DEPTH_MAX = 32;

    private final Pages pages;

    TreeReader(Pages pages) {
        this.pages = pages;
    }

    /// Locates the leaf that holds `key` if any does, and returns its number.
    long leafOf(long root, Slice key) {
        long page = root;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            pages.locate(page);
            byte kind = Page.kind(pages.segment, pages.at);
            if (kind == Page.LEAF) {
                return page;
            }
            if (kind != Page.BRANCH) {
                break;
            }
            int index =
                    Node.childIndex(
                            pages.segment, pages.at, key.segment(), key.offset(), key.length());
            page = Node.child(pages.segment, pages.at, index);
        }
        throw damaged(root, page);
    }

    /// Locates the leaf that holds the greatest key less than `key`, if it holds one.
    long leafBefore(long root, Slice key) {
        long page = root;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            pages.locate(page);
            byte kind = Page.kind(pages.segment, pages.at);
            if (kind == Page.LEAF) {
                return page;
            }
            if (kind != Page.BRANCH) {
                break;
            }
            int found =
                    Node.search(pages.segment, pages.at, key.segment(), key.offset(), key.length());
            page = Node.child(pages.segment, pages.at, found >= 0 ? found : -1 - found);
        }
        throw damaged(root, page);
    }

    /// Locates the first leaf, or the last one.
    long outermostLeaf(long root, boolean last) {
        long page = root;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            pages.locate(page);
            byte kind = Page.kind(pages.segment, pages.at);
            if (kind == Page.LEAF) {
                return page;
            }
            if (kind != Page.BRANCH) {
                break;
            }
            page =
                    Node.child(
                            pages.segment,
                            pages.at,
                            last ? Page.count(pages.segment, pages.at) : 0);
        }
        throw damaged(root, page);
    }

    boolean get(long root, Slice key, Slice value) {
        leafOf(root, key);
        return getInLeaf(pages.segment, pages.at, key, value);
    }

    /// As [#get], in the leaf where `key` belongs.
    boolean getInLeaf(MemorySegment segment, long at, Slice key, Slice value) {
        int slot = Node.search(segment, at, key.segment(), key.offset(), key.length());
        if (slot < 0) {
            return false;
        }
        value(segment, at, slot, value);
        return true;
    }

    /// Points `out` at the value in `slot` of a leaf.
    void value(MemorySegment segment, long at, int slot, Slice out) {
        long word = Node.word(segment, at, slot);
        long cell = at + Node.cellOffset(word);
        int stored = Page.unsignedShort(segment, cell);
        long valueAt = cell + Node.LEAF_CELL + Node.suffixLength(word);
        if ((stored & Node.OVERFLOW_BIT) == 0) {
            out.set(segment, valueAt, stored);
            return;
        }
        int length = segment.get(Page.INT, valueAt);
        if (length < 0 || length > Overflow.VALUE_BYTES_MAX) {
            throw new CorruptionException("A value has no possible length", "bytes=" + length);
        }
        out.setOwn(length);
        Overflow.read(pages, segment.get(Page.LONG, valueAt + 4), length, out.segment());
    }

    static CorruptionException damaged(long root, long page) {
        return new CorruptionException(
                "A tree leads to a page that is not part of it", "root=" + root + " page=" + page);
    }
}
