package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.range.AddedRows;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/// The ranges of edges that somebody reads, batch by batch: label by label, those that begin at a vertex, then
/// those that end there.
///
/// Edges that are added meanwhile are not to be met. By their numbers they are told from older ones, but for those
/// of single-time labels, which all have the same: of these [AddedRows] knows the ones that the thread has added at
/// the vertex since.
///
/// It belongs to one thread; the monitor of the [GraphTransaction] is held while a batch is read.
public abstract class EdgeRanges<B extends EdgeRanges.Batch> {
    /// In place of a vertex: the edges of all of them.
    static final long ALL = 0;

    private final StoredGraph graph;
    private final B batch;
    private EdgeLabel[] labels = {};

    /// By label: edges from this number on are younger than who reads.
    private long[] belows = {};

    private long vertex;
    private boolean anySingle;
    private boolean both;
    private boolean reverse;
    private int label = -1;

    /// As long as nothing has changed since no edge is younger than who reads.
    private @Nullable GraphTransaction begunBy;

    private long begunAt;

    /// While edges of single-time labels are left to be read.
    private AddedRows.@Nullable Reading reading;

    /// Some edges of a range, copied out of a table.
    public interface Batch {
        /// Whether the range is at its end.
        boolean isDone();

        /// Forgets what it holds, for another range.
        void reset();
    }

    /// @param batch an empty one
    protected EdgeRanges(StoredGraph graph, B batch) {
        this.graph = graph;
        this.batch = batch;
    }

    /// Goes before the first range.
    ///
    /// @param around the vertex, or [#ALL]
    protected final void begin(EdgeLabel[] of, long around, Direction direction) {
        end();
        GraphTransaction work = graph.work();
        begunBy = work; // what its snapshot has is older than the numbers that come next
        begunAt = work.moment();
        labels = of;
        vertex = around;
        both = direction == Direction.BOTH;
        reverse = direction == Direction.IN;
        label = -1;
        batch.reset();
        anySingle = false;
        if (belows.length < of.length) {
            belows = new long[of.length];
        }
        for (int i = 0; i < of.length; i++) {
            belows[i] = EdgeLabel.number(of[i].sequence().next(), false);
            anySingle |= of[i].single();
        }
    }

    /// Reads the next part of a range.
    ///
    /// @param below what is younger than who reads, see [EdgeAccess#fill]
    protected abstract void read(
            GraphTransaction work, EdgeLabel of, boolean backwards, long below, B into);

    protected final StoredGraph source() {
        return graph;
    }

    /// The vertex that the edges are around.
    protected final long vertex() {
        return vertex;
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
        return batch.isDone() && label + 1 >= labels.length && (!both || reverse);
    }

    /// Reads the next batch, which may be empty; false where there is none.
    protected final boolean readOn() {
        GraphTransaction work = graph.work();
        try (GraphTransaction.Turn _ = work.turn()) {
            if ((label < 0 || batch.isDone()) && !nextRange()) {
                return false;
            }
            read(work, labels[label], reverse, below(work), batch);
            goOn(work);
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

    @SuppressWarnings("ReferenceEquality") // the very transaction
    private long below(GraphTransaction work) {
        if (begunBy == work && begunAt == work.moment()) {
            return Long.MAX_VALUE;
        }
        if (!labels[label].single()) {
            return belows[label];
        }
        AddedRows.Reading known = reading;
        return known != null && known.isOf(work.added()) ? known.since() : Long.MAX_VALUE;
    }

    /// Has edges of single-time labels noted that are added from now on, as long as something is left to be read.
    final void goOn(GraphTransaction work) {
        if (!anySingle || work.isFixed()) {
            return;
        }
        if (isLast()) {
            end();
            return;
        }
        AddedRows.Reading known = reading;
        if (known == null || !known.isOf(work.added())) {
            reading = work.added().read(vertex);
        }
    }

    private void end() {
        AddedRows.Reading known = reading;
        if (known != null) {
            known.end();
            reading = null;
        }
    }
}
