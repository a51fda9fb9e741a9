package dev.oriel.store.delta;

import dev.oriel.store.Slice;

/// Nodes of the B+trees of a [DeltaLayer], as static kernels over arrays of longs on the heap.
///
/// ```
/// leaf    | header | head, address | head, address | ...
/// branch  | header | head, address, child | head, address, child | ...
/// header  count in bits 0 to 7, level in bits 8 to 15 (0 is a leaf), txid of its commit above
/// ```
/// The head is the first eight bytes of a key, which decides most comparisons; the address leads to the entry with
/// the key. In a branch the keys are the least ones of the children, and the first counts as less than any key.
///
/// A node is changed only by the commit that made it; later commits copy it. So a reader needs the number of a top
/// node and nothing else to see a tree as one commit left it.
final class DeltaNodes {
    static final int NODE_LONGS = 64;
    private static final int CHUNK_SHIFT = 6;
    static final int CHUNK_NODES = 1 << CHUNK_SHIFT;
    static final int LEAF_STEP = 2;
    static final int BRANCH_STEP = 3;
    static final int LEAF_MAX = (NODE_LONGS - 1) / LEAF_STEP;
    static final int BRANCH_MAX = (NODE_LONGS - 1) / BRANCH_STEP;

    /// Levels of a tree with more entries than memory holds.
    static final int DEPTH_MAX = 16;

    private static final int TXID_SHIFT = 16;

    private DeltaNodes() {}

    static long[] chunk(long[][] nodes, int node) {
        return nodes[node >>> CHUNK_SHIFT];
    }

    /// Index of the header of `node` in its chunk.
    static int start(int node) {
        return (node & CHUNK_NODES - 1) * NODE_LONGS;
    }

    static long header(int level, long txid) {
        return txid << TXID_SHIFT | (long) level << 8;
    }

    static int count(long header) {
        return (int) header & 0xFF;
    }

    static int level(long header) {
        return (int) header >>> 8 & 0xFF;
    }

    static long txid(long header) {
        return header >>> TXID_SHIFT;
    }

    /// Index in its chunk of item `i` of a node that begins at `start`.
    static int item(int start, int step, int i) {
        return start + 1 + i * step;
    }

    /// Returns the index of `key` in a leaf, or `-1 - i` with `i` the first index of a greater key.
    static int search(
            DeltaMemory memory, long[] chunk, int start, int count, long head, Slice key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int at = item(start, LEAF_STEP, middle);
            int order = Long.compareUnsigned(chunk[at], head);
            if (order == 0) {
                order = memory.compareKey(chunk[at + 1], key);
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

    /// Returns the index of the child of a branch that holds `key`.
    static int childIndex(
            DeltaMemory memory, long[] chunk, int start, int count, long head, Slice key) {
        int low = 1;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int at = item(start, BRANCH_STEP, middle);
            int order = Long.compareUnsigned(chunk[at], head);
            if (order == 0) {
                order = memory.compareKey(chunk[at + 1], key);
            }
            if (order <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /// Number of entries below a node of `level`, if all nodes are two thirds full.
    static long usualEntries(int level) {
        long entries = LEAF_MAX * 2 / 3;
        for (int i = 0; i < level; i++) {
            entries *= BRANCH_MAX * 2 / 3;
        }
        return entries;
    }

    /// Returns the number of child `index` of a branch.
    static int child(long[] chunk, int start, int index) {
        return (int) chunk[item(start, BRANCH_STEP, index) + 2];
    }
}
