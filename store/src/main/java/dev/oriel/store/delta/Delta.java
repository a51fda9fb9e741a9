package dev.oriel.store.delta;

import dev.oriel.store.Slice;
import dev.oriel.store.page.KeyHash;
import dev.oriel.store.page.WriteSetEntries;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The entries of one [DeltaLayer] as a commit left them: immutable.
///
/// @param trees roots of the trees with entries, ascending
/// @param tops top nodes of their entries
/// @param entries number of entries, removals included
/// @param bytes bytes of all entries, superseded ones included
/// @param filter see [KeyFilter]; it may have keys of later commits too
/// @param passes those of the cursors over all states of the layer
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, as in PageTable.View
public record Delta(
        DeltaMemory memory,
        long[] trees,
        int[] tops,
        long entries,
        long bytes,
        long[] filter,
        CursorPasses passes) {
    /// No address, and no node.
    static final long NONE = 0;

    static final int NO_NODE = -1;

    /// Returns the top node of the entries of the tree `root`, or NO_NODE.
    int top(long root) {
        int found = Arrays.binarySearch(trees, root);
        return found < 0 ? NO_NODE : tops[found];
    }

    /// Whether each of its trees is in `roots`.
    boolean hasOnly(Set<Long> roots) {
        for (long root : trees) {
            if (!roots.contains(root)) {
                return false;
            }
        }
        return true;
    }

    /// Estimates the number of entries of the tree `root` from `low` to `high` (null for the end), by the usual
    /// number of items in a node.
    long estimate(long root, Slice low, @Nullable Slice high) {
        int top = top(root);
        if (top == NO_NODE) {
            return 0;
        }
        return Math.max(0, rank(top, high) - rank(top, low));
    }

    private long rank(int top, @Nullable Slice key) {
        long head = key == null ? 0 : WriteSetEntries.head(key);
        long rank = 0;
        int node = top;
        while (true) {
            long[] chunk = DeltaNodes.chunk(memory.nodes(), node);
            int start = DeltaNodes.start(node);
            long header = chunk[start];
            int count = DeltaNodes.count(header);
            int level = DeltaNodes.level(header);
            if (level == 0) {
                int found =
                        key == null
                                ? count
                                : DeltaNodes.search(memory, chunk, start, count, head, key);
                return rank + (found >= 0 ? found : -1 - found);
            }
            int index =
                    key == null
                            ? count - 1
                            : DeltaNodes.childIndex(memory, chunk, start, count, head, key);
            rank += index * DeltaNodes.usualEntries(level - 1);
            node = DeltaNodes.child(chunk, start, index);
        }
    }

    /// Looks `key` up in the tree `root`; points `out` at the value if there is one.
    Found find(long root, Slice key, long hash, Slice out) {
        long address = find(root, key, hash);
        if (address == NONE) {
            return Found.NOTHING;
        }
        memory.value(address, out);
        return out.length() < 0 ? Found.DELETED : Found.VALUE;
    }

    /// Whether `key` has one and the same entry here and in `other`. Addresses of one chunk are never used again.
    boolean hasSame(Delta other, long root, Slice key) {
        long hash = KeyHash.of(root, key);
        long address = find(root, key, hash);
        return address != NONE
                && address == other.find(root, key, hash)
                && memory.isSameChunk(other.memory, address);
    }

    /// Returns the address of the entry of `key` in the tree `root`, or NONE.
    private long find(long root, Slice key, long hash) {
        if (!KeyFilter.mayHave(filter, hash)) {
            return NONE;
        }
        int node = top(root);
        if (node == NO_NODE) {
            return NONE;
        }
        long head = WriteSetEntries.head(key);
        while (true) {
            long[] chunk = DeltaNodes.chunk(memory.nodes(), node);
            int start = DeltaNodes.start(node);
            long header = chunk[start];
            int count = DeltaNodes.count(header);
            if (DeltaNodes.level(header) == 0) {
                int found = DeltaNodes.search(memory, chunk, start, count, head, key);
                return found < 0 ? NONE : chunk[DeltaNodes.item(start, 2, found) + 1];
            }
            int index = DeltaNodes.childIndex(memory, chunk, start, count, head, key);
            node = DeltaNodes.child(chunk, start, index);
        }
    }
}
