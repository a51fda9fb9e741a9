package dev.oriel.graph.element;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.table.Tuple;
import org.jspecify.annotations.Nullable;

/// Some of the edges that a range holds, copied out of a table at once, so that no cursor stays open
/// between two of them.
public final class EdgeBatch implements EdgeRanges.Batch {
    private static final int FIRST = 16;
    private static final int MOST = 512;

    long[] sources = new long[FIRST];
    long[] targets = new long[FIRST];
    long[] numbers = new long[FIRST];

    /// Values of the sort keys, where the label has such.
    @Nullable Tuple[] sorts = {};

    /// Values of [#weight()], where it is set.
    double[] weights = {};

    private @Nullable Weight weight;

    int count;

    /// Whether the range is at its end.
    boolean done;

    /// The key to go on after, in the order of the range; null at its beginning.
    @Nullable Tuple last;

    private int want = FIRST / 4;

    /// Makes room for the next part: small at first, because many vertices have few edges.
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

    /// A property of edges that is a number.
    ///
    /// @param keys all property keys, as they are now
    public record Weight(PropertyKey key, PropertyKeys keys) {}

    /// Lets it hold the numbers of a property too; null for none.
    public void weigh(@Nullable Weight of) {
        weight = of;
    }

    /// Which property is to be read, or null.
    @Nullable Weight weight() {
        return weight;
    }

    @Override
    public void reset() {
        count = 0;
        done = false;
        last = null;
    }

    /// Vertices that the edges begin at, up to [#count()], until the next part.
    public long[] sources() {
        return sources;
    }

    /// Vertices that they lead to.
    public long[] targets() {
        return targets;
    }

    /// The numbers of [#weight()].
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
        sources[count] = source;
        targets[count] = target;
        numbers[count++] = number;
    }
}
