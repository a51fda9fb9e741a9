package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// The neighbours of a vertex, label by label, in the order of the edges' keys. It reads neither their rows nor
/// the edges' rows. Edges added while it runs are skipped.
final class NeighbourIterator extends EdgeRanges<NeighbourBatch> implements Iterator<Vertex> {
    NeighbourIterator(OrielVertex around, Direction direction, String... names) {
        super(around.graph(), new NeighbourBatch());
        begin(EdgeIterator.labels(around.graph(), names), around.number(), direction);
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

    @Override
    protected void read(
            GraphTransaction work,
            EdgeLabel of,
            boolean backwards,
            long below,
            NeighbourBatch into) {
        work.reads().neighbours(of, vertex(), backwards, below, into);
    }

    @Override
    public Vertex next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return new OrielVertex(source(), batch().next(), null);
    }
}
