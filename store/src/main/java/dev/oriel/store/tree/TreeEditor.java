package dev.oriel.store.tree;

import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.NodeEditor;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.WriteSetEntries;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Changes the trees of one [PageSpace]: B+trees whose leaves are linked to the right. [TreeSplitter] makes room,
/// [TreeMerger] merges thinned-out pages.
///
/// Each recently used tree has a finger: its last leaf and slot. While keys fall between the fences of that leaf,
/// no descent is needed. While each key comes next to the one before, no search is needed either. A finger is
/// verified before use. It is dropped when pages of its tree are freed, because its leaf may be one of them.
public final class TreeEditor {
    private static final int FINGERS = 16;

    /// Minimum length of a run of adjacent inserts that is expected to continue.
    private static final int RUN_MIN = 3;

    /// Bytes that may remain of a removed entry.
    private static final int TRACE_BYTES = 32;

    private static final int ELSEWHERE = Integer.MIN_VALUE;

    private final PageSpace writer;
    private final Pages pages;
    private final TreePath path = new TreePath(true);
    private final TreeSplitter splitter;
    private final TreeMerger merger;
    private final NodeEditor nodes;
    private final RangeDelete rangeDelete;
    private final TreeReader reader;

    /// Roots of the fingers' trees, indexed by the last bits of the root: no tree has two fingers.
    private final long[] fingerRoots = new long[FINGERS];

    private final long[] fingerLeaves = new long[FINGERS];

    /// Slot of the last key looked up, or its insertion point.
    private final int[] fingerSlots = new int[FINGERS];

    /// Slot of the last insert; `fingerRuns` counts consecutive inserts that each came right after the one before
    /// (positive) or right before it (negative).
    private final int[] fingerPlaces = new int[FINGERS];

    private final int[] fingerRuns = new int[FINGERS];

    /// Index of the finger, and below it the leaf, of the last [#find].
    private int finger;

    private long leaf;

    /// Bytes of keys and values added, less the bytes removed; `removed` is the number of removals.
    private long grownBytes;

    private long removed;

    /// Whether the last [#put] or [#delete] finished its search.
    private boolean searched;

    private final Slice keyCopy = new Slice();
    private final Slice fence = new Slice();
    private final Slice valueCopy = new Slice();

    public TreeEditor(PageSpace writer) {
        this.writer = writer;
        this.pages = writer.pages;
        this.reader = new TreeReader(pages);
        this.nodes = new NodeEditor(writer instanceof PageWriter);
        Redistribution redistribution = new Redistribution(writer, nodes);
        this.splitter = new TreeSplitter(writer, redistribution);
        this.merger = new TreeMerger(writer, path, redistribution);
        this.rangeDelete = new RangeDelete(writer, path, merger);
    }

    /// Resets the editor for a new transaction.
    public void begin() {
        forgetFingers();
        grownBytes = 0;
        removed = 0;
    }

    /// Forgets the fingers: pages may have been freed.
    public void forgetFingers() {
        Arrays.fill(fingerRoots, 0);
    }

    /// Reader of the pages as they are now.
    public TreeReader reader() {
        return reader;
    }

    PageSpace writer() {
        return writer;
    }

    TreeSplitter splitter() {
        return splitter;
    }

    /// Notes that entries have come into pages.
    ///
    /// @param bytes those of their cells, less those of cells that they replaced
    /// @param replaced number of the latter
    void noteMerged(int bytes, int replaced) {
        grownBytes += bytes;
        removed += replaced;
    }

    /// Whether more bytes were added than removed since [#begin]. A delete may leave a trace, such as a freed
    /// record id.
    public boolean grows() {
        return grownBytes > (long) TRACE_BYTES * removed;
    }

    /// Makes an empty tree and returns its root.
    public long create() {
        long root = writer.allocate();
        Node.format(pages.segment, pages.at, Page.LEAF, root, new Slice(), Node.unbounded());
        return root;
    }

    /// Maps `key` to `value`. If the key exists and `replace` is not set, does nothing and returns false.
    public boolean put(long root, Slice key, Slice value, boolean replace) {
        searched = false;
        int found = find(root, key);
        searched = true;
        if (found >= 0 && !replace) {
            return false;
        }
        set(root, found, key, value);
        return true;
    }

