package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.LoadedPages;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One level of a tree that is being filled ([TreeFill]): the entries of the next page, gathered until they no
/// longer fit into one. Then as many as fit become a page, and the few others begin the next. The prefix that a
/// page saves follows from its fences, and its upper fence from the first entry beyond it. So the number that fits
/// is known only then.
///
/// An entry of a branch is the lower fence and the number of a child. The first entry is the page's link, and its
/// key the lower fence of the page itself.
final class FilledLevel {
    private final LoadedPages pages;
    private final byte kind;

    /// Bytes of a cell before its suffix.
    private final int header;

    /// Index of the first entry with a slot: 1 in a branch, whose entry 0 is its link, 0 in leaves.
    private final int first;

    /// Keys, each followed by its value; in a branch by the number of the child.
    private MemorySegment staged = NativeMemory.allocate(Page.BYTES, 8);

    private int used;
    private int count;
    private int[] starts = new int[64];
    private int[] keyBytes = new int[64];

    /// First field of each leaf cell: value length and overflow bit.
    private int[] valueWords = new int[64];

    /// Bytes that a key shares with the previous one.
    private int[] shares = new int[64];

    /// Bytes that all keys share.
    private int shared;

    /// Bytes of slots and cells of all entries, with whole keys.
    private int bytes;

    private final Slice low = new Slice();
    private final Slice high = new Slice();
    private final MemorySegment child = NativeMemory.allocate(Long.BYTES, 8);
    private final Slice childSlice = new Slice();

    /// Number of the next page. Leaves get it early, because the previous one links to it.
    private long page;

    private @Nullable FilledLevel above;

    FilledLevel(LoadedPages pages, byte kind) {
        this.pages = pages;
        this.kind = kind;
        this.header = kind == Page.LEAF ? Node.LEAF_CELL : Node.BRANCH_CELL;
        this.first = kind == Page.LEAF ? 0 : 1;
        this.page = kind == Page.LEAF ? pages.take() : 0;
        childSlice.set(child, 0, Long.BYTES);
    }

    /// Adds an entry; false if its key is not greater than the previous one.
    ///
    /// @param word the first field of a leaf's cell
    boolean add(Slice key, Slice value, int word) {
        int length = key.length();
        int common = 0;
        if (count == 0) {
            shared = length;
        } else {
            common = commonWithLast(key);
            if (!isGreater(key, common)) {
                return false;
            }
            shared = Math.min(shared, common);
        }
        reserve(length + value.length());
        starts[count] = used;
        keyBytes[count] = length;
        valueWords[count] = word;
        shares[count] = common;
        MemorySegment.copy(key.segment(), key.offset(), staged, used, length);
        MemorySegment.copy(
                value.segment(), value.offset(), staged, used + (long) length, value.length());
        used += length + value.length();
        count++;
        bytes += count > first ? cellBytes(count - 1) : 0;
        if (bytes - (count - first) * shared + low.length() > Node.ROOM) {
            cut();
        }
        return true;
    }

    private int commonWithLast(Slice key) {
        int last = count - 1;
        return Node.common(
                staged, starts[last], keyBytes[last], key.segment(), key.offset(), key.length());
    }

    private boolean isGreater(Slice key, int common) {
        int last = count - 1;
        if (common == key.length() || common == keyBytes[last]) {
            return key.length() > keyBytes[last];
        }
        return Byte.compareUnsigned(
                        key.segment().get(Page.BYTE, key.offset() + common),
                        staged.get(Page.BYTE, starts[last] + common))
                > 0;
    }

    private void reserve(int more) {
        if (used + more > staged.byteSize()) {
            MemorySegment larger =
                    NativeMemory.allocate(Math.max(used + (long) more, 2 * staged.byteSize()), 8);
            MemorySegment.copy(staged, 0, larger, 0, used);
            staged = larger;
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            keyBytes = Arrays.copyOf(keyBytes, 2 * count);
            valueWords = Arrays.copyOf(valueWords, 2 * count);
            shares = Arrays.copyOf(shares, 2 * count);
        }
    }

    /// Bytes of an entry's slot and cell, with the whole key.
    private int cellBytes(int entry) {
        int stored = kind == Page.LEAF ? valueWords[entry] & ~Node.OVERFLOW_BIT : 0;
        return Node.SLOT_BYTES + header + keyBytes[entry] + stored;
    }

