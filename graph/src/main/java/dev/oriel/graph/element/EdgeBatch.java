package dev.oriel.graph.element;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// A batch of edges of a range, copied out of a table at once, so that no cursor stays open between two edges.
public final class EdgeBatch implements EdgeRanges.Batch {
    private static final int FIRST = 16;
    private static final int MOST = 512;

    long[] sources = new long[FIRST];
    long[] targets = new long[FIRST];
    long[] numbers = new long[FIRST];

    /// Values of the sort keys, if the label has any.
    @Nullable Tuple[] sorts = {};

    /// Values of [#weight()], if it is set.
    double[] weights = {};

    private @Nullable Weight weight;

    int count;

    /// Whether the range is at its end.
    boolean done;

    /// Key after which to continue, in the order of the range; null at its beginning.
    @Nullable Tuple last;

    private int want = FIRST / 4;

    /// Makes room for the next batch: small at first, because many vertices have few edges.
    void begin(boolean sorted) {
        count = 0;
        want = Math.min(4 * want, MOST);
        if (sources.length < want) {
            sources = new long[want];
            targets = new long[want];
            numbers = new long[want];
        }
        if (sorted && sorts.length < want) {
            sorts = new Tuple[want];
        }
        if (weight != null && weights.length < want) {
            weights = new double[want];
        }
    }

    /// A numeric property of edges.
    ///
    /// @param keys the current property keys
    public record Weight(PropertyKey key, PropertyKeys keys) {}

    /// Makes the batch read the values of a numeric property too; null for none.
    public void weigh(@Nullable Weight of) {
        weight = of;
    }

    /// The numeric property to read, or null.
    @Nullable Weight weight() {
        return weight;
    }

    @Override
    public void reset() {
        count = 0;
        done = false;
        last = null;
    }

    /// Sources of the edges, up to [#count()], until the next batch.
    public long[] sources() {
        return sources;
    }

    /// Targets of the edges.
    public long[] targets() {
        return targets;
    }

    /// The values of [#weight()].
    public double[] weights() {
        return weights;
    }

    public int count() {
        return count;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    boolean isFull() {
        return count == want;
    }

    void add(long source, long target, long number) {
        if (count >= sources.length) {
            throw SequenceCount.twoThreads();
        }
        sources[count] = source;
        targets[count] = target;
        numbers[count++] = number;
    }
}
