package dev.oriel.store.transaction;

import dev.oriel.store.data.Pages;
import dev.oriel.store.memory.HeapMemory;
import dev.oriel.store.tree.TreeReader;
import java.util.Arrays;

/// One layer of a [WriteSet], in memory or in a file: its own trees, and the map from real trees to them.
public final class WriteSetLayer {
    final Pages pages;
    final TreeReader reader;

    /// Roots of the real trees, ascending; `owns` has the roots of their counterparts here.
    private long[] roots = new long[4];

    private long[] owns = new long[4];
    private int trees;

    /// Index of the tree looked up last.
    private int last;

    public WriteSetLayer(Pages pages) {
        this.pages = pages;
        this.reader = new TreeReader(pages);
    }

    int trees() {
        return trees;
    }

    /// Returns the root of the real tree number `i`, in ascending order.
    long root(int i) {
        return roots[i];
    }

    long own(int i) {
        return owns[i];
    }

    /// Returns the root of the writes to the tree `root`; 0 if there are none.
    public long rootOf(long root) {
        if (trees == 0) {
            return 0;
        }
        if (roots[last] != root) {
            int found = Arrays.binarySearch(roots, 0, trees, root);
            if (found < 0) {
                return 0;
            }
            last = found;
        }
        return owns[last];
    }

    /// Adds the tree `own`, for writes to the tree `root`, which has none in this layer yet.
    public void add(long root, long own) {
        int at = -1 - Arrays.binarySearch(roots, 0, trees, root);
        if (trees == roots.length) {
            long[] moreRoots = HeapMemory.copy(roots, trees * 2);
            owns = HeapMemory.copy(owns, trees * 2);
            roots = moreRoots; // both, or none if memory runs out
        }
        System.arraycopy(roots, at, roots, at + 1, trees - at);
        System.arraycopy(owns, at, owns, at + 1, trees - at);
        roots[at] = root;
        owns[at] = own;
        trees++;
        last = at;
    }

    /// Removes the tree of the last [#rootOf].
    void removeLast() {
        trees--;
        System.arraycopy(roots, last + 1, roots, last, trees - last);
        System.arraycopy(owns, last + 1, owns, last, trees - last);
        last = 0;
    }

    void clear() {
        trees = 0;
        last = 0;
    }
}
