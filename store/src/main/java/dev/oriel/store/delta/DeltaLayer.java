package dev.oriel.store.delta;

import dev.oriel.store.Slice;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.KeyHash;
import dev.oriel.store.page.WriteSetEntries;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The writer's side of a delta: entries of commits that are not in pages yet, in one B+tree for each tree.
/// Used by the holder of the page writer's role alone; readers use the [Delta] of their state.
///
/// Nodes are copied on write, once for each commit. A node that a commit has copied is used again once no snapshot
/// from its own commit up to that one is open ([RetiredNodes]). The memory of entries is freed with the whole layer.
public final class DeltaLayer {
    private static final int ENTRY_CHUNK_MIN = 16 << 10;
    private static final int ENTRY_CHUNK_MAX = 1 << 20;

    /// First address: 0 stands for none.
    private static final int FIRST = 8;

    private DeltaMemory memory = new DeltaMemory(new long[0][], new MemorySegment[0]);
    private long txid;

    /// Bytes used of the newest chunk of entries.
    private long used;

    private long entryBytes;

    private int[] freeNodes = new int[DeltaNodes.CHUNK_NODES];
    private int freeCount;

    private final CursorPasses passes = new CursorPasses();
    private final RetiredNodes retired = new RetiredNodes();

    /// Nodes that the open commit has made.
    private int[] made = new int[DeltaNodes.CHUNK_NODES];

    private int madeCount;

    /// Roots of the trees with entries, ascending, and the top nodes of their entries here.
    private long[] trees = new long[4];

    private int[] tops = new int[4];
    private int treeCount;

    private long entries;

    /// Hashes of all keys. An undone commit leaves its own.
    private long[] filter = new long[KeyFilter.WORDS_MIN];

    /// Runs of entries that the open commit has added: tree, address and bytes of each.
    private long[] runs = new long[3 * 4];

    private int runCount;

    /// Number of entries that the open commit has written, also in the place of others.
    private long written;

    /// Whether a commit is open, and so can be undone.
    private boolean begun;

    // State before the open commit.
    private long[] treesBefore = {};
    private int[] topsBefore = {};
    private long entriesBefore;
    private int chunksBefore;
    private long usedBefore;
    private long entryBytesBefore;

    private final int[] path = new int[DeltaNodes.DEPTH_MAX];
    private final int[] indexes = new int[DeltaNodes.DEPTH_MAX];
    private final Slice key = new Slice();

    /// Begins a commit. The first `count` of `snapshots` are the open ones in order, with the newest commit last.
    void begin(long txid, long[] snapshots, int count) {
        long[] treesNow = Arrays.copyOf(trees, treeCount);
        topsBefore = Arrays.copyOf(tops, treeCount); // the last step that may fail
        treesBefore = treesNow;
        this.txid = txid;
        freeCount = retired.sweep(snapshots, count, freeNodes, freeCount);
        written = 0;
        madeCount = 0;
        runCount = 0;
        entriesBefore = entries;
        chunksBefore = memory.entries().length;
        usedBefore = used;
        entryBytesBefore = entryBytes;
        begun = true;
    }

    /// The open commit is published.
    void end() {
        begun = false;
    }

    /// Undoes the open commit.
    void rollback() {
        if (!begun) {
            return;
        }
        begun = false;
        for (int i = 0; i < madeCount; i++) {
            freeNodes[freeCount++] = made[i];
        }
        madeCount = 0;
        retired.rollback();
        treeCount = treesBefore.length;
        System.arraycopy(treesBefore, 0, trees, 0, treeCount);
        System.arraycopy(topsBefore, 0, tops, 0, treeCount);
        entries = entriesBefore;
        if (memory.entries().length > chunksBefore) {
            memory = new DeltaMemory(memory.nodes(), Arrays.copyOf(memory.entries(), chunksBefore));
        }
        used = usedBefore;
        entryBytes = entryBytesBefore;
    }

    /// The trees as the open commit leaves them.
    @Nullable Delta publish() {
        if (treeCount == 0) {
            return null;
        }
        return new Delta(
                memory,
                Arrays.copyOf(trees, treeCount),
                Arrays.copyOf(tops, treeCount),
                entries,
                entryBytes,
                filter,
                passes);
    }

    /// Number of entries that the open commit has written, also in the place of others.
    public long addedEntries() {
        return written;
    }

    /// Adds all entries of `from` to those of the tree `root`.
    public void add(long root, WriteSetEntries from) {
        if (from.count() == 0) {
            return;
        }
        long base = allocate(from.used());
        noteRun(root, base, from.used());
        MemorySegment.copy(
                from.bytes(), 0, memory.chunk(base), DeltaMemory.offset(base), from.used());
        int tree = treeIndex(root);
        for (int i = 0; i < from.count(); i++) {
            from.key(i, key);
            put(tree, from.head(i), key, base + from.start(i));
        }
    }

