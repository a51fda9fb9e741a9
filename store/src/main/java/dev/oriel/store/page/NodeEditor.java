package dev.oriel.store.page;

import dev.oriel.store.Slice;
import dev.oriel.store.memory.NativeMemory;
import java.lang.foreign.MemorySegment;

/// Adds cells to nodes and changes their fences, so that few of a page's bytes differ afterwards: the log record of
/// a commit consists of these bytes.
///
/// A new cell goes into the gap, or into a hole that a removed one has left:
/// ```
/// | slots ->   gap   | d | a |   | c | b | fences |       a hole, of a cell that went to another page
/// | slots ->   gap   | d | a | e | c | b | fences |       is taken by the next one, and nothing moves
/// ```
/// All cells are moved together only if neither has room. A cell in a hole needs a slot all the same, and slots
/// come from the gap: so the gap is spared while there are holes.
public final class NodeEditor {
    /// With more slots, cells are so small that the slots are most of an insert's changes. A search for a hole
    /// among so many cells would cost more than it saves.
    private static final int SLOTS_MAX = 160;

    private final Holes holes = new Holes();

    /// Whether `holes` belongs to the node being changed.
    private boolean mapped;

    /// Number of slots from which no hole is looked for.
    private final int slotsMax;

    private boolean movedAll;

    /// Work page, allocated at the first use.
    private MemorySegment work = MemorySegment.NULL;

    /// @param logged whether the size of the change matters; if not, holes are won back all at once, which is less
    ///     work
    public NodeEditor(boolean logged) {
        this.slotsMax = logged ? SLOTS_MAX : 0;
    }

    /// Opens slot `slot` for a cell of `cellBytes` and returns the offset of the cell in the segment; its suffix is
    /// the tail of `key` after the prefix. The caller has checked that it fits, and fills the cell.
    public long open(MemorySegment segment, long at, int slot, Slice key, int cellBytes) {
        movedAll = false;
        mapped = false;
        int cell = place(segment, at, cellBytes);
        Node.openSlots(segment, at, slot, 1);
        int prefix = Node.prefix(segment, at);
        int suffix = key.length() - prefix;
        long from = key.offset() + prefix;
        Node.setSlot(segment, at, slot, cell, suffix, Node.head(key.segment(), from, suffix));
        long suffixAt = at + cell + Node.cellHeader(segment, at);
        MemorySegment.copy(key.segment(), from, segment, suffixAt, suffix);
        return at + cell;
    }

    /// Whether the last call of [#open] has moved all cells.
    public boolean hasMovedAll() {
        return movedAll;
    }

    /// Adds entries of `from` from entry `first` on: as many as have room in the gap and lie below the upper fence.
    /// They are in order and greater than all keys of the leaf. Returns their number; the caller must find room for
    /// the rest.
    public int append(MemorySegment segment, long at, WriteSetEntries from, int first) {
        MemorySegment bytes = from.bytes();
        int prefix = Node.prefix(segment, at);
        int high = Node.highLength(segment, at);
        long highAt = at + Page.BYTES - Math.max(0, high);
        int dead = Node.dead(segment, at);
        int spare = Math.min(0, dead - Node.reserved(segment, at));
        int before = Page.count(segment, at);
        int heap = Node.heap(segment, at);
        int gap = Node.gap(segment, at);
        int count = before;
        for (int i = first; i < from.count(); i++) {
            int start = from.start(i);
            int keyBytes = WriteSetEntries.keyBytes(bytes, start);
            int valueBytes = WriteSetEntries.valueBytes(bytes, start);
            long key = start + (long) WriteSetEntries.HEADER_BYTES;
            if (high >= 0 && Slice.compare(bytes, key, keyBytes, segment, highAt, high) >= 0) {
                break; // it may be shorter than the prefix
            }
            int suffix = keyBytes - prefix;
            int cell = Node.LEAF_CELL + suffix + valueBytes;
            int holes = dead >= cell && count < slotsMax ? dead / cell * Node.SLOT_BYTES : 0;
            if (valueBytes < 0
                    || cell + prefix > Node.CELL_BYTES_MAX
                    || gap + spare < cell + Node.SLOT_BYTES + holes) {
                break;
            }
            heap -= cell;
            gap -= cell + Node.SLOT_BYTES;
            Page.setShort(segment, at + heap, valueBytes);
            MemorySegment.copy(
                    bytes, key + prefix, segment, at + heap + Node.LEAF_CELL, suffix + valueBytes);
            Node.setSlot(segment, at, count, heap, suffix, Node.head(bytes, key + prefix, suffix));
            count++;
        }
        Page.setShort(segment, at + Page.COUNT, count);
        Page.setShort(segment, at + Node.HEAP, heap);
        return count - before;
    }

