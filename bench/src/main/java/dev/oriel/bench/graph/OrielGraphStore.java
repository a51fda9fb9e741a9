package dev.oriel.bench.graph;

import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.algorithm.GraphAlgorithms;
import dev.oriel.graph.element.OrielVertex;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.structure.Direction;

/// Our graph through its own interface for Java: vertices by number, conditions without a traversal, degrees and
/// paths counted. Writes go through TinkerPop's interface.
final class OrielGraphStore implements GraphStore {
    private static final String PERSON = "person";
    private static final String KNOWS = "knows";

    private final OrielGraph graph;
    private final GremlinStore written;
    private final GraphAlgorithms known;

    /// @param beneath resource to be closed after the graph
    OrielGraphStore(OrielGraph graph, AutoCloseable beneath) {
        this.graph = graph;
        this.written = new GremlinStore(graph, false, beneath);
        this.known = graph.algorithms().out(KNOWS);
    }

    @Override
    public Object addVertex(String name, String city, int age) {
        return written.addVertex(name, city, age);
    }

    @Override
    public Object id(Object vertex) {
        return ((OrielVertex) vertex).number();
    }

    @Override
    public void addEdge(Object from, Object to) {
        written.addEdge(from, to);
    }

    @Override
    public void commit() {
        written.commit();
    }

    private OrielVertex found(Object id) {
        return Objects.requireNonNull(graph.vertexByNumber((Long) id));
    }

    @Override
    public long vertex(Object id) {
        return GremlinQuestions.sum(found(id));
    }

    @Override
    public long people(String city) {
        long sum = 0;
        for (OrielVertex person : graph.find(PERSON).has("city", city)) {
            sum += GremlinQuestions.sum(person);
        }
        return sum;
    }

    @Override
    public long count(String city, int age) {
        return graph.find(PERSON).has("age", P.gte(age)).has("city", city).count();
    }

    @Override
    public long hops(Object id, int length) {
        return length == 1
                ? found(id).degree(Direction.OUT, KNOWS)
                : known.countPaths(found(id), length);
    }

    @Override
    public long paths(Object id, int length) {
        return GremlinStore.paths(found(id), length);
    }

    @Override
    public GraphQuestions gremlin() {
        return written.gremlin();
    }

    @Override
    public void close() {
        written.close();
    }
}
