package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.Pages;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Merges entries in the order of their keys into the leaves of trees, all entries of a leaf at once.
///
/// ```
/// leaf      | b  f  k |                        entries  a c d e g h i j
/// cut       | b  f | k |                       where the first page will be full
/// written   | a b c d e f g | h i j k |        each page once
/// ```
/// Inserted one by one, such entries would leave pages half full: a split knows only the entries that are there. Here
/// the following ones are known. They go in one by one if they are few, or if pages would be less than four fifths
/// full: [TreeSplitter] then shares the room of neighbours.
public final class RunMerge {
    private static final int ENTRIES_MAX = 512;

    /// Number of entries of one leaf that are worth a look at the whole leaf.
    private static final int ENTRIES_MIN = 4;

    /// Bytes that entries are looked at ahead: pages are full enough if there are so many, however many follow.
    private static final int AHEAD_BYTES = 4 * Node.ROOM;

    /// A page is full enough if less than this part of it is free.
    private static final int FREE_PART = 5;

    /// Bytes of entries from which a leaf is written anew. The log has less of fewer than of the whole page.
    private static final int WRITE_BYTES_MIN = Node.ROOM / 4;

    /// Number of cuts after which entries go in one by one. More are not needed: a path is shorter.
    private static final int CUTS_MAX = 2 * TreeReader.DEPTH_MAX;

    /// The value of a removal.
    private static final Slice REMOVAL = Node.unbounded();

    private final TreeEditor editor;
    private final PageSpace writer;
    private final Pages pages;
    private final TreePath path = new TreePath(true);

    // The entries to be merged, in order.
    private long root;
    private int count;
    private final MemorySegment[] keyMemory = new MemorySegment[ENTRIES_MAX];
    private final long[] keys = new long[ENTRIES_MAX];
    private final int[] keyBytes = new int[ENTRIES_MAX];
    private final MemorySegment[] valueMemory = new MemorySegment[ENTRIES_MAX];
    private final long[] values = new long[ENTRIES_MAX];
    private final int[] valueBytes = new int[ENTRIES_MAX];

    // The cells of a leaf as merged: slots of the leaf, and entries as -1 - index. Sums are of the
    // bytes before each.
    private final int[] cells = new int[Page.BYTES / Node.SLOT_BYTES + ENTRIES_MAX];
    private final int[] sums = new int[cells.length + 1];

    /// Number of slots of the leaf before each cell, those of removed entries included.
    private final int[] before = new int[cells.length];

    private int cellCount;

    /// Whether these are probably all cells, because later entries belong to other leaves.
    private boolean whole;

    /// Bytes of the entries' cells.
    private int added;

    /// Number of entries whose keys the leaf has, and the bytes of the cells that they replace or remove.
    private int replaced;

    private int replacedBytes;

    private final Slice key = new Slice();
    private final Slice value = new Slice();
    private final Slice last = new Slice();
    private final Slice next = new Slice();
    private final Slice low = new Slice();
    private final Slice high = new Slice();

    /// Copies of the leaf that is written, and of the keys at a cut.
    private final MemorySegment work = NativeMemory.allocate(Page.BYTES, 8);

    private final MemorySegment cutKeys = NativeMemory.allocate(2L * Node.KEY_BYTES_MAX, 8);

    public RunMerge(TreeEditor editor) {
        this.editor = editor;
        this.writer = editor.writer();
        this.pages = writer.pages;
    }

    /// Adds an entry behind the last one. Its memory must stay as it is until the next [#flush].
    public void put(long tree, Slice newKey, Slice newValue) {
        if (!isInline(newKey, newValue)) {
            flush();
            editor.put(tree, newKey, newValue, true);
            return;
        }
        add(tree, newKey, newValue);
    }

    /// Adds the removal of `oldKey`, as [#put].
    public void delete(long tree, Slice oldKey) {
        add(tree, oldKey, REMOVAL);
    }