    /// Maps `key`, the key of the last [#find], to `value`; a value of length -1 is a removal of `WriteSet`.
    ///
    /// @param found result of [#find]
    public void set(long root, int found, Slice key, Slice value) {
        if (found >= 0 && overwrite(found, value)) {
            return;
        }
        Slice steadyKey = steady(key, keyCopy);
        Slice steadyValue = steady(value, valueCopy);
        if (found >= 0) {
            removeSlot(found);
        }
        insert(root, found >= 0 ? found : -1 - found, steadyKey, steadyValue);
    }

    /// Returns `slice`, or a copy if it lies in the located page, which is about to change: the same transaction
    /// read it from there.
    private Slice steady(Slice slice, Slice copy) {
        long distance =
                slice.segment().address() + slice.offset() - (pages.segment.address() + pages.at);
        boolean inside = distance >= 0 && distance < Page.BYTES;
        return inside ? copy.setCopy(slice) : slice;
    }

    /// Refuses keys and values too long for a leaf; to be called before [#put].
    public static void checkLengths(Slice key, Slice value) {
        if (key.length() > Node.KEY_BYTES_MAX) {
            throw new LimitException(
                    "A key is longer than the store allows",
                    "bytes=" + key.length() + " max=" + Node.KEY_BYTES_MAX);
        }
        if (Integer.compareUnsigned(value.length(), Node.VALUE_BYTES_MAX) > 0) {
            throw new LimitException(
                    "A value is longer than the store allows",
                    "bytes=" + value.length() + " max=" + Node.VALUE_BYTES_MAX);
        }
    }

    /// Removes `key`; false if there is none.
    public boolean delete(long root, Slice key) {
        searched = false;
        int slot = find(root, key);
        searched = true;
        if (slot < 0) {
            return false;
        }
        removeSlot(slot);
        if (merger.isThin() && leaf != root) {
            int count = Page.count(pages.segment, pages.at);
            keyCopy.setCopy(key); // removed, but its bytes are still there
            merger.shrink(root, keyCopy, slot > 0 && slot < count);
            fingerRoots[finger] = 0;
        }
        return true;
    }

    /// Whether the last [#put] or [#delete], if it failed, may have changed anything. It has not if it met damage
    /// on its way to the key.
    public boolean mayHaveChanged() {
        return searched;
    }

    /// As [TreeReader#get], with the finger.
    public boolean get(long root, Slice key, Slice value) {
        int slot = find(root, key);
        if (slot >= 0) {
            reader.value(pages.segment, pages.at, slot, value);
        }
        return slot >= 0;
    }

    /// Locates the leaf of `key` and searches it, as [Node#search].
    public int find(long root, Slice key) {
        finger = (int) root & (FINGERS - 1);
        int found = fingerRoots[finger] == root ? findByFinger(key) : ELSEWHERE;
        if (found == ELSEWHERE) {
            descend(root, key);
            found = search(key);
        }
        int place = found >= 0 ? found : -1 - found;
        fingerSlots[finger] = Math.min(place, Page.count(pages.segment, pages.at) - 1);
        return found;
    }

    private int search(Slice key) {
        return Node.search(pages.segment, pages.at, key.segment(), key.offset(), key.length());
    }

    private void descend(long root, Slice key) {
        path.descend(pages, root, key);
        leaf = path.leaf();
        fingerRoots[finger] = root;
        fingerLeaves[finger] = leaf;
        fingerPlaces[finger] = ELSEWHERE;
        fingerRuns[finger] = 0;
    }

    private int findByFinger(Slice key) {
        leaf = fingerLeaves[finger];
        pages.locate(leaf);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        int slot = fingerSlots[finger];
        int count = Page.count(segment, at);
        if (Page.kind(segment, at) != Page.LEAF || slot < 0 || slot >= count) {
            return ELSEWHERE;
        }
        int order = Node.compareKey(segment, at, slot, key);
        if (order == 0) {
            return slot;
        }
        return order < 0 ? findBehind(slot + 1, count, key) : findBefore(slot, key);
    }

    /// Finds `key`, which is greater than the key of slot `next - 1`.
    private int findBehind(int next, int count, Slice key) {
        if (next == count) {
            return Node.isBelowHigh(pages.segment, pages.at, key) ? -1 - next : ELSEWHERE;
        }
        int order = Node.compareKey(pages.segment, pages.at, next, key);
        if (order >= 0) {
            return order == 0 ? next : -1 - next;
        }
        return Node.isBelowHigh(pages.segment, pages.at, key) ? search(key) : ELSEWHERE;
    }