    /// Adds an entry to those of the tree `root`; a value of length -1 is a removal.
    public void add(long root, Slice newKey, Slice newValue) {
        int valueBytes = Math.max(0, newValue.length());
        int bytes = DeltaMemory.HEADER_BYTES + newKey.length() + valueBytes;
        long address = allocate(bytes);
        noteRun(root, address, bytes);
        WriteSetEntries.write(newKey, newValue, memory.chunk(address), DeltaMemory.offset(address));
        memory.key(address, key);
        put(treeIndex(root), WriteSetEntries.head(key), key, address);
    }

    private void noteRun(long root, long address, int bytes) {
        int last = runCount - 3;
        if (last >= 0 && runs[last] == root && runs[last + 1] + runs[last + 2] == address) {
            runs[last + 2] += bytes;
            return;
        }
        if (runCount == runs.length) {
            runs = Arrays.copyOf(runs, runCount * 2);
        }
        runs[runCount++] = root;
        runs[runCount++] = address;
        runs[runCount++] = bytes;
    }

    /// Passes the entries that the open commit has added.
    void describe(DeltaLayers.Runs target) {
        for (int i = 0; i < runCount; i += 3) {
            long address = runs[i + 1];
            target.run(
                    runs[i], memory.chunk(address), DeltaMemory.offset(address), (int) runs[i + 2]);
        }
    }

    private long allocate(long bytes) {
        MemorySegment[] chunks = memory.entries();
        int last = chunks.length - 1;
        if (last < 0 || used + bytes > chunks[last].byteSize()) {
            long usual = last < 0 ? ENTRY_CHUNK_MIN : 2 * chunks[last].byteSize();
            long wanted = Math.max(Math.min(usual, ENTRY_CHUNK_MAX), FIRST + bytes);
            MemorySegment[] more = Arrays.copyOf(chunks, last + 2);
            more[++last] = NativeMemory.allocate(wanted, 8);
            memory = new DeltaMemory(memory.nodes(), more);
            used = FIRST;
        }
        long address = (long) last << 32 | used;
        used += bytes;
        entryBytes += bytes;
        return address;
    }

    private int treeIndex(long root) {
        int found = Arrays.binarySearch(trees, 0, treeCount, root);
        if (found >= 0) {
            return found;
        }
        int at = -1 - found;
        int top = newNode(0);
        if (treeCount == trees.length) {
            long[] moreTrees = Arrays.copyOf(trees, treeCount * 2);
            tops = Arrays.copyOf(tops, treeCount * 2);
            trees = moreTrees;
        }
        System.arraycopy(trees, at, trees, at + 1, treeCount - at);
        System.arraycopy(tops, at, tops, at + 1, treeCount - at);
        trees[at] = root;
        tops[at] = top;
        treeCount++;
        return at;
    }

    private int newNode(int level) {
        if (freeCount == 0) {
            addChunk();
        }
        if (madeCount == made.length) {
            made = Arrays.copyOf(made, madeCount * 2);
        }
        int node = freeNodes[--freeCount];
        made[madeCount++] = node;
        DeltaNodes.chunk(memory.nodes(), node)[DeltaNodes.start(node)] =
                DeltaNodes.header(level, txid);
        return node;
    }

    private void addChunk() {
        long[][] nodes = memory.nodes();
        long[][] more = Arrays.copyOf(nodes, nodes.length + 1);
        more[nodes.length] = new long[DeltaNodes.CHUNK_NODES * DeltaNodes.NODE_LONGS];
        int all = more.length * DeltaNodes.CHUNK_NODES;
        if (freeNodes.length < all) { // room for all nodes, so that freeing cannot fail
            freeNodes = Arrays.copyOf(freeNodes, 2 * all);
        }
        memory = new DeltaMemory(more, memory.entries());
        for (int i = DeltaNodes.CHUNK_NODES - 1; i >= 0; i--) {
            freeNodes[freeCount++] = nodes.length * DeltaNodes.CHUNK_NODES + i;
        }
    }

    /// Returns `node` if the open commit has made it, else a copy.
    private int own(int node) {
        long[] chunk = DeltaNodes.chunk(memory.nodes(), node);
        int start = DeltaNodes.start(node);
        long header = chunk[start];
        if (DeltaNodes.txid(header) == txid) {
            return node;
        }
        int level = DeltaNodes.level(header);
        int copy = newNode(level);
        long[] target = DeltaNodes.chunk(memory.nodes(), copy);
        int to = DeltaNodes.start(copy);
        int count = DeltaNodes.count(header);
        int step = level == 0 ? DeltaNodes.LEAF_STEP : DeltaNodes.BRANCH_STEP;
        System.arraycopy(chunk, start + 1, target, to + 1, count * step);
        target[to] |= count;
        retired.add(node, DeltaNodes.txid(header), txid);
        return copy;
    }

