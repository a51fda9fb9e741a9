package dev.oriel.bench;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A graph of TinkerPop: elements through its structure API, counts by a traversal.
public final class GremlinStore implements GraphStore {
    private static final String KNOWS = "knows";

    private final Graph graph;
    private final GraphTraversalSource traversal;
    private final boolean transactions;
    private final AutoCloseable beneath;

    /// @param beneath what is to be closed after the graph
    public GremlinStore(Graph graph, AutoCloseable beneath) {
        this.graph = graph;
        this.traversal = graph.traversal();
        this.transactions = graph.features().graph().supportsTransactions();
        this.beneath = beneath;
    }

    @Override
    public Object addVertex(String name, String city, int age) {
        return graph.addVertex(T.label, "person", "name", name, "city", city, "age", age);
    }

    @Override
    public void addEdge(Object from, Object to) {
        ((Vertex) from).addEdge(KNOWS, (Vertex) to);
    }

    @Override
    public void commit() {
        if (transactions) {
            graph.tx().commit();
        }
    }

    @Override
    public long paths(Object vertex, int length) {
        Iterator<Vertex> next = ((Vertex) vertex).vertices(Direction.OUT, KNOWS);
        long paths = 0;
        while (next.hasNext()) {
            Vertex reached = next.next();
            paths += length == 1 ? 1 : paths(reached, length - 1);
        }
        return paths;
    }

    @Override
    public long count(String city, int age) {
        return traversal.V()
                .hasLabel("person")
                .has("age", P.gte(age))
                .has("city", city)
                .count()
                .next();
    }

    @Override
    public void close() {
        try {
            graph.close();
            beneath.close();
        } catch (Exception e) {
            throw new IllegalStateException("the graph cannot be closed", e);
        }
    }
}
