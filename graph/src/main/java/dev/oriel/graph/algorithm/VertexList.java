package dev.oriel.graph.algorithm;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import java.util.AbstractList;
import java.util.RandomAccess;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Vertices by their numbers; each is made on access.
final class VertexList extends AbstractList<Vertex> implements RandomAccess {
    private final StoredGraph graph;
    private final long[] numbers;

    VertexList(StoredGraph graph, long... numbers) {
        this.graph = graph;
        this.numbers = numbers;
    }

    @Override
    public Vertex get(int index) {
        return new OrielVertex(graph, numbers[index], null);
    }

    @Override
    public int size() {
        return numbers.length;
    }
}
