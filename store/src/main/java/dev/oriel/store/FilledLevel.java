package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One level of a tree that is being filled ([TreeFill]): the entries of the page that comes next, which are
/// gathered until they can be no page any more. Then as many as do fit become one, and the few others begin
/// the next. The prefix that a page spares follows from its fences, and its upper fence from the first
/// entry that it does not have; so how many fit is known only then.
///
/// Of a branch an entry is the lower fence of a child, and its number; the first is the link of the page, and
/// its key the lower fence of the page itself.
final class FilledLevel {
    private final LoadedPages pages;
    private final byte kind;

    /// Bytes of a cell before its suffix.
    private final int header;

    /// Entries before this one are in no slot: 1 for the link of a branch, 0 in leaves.
    private final int first;

    /// Keys, each with its value behind it; of a branch the number of the child.
    private MemorySegment staged = NativeMemory.allocate(Page.BYTES, 8);

    private int used;
    private int count;
    private int[] starts = new int[64];
    private int[] keyBytes = new int[64];

    /// What stands before a leaf's cell: bytes of the value, and whether they are a reference.
    private int[] valueWords = new int[64];

    /// How many bytes a key shares with the one before it.
    private int[] shares = new int[64];

    /// So many bytes all keys share.
    private int shared;

    /// Slots and cells of all entries, with whole keys.
    private int bytes;

    private final Slice low = new Slice();
    private final Slice high = new Slice();
    private final MemorySegment child = NativeMemory.allocate(Long.BYTES, 8);
    private final Slice childSlice = new Slice();

    /// The number of the page that comes next. Leaves have theirs early, because the one before leads to it.
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

    /// Adds an entry; false where its key is not greater than that of the one before.
    ///
    /// @param word what stands before a leaf's cell
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

    /// Builds a page of as many entries as fit. Of a branch two stay, so that none has an only child.
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

    /// The shortest key that parts the first `taken` entries of a leaf from the others; of a branch the next
    /// child's fence.
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

    /// The page that was built becomes an entry of the level above.
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

    /// The first `taken` entries are in a page.
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

    /// Builds what is left of this level and those above; returns the number of the root, which is built last.
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