    /// Builds a page of as many entries as fit. In a branch two stay, so that none has an only child.
    private void cut() {
        int taken = count;
        int takenBytes = bytes;
        int most = count - 1 - first;
        while (taken > most || !fits(taken, takenBytes)) {
            taken--;
            takenBytes -= cellBytes(taken);
        }
        if (taken <= first) {
            throw new IllegalStateException("no entry fits into a page");
        }
        pointHigh(taken);
        if (kind == Page.LEAF) {
            long next = pages.take();
            build(taken, high, next);
            goUp();
            page = next;
        } else {
            page = pages.take();
            build(taken, high, 0);
            goUp();
        }
        low.setCopy(high);
        drop(taken);
    }

    /// Sets the upper fence: for a leaf the shortest key that separates the first `taken` entries from the others,
    /// for a branch the next child's fence.
    private void pointHigh(int taken) {
        int length = kind == Page.LEAF ? shares[taken] + 1 : keyBytes[taken];
        high.set(staged, starts[taken], length);
    }

    private boolean fits(int taken, int takenBytes) {
        pointHigh(taken);
        int prefix = Node.common(low, high);
        return takenBytes - (taken - first) * prefix + low.length() + high.length() <= Node.ROOM;
    }

    private void build(int taken, Slice upper, long next) {
        pages.build(page);
        MemorySegment to = pages.pages.segment;
        long at = pages.pages.at;
        Node.format(to, at, kind, page, low, upper);
        Page.setLink(to, at, kind == Page.LEAF ? next : childOf(0));
        int prefix = Node.prefix(to, at);
        int heap = (int) (Node.fences(to, at) - at);
        for (int i = first; i < taken; i++) {
            int suffix = keyBytes[i] - prefix;
            int from = starts[i] + prefix;
            int copied = suffix;
            if (kind == Page.LEAF) {
                copied += valueWords[i] & ~Node.OVERFLOW_BIT;
                heap -= Node.LEAF_CELL + copied;
                Page.setShort(to, at + heap, valueWords[i]);
            } else {
                heap -= Node.BRANCH_CELL + copied;
                to.set(Page.LONG, at + heap, childOf(i));
            }
            MemorySegment.copy(staged, from, to, at + heap + header, copied);
            Node.setSlot(to, at, i - first, heap, suffix, Node.head(staged, from, suffix));
        }
        Page.setShort(to, at + Page.COUNT, Math.max(0, taken - first));
        Page.setShort(to, at + Node.HEAP, heap);
        Page.setShort(to, at + Node.DEAD, 0);
    }

    private long childOf(int entry) {
        return staged.get(Page.LONG, starts[entry] + (long) keyBytes[entry]);
    }

    /// Adds the built page as an entry to the level above.
    private void goUp() {
        FilledLevel parents = above;
        if (parents == null) {
            parents = new FilledLevel(pages, Page.BRANCH);
            above = parents;
        }
        child.set(Page.LONG, 0, page);
        if (!parents.add(low, childSlice, 0)) {
            throw new IllegalStateException("fences of a load do not ascend");
        }
    }

    /// Drops the first `taken` entries, which are in a page.
    private void drop(int taken) {
        int from = starts[taken];
        MemorySegment.copy(staged, from, staged, 0, used - from);
        used -= from;
        int left = count - taken;
        count = 0;
        bytes = 0;
        for (int i = 0; i < left; i++) {
            starts[i] = starts[taken + i] - from;
            keyBytes[i] = keyBytes[taken + i];
            valueWords[i] = valueWords[taken + i];
            shares[i] = i == 0 ? 0 : shares[taken + i];
            shared = i == 0 ? keyBytes[i] : Math.min(shared, shares[i]);
            count++;
            bytes += count > first ? cellBytes(i) : 0;
        }
    }

    /// Builds the rest of this level and the levels above; returns the number of the root, which is built last.
    long finish() {
        while (bytes + low.length() > Node.ROOM) { // without an upper fence there is no prefix
            cut();
        }
        page = kind == Page.LEAF ? page : pages.take();
        FilledLevel parents = above;
        if (parents != null) {
            build(count, Node.unbounded(), 0);
            goUp();
            return parents.finish();
        }
        build(count, Node.unbounded(), 0);
        return page;
    }
}
