package dev.oriel.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Changes trees, for the open writing transaction: a B+tree whose leaves are linked to the right.
///
/// A page that has no room is split from above: the topmost page on the path that must be split is
/// split first, and the descent begins again; so a parent always has room for the separator that
/// its child's split sends up. The root keeps its page number: its content moves to a new child.
/// An entry beyond the last one splits off an empty page, so that ascending keys fill pages whole.
///
/// The leaf written last is remembered: while keys fall between its fences, there is no descent.
final class TreeEditor {
    static final int KEY_BYTES_MAX = 1000;

    /// A longer cell overflows. At least three such cells fit between two fences of greatest length.
    static final int CELL_BYTES_MAX = 2000;

    private final PageWriter writer;
    private final Pages pages;
    private final long[] pathPages = new long[TreeReader.DEPTH_MAX];
    private final int[] pathIndexes = new int[TreeReader.DEPTH_MAX];
    private int depth;
    private long fingerRoot;
    private long fingerLeaf;

    private final MemorySegment work = Arena.ofAuto().allocate(Page.BYTES, 8);
    private final MemorySegment keyWork = Arena.ofAuto().allocate(4L * KEY_BYTES_MAX, 8);
    private final Slice keyCopy = new Slice();
    private final Slice valueCopy = new Slice();
    private final Slice separator = new Slice();
    private final Slice low = new Slice();
    private final Slice high = new Slice();

    TreeEditor(PageWriter writer) {
        this.writer = writer;
        this.pages = writer.pages;
    }

    /// Forgets the finger: another transaction begins, or pages have been freed.
    void begin() {
        fingerRoot = 0;
    }

    /// Makes an empty tree and returns its root.
    long create() {
        long root = writer.allocate();
        Node.format(pages.segment, pages.at, Page.LEAF, root, new Slice(), Node.unbounded());
        return root;
    }

    /// Maps `key` to `value`; where the key exists and `replace` is not set, does nothing and
    /// returns false.
    boolean put(long root, Slice key, Slice value, boolean replace) {
        int slot = find(root, key);
        if (slot >= 0) {
            if (!replace) {
                return false;
            }
            if (overwrite(slot, value)) {
                return true;
            }
        }
        Slice steadyKey = steady(key, keyCopy);
        Slice steadyValue = steady(value, valueCopy);
        if (slot >= 0) {
            removeSlot(slot);
        }
        insert(root, steadyKey, steadyValue);
        return true;
    }

    /// `slice`, or a copy where it lies in the very page that is located and about to be changed: read
    /// from there before, by the same transaction.
    private Slice steady(Slice slice, Slice copy) {
        long distance =
                slice.segment().address() + slice.offset() - (pages.segment.address() + pages.at);
        boolean inside = distance >= 0 && distance < Page.BYTES;
        return inside ? copy.setCopy(slice) : slice;
    }

    /// Refuses what no leaf can hold; to be called before [#put].
    static void checkLengths(Slice key, Slice value) {
        if (key.length() > KEY_BYTES_MAX) {
            throw new LimitException(
                    "A key is longer than the store allows",
                    "bytes=" + key.length() + " max=" + KEY_BYTES_MAX);
        }
        if (value.length() > Overflow.VALUE_BYTES_MAX) {
            throw new LimitException(
                    "A value is longer than the store allows",
                    "bytes=" + value.length() + " max=" + Overflow.VALUE_BYTES_MAX);
        }
    }

    /// Removes `key`; false where there is none.
    boolean delete(long root, Slice key) {
        int slot = find(root, key);
        if (slot < 0) {
            return false;
        }
        removeSlot(slot);
        return true;
    }

    /// Locates the leaf of `key` and searches it, as [Node#search].
    private int find(long root, Slice key) {
        if (root != fingerRoot || !locateFinger(key)) {
            descend(root, key);
        }
        return Node.search(pages.segment, pages.at, key.segment(), key.offset(), key.length());
    }

    private boolean locateFinger(Slice key) {
        pages.locate(fingerLeaf);
        return Page.kind(pages.segment, pages.at) == Page.LEAF
                && Node.covers(pages.segment, pages.at, key);
    }

    private void descend(long root, Slice key) {
        long page = root;
        for (depth = 0; depth < TreeReader.DEPTH_MAX; depth++) {
            pages.locate(page);
            pathPages[depth] = page;
            byte kind = Page.kind(pages.segment, pages.at);
            if (kind == Page.LEAF) {
                fingerRoot = root;
                fingerLeaf = page;
                return;
            }
            if (kind != Page.BRANCH) {
                break;
            }
            int index =
                    Node.childIndex(
                            pages.segment, pages.at, key.segment(), key.offset(), key.length());
            pathIndexes[depth] = index;
            page = Node.child(pages.segment, pages.at, index);
        }
        throw TreeReader.damaged(root, page);
    }