    /// Finds `key`, which is less than the key of `slot`.
    private int findBefore(int slot, Slice key) {
        if (slot == 0) {
            return Node.isAboveLow(pages.segment, pages.at, key) ? -1 : ELSEWHERE;
        }
        int order = Node.compareKey(pages.segment, pages.at, slot - 1, key);
        if (order <= 0) {
            return order == 0 ? slot - 1 : -1 - slot;
        }
        return Node.isAboveLow(pages.segment, pages.at, key) ? search(key) : ELSEWHERE;
    }

    /// Replaces a value by one of the same length, in place.
    private boolean overwrite(int slot, Slice value) {
        if (Node.overflows(pages.segment, pages.at, slot)
                || Node.storedBytes(pages.segment, pages.at, slot) != value.length()) {
            return false;
        }
        writer.touchPart(leaf);
        MemorySegment segment = pages.segment;
        long to = Node.value(segment, pages.at, slot);
        long from = value.offset();
        int length = value.length();
        int first = 0;
        while (first < length && sameByte(value, first, segment, to)) {
            first++;
        }
        int end = length;
        while (end > first && sameByte(value, end - 1, segment, to)) {
            end--;
        }
        MemorySegment.copy(value.segment(), from + first, segment, to + first, end - first);
        int at = (int) (to - pages.at);
        writer.changed(at + first, at + end);
        return true;
    }

    private static boolean sameByte(Slice value, int index, MemorySegment segment, long to) {
        return value.segment().get(Page.BYTE, value.offset() + index)
                == segment.get(Page.BYTE, to + index);
    }

    private void removeSlot(int slot) {
        removed++;
        grownBytes -= Node.cellBytes(pages.segment, pages.at, slot);
        if (Node.overflows(pages.segment, pages.at, slot)) {
            long valueAt = Node.value(pages.segment, pages.at, slot);
            grownBytes -= pages.segment.get(Page.INT, valueAt);
            Overflow.free(writer, pages.segment, valueAt);
        }
        writer.touchPart(leaf);
        slotsChanged(slot); // of now: the last one is left behind
        Node.remove(pages.segment, pages.at, slot);
    }

    /// Adds an entry to the located leaf, before `slot`, its insertion point.
    private void insert(long root, int slot, Slice key, Slice value) {
        int length = value.length();
        boolean inline =
                length >= 0 && Node.LEAF_CELL + key.length() + length <= Node.CELL_BYTES_MAX;
        long chain = 0;
        if (!inline) {
            chain = Overflow.write(writer, value);
            pages.locate(leaf);
        }
        int stored = inline ? length : Node.REFERENCE_BYTES;
        int place = slot;
        int run = runWith(place);
        Slice steadyKey = key;
        Slice steadyValue = value;
        while (room(place) < slotBytes(key, stored)) {
            // Neighbours are rewritten too, and the slices may lie there.
            steadyKey = keyCopy.setCopy(steadyKey);
            steadyValue = inline ? valueCopy.setCopy(steadyValue) : value;
            place = makeRoom(root, place, steadyKey, stored, Math.abs(run) < RUN_MIN ? 0 : run);
        }
        writer.touchPart(leaf);
        int bytes = slotBytes(key, stored) - Node.SLOT_BYTES;
        long cell = nodes.open(pages.segment, pages.at, place, steadyKey, bytes);
        if (nodes.hasMovedAll()) {
            writer.changed(0, Page.BYTES);
        }
        int suffix = bytes - Node.LEAF_CELL - stored;
        fill(cell, suffix, steadyValue, inline, chain);
        slotsChanged(place);
        int at = (int) (cell - pages.at);
        writer.changed(at, at + bytes);
        grownBytes += bytes + (inline ? 0 : Math.max(0, length));
        fingerSlots[finger] = place;
        fingerPlaces[finger] = place;
        fingerRuns[finger] = run;
    }

