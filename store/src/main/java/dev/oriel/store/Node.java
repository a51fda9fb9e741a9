package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// Slotted pages: the leaves and branches of a tree, as static kernels over `(segment, at)`.
///
/// ```
/// 0        16     18     20       22       24       26         32     40            heap            8192
/// | common | heap | dead | lowLen | highLen| prefix | reserved | link | slots ->  free  <- cells | low | high |
/// ```
/// - A slot is `u16 cell offset, u16 suffix length, u32 head`; slots are ordered by key.
/// - A leaf's cell is `u16 value length, suffix, value`; bit 15 of the length says that the value is
///   a reference into an [Overflow] chain. A branch's cell is `u64 child, suffix`.
/// - The fences are the bounds of the page's keys: `low <= key < high`. `highLen` 0xFFFF means no
///   bound. All keys of the page share the first `prefix` bytes of the low fence, so cells hold the
///   suffix alone, and a search that came down through the parent never compares the prefix.
/// - The head is the suffix's first four bytes as a big-endian number, zero-padded: most probes of
///   a binary search end at it and touch no cell.
/// - `dead` counts the bytes of removed cells, which [#compact] wins back.
///
/// In a branch, child `i` holds the keys from separator `i - 1` (inclusive) to separator `i`; child
/// 0 is the link.
final class Node {
    static final int HEAP = 16;
    static final int DEAD = 18;
    static final int LOW_LENGTH = 20;
    static final int HIGH_LENGTH = 22;
    static final int PREFIX = 24;
    static final int SLOT_BYTES = 8;
    static final int UNBOUNDED = 0xFFFF;
    static final int OVERFLOW_BIT = 0x8000;
    static final int LEAF_CELL = 2;
    static final int BRANCH_CELL = 8;

    /// Bytes of a page that fences, slots and cells share.
    static final int ROOM = Page.BYTES - Page.HEADER_BYTES;

    private Node() {}

    /// Makes an empty node. `low` and `high` must not lie in the page itself.
    static void format(
            MemorySegment segment, long at, byte kind, long number, Slice low, Slice high) {
        Page.format(segment, at, kind, number);
        int highLength = high.length();
        boolean bounded = highLength >= 0;
        long fences = at + Page.BYTES - low.length() - Math.max(0, highLength);
        MemorySegment.copy(low.segment(), low.offset(), segment, fences, low.length());
        int prefix = 0;
        if (bounded) {
            MemorySegment.copy(
                    high.segment(), high.offset(), segment, fences + low.length(), highLength);
            prefix = common(low, high);
        }
        Page.setShort(segment, at + HEAP, (int) (fences - at));
        Page.setShort(segment, at + LOW_LENGTH, low.length());
        Page.setShort(segment, at + HIGH_LENGTH, bounded ? highLength : UNBOUNDED);
        Page.setShort(segment, at + PREFIX, prefix);
    }

    /// A slice that stands for "no upper bound".
    static Slice unbounded() {
        return new Slice().set(MemorySegment.NULL, 0, -1);
    }

    static int common(Slice a, Slice b) {
        int length = Math.min(a.length(), b.length());
        int i = 0;
        while (i < length
                && a.segment().get(Page.BYTE, a.offset() + i)
                        == b.segment().get(Page.BYTE, b.offset() + i)) {
            i++;
        }
        return i;
    }

