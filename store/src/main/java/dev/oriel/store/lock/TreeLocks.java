package dev.oriel.store.lock;

import dev.oriel.store.memory.HeapMemory;

/// The number of key locks that one transaction holds in each tree. Before the first one in a tree it has locked
/// the tree itself SHARED. So a holder of EXCLUSIVE on the tree, in place of key locks, is alone there.
///
/// Belongs to the owner's thread.
public final class TreeLocks {
    private static final int TREES_MIN = 4;

    private long[] roots = new long[TREES_MIN];
    private int[] counts = new int[TREES_MIN];

    /// Number of key locks above which the next attempt to lock the tree is made.
    private int[] limits = new int[TREES_MIN];

    private int trees;
    private int last;

    /// Whether the tree is known; it is the current tree of the methods below.
    public boolean knows(long root) {
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

    /// Makes room for one more tree, before its lock is granted: afterwards nothing may fail.
    public void reserve() {
        if (trees == roots.length) {
            long[] moreRoots = HeapMemory.copy(roots, 2 * trees);
            int[] moreCounts = HeapMemory.copy(counts, 2 * trees);
            limits = HeapMemory.copy(limits, 2 * trees);
            counts = moreCounts; // all of them, or none if memory runs out
            roots = moreRoots;
        }
    }

    public void add(long root, int limit) {
        last = trees++;
        roots[last] = root;
        counts[last] = 0;
        limits[last] = limit;
    }

    /// Counts a key lock; returns whether the limit is exceeded.
    public boolean countAndLook() {
        return ++counts[last] > limits[last];
    }

    public int count() {
        return counts[last];
    }

    /// Sets the number of key locks for the next attempt.
    public void tryAgainAt(int limit) {
        limits[last] = limit;
    }

    /// Notes that the tree itself is locked EXCLUSIVE.
    public void setWhole() {
        counts[last] = -1;
    }

    public boolean isWhole() {
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
