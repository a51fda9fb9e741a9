package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.range.AddedRows;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/// Reads ranges of edges batch by batch: label by label, first the outgoing edges of a vertex, then its incoming
/// ones.
///
/// Edges added meanwhile are skipped. They are recognized by their numbers, except in single-time labels, whose
/// edges all have the same number. For these, [AddedRows] records the edges that the thread has added at the
/// vertex since.
///
/// Belongs to one thread; the monitor of the [GraphTransaction] is held while a batch is read.
public abstract class EdgeRanges<B extends EdgeRanges.Batch> {
    /// Stands for the edges of all vertices.
    static final long ALL = 0;

    private final StoredGraph graph;
    private final B batch;
    final SequenceCount sequence = new SequenceCount();
    private EdgeLabel[] labels = {};

    /// Upper bound (exclusive) of the visible edge numbers, by label: later edges are younger than the reader.
    private long[] belows = {};

    private long vertex;
    private boolean anySingle;
    private boolean both;
    private boolean reverse;
    private int label = -1;

    /// Transaction at the reader's start, and its change counter then, in `begunAt`. While both are unchanged, all
    /// edges are visible.
    private @Nullable GraphTransaction begunBy;

    private long begunAt;

    /// Registration with [AddedRows] while edges of single-time labels remain to be read.
    private AddedRows.@Nullable Reading reading;

    /// A batch of a range of edges, copied out of a table.
    public interface Batch {
        /// Whether the range is at its end.
        boolean isDone();

        /// Clears the batch for another range.
        void reset();
    }

    /// @param batch an empty batch, which this object fills
    protected EdgeRanges(StoredGraph graph, B batch) {
        this.graph = graph;
        this.batch = batch;
    }

    /// Moves before the first range.
    ///
    /// @param around the vertex, or [#ALL]
    protected final void begin(EdgeLabel[] of, long around, Direction direction) {
        end();
        GraphTransaction work = graph.work();
        begunBy = work; // edges of its snapshot are older than the next numbers
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

    /// Reads the next batch of a range.
    ///
    /// @param below upper bound (exclusive) of the visible edge numbers, see [EdgeAccess#fill]
    protected abstract void read(
            GraphTransaction work, EdgeLabel of, boolean backwards, long below, B into);

    protected final StoredGraph source() {
        return graph;
    }

    /// The vertex around which edges are read.
    protected final long vertex() {
        return vertex;
    }

    /// The label of the current batch.
    protected final EdgeLabel label() {
        return labels[label];
    }

    protected final B batch() {
        return batch;
    }

    /// Whether the current batch is the last one.
    protected final boolean isLast() {
        return batch.isDone() && label + 1 >= labels.length && (!both || reverse);
    }

    /// Reads the next batch, which may be empty; false if there is none.
    protected final boolean readOn() {
        GraphTransaction work = graph.work();
        try (GraphTransaction.Turn _ = work.turn()) {
            if ((label < 0 || batch.isDone()) && !nextRange()) {
                return false;
            }
            sequence.beginBatch();
            try {
                read(work, labels[label], reverse, below(work), batch);
            } finally {
                sequence.endBatch();
            }
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

    @SuppressWarnings("ReferenceEquality") // compared by identity
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

    /// Registers with [AddedRows] for edges of single-time labels added from now on, while edges remain to be
    /// read.
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