    /// Replaces a value by one of the same length, in place.
    private boolean overwrite(int slot, Slice value) {
        if (Node.overflows(pages.segment, pages.at, slot)
                || Node.storedBytes(pages.segment, pages.at, slot) != value.length()) {
            return false;
        }
        writer.touch(fingerLeaf);
        MemorySegment.copy(
                value.segment(),
                value.offset(),
                pages.segment,
                Node.value(pages.segment, pages.at, slot),
                value.length());
        return true;
    }

    private void removeSlot(int slot) {
        if (Node.overflows(pages.segment, pages.at, slot)) {
            long valueAt = Node.value(pages.segment, pages.at, slot);
            Overflow.free(writer, pages.segment.get(Page.LONG, valueAt + 4));
        }
        writer.touch(fingerLeaf);
        Node.remove(pages.segment, pages.at, slot);
    }

    private void insert(long root, Slice key, Slice value) {
        boolean inline = Node.LEAF_CELL + key.length() + value.length() <= CELL_BYTES_MAX;
        long chain = inline ? 0 : Overflow.write(writer, value);
        int stored = inline ? value.length() : Overflow.REFERENCE_BYTES;
        int slot = -1 - find(root, key);
        while (true) {
            int suffix = key.length() - Node.prefix(pages.segment, pages.at);
            int bytes = Node.LEAF_CELL + suffix + stored;
            int wanted = bytes + Node.SLOT_BYTES;
            int gap = Node.gap(pages.segment, pages.at);
            if (gap + Node.dead(pages.segment, pages.at) >= wanted) {
                writer.touch(fingerLeaf);
                if (gap < wanted) {
                    Node.compact(pages.segment, pages.at, work);
                }
                long cell = Node.open(pages.segment, pages.at, slot, key, bytes, Node.LEAF_CELL);
                fill(cell, suffix, value, inline, chain);
                return;
            }
            descend(root, key);
            makeRoom(key, slot);
            descend(root, key);
            slot =
                    -1
                            - Node.search(
                                    pages.segment,
                                    pages.at,
                                    key.segment(),
                                    key.offset(),
                                    key.length());
        }
    }

    private void fill(long cell, int suffix, Slice value, boolean inline, long chain) {
        MemorySegment segment = pages.segment;
        long valueAt = cell + Node.LEAF_CELL + suffix;
        if (inline) {
            Page.setShort(segment, cell, value.length());
            MemorySegment.copy(value.segment(), value.offset(), segment, valueAt, value.length());
        } else {
            Page.setShort(segment, cell, Overflow.REFERENCE_BYTES | Node.OVERFLOW_BIT);
            segment.set(Page.INT, valueAt, value.length());
            segment.set(Page.LONG, valueAt + 4, chain);
        }
    }

    /// Splits one page on the path to `key`: the leaf, or the lowest page above it whose parent has
    /// room for the separator, or the root. `slot` is where the key belongs in the leaf.
    private void makeRoom(Slice key, int slot) {
        pages.locate(pathPages[depth]);
        boolean append =
                Page.link(pages.segment, pages.at) == 0
                        && slot == Page.count(pages.segment, pages.at);
        int level = depth;
        while (true) {
            int at = planSplit(level, key, append);
            if (level == 0) {
                growRoot();
                return;
            }
            pages.locate(pathPages[level - 1]);
            int suffix = separator.length() - Node.prefix(pages.segment, pages.at);
            int room = Node.gap(pages.segment, pages.at) + Node.dead(pages.segment, pages.at);
            if (room >= Node.BRANCH_CELL + suffix + Node.SLOT_BYTES) {
                split(level, at);
                return;
            }
            level--;
        }
    }

    /// Decides where to split the page at `level` and puts the separator into [#separator].
    private int planSplit(int level, Slice key, boolean append) {
        pages.locate(pathPages[level]);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        int count = Page.count(segment, at);
        if (Page.kind(segment, at) == Page.BRANCH) {
            int middle = append ? count - 1 : halfOf(segment, at, count);
            separator.set(keyWork, 0, Node.copyKey(segment, at, middle, keyWork, 0));
            return middle;
        }
        if (append) {
            Slice last =
                    new Slice().set(keyWork, 0, Node.copyKey(segment, at, count - 1, keyWork, 0));
            int length = Node.common(last, key) + 1;
            separator.set(key.segment(), key.offset(), length);
            // The left page must have room for its new upper fence.
            if (Node.gap(segment, at) + Node.dead(segment, at) >= length) {
                return count;
            }
        }
        int first = append ? count - 1 : halfOf(segment, at, count);
        int before = Node.copyKey(segment, at, first - 1, keyWork, 0);
        int length = Node.copyKey(segment, at, first, keyWork, before);
        Slice left = new Slice().set(keyWork, 0, before);
        separator.set(keyWork, before, length);
        separator.set(keyWork, before, Node.common(left, separator) + 1);
        return first;
    }