    static int heap(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + HEAP);
    }

    static int dead(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + DEAD);
    }

    static int prefix(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + PREFIX);
    }

    static int lowLength(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + LOW_LENGTH);
    }

    /// Length of the upper fence, or -1 where there is none.
    static int highLength(MemorySegment segment, long at) {
        int length = Page.unsignedShort(segment, at + HIGH_LENGTH);
        return length == UNBOUNDED ? -1 : length;
    }

    static void low(MemorySegment segment, long at, Slice out) {
        int length = lowLength(segment, at);
        out.set(segment, fences(segment, at), length);
    }

    /// The upper fence; of length -1 where there is none.
    static void high(MemorySegment segment, long at, Slice out) {
        int length = highLength(segment, at);
        out.set(segment, at + Page.BYTES - Math.max(0, length), length);
    }

    private static long fences(MemorySegment segment, long at) {
        return at + Page.BYTES - lowLength(segment, at) - Math.max(0, highLength(segment, at));
    }

    private static long slot(long at, int slot) {
        return at + Page.HEADER_BYTES + (long) slot * SLOT_BYTES;
    }

    /// All of a slot in one read, to be taken apart by the two methods below and `>>> 32`, the head.
    static long word(MemorySegment segment, long at, int slot) {
        return segment.get(Page.LONG, slot(at, slot));
    }

    static int cellOffset(long word) {
        return (int) word & 0xFFFF;
    }

    static int suffixLength(long word) {
        return (int) (word >>> 16) & 0xFFFF;
    }

    static int suffixLength(MemorySegment segment, long at, int slot) {
        return Page.unsignedShort(segment, slot(at, slot) + 2);
    }

    /// Where the cell of `slot` begins in the segment.
    static long cell(MemorySegment segment, long at, int slot) {
        return at + Page.unsignedShort(segment, slot(at, slot));
    }

    static int cellHeader(MemorySegment segment, long at) {
        return Page.kind(segment, at) == Page.LEAF ? LEAF_CELL : BRANCH_CELL;
    }

    /// Bytes of the cell of `slot`.
    static int cellBytes(MemorySegment segment, long at, int slot) {
        int suffix = suffixLength(segment, at, slot);
        if (Page.kind(segment, at) == Page.BRANCH) {
            return BRANCH_CELL + suffix;
        }
        return LEAF_CELL + suffix + storedBytes(segment, at, slot);
    }

    /// Bytes that a leaf's value takes in its cell.
    static int storedBytes(MemorySegment segment, long at, int slot) {
        return Page.unsignedShort(segment, cell(segment, at, slot)) & ~OVERFLOW_BIT;
    }

    static boolean overflows(MemorySegment segment, long at, int slot) {
        return (Page.unsignedShort(segment, cell(segment, at, slot)) & OVERFLOW_BIT) != 0;
    }

    /// Where a leaf's value begins in the segment.
    static long value(MemorySegment segment, long at, int slot) {
        return cell(segment, at, slot) + LEAF_CELL + suffixLength(segment, at, slot);
    }

    /// Child `index` of a branch, from 0 to its count.
    static long child(MemorySegment segment, long at, int index) {
        return index == 0
                ? Page.link(segment, at)
                : segment.get(Page.LONG, cell(segment, at, index - 1));
    }

    /// The slot of `key`, or `-1 - i` where `i` is the first slot of a greater key. The key must lie
    /// between the fences, or at least begin with the prefix.
    static int search(MemorySegment segment, long at, MemorySegment key, long keyAt, int keyBytes) {
        int prefix = prefix(segment, at);
        long suffixAt = keyAt + prefix;
        int suffixBytes = keyBytes - prefix;
        int head = head(key, suffixAt, suffixBytes);
        int low = 0;
        int high = Page.count(segment, at);
        while (low < high) {
            int middle = (low + high) >>> 1;
            long word = word(segment, at, middle);
            int order = Integer.compareUnsigned((int) (word >>> 32), head);
            if (order == 0) {
                order = compareSuffix(segment, at, word, key, suffixAt, suffixBytes);
                if (order == 0) {
                    return middle;
                }
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1 - low;
    }

    /// Which child of a branch holds `key`.
    static int childIndex(
            MemorySegment segment, long at, MemorySegment key, long keyAt, int keyBytes) {
        int found = search(segment, at, key, keyAt, keyBytes);
        return found >= 0 ? found + 1 : -1 - found;
    }

    /// Order of a slot's suffix against one with the same head. Where both are no longer than the
    /// head, their lengths decide.
    private static int compareSuffix(
            MemorySegment segment,
            long at,
            long word,
            MemorySegment key,
            long suffixAt,
            int suffixBytes) {
        int length = suffixLength(word);
        if (length <= 4 && suffixBytes <= 4) {
            return length - suffixBytes;
        }
        long suffix = at + cellOffset(word) + cellHeader(segment, at);
        return Slice.compare(segment, suffix, length, key, suffixAt, suffixBytes);
    }

    /// Order of the whole key of `slot` against `key`, which may lie anywhere.
    static int compareKey(MemorySegment segment, long at, int slot, Slice key) {
        int prefix = prefix(segment, at);
        int shared = Math.min(prefix, key.length());
        int order =
                Slice.compare(
                        segment,
                        prefixAt(segment, at),
                        prefix,
                        key.segment(),
                        key.offset(),
                        shared);
        if (order != 0) {
            return order;
        }
        long suffixAt = key.offset() + prefix;
        int suffixBytes = key.length() - prefix;
        long word = word(segment, at, slot);
        order =
                Integer.compareUnsigned(
                        (int) (word >>> 32), head(key.segment(), suffixAt, suffixBytes));
        return order != 0
                ? order
                : compareSuffix(segment, at, word, key.segment(), suffixAt, suffixBytes);
    }

    static int head(MemorySegment key, long at, int bytes) {
        if (bytes >= 4) {
            return Integer.reverseBytes(key.get(Page.INT, at));
        }
        int head = 0;
        for (int i = 0; i < bytes; i++) {
            head |= Byte.toUnsignedInt(key.get(Page.BYTE, at + i)) << (24 - 8 * i);
        }
        return head;
    }

    /// Free bytes between the slots and the cells.
    static int gap(MemorySegment segment, long at) {
        return heap(segment, at) - Page.HEADER_BYTES - Page.count(segment, at) * SLOT_BYTES;
    }

    /// Free bytes, wherever they lie.
    static int free(MemorySegment segment, long at) {
        return gap(segment, at) + dead(segment, at);
    }

    /// Bytes that all cells and slots take.
    static int used(MemorySegment segment, long at) {
        int fenceBytes = lowLength(segment, at) + Math.max(0, highLength(segment, at));
        return ROOM - fenceBytes - free(segment, at);
    }

    /// Opens slot `slot` for a cell of `cellBytes` and returns where the cell begins; its suffix is
    /// the tail of `key` after the prefix. The caller has seen that it fits, and fills the cell.
    static long open(
            MemorySegment segment, long at, int slot, Slice key, int cellBytes, int cellHeader) {
        int count = Page.count(segment, at);
        int prefix = prefix(segment, at);
        int suffix = key.length() - prefix;
        assert gap(segment, at) >= cellBytes + SLOT_BYTES : "no room for a cell";
        long position = slot(at, slot);
        MemorySegment.copy(
                segment,
                position,
                segment,
                position + SLOT_BYTES,
                (long) (count - slot) * SLOT_BYTES);
        int heap = heap(segment, at) - cellBytes;
        Page.setShort(segment, at + HEAP, heap);
        Page.setShort(segment, at + Page.COUNT, count + 1);
        Page.setShort(segment, position, heap);
        Page.setShort(segment, position + 2, suffix);
        segment.set(Page.INT, position + 4, head(key.segment(), key.offset() + prefix, suffix));
        long cell = at + heap;
        MemorySegment.copy(
                key.segment(), key.offset() + prefix, segment, cell + cellHeader, suffix);
        return cell;
    }

    /// Removes `slot`; its cell becomes dead bytes.
    static void remove(MemorySegment segment, long at, int slot) {
        remove(segment, at, slot, slot + 1);
    }

    /// Removes the slots from `from` to `to`; their cells become dead bytes.
    static void remove(MemorySegment segment, long at, int from, int to) {
        int count = Page.count(segment, at);
        int dead = dead(segment, at);
        for (int i = from; i < to; i++) {
            dead += cellBytes(segment, at, i);
        }
        MemorySegment.copy(
                segment, slot(at, to), segment, slot(at, from), (long) (count - to) * SLOT_BYTES);
        Page.setShort(segment, at + Page.COUNT, count - (to - from));
        Page.setShort(segment, at + DEAD, dead);
    }

    /// Appends the cells of slots `from` to `to` of the node at `sourceAt` behind the last slot of the
    /// node at `at`. Where the prefixes differ, suffixes lose or gain what the target's has more or
    /// less. The caller has seen that they fit.
    static void appendCells(
            MemorySegment source, long sourceAt, int from, int to, MemorySegment segment, long at) {
        int header = cellHeader(segment, at);
        int targetPrefix = prefix(segment, at);
        int sourcePrefix = prefix(source, sourceAt);
        int cut = Math.max(0, targetPrefix - sourcePrefix);
        int gained = Math.max(0, sourcePrefix - targetPrefix);
        long gainedAt = prefixAt(source, sourceAt) + Math.min(targetPrefix, sourcePrefix);
        int heap = heap(segment, at);
        int count = Page.count(segment, at);
        for (int i = from; i < to; i++) {
            long word = word(source, sourceAt, i);
            long cell = sourceAt + cellOffset(word);
            int rest = cellBytes(source, sourceAt, i) - header - cut;
            heap -= header + gained + rest;
            assert heap >= Page.HEADER_BYTES + (count + 1) * SLOT_BYTES : "no room for a cell";
            long suffixAt = at + heap + header;
            MemorySegment.copy(source, cell, segment, at + heap, header);
            MemorySegment.copy(source, gainedAt, segment, suffixAt, gained);
            MemorySegment.copy(source, cell + header + cut, segment, suffixAt + gained, rest);
            int suffix = suffixLength(word) + gained - cut;
            long head = gained == cut ? word >>> 32 : head(segment, suffixAt, suffix);
            segment.set(Page.LONG, slot(at, count++), head << 32 | (long) suffix << 16 | heap);
        }
        Page.setShort(segment, at + HEAP, heap);
        Page.setShort(segment, at + Page.COUNT, count);
    }

    /// Copies the whole key of `slot` and returns its length.
    static int copyKey(
            MemorySegment segment, long at, int slot, MemorySegment target, long targetAt) {
        int prefix = prefix(segment, at);
        int suffix = suffixLength(segment, at, slot);
        MemorySegment.copy(segment, fences(segment, at), target, targetAt, prefix);
        MemorySegment.copy(
                segment,
                cell(segment, at, slot) + cellHeader(segment, at),
                target,
                targetAt + prefix,
                suffix);
        return prefix + suffix;
    }

    /// The whole key of `slot`, on the heap.
    static byte[] key(MemorySegment segment, long at, int slot) {
        int prefix = prefix(segment, at);
        int suffix = suffixLength(segment, at, slot);
        byte[] key = new byte[prefix + suffix];
        MemorySegment.copy(segment, Page.BYTE, prefixAt(segment, at), key, 0, prefix);
        MemorySegment.copy(segment, Page.BYTE, suffixAt(segment, at, slot), key, prefix, suffix);
        return key;
    }

    /// Where the shared prefix of the keys begins in the segment.
    static long prefixAt(MemorySegment segment, long at) {
        return fences(segment, at);
    }

    /// Where the suffix of `slot` begins in the segment.
    static long suffixAt(MemorySegment segment, long at, int slot) {
        return cell(segment, at, slot) + cellHeader(segment, at);
    }

    /// Moves the cells together, so that all free bytes lie in the gap. `work` holds one page.
    static void compact(MemorySegment segment, long at, MemorySegment work) {
        MemorySegment.copy(segment, at, work, 0, Page.BYTES);
        int heap = (int) (fences(segment, at) - at);
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            int bytes = cellBytes(work, 0, i);
            heap -= bytes;
            MemorySegment.copy(work, cell(work, 0, i), segment, at + heap, bytes);
            Page.setShort(segment, slot(at, i), heap);
        }
        Page.setShort(segment, at + HEAP, heap);
        Page.setShort(segment, at + DEAD, 0);
    }

    /// Whether `key` is not less than the lower fence.
    static boolean isAboveLow(MemorySegment segment, long at, Slice key) {
        return Slice.compare(
                        key.segment(),
                        key.offset(),
                        key.length(),
                        segment,
                        fences(segment, at),
                        lowLength(segment, at))
                >= 0;
    }

    /// Whether `key` is less than the upper fence, or there is none.
    static boolean isBelowHigh(MemorySegment segment, long at, Slice key) {
        int length = highLength(segment, at);
        return length < 0
                || Slice.compare(
                                key.segment(),
                                key.offset(),
                                key.length(),
                                segment,
                                at + Page.BYTES - length,
                                length)
                        < 0;
    }
}
