package dev.oriel.store.delta;

import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.WriteSetEntries;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A position in the entries of one tree in one layer of [Deltas].
public final class DeltaCursor implements EntryCursor {
    private static final int NOWHERE = -1;

    /// Number of entries that cost as much to pass as a search costs.
    private static final int SEEK_ENTRIES = 4;

    private static final DeltaMemory NO_MEMORY =
            new DeltaMemory(new long[0][], new MemorySegment[0]);

    private DeltaMemory memory = NO_MEMORY;
    private int top = Delta.NO_NODE;

    private @Nullable CursorCalls owner;

    /// Where entries are counted that a reader passes; null if nothing is counted.
    private @Nullable CursorPasses passes;

    // The branches above the leaf, and the child taken in each.
    private final int[] path = new int[DeltaNodes.DEPTH_MAX];
    private final int[] indexes = new int[DeltaNodes.DEPTH_MAX];
    private int depth;

    // The leaf.
    private long[] chunk = {};
    private int start;
    private int count;
    private int slot = NOWHERE;

    /// Resets to the entries of the tree `root`, unpositioned. False if there are none.
    ///
    /// @param reader the transaction that reads; null for the one that absorbs the layer
    public boolean reset(Delta layer, long root, @Nullable CursorCalls reader) {
        owner = reader;
        passes = reader == null ? null : layer.passes();
        memory = layer.memory();
        top = layer.top(root);
        slot = NOWHERE;
        return top != Delta.NO_NODE;
    }

    /// Resets to the entries below the node `topNode`, for the writer of their layer.
    void reset(DeltaMemory of, int topNode) {
        owner = null;
        passes = null;
        memory = of;
        top = topNode;
        slot = NOWHERE;
    }

    /// Nodes may be used again once the transaction has ended.
    private void checkOpen() {
        if (owner != null) {
            owner.checkOpen();
        }
    }

    private void passed(int entries) {
        if (passes != null) {
            passes.add(entries);
        }
    }

    private long address() {
        if (slot == NOWHERE) {
            checkOpen();
            throw new UsageException("The cursor is not on an entry; move it first", "");
        }
        return chunk[DeltaNodes.item(start, DeltaNodes.LEAF_STEP, slot) + 1];
    }

    private void enter(int node) {
        chunk = DeltaNodes.chunk(memory.nodes(), node);
        start = DeltaNodes.start(node);
        count = DeltaNodes.count(chunk[start]);
    }

    private boolean isLeaf() {
        return DeltaNodes.level(chunk[start]) == 0;
    }

    /// Descends to the leaf of `key`; returns its index there, or `-1 - i`.
    private int descend(Slice key) {
        checkOpen();
        passed(SEEK_ENTRIES);
        long head = WriteSetEntries.head(key);
        depth = 0;
        int node = top;
        enter(node);
        while (!isLeaf()) {
            int index = DeltaNodes.childIndex(memory, chunk, start, count, head, key);
            path[depth] = node;
            indexes[depth++] = index;
            node = DeltaNodes.child(chunk, start, index);
            enter(node);
        }
        return DeltaNodes.search(memory, chunk, start, count, head, key);
    }

    /// Descends from `node` to its first leaf, or to its last one.
    private void descendToEdge(int from, boolean first) {
        int node = from;
        enter(node);
        while (!isLeaf()) {
            int index = first ? 0 : count - 1;
            path[depth] = node;
            indexes[depth++] = index;
            node = DeltaNodes.child(chunk, start, index);
            enter(node);
        }
        slot = first ? 0 : count - 1;
    }

    @Override
    public boolean seek(Slice key) {
        int found = descend(key);
        slot = found >= 0 ? found : -1 - found;
        return slot < count || nextLeaf();
    }

    @Override
    public boolean seekBefore(Slice key) {
        int found = descend(key);
        slot = (found >= 0 ? found : -1 - found) - 1;
        return slot >= 0 || previousLeaf();
    }

    @Override
    public boolean first() {
        checkOpen();
        depth = 0;
        descendToEdge(top, true);
        return true;
    }

    @Override
    public boolean last() {
        checkOpen();
        depth = 0;
        descendToEdge(top, false);
        return true;
    }

    @Override
    public boolean next() {
        if (slot == NOWHERE) {
            return false;
        }
        return ++slot < count || nextLeaf();
    }

    @Override
    public boolean previous() {
        if (slot == NOWHERE) {
            return false;
        }
        return --slot >= 0 || previousLeaf();
    }

    private boolean nextLeaf() {
        checkOpen();
        passed(count);
        while (depth > 0) {
            int node = path[depth - 1];
            enter(node);
            int index = ++indexes[depth - 1];
            if (index < count) {
                descendToEdge(DeltaNodes.child(chunk, start, index), true);
                return true;
            }
            depth--;
        }
        slot = NOWHERE;
        return false;
    }

    private boolean previousLeaf() {
        checkOpen();
        passed(count);
        while (depth > 0) {
            int node = path[depth - 1];
            enter(node);
            int index = --indexes[depth - 1];
            if (index >= 0) {
                descendToEdge(DeltaNodes.child(chunk, start, index), false);
                return true;
            }
            depth--;
        }
        slot = NOWHERE;
        return false;
    }

    @Override
    public void leave() {
        slot = NOWHERE;
    }

    @Override
    public boolean isPositioned() {
        return slot != NOWHERE;
    }

    @Override
    public int keyLength() {
        return memory.keyLength(address());
    }

    @Override
    public int compareKeyTo(Slice key) {
        return memory.compareKey(address(), key);
    }

    @Override
    public boolean keyStartsWith(Slice wanted) {
        long address = address();
        int length = wanted.length();
        if (memory.keyLength(address) < length) {
            return false;
        }
        MemorySegment entry = memory.chunk(address);
        long keyAt = DeltaMemory.offset(address) + DeltaMemory.HEADER_BYTES;
        return Slice.compare(entry, keyAt, length, wanted.segment(), wanted.offset(), length) == 0;
    }

    @Override
    public void key(Slice out) {
        memory.key(address(), out);
    }

    @Override
    public void value(Slice out) {
        memory.value(address(), out);
    }

    @Override
    public int valueLength() {
        return memory.valueLength(address());
    }

    @Override
    public void valueHead(Slice out) {
        memory.value(address(), out);
        out.set(out.segment(), out.offset(), Math.min(out.length(), Page.PART_BYTES));
    }

    @Override
    public void copyKeyTo(Slice out) {
        long address = address();
        int length = memory.keyLength(address);
        long keyAt = DeltaMemory.offset(address) + DeltaMemory.HEADER_BYTES;
        out.setOwn(length);
        MemorySegment.copy(memory.chunk(address), keyAt, out.segment(), 0, length);
    }

    @Override
    public boolean isAbsent() {
        return memory.valueLength(address()) < 0;
    }
}
