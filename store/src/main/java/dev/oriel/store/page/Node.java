package dev.oriel.store.page;

import dev.oriel.store.Slice;
import java.lang.foreign.MemorySegment;

/// Slotted pages: the leaves and branches of a tree, as static kernels over `(segment, at)`.
///
/// ```
/// 0        16     18     20       22       24       26         32     40            heap Page.BYTES
/// | common | heap | dead | lowLen | highLen| prefix | reserved | link | slots ->  free  <- cells | low | high |
/// ```
/// - A slot is `u16 cell offset, u16 suffix length, u32 head`; slots are ordered by key.
/// - A leaf's cell is `u16 value length, suffix, value`; bit 15 of the length says that the value is
///   a reference into an `Overflow` chain. A branch's cell is `u64 child, suffix`.
/// - The fences are the bounds of the page's keys: `low <= key < high`. `highLen` 0xFFFF means no bound. All keys
///   of the page share the first `prefix` bytes of the low fence, so cells hold the suffix alone. A search that
///   came down through the parent never compares the prefix.
/// - The head is the suffix's first four bytes as a big-endian number, zero-padded: most probes of
///   a binary search end at it and touch no cell.
/// - `dead` counts the free bytes after `heap`: removed cells, and space left in front of the fences by shorter
///   ones. [NodeEditor] uses them again.
///
/// In a branch, child `i` holds the keys from separator `i - 1` (inclusive) to separator `i`; child
/// 0 is the link.
public final class Node {
    public static final int HEAP = 16;
    public static final int DEAD = 18;
    public static final int LOW_LENGTH = 20;
    static final int HIGH_LENGTH = 22;
    public static final int PREFIX = 24;
    private static final int UNKNOWN = 26;
    public static final int SLOT_BYTES = 8;
    private static final int HEAD = 4;
    static final int UNBOUNDED = 0xFFFF;
    public static final int OVERFLOW_BIT = 0x8000;
    public static final int LEAF_CELL = 2;
    public static final int BRANCH_CELL = 8;
    public static final int KEY_BYTES_MAX = 1000;

    /// Maximum length of a cell; a longer one overflows. At least three such cells fit between two longest
    /// fences.
    public static final int CELL_BYTES_MAX = 2000;

    /// Maximum length of a value.
    public static final int VALUE_BYTES_MAX = 1 << 30;

    /// Length of a reference into an overflow chain.
    public static final int REFERENCE_BYTES = 12;

    private static final int FENCE_STEP = 16;
    private static final int RESERVED_BYTES = 8;

    /// Bytes of a page that fences, slots and cells share.
    public static final int ROOM = Page.BYTES - Page.HEADER_BYTES;

    private Node() {}

    /// Makes an empty node. `low` and `high` must not lie in the page itself.
    public static void format(
            MemorySegment segment, long at, byte kind, long number, Slice low, Slice high) {
        Page.format(segment, at, kind, number);
        clear(segment, at, low, high);
    }

    /// The six bytes reserved for later releases; must be 0.
    public static long unknown(MemorySegment segment, long at) {
        return segment.get(Page.LONG, at + UNKNOWN - 2) >>> Short.SIZE;
    }

    /// Empties a node and gives it other fences, which must not lie in it. Bytes that no longer count stay as they
    /// are: changing them would be work for the log.
    ///
    /// The first cells keep a little distance from the fences, so that these can grow by some bytes without moving
    /// a cell. If the room is needed, a compaction finds it.
    public static void clear(MemorySegment segment, long at, Slice low, Slice high) {
        setFences(segment, at, low, high);
        Page.setShort(segment, at + Page.COUNT, 0);
        int start = (int) (fences(segment, at) - at);
        int end = endOfCells(segment, at);
        Page.setShort(segment, at + HEAP, end);
        Page.setShort(segment, at + DEAD, start - end);
        Page.setShort(segment, at + PREFIX, prefix(low, high));
    }

    /// Preferred end of the cells in the page, before its fences.
    static int endOfCells(MemorySegment segment, long at) {
        return endOfCells(lowLength(segment, at), highLength(segment, at));
    }