    private void add(long tree, Slice newKey, Slice newValue) {
        if (count == ENTRIES_MAX || tree != root) {
            flush();
            root = tree;
        }
        keyMemory[count] = newKey.segment();
        keys[count] = newKey.offset();
        keyBytes[count] = newKey.length();
        valueMemory[count] = newValue.segment();
        values[count] = newValue.offset();
        valueBytes[count] = newValue.length();
        count++;
    }

    private static boolean isInline(Slice key, Slice value) {
        return Node.LEAF_CELL + key.length() + value.length() <= Node.CELL_BYTES_MAX;
    }

    /// Forgets the entries that were added since the last [#flush]; their memory may be freed.
    public void clear() {
        Arrays.fill(keyMemory, 0, count, MemorySegment.NULL);
        Arrays.fill(valueMemory, 0, count, MemorySegment.NULL);
        count = 0;
    }

    /// Merges the entries that were added.
    public void flush() {
        int from = 0;
        int cuts = 0;
        while (from < count) {
            point(from, key);
            path.descend(pages, root, key);
            int end = endOfLeaf(from);
            boolean planned = end - from >= ENTRIES_MIN && cuts < CUTS_MAX && plan(from, end);
            if (planned && sums[cellCount] > room(Node.highLength(pages.segment, pages.at))) {
                planned = cut(from);
                if (planned) {
                    cuts++;
                    continue;
                }
            }
            if (planned && !isThin() && added + replacedBytes >= WRITE_BYTES_MIN) {
                write();
            } else {
                changeSingly(from, end);
            }
            from = end;
            cuts = 0;
        }
        clear();
    }

    private void point(int entry, Slice out) {
        out.set(keyMemory[entry], keys[entry], keyBytes[entry]);
    }

    /// The first entry from `from` on that does not belong to the located leaf.
    private int endOfLeaf(int from) {
        int below = from;
        int beyond = count;
        while (beyond - below > 1) {
            int middle = (below + beyond) >>> 1;
            point(middle, next);
            if (Node.isBelowHigh(pages.segment, pages.at, next)) {
                below = middle;
            } else {
                beyond = middle;
            }
        }
        return beyond;
    }

    /// Whether removals leave so little that the page may have to be merged with others.
    private boolean isThin() {
        return replacedBytes > added && sums[cellCount] < Node.ROOM / 2;
    }

    private void changeSingly(int from, int end) {
        for (int i = from; i < end; i++) {
            point(i, key);
            if (valueBytes[i] < 0) {
                editor.delete(root, key);
            } else {
                value.set(valueMemory[i], values[i], valueBytes[i]);
                editor.put(root, key, value, true);
            }
        }
    }

    /// Bytes for slots and cells in a leaf with the lower fence of the located one, and an upper one of `highBytes`; -1
    /// for none.
    private int room(int highBytes) {
        int lowBytes = Node.lowLength(pages.segment, pages.at);
        return Node.endOfCells(lowBytes, highBytes) - Page.HEADER_BYTES;
    }

    /// Plans the cells of the located leaf with the entries from `from` to `end`, as far as they are looked at.
    /// Returns false if one replaces a value that lies outside of the leaf.
    private boolean plan(int from, int end) {
        MemorySegment segment = pages.segment;
        long at = pages.at;
        int prefix = Node.prefix(segment, at);
        int slots = Page.count(segment, at);
        int slot = 0;
        int entry = from;
        cellCount = 0;
        added = 0;
        replaced = 0;
        replacedBytes = 0;
        while ((slot < slots || entry < end) && sums[cellCount] < AHEAD_BYTES) {
            before[cellCount] = slot;
            int order = slot == slots ? 1 : -1;
            if (slot < slots && entry < end) {
                point(entry, key);
                order = Node.compareKey(segment, at, slot, key);
            }
            if (order == 0) {
                if (Node.overflows(segment, at, slot)) {
                    return false;
                }
                replaced++;
                replacedBytes += Node.cellBytes(segment, at, slot++);
            }
            if (order < 0) {
                addCell(slot, Node.cellBytes(segment, at, slot));
                slot++;
            } else if (valueBytes[entry] < 0) {
                entry++;
            } else {
                int bytes = Node.LEAF_CELL + keyBytes[entry] - prefix + valueBytes[entry];
                addCell(-1 - entry, bytes);
                added += bytes;
                entry++;
            }
        }
        boolean more = end == count && sums[cellCount] > 2 * Node.ROOM;
        whole = slot == slots && entry == end && !more;
        return true;
    }

