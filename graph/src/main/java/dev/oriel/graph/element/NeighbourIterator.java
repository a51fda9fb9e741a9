package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// The vertices at the other ends of the edges around one, label by label, in the order of the edges' keys.
/// Neither their rows nor those of the edges are read, and edges that are added while it runs are passed over.
final class NeighbourIterator extends EdgeRanges<NeighbourBatch> implements Iterator<Vertex> {
    private final long vertex;
    private final long[] belows;
    private final GraphWork begunBy;
    private final long begunAt;

    NeighbourIterator(OrielVertex around, Direction direction, String... names) {
        super(around.graph(), new NeighbourBatch());
        this.vertex = around.number();
        EdgeLabel[] labels = EdgeIterator.labels(around.graph(), names);
        this.belows = EdgeIterator.belows(labels);
        this.begunBy = around.graph().work();
        this.begunAt = begunBy.moment();
        begin(labels, direction);
    }

    @Override
    public boolean hasNext() {
        while (!batch().hasNext()) {
            if (!readOn()) {
                return false;
            }
        }
        return true;
    }

    /// As long as nothing has changed no edge is younger than this, and none is looked at for that.
    @Override
    @SuppressWarnings("ReferenceEquality") // the very transaction
    protected void read(GraphWork work, int at, boolean backwards, NeighbourBatch into) {
        boolean asBefore = work == begunBy && work.moment() == begunAt;
        long below = asBefore ? Long.MAX_VALUE : belows[at];
        work.reads().neighbours(labelAt(at), vertex, backwards, below, into);
    }

    @Override
    public Vertex next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return new OrielVertex(source(), batch().next(), null);
    }
}