    /// Appends the entries of `from`, from `first` on, right after the last insert, with one look at the leaf for
    /// all. Stops at the first entry that is out of order or has no room there. Returns the number appended.
    public int append(long root, WriteSetEntries from, int first) {
        finger = (int) root & (FINGERS - 1);
        if (fingerRoots[finger] != root || fingerRuns[finger] < RUN_MIN) {
            return 0;
        }
        leaf = fingerLeaves[finger];
        writer.touchPart(leaf);
        int before = Page.count(pages.segment, pages.at);
        int end = Node.heap(pages.segment, pages.at);
        if (first == from.count()
                || fingerPlaces[finger] != before - 1
                || Page.kind(pages.segment, pages.at) != Page.LEAF
                || !isBehindAll(from, first)) {
            return 0;
        }
        int added = nodes.append(pages.segment, pages.at, from, first);
        if (added > 0) {
            int heap = Node.heap(pages.segment, pages.at);
            slotsChanged(before);
            writer.changed(heap, end);
            grownBytes += end - heap;
            fingerSlots[finger] = before + added - 1;
            fingerPlaces[finger] = before + added - 1;
            fingerRuns[finger] += added;
        }
        return added;
    }

    /// Whether entry `index` of `from` is greater than all keys of the located leaf. The last insert may be
    /// another transaction's.
    private boolean isBehindAll(WriteSetEntries from, int index) {
        int last = Page.count(pages.segment, pages.at) - 1;
        from.key(index, keyCopy);
        int order = Node.compareKey(pages.segment, pages.at, last, keyCopy);
        keyCopy.setOwn(0);
        return order < 0;
    }

    /// Marks as changed the header of the located leaf and its slots from `first` on.
    private void slotsChanged(int first) {
        int count = Page.count(pages.segment, pages.at);
        writer.changed(Page.KIND, Page.NUMBER);
        writer.changed(Node.HEAP, Node.LOW_LENGTH);
        writer.changed(
                Page.HEADER_BYTES + first * Node.SLOT_BYTES,
                Page.HEADER_BYTES + count * Node.SLOT_BYTES);
    }

    /// Returns the free bytes of the located leaf, for an entry at `place`. An entry at the end may use the bytes
    /// reserved for the fence: when keys come in order, a full leaf need not be rewritten.
    private int room(int place) {
        MemorySegment segment = pages.segment;
        long at = pages.at;
        int kept = place == Page.count(segment, at) ? Node.reserved(segment, at) : 0;
        return Node.free(segment, at) - kept;
    }

    private int runWith(int place) {
        int last = fingerPlaces[finger];
        int run = fingerRuns[finger];
        return place == last + 1 ? Math.max(run, 0) + 1 : place == last ? Math.min(run, 0) - 1 : 0;
    }

    /// Returns the bytes that an entry takes in the located leaf.
    private int slotBytes(Slice key, int stored) {
        int suffix = key.length() - Node.prefix(pages.segment, pages.at);
        return Node.SLOT_BYTES + Node.LEAF_CELL + suffix + stored;
    }

    /// Makes room for `key`, locates its leaf again, and returns its insertion point there.
    private int makeRoom(long root, int slot, Slice key, int stored, int order) {
        path.descend(pages, root, key);
        int bytes = Node.SLOT_BYTES + Node.LEAF_CELL + key.length() + stored;
        splitter.makeRoom(path, key, slot, bytes, order);
        descend(root, key);
        return -1 - search(key);
    }

    private void fill(long cell, int suffix, Slice value, boolean inline, long chain) {
        MemorySegment segment = pages.segment;
        long valueAt = cell + Node.LEAF_CELL + suffix;
        if (inline) {
            Page.setShort(segment, cell, value.length());
            MemorySegment.copy(value.segment(), value.offset(), segment, valueAt, value.length());
        } else {
            Page.setShort(segment, cell, Node.REFERENCE_BYTES | Node.OVERFLOW_BIT);
            segment.set(Page.INT, valueAt, value.length());
            segment.set(Page.LONG, valueAt + 4, chain);
        }
    }

    /// Removes the entries from `from` (inclusive) to `to` (exclusive; null for the end of the tree), and returns
    /// their number.
    public long deleteRange(long root, Slice from, @Nullable Slice to) {
        forgetFingers();
        long count = rangeDelete.run(root, from, to);
        removed += count;
        return count;
    }

    /// Frees all pages of a tree.
    public void drop(long root) {
        clear(root);
        writer.free(root);
    }

    /// Frees all pages of a tree except the root, whose content is void from then on.
    public void clear(long root) {
        dropBelow(root, 0);
        forgetFingers();
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
            long child = TreePath.locateChild(pages, page, i, fence);
            dropBelow(child, level + 1);
            writer.free(child);
            grownBytes -= Page.BYTES / 2;
        }
        if (kind == Page.LEAF) {
            Overflow.freeAll(writer, page, 0, count);
        }
    }
}
