package dev.oriel.bench.graph;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A graph of TinkerPop. Elements and hops use its structure API, which is faster for these than a traversal;
/// conditions use traversals. Compiled against each provider's own TinkerPop if that is an older one.
public final class GremlinStore implements GraphStore {
    private static final String KNOWS = "knows";

    private final Graph graph;
    private final GraphQuestions gremlin;
    private final boolean transactions;
    private final boolean namesAreIds;
    private final AutoCloseable beneath;

    /// @param namesAreIds whether a name is given as the id, if the schema does not make it one
    /// @param beneath resource to close after the graph
    public GremlinStore(Graph graph, boolean namesAreIds, AutoCloseable beneath) {
        this.graph = graph;
        this.gremlin = new GremlinQuestions(graph.traversal());
        this.transactions = graph.features().graph().supportsTransactions();
        this.namesAreIds = namesAreIds;
        this.beneath = beneath;
    }

    @Override
    public Object addVertex(String name, String city, int age) {
        return namesAreIds
                ? graph.addVertex(
                        T.id, name, T.label, "person", "name", name, "city", city, "age", age)
                : graph.addVertex(T.label, "person", "name", name, "city", city, "age", age);
    }

    @Override
    public Object id(Object vertex) {
        return ((Vertex) vertex).id();
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
    public long vertex(Object id) {
        return GremlinQuestions.sum(graph.vertices(id).next());
    }

    @Override
    public long people(String city) {
        return gremlin.people(city);
    }

    @Override
    public long count(String city, int age) {
        return gremlin.count(city, age);
    }

    @Override
    public long hops(Object id, int length) {
        return hops(graph.vertices(id).next(), length);
    }

    private static long hops(Vertex vertex, int length) {
        long hops = 0;
        if (length == 1) {
            Iterator<Edge> edges = vertex.edges(Direction.OUT, KNOWS);
            while (edges.hasNext()) {
                edges.next();
                hops++;
            }
            return hops;
        }
        Iterator<Vertex> next = vertex.vertices(Direction.OUT, KNOWS);
        while (next.hasNext()) {
            hops += hops(next.next(), length - 1);
        }
        return hops;
    }

    @Override
    public GraphQuestions gremlin() {
        return gremlin;
    }

    @Override
    public long paths(Object id, int length) {
        return paths(graph.vertices(id).next(), length);
    }

    /// Number of paths of `length` from any vertex of TinkerPop.
    static long paths(Vertex vertex, int length) {
        Iterator<Vertex> next = vertex.vertices(Direction.OUT, KNOWS);
        long paths = 0;
        while (next.hasNext()) {
            Vertex reached = next.next();
            paths += length == 1 ? 1 : paths(reached, length - 1);
        }
        return paths;
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