    /// Allocates room for a cell of `cellBytes` bytes, leaving some for its slot, and returns its offset in the
    /// page.
    private int place(MemorySegment segment, long at, int cellBytes) {
        int wanted = cellBytes + Node.SLOT_BYTES;
        int gap = Node.gap(segment, at);
        if (gap >= Node.SLOT_BYTES && sparesGap(segment, at, wanted, cellBytes)) {
            if (!mapped) {
                holes.map(segment, at);
                mapped = true;
            }
            int hole = holes.take(cellBytes);
            if (hole >= 0) {
                Page.setShort(segment, at + Node.DEAD, Node.dead(segment, at) - cellBytes);
                return hole;
            }
        }
        if (gap < wanted) {
            compact(segment, at, wanted);
        }
        return takeFromGap(segment, at, cellBytes);
    }

    /// Whether `wanted` bytes of the gap would be missed: by the slots of as many cells of `cellBytes` as
    /// there may be holes for.
    private boolean sparesGap(MemorySegment segment, long at, int wanted, int cellBytes) {
        int cells = Node.dead(segment, at) / cellBytes;
        return cells > 0
                && Page.count(segment, at) < slotsMax
                && Node.gap(segment, at) < wanted + cells * Node.SLOT_BYTES;
    }

    private static int takeFromGap(MemorySegment segment, long at, int cellBytes) {
        int heap = Node.heap(segment, at) - cellBytes;
        Page.setShort(segment, at + Node.HEAP, heap);
        return heap;
    }

