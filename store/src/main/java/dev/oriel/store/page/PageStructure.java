package dev.oriel.store.page;

import dev.oriel.store.Slice;
import java.lang.foreign.MemorySegment;

/// The rules that every page of the database obeys on its own, whichever page leads to it. A page is validated
/// together with its checksum, when it first comes from a file: its bytes may have been tampered with and the
/// checksum fixed up. So kernels over pages in use trust slots, lengths and links.
///
/// The rules of a node: slots, cells and fences lie within the page and do not overlap. Keys ascend strictly, lie
/// between the fences and match the heads in their slots. The lower fence is less than the upper one. All page
/// numbers are possible ones. `TreeReader` compares a leaf with the key that led to it.
public final class PageStructure {
    /// Upper bound of page numbers: offsets of bytes are positive numbers.
    private static final long PAGES_MAX = 1L << 47;

    private final MemorySegment page;
    private final long at;
    private final byte kind;
    private final int count;

    /// Offset of the first possible cell of a node; `fences` is the end of its cells, `prefix` the length of its
    /// keys' common prefix.
    private int heap;

    private int fences;
    private int prefix;

    /// Bytes of its slots and cells.
    private int used;

    private PageStructure(MemorySegment page, long at) {
        this.page = page;
        this.at = at;
        this.kind = Page.kind(page, at);
        this.count = Page.count(page, at);
    }

    /// Returns the fault of the page at `at`; an empty string if there is none.
    public static String wrong(MemorySegment page, long at) {
        return new PageStructure(page, at).wrong();
    }

    /// Whether a page other than the file headers could have this number.
    public static boolean isNumber(long page) {
        return page > Page.SECOND_HEADER && page < PAGES_MAX;
    }

    private String wrong() {
        return switch (kind) {
            case Page.LEAF, Page.BRANCH -> wrongNode();
            case Page.OVERFLOW -> wrongOverflow();
            case Page.SPACE -> "";
            default -> "kind=" + kind;
        };
    }

    private String wrongOverflow() {
        if (count == 0 || count > Page.PART_BYTES) {
            return "partBytes=" + count;
        }
        long link = Page.link(page, at);
        boolean full = count == Page.PART_BYTES;
        return link == 0 || (full && isNumber(link)) ? "" : "link=" + link + " partBytes=" + count;
    }

    private String wrongNode() {
        String wrong = wrongHeader();
        if (!wrong.isEmpty()) {
            return wrong;
        }
        long[] taken = new long[Page.BYTES / Long.SIZE];
        for (int i = 0; i < count; i++) {
            wrong = wrongCell(i, taken);
            if (!wrong.isEmpty()) {
                return "slot=" + i + " " + wrong;
            }
        }
        return wrongKeys();
    }

    private String wrongHeader() {
        int low = Node.lowLength(page, at);
        int high = Node.highLength(page, at);
        if (low > Node.KEY_BYTES_MAX || high > Node.KEY_BYTES_MAX) {
            return "lowBytes=" + low + " highBytes=" + high;
        }
        fences = (int) (Node.fences(page, at) - at);
        heap = Node.heap(page, at);
        int slotsEnd = Page.HEADER_BYTES + count * Node.SLOT_BYTES;
        if (slotsEnd > heap || heap > fences || Node.dead(page, at) > fences - heap) {
            return "count=%d heap=%d dead=%d fences=%d"
                    .formatted(count, heap, Node.dead(page, at), fences);
        }
        int shared = 0;
        if (high >= 0) {
            long highAt = at + Page.BYTES - high;
            shared = Node.common(page, at + fences, low, page, highAt, high);
            if (Slice.compare(page, at + fences, low, page, highAt, high) >= 0) {
                return "its lower fence is not below the upper one";
            }
        }
        prefix = Node.prefix(page, at);
        if (prefix != shared) {
            return "prefix=" + prefix + " shared=" + shared;
        }
        long link = Page.link(page, at);
        boolean last = kind == Page.LEAF && link == 0;
        return last || isNumber(link) ? "" : "link=" + link;
    }

    private String wrongCell(int slot, long[] taken) {
        long word = Node.word(page, at, slot);
        int from = Node.cellOffset(word);
        int suffix = Node.suffixLength(word);
        int header = kind == Page.LEAF ? Node.LEAF_CELL : Node.BRANCH_CELL;
        if (from < heap
                || from + header + suffix > fences
                || prefix + suffix > Node.KEY_BYTES_MAX) {
            return "cell=" + from + " suffixBytes=" + suffix;
        }
        int end = from + header + suffix;
        if (kind == Page.BRANCH) {
            long child = page.get(Page.LONG, at + from);
            if (!isNumber(child)) {
                return "child=" + child;
            }
        } else {
            int length = Page.unsignedShort(page, at + from);
            int stored = length & ~Node.OVERFLOW_BIT;
            if (end + stored > fences) {
                return "valueBytes=" + stored;
            }
            boolean overflows = length != stored;
            if (overflows && !isReference(at + end, stored)) {
                return "its reference to overflow pages is none";
            }
            end += stored;
        }
        if ((int) (word >>> 32) != Node.head(page, at + from + header, suffix)) {
            return "head=%08x".formatted((int) (word >>> 32));
        }
        used += Node.SLOT_BYTES + end - from;
        return take(taken, from, end) ? "" : "cell=" + from + " overlaps another";
    }

    private boolean isReference(long reference, int bytes) {
        if (bytes != Node.REFERENCE_BYTES) {
            return false;
        }
        int length = page.get(Page.INT, reference);
        return length > 0
                && length <= Node.VALUE_BYTES_MAX
                && isNumber(page.get(Page.LONG, reference + 4));
    }

    /// Marks the bytes of a cell; false if some belong to another one.
    private static boolean take(long[] taken, int from, int end) {
        long met = 0;
        int first = from >>> 6;
        int last = (end - 1) >>> 6;
        for (int word = first; word <= last; word++) {
            long mask = word == first ? -1L << from : -1L;
            mask &= word == last ? -1L >>> -end : -1L;
            met |= taken[word] & mask;
            taken[word] |= mask;
        }
        return met == 0;
    }

    /// Checks the keys without the prefix, which all of them and both fences share. Heads decide mostly.
    private String wrongKeys() {
        int header = kind == Page.LEAF ? Node.LEAF_CELL : Node.BRANCH_CELL;
        long before = at + fences + prefix;
        int beforeBytes = Node.lowLength(page, at) - prefix;
        int beforeHead = Node.head(page, before, beforeBytes);
        for (int i = 0; i < count; i++) {
            long word = Node.word(page, at, i);
            int head = (int) (word >>> 32);
            long key = at + Node.cellOffset(word) + header;
            int bytes = Node.suffixLength(word);
            int order = Integer.compareUnsigned(beforeHead, head);
            if (order == 0) {
                order = Slice.compare(page, before, beforeBytes, page, key, bytes);
            }
            if (order > 0 || (order == 0 && i > 0)) {
                return "slot=" + i + " is out of order";
            }
            before = key;
            beforeBytes = bytes;
            beforeHead = head;
        }
        int high = Node.highLength(page, at);
        if (high >= 0 && count > 0) {
            long highAt = at + Page.BYTES - high + prefix;
            if (Slice.compare(page, before, beforeBytes, page, highAt, high - prefix) >= 0) {
                return "slot=" + (count - 1) + " is not below the upper fence";
            }
        }
        return used == Node.used(page, at) ? "" : "usedBytes=" + used;
    }
}
