package dev.oriel.store;

/// In which trees one transaction holds locks on keys, and how many. Before the first one in a tree it has locked
/// the tree itself SHARED, so that whoever holds that EXCLUSIVE, in the place of locks on keys, is alone there.
///
/// Belongs to the owner's thread.
final class TreeLocks {
    private static final int TREES_MIN = 4;

    private long[] roots = new long[TREES_MIN];
    private int[] counts = new int[TREES_MIN];

    /// So many locks on keys may be counted before the next attempt to lock the tree.
    private int[] limits = new int[TREES_MIN];

    private int trees;
    private int last;

    /// Whether the tree is known; the methods below are about the tree that was asked for last.
    boolean knows(long root) {
        if (trees > 0 && roots[last] == root) {
            return true;
        }
        for (int i = 0; i < trees; i++) {
            if (roots[i] == root) {
                last = i;
                return true;
            }
        }
        return false;
    }

    /// Makes room for one more tree: before its lock is granted, since after it nothing may fail.
    void reserve() {
        if (trees == roots.length) {
            long[] moreRoots = HeapMemory.copy(roots, 2 * trees);
            int[] moreCounts = HeapMemory.copy(counts, 2 * trees);
            limits = HeapMemory.copy(limits, 2 * trees);
            counts = moreCounts; // all of them, or none where memory ends
            roots = moreRoots;
        }
    }

    void add(long root, int limit) {
        last = trees++;
        roots[last] = root;
        counts[last] = 0;
        limits[last] = limit;
    }

    /// Counts a lock on a key; whether that was one too many.
    boolean countAndLook() {
        return ++counts[last] > limits[last];
    }

    int count() {
        return counts[last];
    }

    /// Another attempt is made when there are so many.
    void tryAgainAt(int limit) {
        limits[last] = limit;
    }

    /// The tree itself is locked EXCLUSIVE.
    void setWhole() {
        counts[last] = -1;
    }

    boolean isWhole() {
        return counts[last] < 0;
    }

    /// Forgets all trees.
    void clear() {
        trees = 0;
        last = 0;
        if (roots.length > TREES_MIN * 64) {
            roots = new long[TREES_MIN];
            counts = new int[TREES_MIN];
            limits = new int[TREES_MIN];
        }
    }
}
