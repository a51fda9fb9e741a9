package dev.oriel.graph.element;

import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// A batch of the neighbours in a range of edges, copied out of a table at once, so that no cursor stays open
/// between two of them.
public final class NeighbourBatch implements EdgeRanges.Batch {
    private static final int FIRST = 16;
    private static final int MOST = 1024;

    private long[] ends = new long[FIRST];
    private int count;

    /// Number of neighbours taken so far.
    private int at;

    private boolean done;

    /// Key after which to continue, in the order of the range; null at its beginning.
    @Nullable Tuple last;

    private int want = FIRST;

    @Override
    public void reset() {
        count = 0;
        at = 0;
        done = false;
        last = null;
        want = FIRST;
    }

    /// Makes room for the next batch: small at first, because many vertices have few edges.
    void begin() {
        count = 0;
        at = 0;
        if (ends.length < want) {
            ends = new long[want];
        }
    }

    /// Ends a full batch; the next one is larger.
    void end() {
        want = Math.min(4 * want, MOST);
    }

    /// Marks the end of the range.
    void finish() {
        done = true;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    public boolean hasNext() {
        return at < count;
    }

    /// The next neighbour.
    public long next() {
        int taken = at;
        long[] from = ends;
        if (taken >= from.length) { // a batch ends before its array does
            throw SequenceCount.twoThreads();
        }
        at = taken + 1;
        return from[taken];
    }

    /// Number of neighbours read last.
    int count() {
        return count;
    }

    boolean isFull() {
        return count == want;
    }

    void add(long end) {
        if (count >= ends.length) {
            throw SequenceCount.twoThreads();
        }
        ends[count++] = end;
    }
}
