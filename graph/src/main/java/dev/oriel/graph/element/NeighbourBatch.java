package dev.oriel.graph.element;

import dev.oriel.table.Tuple;
import org.jspecify.annotations.Nullable;

/// Some of the vertices that a range of edges leads to, copied out of a table at once, so that no cursor stays
/// open between two of them.
public final class NeighbourBatch implements EdgeRanges.Batch {
    private static final int FIRST = 16;
    private static final int MOST = 1024;

    private long[] ends = new long[FIRST];
    private int count;

    /// How many of them have been taken.
    private int at;

    private boolean done;

    /// The key to go on after, in the order of the range; null at its beginning.
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

    /// Makes room for the next part: small at first, because many vertices have few edges.
    void begin() {
        count = 0;
        at = 0;
        if (ends.length < want) {
            ends = new long[want];
        }
    }

    /// The part is there; the next one is larger.
    void end() {
        want = Math.min(4 * want, MOST);
    }

    /// The range is at its end.
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

    /// The next one of [#hasNext].
    public long next() {
        checkOneThread(at);
        return ends[at++];
    }

    /// A batch ends before its array does, unless two threads work in it at a time.
    private void checkOneThread(int place) {
        if (place >= ends.length) {
            throw new IllegalStateException(
                    "Two threads use this iterator or traversal at a time; give it to one");
        }
    }

    /// How many were read last.
    int count() {
        return count;
    }

    boolean isFull() {
        return count == want;
    }

    void add(long end) {
        checkOneThread(count);
        ends[count++] = end;
    }
}