    /// Moves the cells together, so that nearly all free bytes are in the gap, at least `wanted`; the caller has
    /// checked that these are free.
    private void compact(MemorySegment segment, long at, int wanted) {
        movedAll = true;
        mapped = false;
        MemorySegment copy = copyOf(segment, at);
        int start = (int) (Node.fences(segment, at) - at);
        int slack = start - Node.endOfCells(segment, at);
        int dead = Node.free(segment, at) - slack >= wanted ? slack : 0;
        int heap = start - dead;
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            int bytes = Node.cellBytes(copy, 0, i);
            heap -= bytes;
            MemorySegment.copy(copy, Node.cell(copy, 0, i), segment, at + heap, bytes);
            Node.setCellOffset(segment, at, i, heap);
        }
        Page.setShort(segment, at + Node.HEAP, heap);
        Page.setShort(segment, at + Node.DEAD, dead);
    }

    private MemorySegment copyOf(MemorySegment segment, long at) {
        if (work.byteSize() == 0) {
            work = NativeMemory.allocate(Page.BYTES, 8);
        }
        MemorySegment.copy(segment, at, work, 0, Page.BYTES);
        return work;
    }

    /// Adds the cells of slots `from` to `to` of the node at `sourceAt` before slot `slot` of the node at `at`. If
    /// the prefixes differ, suffixes lose or gain the difference. The caller has checked that they fit.
    public void insert(
            MemorySegment source,
            long sourceAt,
            int from,
            int to,
            MemorySegment segment,
            long at,
            int slot) {
        int growth = Node.prefix(source, sourceAt) - Node.prefix(segment, at);
        int wanted = (to - from) * (Node.SLOT_BYTES + growth);
        for (int i = from; i < to; i++) {
            wanted += Node.cellBytes(source, sourceAt, i);
        }
        mapped = false;
        if (sparesGap(segment, at, wanted, wanted / (to - from))) {
            for (int i = from; i < to; i++) {
                int cell = place(segment, at, Node.cellBytes(source, sourceAt, i) + growth);
                Node.openSlots(segment, at, slot + i - from, 1);
                copyCell(source, sourceAt, i, segment, at, slot + i - from, cell);
            }
            return;
        }
        if (Node.gap(segment, at) < wanted) {
            compact(segment, at, wanted);
        }
        Node.openSlots(segment, at, slot, to - from);
        for (int i = from; i < to; i++) {
            int cell = takeFromGap(segment, at, Node.cellBytes(source, sourceAt, i) + growth);
            copyCell(source, sourceAt, i, segment, at, slot + i - from, cell);
        }
    }

    /// Copies a cell to offset `to` and sets the slot.
    private static void copyCell(
            MemorySegment source,
            long sourceAt,
            int sourceSlot,
            MemorySegment segment,
            long at,
            int slot,
            int to) {
        int header = Node.cellHeader(segment, at);
        int targetPrefix = Node.prefix(segment, at);
        int sourcePrefix = Node.prefix(source, sourceAt);
        int cut = Math.max(0, targetPrefix - sourcePrefix);
        int gained = Math.max(0, sourcePrefix - targetPrefix);
        long gainedAt = Node.prefixAt(source, sourceAt) + Math.min(targetPrefix, sourcePrefix);
        long word = Node.word(source, sourceAt, sourceSlot);
        long cell = sourceAt + Node.cellOffset(word);
        int rest = Node.cellBytes(source, sourceAt, sourceSlot) - header - cut;
        long suffixAt = at + to + header;
        MemorySegment.copy(source, cell, segment, at + to, header);
        MemorySegment.copy(source, gainedAt, segment, suffixAt, gained);
        MemorySegment.copy(source, cell + header + cut, segment, suffixAt + gained, rest);
        int suffix = Node.suffixLength(word) + gained - cut;
        int head = gained == cut ? (int) (word >>> 32) : Node.head(segment, suffixAt, suffix);
        Node.setSlot(segment, at, slot, to, suffix, head);
    }

    /// Fills the gap of a node with zeros, for a node logged as a whole.
    public static void clearGap(MemorySegment segment, long at) {
        int gap = Node.gap(segment, at);
        segment.asSlice(at + Node.heap(segment, at) - gap, gap).fill((byte) 0);
    }

    /// Gives a node other fences, which leave its prefix as it is and must not lie in it. Returns false if longer
    /// fences find no room without moving all cells; then the node keeps its own.
    public boolean changeFences(MemorySegment segment, long at, Slice low, Slice high) {
        int start = Page.BYTES - low.length() - Math.max(0, high.length());
        int before = (int) (Node.fences(segment, at) - at);
        if (start < before && !vacate(segment, at, start)) {
            return false;
        }
        if (Page.count(segment, at) == 0) {
            Node.clear(segment, at, low, high);
            return true;
        }
        Node.setFences(segment, at, low, high);
        Page.setShort(segment, at + Node.DEAD, Node.dead(segment, at) + start - before);
        return true;
    }

    /// Lengthens the prefix of a node in place: each suffix loses its first bytes, so its cell begins later by as
    /// many. The caller has checked that all keys share them, and sets the fences.
    public static void growPrefix(MemorySegment segment, long at, int growth) {
        boolean leaf = Page.kind(segment, at) == Page.LEAF;
        int header = Node.cellHeader(segment, at);
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            long word = Node.word(segment, at, i);
            int cell = Node.cellOffset(word);
            int moved = cell + growth;
            if (leaf) {
                segment.set(Page.SHORT, at + moved, segment.get(Page.SHORT, at + cell));
            } else {
                segment.set(Page.LONG, at + moved, segment.get(Page.LONG, at + cell));
            }
            int suffix = Node.suffixLength(word) - growth;
            int head = Node.head(segment, at + moved + header, suffix);
            Node.setSlot(segment, at, i, moved, suffix, head);
        }
        if (count > 0) {
            Page.setShort(segment, at + Node.HEAP, Node.heap(segment, at) + growth);
            int dead = Node.dead(segment, at) + (count - 1) * growth;
            Page.setShort(segment, at + Node.DEAD, dead);
        }
        Page.setShort(segment, at + Node.PREFIX, Node.prefix(segment, at) + growth);
    }

    /// Moves the few cells that reach beyond `start`, the beginning of the longer fences.
    private boolean vacate(MemorySegment segment, long at, int start) {
        holes.map(segment, at);
        holes.use(start, Page.BYTES);
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            int bytes = Node.cellBytes(segment, at, i);
            long cell = Node.cell(segment, at, i);
            if (cell + bytes <= at + start) {
                continue;
            }
            int to = holes.take(bytes);
            if (to < 0) {
                if (Node.heap(segment, at) > start || Node.gap(segment, at) < bytes) {
                    return false;
                }
                to = takeFromGap(segment, at, bytes);
                Page.setShort(segment, at + Node.DEAD, Node.dead(segment, at) + bytes);
            }
            MemorySegment.copy(segment, cell, segment, at + to, bytes);
            Node.setCellOffset(segment, at, i, to);
        }
        return true;
    }
}
