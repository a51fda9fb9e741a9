package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The free stretches between the cells of one node, for a moment: a bit for each byte of the page, set
/// where it is in use.
final class Holes {
    /// Taken at the first use: many a transaction keeps its writes in one page and removes none.
    private long[] used = {};

    /// Looks at a node. The gap between slots and cells counts as in use: it is no hole.
    void map(MemorySegment segment, long at) {
        if (used.length == 0) {
            used = new long[Page.BYTES >>> 6];
        }
        Arrays.fill(used, 0);
        use(0, Node.heap(segment, at));
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
            use(offset, offset + bytes);
        }
    }

    /// Notes that the bytes from `from` to `to` are in use, or not to be used.
    void use(int from, int to) {
        if (from >= to) {
            return;
        }
        int first = from >>> 6;
        int last = (to - 1) >>> 6;
        long head = -1L << from;
        long tail = -1L >>> -to;
        if (first == last) {
            used[first] |= head & tail;
            return;
        }
        used[first] |= head;
        for (int i = first + 1; i < last; i++) {
            used[i] = -1;
        }
        used[last] |= tail;
    }

    /// Takes `bytes` from the beginning of the smallest hole that has as many, and returns where it is;
    /// -1 where none has.
    int take(int bytes) {
        int best = -1;
        int bestBytes = Integer.MAX_VALUE;
        int hole = nextFree(0);
        while (hole < Page.BYTES && bestBytes > bytes) {
            int end = nextInUse(hole);
            if (end - hole >= bytes && end - hole < bestBytes) {
                best = hole;
                bestBytes = end - hole;
            }
            hole = nextFree(end);
        }
        if (best >= 0) {
            use(best, best + bytes);
        }
        return best;
    }

    private int nextFree(int from) {
        return next(from, -1L);
    }

    private int nextInUse(int from) {
        return next(from, 0);
    }

    /// The first byte from `from` on whose bit is set once `flip` has been applied.
    private int next(int from, long flip) {
        if (from == Page.BYTES) {
            return from;
        }
        int word = from >>> 6;
        long found = (used[word] ^ flip) & -1L << from;
        while (found == 0) {
            if (++word == used.length) {
                return Page.BYTES;
            }
            found = used[word] ^ flip;
        }
        return (word << 6) + Long.numberOfTrailingZeros(found);
    }
}
