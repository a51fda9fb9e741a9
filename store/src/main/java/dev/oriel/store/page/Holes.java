package dev.oriel.store.page;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The free stretches between the cells of one node, for a moment. It has a bit for each byte of the page, set at
/// the start of each used stretch, and the length of that. So the stretches are met in page order, without being
/// sorted.
final class Holes {
    /// Allocated at the first use: many a transaction keeps its writes in one page and removes none.
    private long[] begins = {};

    /// Length of the used stretch, by its first byte.
    private int[] lengths = {};

    /// Lower bound of all holes.
    private int lowest;

    /// Maps a node. The gap between slots and cells counts as in use: it is no hole.
    void map(MemorySegment segment, long at) {
        if (lengths.length == 0) {
            begins = new long[Page.BYTES >>> 6];
            lengths = new int[Page.BYTES];
        }
        Arrays.fill(begins, 0);
        lowest = Node.heap(segment, at);
        use((int) (Node.fences(segment, at) - at), Page.BYTES);
        boolean leaf = Page.kind(segment, at) == Page.LEAF;
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            long word = Node.word(segment, at, i);
            int offset = Node.cellOffset(word);
            int suffix = Node.suffixLength(word);
            int bytes =
                    leaf
                            ? Node.LEAF_CELL + suffix + Node.storedBytes(segment, at + offset)
                            : Node.BRANCH_CELL + suffix;
            begins[offset >>> 6] |= 1L << offset;
            lengths[offset] = bytes;
        }
    }

    /// Marks the bytes from `from` to `to` as in use, or not to be used.
    void use(int from, int to) {
        if (from >= to) {
            return;
        }
        boolean known = (begins[from >>> 6] & 1L << from) != 0;
        begins[from >>> 6] |= 1L << from;
        lengths[from] = known ? Math.max(lengths[from], to - from) : to - from;
    }

    /// Takes `bytes` from the beginning of the smallest hole that has as many, and returns their offset; -1 if none
    /// has.
    int take(int bytes) {
        int best = -1;
        int bestBytes = Integer.MAX_VALUE;
        int end = lowest;
        for (int word = end >>> 6; word < begins.length && bestBytes > bytes; word++) {
            for (long left = begins[word]; left != 0; left &= left - 1) {
                int begin = (word << 6) + Long.numberOfTrailingZeros(left);
                int hole = begin - end;
                if (hole >= bytes && hole < bestBytes) {
                    best = end;
                    bestBytes = hole;
                }
                end = Math.max(end, begin + lengths[begin]);
            }
        }
        int hole = Page.BYTES - end;
        if (hole >= bytes && hole < bestBytes && bestBytes > bytes) {
            best = end;
        }
        if (best >= 0) {
            use(best, best + bytes);
        }
        return best;
    }
}
