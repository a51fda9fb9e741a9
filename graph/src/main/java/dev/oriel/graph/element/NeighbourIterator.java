package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// The vertices at the other ends of the edges around one, label by label, in the order of the edges' keys.
/// Neither their rows nor those of the edges are read, and edges that are added while it runs are passed over.
final class NeighbourIterator implements Iterator<Vertex> {
    private final StoredGraph graph;
    private final long vertex;
    private final EdgeLabel[] labels;
    private final long[] belows;
    private final boolean both;
    private final NeighbourBatch batch = new NeighbourBatch();
    private final GraphWork begunBy;
    private final long begunAt;
    private boolean reverse;
    private int label = -1;

    NeighbourIterator(OrielVertex around, Direction direction, String... names) {
        this.graph = around.graph();
        this.vertex = around.number();
        this.labels = EdgeIterator.labels(graph, names);
        this.belows = EdgeIterator.belows(labels);
        this.both = direction == Direction.BOTH;
        this.reverse = direction == Direction.IN;
        this.begunBy = graph.work();
        this.begunAt = begunBy.moment();
        batch.exhaust();
    }

    @Override
    public boolean hasNext() {
        while (!batch.hasNext()) {
            if (batch.isDone() && !nextRange()) {
                return false;
            }
            read();
        }
        return true;
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

    /// As long as nothing has changed no edge is younger than this, and none is looked at for that.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    private void read() {
        GraphWork work = graph.work();
        boolean asBefore = work == begunBy && work.moment() == begunAt;
        long below = asBefore ? Long.MAX_VALUE : belows[label];
        work.reads().neighbours(labels[label], vertex, reverse, below, batch);
    }

    @Override
    public Vertex next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return new OrielVertex(graph, batch.next(), null);
    }
}
