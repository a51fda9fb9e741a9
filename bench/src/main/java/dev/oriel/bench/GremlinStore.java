package dev.oriel.bench;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A graph of TinkerPop: elements through its structure API, conditions and counts by traversals. Compiled
/// against each provider's own TinkerPop where that is an older one.
public final class GremlinStore implements GraphStore {
    private static final String KNOWS = "knows";

    private final Graph graph;
    private final GraphTraversalSource traversal;
    private final boolean transactions;
    private final boolean namesAreIds;
    private final AutoCloseable beneath;

    /// @param namesAreIds whether a name is given as the id, where the schema does not make it one
    /// @param beneath what is to be closed after the graph
    public GremlinStore(Graph graph, boolean namesAreIds, AutoCloseable beneath) {
        this.graph = graph;
        this.traversal = graph.traversal();
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
        return sum(graph.vertices(id).next());
    }

    @Override
    public long people(String city) {
        long sum = 0;
        Iterator<Vertex> people = traversal.V().hasLabel("person").has("city", city);
        while (people.hasNext()) {
            sum += sum(people.next());
        }
        return sum;
    }

    private static long sum(Vertex person) {
        return GraphStore.sum(person.value("name"), person.value("city"), person.value("age"));
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
    public long hops(Object id, int length) {
        GraphTraversal<Vertex, Vertex> reached = traversal.V(id);
        for (int i = 0; i < length; i++) {
            reached = reached.out(KNOWS);
        }
        return reached.count().next();
    }

    @Override
    public long paths(Object id, int length) {
        return paths(graph.vertices(id).next(), length);
    }

    private static long paths(Vertex vertex, int length) {
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