    private void put(int tree, long head, Slice newKey, long address) {
        written++;
        int node = own(tops[tree]);
        tops[tree] = node;
        long[] chunk = DeltaNodes.chunk(memory.nodes(), node);
        int start = DeltaNodes.start(node);
        int depth = 0;
        while (DeltaNodes.level(chunk[start]) > 0) {
            int count = DeltaNodes.count(chunk[start]);
            int index = DeltaNodes.childIndex(memory, chunk, start, count, head, newKey);
            int at = DeltaNodes.item(start, DeltaNodes.BRANCH_STEP, index) + 2;
            int child = own((int) chunk[at]);
            chunk[at] = child;
            path[depth] = node;
            indexes[depth++] = index;
            node = child;
            chunk = DeltaNodes.chunk(memory.nodes(), node);
            start = DeltaNodes.start(node);
        }
        int count = DeltaNodes.count(chunk[start]);
        int found = DeltaNodes.search(memory, chunk, start, count, head, newKey);
        if (found >= 0) {
            chunk[DeltaNodes.item(start, DeltaNodes.LEAF_STEP, found) + 1] = address;
            return;
        }
        insert(tree, depth, node, -1 - found, head, address, 0);
        entries++;
        KeyFilter.add(filter, KeyHash.of(trees[tree], newKey));
        if (KeyFilter.isFull(filter.length, entries)) {
            enlargeFilter();
        }
    }

    private void enlargeFilter() {
        long[] larger = new long[filter.length * 4];
        DeltaCursor cursor = new DeltaCursor();
        for (int i = 0; i < treeCount; i++) {
            cursor.reset(memory, tops[i]);
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.key(key);
                KeyFilter.add(larger, KeyHash.of(trees[i], key));
            }
        }
        filter = larger;
    }

    /// Inserts an item before `index` of `node`, which has the path above it in `path`; splits it if it is full.
    private void insert(
            int tree, int depth, int node, int index, long head, long address, int child) {
        long[] chunk = DeltaNodes.chunk(memory.nodes(), node);
        int start = DeltaNodes.start(node);
        long header = chunk[start];
        int level = DeltaNodes.level(header);
        int count = DeltaNodes.count(header);
        int step = level == 0 ? DeltaNodes.LEAF_STEP : DeltaNodes.BRANCH_STEP;
        int most = level == 0 ? DeltaNodes.LEAF_MAX : DeltaNodes.BRANCH_MAX;
        if (count < most) {
            open(chunk, start, step, index, count);
            set(chunk, start, step, index, head, address, child);
            return;
        }
        int kept = index == count ? count : count / 2; // keys in order fill their nodes
        int right = newNode(level);
        long[] target = DeltaNodes.chunk(memory.nodes(), right);
        int to = DeltaNodes.start(right);
        int moved = count - kept;
        System.arraycopy(
                chunk,
                DeltaNodes.item(start, step, kept),
                target,
                DeltaNodes.item(to, step, 0),
                moved * step);
        target[to] += moved;
        chunk[start] -= moved;
        if (index > kept || moved == 0) {
            open(target, to, step, index - kept, moved);
            set(target, to, step, index - kept, head, address, child);
        } else {
            open(chunk, start, step, index, kept);
            set(chunk, start, step, index, head, address, child);
        }
        int first = DeltaNodes.item(to, step, 0);
        long rightHead = target[first];
        long rightAddress = target[first + 1];
        if (depth > 0) {
            insert(
                    tree,
                    depth - 1,
                    path[depth - 1],
                    indexes[depth - 1] + 1,
                    rightHead,
                    rightAddress,
                    right);
            return;
        }
        int top = newNode(level + 1);
        long[] above = DeltaNodes.chunk(memory.nodes(), top);
        int at = DeltaNodes.start(top);
        int least = DeltaNodes.item(start, step, 0);
        above[at] += 2;
        set(above, at, DeltaNodes.BRANCH_STEP, 0, chunk[least], chunk[least + 1], node);
        set(above, at, DeltaNodes.BRANCH_STEP, 1, rightHead, rightAddress, right);
        tops[tree] = top;
    }

    private static void open(long[] chunk, int start, int step, int index, int count) {
        int at = DeltaNodes.item(start, step, index);
        System.arraycopy(chunk, at, chunk, at + step, (count - index) * step);
        chunk[start]++;
    }

    private static void set(
            long[] chunk, int start, int step, int index, long head, long address, int child) {
        int at = DeltaNodes.item(start, step, index);
        chunk[at] = head;
        chunk[at + 1] = address;
        if (step == DeltaNodes.BRANCH_STEP) {
            chunk[at + 2] = child;
        }
    }
}