    /// [#endOfCells] of a page whose fences have these lengths; -1 for no upper one.
    public static int endOfCells(int lowLength, int highLength) {
        int start = Page.BYTES - lowLength - Math.max(0, highLength);
        return (start - reserved(lowLength, highLength)) & -FENCE_STEP;
    }

    /// Bytes reserved for the upper fence that a node without one gets once keys in order have filled it: about as
    /// many as the lower one has.
    public static int reserved(MemorySegment segment, long at) {
        return reserved(lowLength(segment, at), highLength(segment, at));
    }

    private static int reserved(int lowLength, int highLength) {
        return lowLength == 0 || highLength >= 0 ? 0 : lowLength + RESERVED_BYTES;
    }

    /// Writes the fences alone; the caller takes care of the bytes overwritten.
    static void setFences(MemorySegment segment, long at, Slice low, Slice high) {
        int highLength = Math.max(0, high.length());
        long highAt = at + Page.BYTES - highLength;
        long lowAt = highAt - low.length();
        MemorySegment.copy(low.segment(), low.offset(), segment, lowAt, low.length());
        MemorySegment.copy(high.segment(), high.offset(), segment, highAt, highLength);
        Page.setShort(segment, at + LOW_LENGTH, low.length());
        Page.setShort(segment, at + HIGH_LENGTH, high.length() < 0 ? UNBOUNDED : highLength);
    }

    /// Bytes of the prefix of a node with these fences.
    public static int prefix(Slice low, Slice high) {
        return high.length() < 0 ? 0 : common(low, high);
    }

    /// A slice that stands for "no upper bound".
    public static Slice unbounded() {
        return new Slice().set(MemorySegment.NULL, 0, -1);
    }

    public static int common(Slice a, Slice b) {
        return common(a.segment(), a.offset(), a.length(), b.segment(), b.offset(), b.length());
    }