    /// The slot that has half of the bytes before it; neither the first nor beyond the last.
    private static int halfOf(MemorySegment segment, long at, int count) {
        int half = Node.used(segment, at) / 2;
        int bytes = 0;
        int slot = 0;
        while (slot < count - 1 && bytes < half) {
            bytes += Node.cellBytes(segment, at, slot) + Node.SLOT_BYTES;
            slot++;
        }
        return Math.max(1, slot);
    }

    /// Moves the root's content to a new child, its only one.
    private void growRoot() {
        long root = pathPages[0];
        long child = writer.allocate();
        MemorySegment childSegment = pages.segment;
        long childAt = pages.at;
        writer.touch(root);
        MemorySegment.copy(pages.segment, pages.at, childSegment, childAt, Page.BYTES);
        childSegment.set(Page.LONG, childAt + Page.NUMBER, child);
        Node.format(pages.segment, pages.at, Page.BRANCH, root, new Slice(), Node.unbounded());
        Page.setLink(pages.segment, pages.at, child);
    }

    /// Splits the page at `level` before slot `first`; of a branch, that slot's key goes up and its
    /// child becomes the right page's first.
    private void split(int level, int first) {
        long left = pathPages[level];
        long right = writer.allocate();
        MemorySegment rightSegment = pages.segment;
        long rightAt = pages.at;
        writer.touch(left);
        MemorySegment leftSegment = pages.segment;
        long leftAt = pages.at;
        MemorySegment.copy(leftSegment, leftAt, work, 0, Page.BYTES);
        int count = Page.count(work, 0);
        byte kind = Page.kind(work, 0);
        boolean branch = kind == Page.BRANCH;
        Node.low(work, 0, low);
        Node.high(work, 0, high);
        MemorySegment cellKey = keyWork.asSlice(2L * KEY_BYTES_MAX);

        Node.format(rightSegment, rightAt, kind, right, separator, high);
        int rightFirst = branch ? first + 1 : first;
        Node.appendCells(work, 0, rightFirst, count, rightSegment, rightAt, cellKey);
        long rightLink = branch ? Node.child(work, 0, first + 1) : Page.link(work, 0);
        Page.setLink(rightSegment, rightAt, rightLink);

        Node.format(leftSegment, leftAt, kind, left, low, separator);
        Node.appendCells(work, 0, 0, first, leftSegment, leftAt, cellKey);
        Page.setLink(leftSegment, leftAt, branch ? Page.link(work, 0) : right);

        writer.touch(pathPages[level - 1]);
        addChild(pathIndexes[level - 1], right);
    }

    /// Adds the separator and the child right of it to the branch that is located.
    private void addChild(int index, long child) {
        int suffix = separator.length() - Node.prefix(pages.segment, pages.at);
        int bytes = Node.BRANCH_CELL + suffix;
        if (Node.gap(pages.segment, pages.at) < bytes + Node.SLOT_BYTES) {
            Node.compact(pages.segment, pages.at, work);
        }
        long cell = Node.open(pages.segment, pages.at, index, separator, bytes, Node.BRANCH_CELL);
        pages.segment.set(Page.LONG, cell, child);
    }

    /// Frees all pages of a tree.
    void drop(long root) {
        dropBelow(root, 0);
        fingerRoot = 0;
    }

    private void dropBelow(long page, int level) {
        if (level == TreeReader.DEPTH_MAX) {
            throw TreeReader.damaged(page, page);
        }
        pages.locate(page);
        int count = Page.count(pages.segment, pages.at);
        byte kind = Page.kind(pages.segment, pages.at);
        for (int i = 0; kind == Page.BRANCH && i <= count; i++) {
            pages.locate(page);
            dropBelow(Node.child(pages.segment, pages.at, i), level + 1);
        }
        for (int i = 0; kind == Page.LEAF && i < count; i++) {
            pages.locate(page);
            if (Node.overflows(pages.segment, pages.at, i)) {
                long valueAt = Node.value(pages.segment, pages.at, i);
                Overflow.free(writer, pages.segment.get(Page.LONG, valueAt + 4));
            }
        }
        writer.free(page);
    }
}