    private void addCell(int cell, int bytes) {
        cells[cellCount] = cell;
        sums[cellCount + 1] = sums[cellCount] + bytes + Node.SLOT_BYTES;
        cellCount++;
    }

    /// Cuts the located leaf where its first page will be full, or makes room for that above. Returns false if pages
    /// would not be full enough.
    private boolean cut(int from) {
        int room = room(keyBytes[from]);
        int bytes = sums[cellCount];
        int parts = Math.max(2, (bytes + room - 1) / room);
        if (whole && bytes < parts * (room - room / FREE_PART)) {
            return false;
        }
        int wanted = whole ? bytes / parts : room;
        int cut = 1;
        while (cut < cellCount - 1 && sums[cut + 1] <= wanted) {
            cut++;
        }
        int slots = before[cut];
        pointAtCell(cut - 1, 0, last);
        if (slots > 0 && Node.compareKey(pages.segment, pages.at, slots - 1, last) > 0) {
            pointAtSlot(slots - 1, 0, last); // it will be removed
        }
        pointAtCell(cut, Node.KEY_BYTES_MAX, next);
        return editor.splitter().cutLeaf(path, slots, last, next);
    }

    /// Points `out` at the key of a planned cell; that of a slot is copied to `cutKeys`, to the offset `to`.
    private void pointAtCell(int cell, int to, Slice out) {
        if (cells[cell] < 0) {
            point(-1 - cells[cell], out);
        } else {
            pointAtSlot(cells[cell], to, out);
        }
    }

    private void pointAtSlot(int slot, int to, Slice out) {
        out.set(cutKeys, to, Node.copyKey(pages.segment, pages.at, slot, cutKeys, to));
    }

    /// Writes the located leaf with the planned cells.
    private void write() {
        writer.touchPart(path.leaf());
        MemorySegment segment = pages.segment;
        long at = pages.at;
        MemorySegment.copy(segment, at, work, 0, Page.BYTES);
        Node.low(work, 0, low);
        Node.high(work, 0, high);
        Node.clear(segment, at, low, high);
        int prefix = Node.prefix(segment, at);
        int heap = Node.heap(segment, at);
        for (int i = 0; i < cellCount; i++) {
            int bytes = sums[i + 1] - sums[i] - Node.SLOT_BYTES;
            heap -= bytes;
            int cell = cells[i];
            if (cell >= 0) {
                long word = Node.word(work, 0, cell);
                MemorySegment.copy(work, Node.cellOffset(word), segment, at + heap, bytes);
                int suffix = Node.suffixLength(word);
                Node.setSlot(segment, at, i, heap, suffix, (int) (word >>> Integer.SIZE));
            } else {
                writeEntry(-1 - cell, prefix, i, heap);
            }
        }
        Page.setShort(segment, at + Page.COUNT, cellCount);
        Page.setShort(segment, at + Node.HEAP, heap);
        writer.changed(0, Page.BYTES);
        editor.noteMerged(added - replacedBytes, replaced);
    }

    private void writeEntry(int entry, int prefix, int slot, int heap) {
        MemorySegment from = keyMemory[entry];
        long suffixAt = keys[entry] + prefix;
        int suffix = keyBytes[entry] - prefix;
        MemorySegment segment = pages.segment;
        long cell = pages.at + heap;
        Page.setShort(segment, cell, valueBytes[entry]);
        MemorySegment.copy(from, suffixAt, segment, cell + Node.LEAF_CELL, suffix);
        long valueAt = cell + Node.LEAF_CELL + suffix;
        MemorySegment.copy(valueMemory[entry], values[entry], segment, valueAt, valueBytes[entry]);
        Node.setSlot(segment, pages.at, slot, heap, suffix, Node.head(from, suffixAt, suffix));
    }
}
