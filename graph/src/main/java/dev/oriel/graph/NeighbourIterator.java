package dev.oriel.graph;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// The vertices at the other ends of edges. Their rows are not read.
final class NeighbourIterator implements Iterator<Vertex> {
    private final EdgeIterator edges;

    NeighbourIterator(EdgeIterator edges) {
        this.edges = edges;
    }

    @Override
    public boolean hasNext() {
        return edges.hasNext();
    }

    @Override
    public Vertex next() {
        return new OrielVertex(edges.graph(), edges.nextNeighbour(), null);
    }
}
