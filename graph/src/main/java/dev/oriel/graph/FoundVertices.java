package dev.oriel.graph;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Vertices that an index has led to.
final class FoundVertices implements Iterator<Vertex> {
    private final OrielGraph graph;
    private final long[] vertices;
    private int at;

    FoundVertices(OrielGraph graph, long... vertices) {
        this.graph = graph;
        this.vertices = vertices;
    }

    @Override
    public boolean hasNext() {
        return at < vertices.length;
    }

    @Override
    public Vertex next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return new OrielVertex(graph, vertices[at++], null);
    }
}
