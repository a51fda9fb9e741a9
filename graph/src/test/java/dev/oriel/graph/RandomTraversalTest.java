package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.graph.traversal.OrielGraphStepStrategy;
import dev.oriel.graph.traversal.OrielHopsStrategy;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;

/// Applies random changes to our graph and to TinkerGraph, and compares the results of random traversals. Ours is
/// also asked without the folding strategies, and with a schema, in which conditions become index ranges.
/// `-Dgraphs=400` runs more than 100,000 traversals.
@SuppressWarnings("unchecked") // varargs and traversals of TinkerPop
class RandomTraversalTest {
    private static final int GRAPHS = Integer.getInteger("graphs", 12);
    private static final int STEPS = 150;
    private static final int ASKED = 9;
    private static final String[] LABELS = RandomTraversal.LABELS;
    private static final String[] EDGES = RandomTraversal.EDGES;

    private final SplittableRandom random = Seed.of("RandomTraversalTest", 20261122);
    private int nextId;
    private int asked;

    @Test
    void randomTraversalsFindWhatTinkerGraphFinds() {
        for (int i = 0; i < GRAPHS; i++) {
            try (OrielGraph ours = OrielGraph.inMemory()) {
                if (i % 3 != 0) {
                    declareKeys(ours);
                }
                compare(ours, TinkerGraph.open(), i % 3 == 2);
                assertEquals(List.of(), ours.database().check());
            }
        }
        System.out.println("traversals compared: " + asked);
    }

    private static void declareKeys(OrielGraph graph) {
        graph.schema().propertyKey("age").asInt().create();
        graph.schema().propertyKey("name").asText().create();
        graph.schema().propertyKey("weight").asDouble().create();
    }

    private void compare(OrielGraph ours, Graph theirs, boolean indexes) {
        nextId = 1;
        for (int i = 0; i < STEPS; i++) {
            change(ours, theirs);
            if (i == STEPS / 2 && indexes) {
                ours.tx().commit();
                index(ours);
            }
            if (random.nextInt(10) == 0) {
                ours.tx().commit();
            }
            if (i % 5 == 4) {
                Question question = question();
                assertEquals(
                        question.ask(theirs.traversal()),
                        question.ask(ours.traversal()),
                        question.text);
                asked++;
                for (int n = 0; n < ASKED; n++) {
                    compare(new RandomTraversal(random, nextId), ours, theirs);
                }
            }
        }
        ours.tx().commit();
    }

    private void compare(RandomTraversal traversal, Graph ours, Graph theirs) {
        List<String> expected = traversal.ask(theirs.traversal());
        assertEquals(expected, traversal.ask(ours.traversal()), traversal::toString);
        if (random.nextInt(4) == 0) {
            assertEquals(
                    expected,
                    traversal.ask(
                            ours.traversal()
                                    .withoutStrategies(
                                            OrielGraphStepStrategy.class, OrielHopsStrategy.class)),
                    () -> "unfolded " + traversal);
        }
        asked++;
    }

    private static void index(OrielGraph graph) {
        for (String label : LABELS) {
            if (graph.schema().vertexLabels().contains(label)) {
                graph.schema().indexLabel(label + "Age").onV(label).by("age").create();
                graph.schema().indexLabel(label + "Both").onV(label).by("name", "age").create();
            }
        }
        if (graph.schema().edgeLabels().contains("knows")) {
            graph.schema().indexLabel("knowsWeight").onE("knows").by("weight").create();
        }
    }

    private void change(Graph... both) {
        int kind = nextId < 10 ? 0 : random.nextInt(12);
        int one = 1 + random.nextInt(Math.max(1, nextId - 1));
        int other = 1 + random.nextInt(Math.max(1, nextId - 1));
        String label = LABELS[random.nextInt(LABELS.length)];
        String edge = EDGES[random.nextInt(EDGES.length)];
        int age = random.nextInt(20);
        String name = "n" + random.nextInt(6);
        if (kind < 3) {
            nextId++;
        }
        for (Graph graph : both) {
            switch (kind) {
                case 0, 1 ->
                        graph.addVertex(
                                T.id, nextId - 1L, T.label, label, "age", age, "name", name);
                case 2 -> graph.addVertex(T.id, nextId - 1L, T.label, label, "name", name);
                case 3, 4, 5, 6, 7 ->
                        graph.vertices((long) one)
                                .forEachRemaining(from ->
                                        graph.vertices((long) other)
                                                .forEachRemaining(to ->
                                                        from.addEdge(
                                                                edge, to, "weight", age / 4.0)));
                case 8 -> graph.vertices((long) one).forEachRemaining(v -> v.property("age", age));
                case 9 ->
                        graph.vertices((long) one)
                                .forEachRemaining(
                                        v -> v.properties("age").forEachRemaining(p -> p.remove()));
                case 10 -> {
                    if (age < 5) {
                        graph.vertices((long) one).forEachRemaining(Vertex::remove);
                    }
                }
                default ->
                        graph.traversal()
                                .V((long) one)
                                .outE(edge)
                                .has("weight", P.lt(1.0))
                                .drop()
                                .iterate();
            }
        }
    }

    /// A traversal for any graph.
    private record Question(
            String text, Function<GraphTraversalSource, GraphTraversal<?, ?>> traversal) {
        /// Its results in an order that does not depend on the graph.
        List<String> ask(GraphTraversalSource of) {
            List<String> results = new ArrayList<>();
            traversal.apply(of).forEachRemaining(each -> results.add(String.valueOf(each)));
            results.sort(null);
            return results;
        }
    }

    private Question question() {
        int kind = random.nextInt(12);
        int a = random.nextInt(20);
        int b = a + random.nextInt(8);
        String label = LABELS[random.nextInt(LABELS.length)];
        String edge = EDGES[random.nextInt(EDGES.length)];
        String name = "n" + random.nextInt(6);
        long id = 1L + random.nextInt(Math.max(1, nextId - 1));
        String text = kind + " " + label + " " + edge + " " + name + " " + a + " " + b + " " + id;
        return new Question(
                text,
                g ->
                        switch (kind) {
                            case 0 -> g.V().has(label, "age", P.gt(a)).id();
                            case 1 -> g.V().has(label, "age", P.between(a, b)).values("name");
                            case 2 -> g.V().hasLabel(label).has("name", name).has("age", a).id();
                            case 3 ->
                                    g.V()
                                            .hasLabel(label)
                                            .has("name", name)
                                            .has("age", P.lte(a))
                                            .id();
                            case 4 -> g.V(id).out(edge).in().id();
                            case 5 -> g.V().both().dedup().values("age");
                            case 6 -> g.E().has("knows", "weight", P.gte(a / 4.0)).values("weight");
                            case 7 ->
                                    g.V(id)
                                            .repeat(__.out())
                                            .times(3)
                                            .path()
                                            .by(T.id)
                                            .limit(50)
                                            .count();
                            case 8 -> g.V().group().by(T.label).by(__.out(edge).count());
                            case 9 ->
                                    g.V().hasLabel(label, "thing").not(__.has("age", P.lt(a))).id();
                            case 10 -> g.V().has("age", P.within(a, b)).bothE(edge).count();
                            default ->
                                    g.V()
                                            .hasId(id, id + 1)
                                            .has("name", P.neq(name))
                                            .outE()
                                            .inV()
                                            .id();
                        });
    }
}