    /// Length of the common prefix of two windows.
    public static int common(
            MemorySegment a, long aAt, int aLength, MemorySegment b, long bAt, int bLength) {
        int length = Math.min(aLength, bLength);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long differing = a.get(Page.LONG, aAt + i) ^ b.get(Page.LONG, bAt + i);
            if (differing != 0) {
                return i + (Long.numberOfTrailingZeros(differing) >>> 3);
            }
        }
        while (i < length && a.get(Page.BYTE, aAt + i) == b.get(Page.BYTE, bAt + i)) {
            i++;
        }
        return i;
    }

    public static int heap(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + HEAP);
    }

    static int dead(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + DEAD);
    }

    public static int prefix(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + PREFIX);
    }

    /// The lengths of the fences and of the prefix in one read, to be split by the two methods below. Each search asks
    /// for them, and each read of a segment is much code for the compiler.
    public static long lengths(MemorySegment segment, long at) {
        return segment.get(Page.LONG, at + LOW_LENGTH);
    }

    public static int prefix(long lengths) {
        return (int) (lengths >>> ((PREFIX - LOW_LENGTH) * Byte.SIZE)) & 0xFFFF;
    }

    private static int fenceBytes(long lengths) {
        int high = (int) (lengths >>> ((HIGH_LENGTH - LOW_LENGTH) * Byte.SIZE)) & 0xFFFF;
        return ((int) lengths & 0xFFFF) + (high == UNBOUNDED ? 0 : high);
    }

    /// Whether `key` begins with the prefix of the node's keys; most keys are compared by one word.
    public static boolean hasPrefix(MemorySegment segment, long at, long lengths, Slice key) {
        int prefix = prefix(lengths);
        if (prefix == 0 || key.length() < prefix) {
            return prefix == 0;
        }
        int fenceBytes = fenceBytes(lengths);
        long fences = at + Page.BYTES - fenceBytes;
        MemorySegment keySegment = key.segment();
        if (prefix > Long.BYTES || key.offset() > keySegment.byteSize() - Long.BYTES) {
            return Slice.compare(keySegment, key.offset(), prefix, segment, fences, prefix) == 0;
        }
        int beyond = Math.max(0, Long.BYTES - fenceBytes); // a word must end within the page
        long fence = segment.get(Page.LONG, fences - beyond) >>> (beyond * Byte.SIZE);
        long differing = keySegment.get(Page.LONG, key.offset()) ^ fence;
        return differing << (Long.SIZE - prefix * Byte.SIZE) == 0; // little-endian
    }

    public static int lowLength(MemorySegment segment, long at) {
        return Page.unsignedShort(segment, at + LOW_LENGTH);
    }

    /// Length of the upper fence, or -1 if there is none.
    public static int highLength(MemorySegment segment, long at) {
        int length = Page.unsignedShort(segment, at + HIGH_LENGTH);
        return length == UNBOUNDED ? -1 : length;
    }

    public static void low(MemorySegment segment, long at, Slice out) {
        int length = lowLength(segment, at);
        out.set(segment, fences(segment, at), length);
    }

    /// The upper fence; of length -1 if there is none.
    public static void high(MemorySegment segment, long at, Slice out) {
        int length = highLength(segment, at);
        out.set(segment, at + Page.BYTES - Math.max(0, length), length);
    }

    /// Offset of the fences in the segment.
    public static long fences(MemorySegment segment, long at) {
        return at + Page.BYTES - fenceBytes(lengths(segment, at));
    }

    private static long slot(long at, int slot) {
        return at + Page.HEADER_BYTES + (long) slot * SLOT_BYTES;
    }

    /// A whole slot in one read. The two methods below extract its parts; `>>> 32` is the head.
    public static long word(MemorySegment segment, long at, int slot) {
        return segment.get(Page.LONG, slot(at, slot));
    }

    public static int cellOffset(long word) {
        return (int) word & 0xFFFF;
    }

    public static int suffixLength(long word) {
        return (int) (word >>> 16) & 0xFFFF;
    }

    public static int suffixLength(MemorySegment segment, long at, int slot) {
        return Page.unsignedShort(segment, slot(at, slot) + 2);
    }

    /// Offset of the cell of `slot` in the segment.
    public static long cell(MemorySegment segment, long at, int slot) {
        return at + Page.unsignedShort(segment, slot(at, slot));
    }

    static int cellHeader(MemorySegment segment, long at) {
        return Page.kind(segment, at) == Page.LEAF ? LEAF_CELL : BRANCH_CELL;
    }

    /// Bytes of the cell of `slot`.
    public static int cellBytes(MemorySegment segment, long at, int slot) {
        int suffix = suffixLength(segment, at, slot);
        if (Page.kind(segment, at) == Page.BRANCH) {
            return BRANCH_CELL + suffix;
        }
        return LEAF_CELL + suffix + storedBytes(segment, at, slot);
    }

    /// Bytes that a leaf's value takes in its cell.
    public static int storedBytes(MemorySegment segment, long at, int slot) {
        return storedBytes(segment, cell(segment, at, slot));
    }

    /// Bytes that a leaf's value takes in the cell that begins at `cell`.
    static int storedBytes(MemorySegment segment, long cell) {
        return Page.unsignedShort(segment, cell) & ~OVERFLOW_BIT;
    }

    /// Whether an entry of a write set's leaf is a removal: a reference to a value of negative length.
    public static boolean isAbsent(MemorySegment segment, long at, int slot) {
        return overflows(segment, at, slot) && segment.get(Page.INT, value(segment, at, slot)) < 0;
    }

    public static boolean overflows(MemorySegment segment, long at, int slot) {
        return (Page.unsignedShort(segment, cell(segment, at, slot)) & OVERFLOW_BIT) != 0;
    }

    /// Offset of a leaf's value in the segment.
    public static long value(MemorySegment segment, long at, int slot) {
        return cell(segment, at, slot) + LEAF_CELL + suffixLength(segment, at, slot);
    }

    /// Child `index` of a branch, from 0 to its count.
    public static long child(MemorySegment segment, long at, int index) {
        return index == 0
                ? Page.link(segment, at)
                : segment.get(Page.LONG, cell(segment, at, index - 1));
    }

    public static void setChild(MemorySegment segment, long at, int index, long page) {
        if (index == 0) {
            Page.setLink(segment, at, page);
        } else {
            segment.set(Page.LONG, cell(segment, at, index - 1), page);
        }
    }

    /// The slot of `key`, or `-1 - i` with `i` the first slot of a greater key. The key must lie between the
    /// fences, or at least begin with the prefix.
    public static int search(
            MemorySegment segment, long at, MemorySegment key, long keyAt, int keyBytes) {
        return search(segment, at, prefix(segment, at), key, keyAt, keyBytes);
    }

    /// [#search] in a node whose keys share `prefix` bytes.
    ///
    /// One method, longer than the 325 bytes that C2 inlines; a test checks it. A search within a compiled caller uses
    /// up its budget of nodes, and the caller's own reads of memory become calls. Keys are often consecutive numbers
    /// without a gap; then the distance from the first one is the place, which is verified.
    public static int search(
            MemorySegment segment,
            long at,
            int prefix,
            MemorySegment key,
            long keyAt,
            int keyBytes) {
        long suffixAt = keyAt + prefix;
        int suffixBytes = keyBytes - prefix;
        int head = head(key, suffixAt, suffixBytes);
        int count = Page.count(segment, at);
        int first = count == 0 ? 0 : -1;
        if (count > 0) {
            long heads = at + Page.HEADER_BYTES + HEAD;
            int least = segment.get(Page.INT, heads);
            int most = segment.get(Page.INT, heads + (long) (count - 1) * SLOT_BYTES);
            int shift = suffixBytes >= Integer.BYTES ? 0 : Integer.SIZE - Byte.SIZE * suffixBytes;
            long span = (long) (count - 1) << shift;
            long distance = Integer.toUnsignedLong(head - least);
            if (Integer.toUnsignedLong(most - least) == span && distance > 0 && distance <= span) {
                int place = (int) (distance >>> shift);
                int before = segment.get(Page.INT, heads + (long) (place - 1) * SLOT_BYTES);
                int there = segment.get(Page.INT, heads + (long) place * SLOT_BYTES);
                boolean found = there == head && Integer.compareUnsigned(before, head) < 0;
                first = found ? place : -1;
            }
        }
        if (first < 0) {
            first = headNotBelow(segment, at, count, head);
        }
        if (first == count) {
            return -1 - first;
        }
        long word = word(segment, at, first);
        int order =
                (int) (word >>> 32) == head
                        ? compareSuffix(segment, at, word, key, suffixAt, suffixBytes)
                        : 1;
        if (order >= 0) {
            return order == 0 ? first : -1 - first;
        }
        return searchFrom(first + 1, segment, at, key, suffixAt, suffixBytes);
    }

    /// The first slot whose head is not below `head`. The comparison's result selects a value instead of branching:
    /// half of such branches are mispredicted, which takes longer than all the rest of a step.
    private static int headNotBelow(MemorySegment segment, long at, int count, int head) {
        long heads = at + Page.HEADER_BYTES + HEAD;
        long first = heads;
        for (int left = count; left > 0; ) {
            int half = (left + 1) >>> 1;
            long next = first + (long) half * SLOT_BYTES;
            int found = segment.get(Page.INT, next - SLOT_BYTES);
            first = Integer.compareUnsigned(found, head) < 0 ? next : first;
            left -= half;
        }
        return (int) ((first - heads) / SLOT_BYTES);
    }

    /// [#search] among the slots from `from` on, for keys with the same head.
    private static int searchFrom(
            int from,
            MemorySegment segment,
            long at,
            MemorySegment key,
            long suffixAt,
            int suffixBytes) {
        int head = head(key, suffixAt, suffixBytes);
        int low = from;
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

    /// Index of the child of a branch that holds `key`.
    public static int childIndex(
            MemorySegment segment, long at, MemorySegment key, long keyAt, int keyBytes) {
        int found = search(segment, at, key, keyAt, keyBytes);
        return found >= 0 ? found + 1 : -1 - found;
    }

    /// Order of a slot's suffix against one with the same head. If both are no longer than the head, their lengths
    /// decide.
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
    public static int compareKey(MemorySegment segment, long at, int slot, Slice key) {
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

    public static int head(MemorySegment key, long at, int bytes) {
        if (bytes >= 4) {
            return Integer.reverseBytes(key.get(Page.INT, at));
        }
        if (bytes >= 2) {
            int head = Integer.reverseBytes(Page.unsignedShort(key, at));
            return bytes == 2 ? head : head | Byte.toUnsignedInt(key.get(Page.BYTE, at + 2)) << 8;
        }
        return bytes == 1 ? key.get(Page.BYTE, at) << 24 : 0;
    }

    /// Free bytes between the slots and the cells.
    public static int gap(MemorySegment segment, long at) {
        return heap(segment, at) - Page.HEADER_BYTES - Page.count(segment, at) * SLOT_BYTES;
    }

    /// Free bytes, in the gap or dead.
    public static int free(MemorySegment segment, long at) {
        return gap(segment, at) + dead(segment, at);
    }

    /// Bytes that all cells and slots take.
    public static int used(MemorySegment segment, long at) {
        return ROOM - fenceBytes(lengths(segment, at)) - free(segment, at);
    }

    /// Makes `slots` slots before `slot`, to be set by the caller, which has checked that the gap is large enough.
    static void openSlots(MemorySegment segment, long at, int slot, int slots) {
        int count = Page.count(segment, at);
        assert gap(segment, at) >= slots * SLOT_BYTES : "no room for slots";
        MemorySegment.copy(
                segment,
                slot(at, slot),
                segment,
                slot(at, slot + slots),
                (long) (count - slot) * SLOT_BYTES);
        Page.setShort(segment, at + Page.COUNT, count + slots);
    }

    public static void setSlot(
            MemorySegment segment, long at, int slot, int cellOffset, int suffix, int head) {
        long word = (long) head << 32 | (long) suffix << 16 | cellOffset;
        segment.set(Page.LONG, slot(at, slot), word);
    }

    public static void setCellOffset(MemorySegment segment, long at, int slot, int cellOffset) {
        Page.setShort(segment, slot(at, slot), cellOffset);
    }

    /// Removes `slot`; its cell becomes free bytes.
    public static void remove(MemorySegment segment, long at, int slot) {
        remove(segment, at, slot, slot + 1);
    }

    /// Removes the slots from `from` to `to`; their cells become free bytes. The other cells do not move.
    public static void remove(MemorySegment segment, long at, int from, int to) {
        if (from == to) {
            return;
        }
        int count = Page.count(segment, at);
        int heap = heap(segment, at);
        int dead = dead(segment, at);
        boolean lowest = false;
        for (int i = from; i < to; i++) {
            dead += cellBytes(segment, at, i);
            lowest |= cell(segment, at, i) == at + heap;
        }
        MemorySegment.copy(
                segment, slot(at, to), segment, slot(at, from), (long) (count - to) * SLOT_BYTES);
        Page.setShort(segment, at + Page.COUNT, count - (to - from));
        int raised = lowest ? lowestCell(segment, at) : heap;
        Page.setShort(segment, at + HEAP, raised);
        Page.setShort(segment, at + DEAD, dead - (raised - heap));
    }

    /// Offset of the lowest cell in the page; of the fences if there is none.
    private static int lowestCell(MemorySegment segment, long at) {
        int lowest = (int) (fences(segment, at) - at);
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            lowest = Math.min(lowest, cellOffset(word(segment, at, i)));
        }
        return lowest;
    }

    /// Copies the whole key of `slot` and returns its length.
    public static int copyKey(
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
    public static byte[] key(MemorySegment segment, long at, int slot) {
        int prefix = prefix(segment, at);
        int suffix = suffixLength(segment, at, slot);
        byte[] key = new byte[prefix + suffix];
        MemorySegment.copy(segment, Page.BYTE, prefixAt(segment, at), key, 0, prefix);
        MemorySegment.copy(segment, Page.BYTE, suffixAt(segment, at, slot), key, prefix, suffix);
        return key;
    }

    /// Offset of the keys' shared prefix in the segment.
    public static long prefixAt(MemorySegment segment, long at) {
        return fences(segment, at);
    }

    /// Offset of the suffix of `slot` in the segment.
    public static long suffixAt(MemorySegment segment, long at, int slot) {
        return cell(segment, at, slot) + cellHeader(segment, at);
    }

    /// Whether `key` is not less than the lower fence.
    public static boolean isAboveLow(MemorySegment segment, long at, Slice key) {
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
    public static boolean isBelowHigh(MemorySegment segment, long at, Slice key) {
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
