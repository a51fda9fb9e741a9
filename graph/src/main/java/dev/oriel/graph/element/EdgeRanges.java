package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/// The ranges of edges that somebody reads, batch by batch: label by label, those that begin at a vertex, then
/// those that end there.
///
/// Edges that are added meanwhile are not to be met. By their numbers they are told from older ones, but for those
/// of single-time labels, which all have the same: so before the same transaction adds one, what is left of the
/// ranges of its label is read and kept, see [RangeReads#finish(EdgeLabel)].
///
/// It belongs to one thread, but for [#finish], which whoever adds an edge in the same transaction calls. The
/// monitor of the [GraphWork] guards where it is, and what is kept.
public abstract class EdgeRanges<B extends EdgeRanges.Batch<B>> {
    private final StoredGraph graph;
    private EdgeLabel[] labels = {};
    private boolean anySingle;
    private boolean both;
    private boolean reverse;
    private int label = -1;
    private B batch;

    /// By place: what was read before its time.
    private Map<Integer, Deque<B>> kept = Map.of();

    private @Nullable GraphWork watchedBy;
    private long watchedIn;

    /// Some edges of a range, copied out of a table.
    public interface Batch<B> {
        /// Whether the range is at its end.
        boolean isDone();

        /// Forgets what it holds, for another range.
        void reset();

        /// An empty one, which goes on where this one ends.
        B following();
    }

    /// @param batch an empty one
    protected EdgeRanges(StoredGraph graph, B batch) {
        this.graph = graph;
        this.batch = batch;
    }

    /// Goes before the first range.
    protected final void begin(EdgeLabel[] of, Direction direction) {
        GraphWork by = watchedBy;
        if (by == null) {
            go(of, direction);
        } else {
            synchronized (by) {
                go(of, direction);
            }
        }
    }

    private void go(EdgeLabel[] of, Direction direction) {
        labels = of;
        both = direction == Direction.BOTH;
        reverse = direction == Direction.IN;
        label = -1;
        kept = Map.of();
        batch.reset();
        anySingle = false;
        for (EdgeLabel each : of) {
            anySingle |= each.single();
        }
    }

    /// Reads the next part of a range.
    ///
    /// @param at which of the labels
    /// @param backwards whether of the edges that end at the vertex
    protected abstract void read(GraphWork work, int at, boolean backwards, B into);

    protected final StoredGraph source() {
        return graph;
    }

    protected final EdgeLabel labelAt(int at) {
        return labels[at];
    }

    /// The label of the batch at hand.
    protected final EdgeLabel label() {
        return labels[label];
    }

    protected final B batch() {
        return batch;
    }

    /// Whether the batch at hand is the last one.
    protected final boolean isLast() {
        return batch.isDone() && place() + 1 >= places();
    }

    /// Reads the next batch, which may be empty; false where there is none.
    protected final boolean readOn() {
        GraphWork work = graph.work();
        synchronized (work) {
            if ((label < 0 || batch.isDone()) && !nextRange()) {
                return false;
            }
            Deque<B> ahead = kept.isEmpty() ? null : kept.get(place());
            B next = ahead == null ? null : ahead.poll();
            if (next == null) {
                read(work, label, reverse, batch);
            } else {
                batch = next;
            }
            watch(work);
            return true;
        }
    }

    private boolean nextRange() {
        if (label + 1 < labels.length) {
            label++;
        } else if (both && !reverse && labels.length > 0) {
            reverse = true;
            label = 0;
        } else {
            return false;
        }
        batch.reset();
        return true;
    }

    private int place() {
        return both && reverse ? labels.length + label : label;
    }

    private int places() {
        return both ? 2 * labels.length : labels.length;
    }

    /// Takes care that [#finish] is called where that is needed.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    final void watch(GraphWork work) {
        boolean watched = watchedBy == work && watchedIn == work.life();
        if (anySingle && !watched && !work.isFixed() && isOpen()) {
            watchedBy = work;
            watchedIn = work.life();
            work.reads().watch(this);
        }
    }

    /// Nobody calls [#finish] any more.
    final void unwatched() {
        watchedBy = null;
    }

    /// Whether something of a single-time label is left to be read.
    final boolean isOpen() {
        for (int place = Math.max(0, place()); place < places(); place++) {
            if (labels[place % labels.length].single() && isLeft(place)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLeft(int place) {
        return (place > place() || !batch.isDone()) && !kept.containsKey(place);
    }

    /// An edge of a single-time label is about to be added: reads what is left of its ranges, and keeps it.
    final void finish(EdgeLabel of, GraphWork work) {
        for (int place = Math.max(0, place()); place < places(); place++) {
            if (labels[place % labels.length].number() == of.number() && isLeft(place)) {
                keep(place, work);
            }
        }
    }

    private void keep(int place, GraphWork work) {
        int at = place % labels.length;
        boolean backwards = both ? place >= labels.length : reverse;
        Deque<B> all = new ArrayDeque<>();
        B next = batch;
        do {
            next = next.following();
            if (all.isEmpty() && place > place()) {
                next.reset();
            }
            read(work, at, backwards, next);
            all.add(next);
        } while (!next.isDone());
        if (kept.isEmpty()) {
            kept = new HashMap<>();
        }
        kept.put(place, all);
    }
}
