package dev.oriel.bench.graph;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Questions in Gremlin, a new traversal for each.
final class GremlinQuestions implements GraphQuestions {
    private static final String KNOWS = "knows";

    private final GraphTraversalSource traversal;

    GremlinQuestions(GraphTraversalSource traversal) {
        this.traversal = traversal;
    }

    @Override
    public Object id(Object vertex) {
        return ((Vertex) vertex).id();
    }

    @Override
    public long vertex(Object id) {
        return sum(traversal.V(id).next());
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

    /// Checksum of a person that was read.
    static long sum(Vertex person) {
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
}
