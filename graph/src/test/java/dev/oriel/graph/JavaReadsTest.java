package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.algorithm.GraphAlgorithms;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.store.LimitException;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Compares reads without Gremlin with Gremlin over TinkerGraph. Random changes are made to both graphs, with
/// random questions in between, with and without a schema and indexes, before and after commits.
class JavaReadsTest {
    private static final int GRAPHS = Integer.getInteger("graphs", 15);
    private static final int STEPS = 200;
    private static final String[] LABELS = {"person", "city", "none"};
    private static final List<Direction> DIRECTIONS =
            List.of(Direction.OUT, Direction.IN, Direction.BOTH);
    private static final String[] EDGES = {"knows", "likes", "never"};

    private final SplittableRandom random = Seed.of("JavaReadsTest", 20261122);
    private int nextId;
    private int asked;

    @Test
    void javaFindsWhatGremlinFindsInTinkerGraph() {
        for (int i = 0; i < GRAPHS; i++) {
            nextId = 1;
            try (OrielGraph ours = OrielGraph.inMemory();
                    TinkerGraph theirs = TinkerGraph.open()) {
                if (i % 3 != 0) {
                    ours.schema().propertyKey("age").asInt().create();
                    ours.schema().propertyKey("rank").asLong().create();
                    ours.schema().propertyKey("name").asText().create();
                    ours.schema().propertyKey("score").asDouble().create();
                }
                for (int step = 0; step < STEPS; step++) {
                    change(ours, theirs);
                    if (step == STEPS / 2 && i % 3 == 2) {
                        ours.tx().commit();
                        index(ours);
                    }
                    if (random.nextInt(8) == 0) {
                        ours.tx().commit();
                    }
                    if (step % 4 == 3) {
                        askAround(ours, theirs);
                        askForConditions(ours, theirs);
                    }
                }
                ours.tx().commit();
                assertEquals(List.of(), ours.database().check());
            }
        }
        System.out.println("questions compared: " + asked);
    }

    private static void index(OrielGraph graph) {
        for (String label : new String[] {"person", "city"}) {
            if (graph.schema().vertexLabels().contains(label)) {
                graph.schema().indexLabel(label + "Age").onV(label).by("age").create();
                graph.schema().indexLabel(label + "Name").onV(label).by("name").create();
            }
        }
    }

    private long anyId() {
        return 1L + random.nextInt(Math.max(1, nextId - 1));
    }

    private void change(Graph... both) {
        int kind = nextId < 12 ? 0 : random.nextInt(12);
        long one = anyId();
        long other = anyId();
        String label = LABELS[random.nextInt(2)];
        String edge = EDGES[random.nextInt(2)];
        int age = random.nextInt(20);
        String name = "n" + random.nextInt(6);
        long id = kind < 4 ? nextId++ : 0;
        for (Graph graph : both) {
            switch (kind) {
                case 0, 1 ->
                        graph.addVertex(
                                T.id,
                                id,
                                T.label,
                                label,
                                "age",
                                age,
                                "name",
                                name,
                                "rank",
                                (long) age * age);
                case 2 -> graph.addVertex(T.id, id, T.label, label, "name", name);
                case 3 -> graph.addVertex(T.id, id, T.label, label, "score", age / 2.0);
                case 4, 5, 6, 7 ->
                        each(graph, one, from -> each(graph, other, to -> from.addEdge(edge, to)));
                case 8 -> each(graph, one, v -> v.property(Cardinality.single, "age", age));
                case 9 -> each(graph, one, v -> v.property(Cardinality.list, "tag", name));
                case 10 ->
                        each(
                                graph,
                                one,
                                v -> v.properties("name").forEachRemaining(p -> p.remove()));
                default -> {
                    if (age < 4) {
                        each(graph, one, Vertex::remove);
                    }
                }
            }
        }
    }

    private static void each(Graph graph, long id, Consumer<Vertex> then) {
        graph.vertices(id).forEachRemaining(then);
    }

    private void askAround(OrielGraph ours, Graph theirs) {
        long id = anyId();
        Direction direction = DIRECTIONS.get(random.nextInt(DIRECTIONS.size()));
        int first =
                random.nextInt(EDGES.length); // none twice: TinkerGraph takes its edges twice then
        String[] labels = new String[random.nextInt(3)];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = EDGES[(first + i) % EDGES.length];
        }
        Iterator<Vertex> found = ours.vertices(id);
        assertEquals(theirs.vertices(id).hasNext(), found.hasNext());
        if (!found.hasNext()) {
            return;
        }
        OrielVertex vertex = (OrielVertex) found.next();
        String asking = id + " " + direction + List.of(labels);
        OrielVertex again = ours.vertexByNumber(vertex.number());
        assertEquals(vertex, again, asking);
        assertEquals(vertex.id(), Objects.requireNonNull(again).id());
        assertEquals(
                theirs.traversal().V(id).toE(direction, labels).count().next(),
                vertex.degree(direction, labels),
                asking);
        assertEquals(
                ids(theirs.traversal().V(id).to(direction, labels)),
                ids(again.vertices(direction, labels)),
                asking);
        GraphAlgorithms along = along(ours, direction, labels);
        if (along != null) {
            for (int length = 0; length < 4; length++) {
                long expected =
                        length == 0
                                ? 1
                                : theirs.traversal()
                                        .V(id)
                                        .repeat(__.to(direction, labels))
                                        .times(length)
                                        .count()
                                        .next();
                assertEquals(expected, along.countPaths(again, length), asking + length);
            }
        }
        asked += 4;
    }

    /// Null if a label is missing in the graph, which algorithms refuse.
    private static @Nullable GraphAlgorithms along(
            OrielGraph graph, Direction direction, String... labels) {
        for (String label : labels) {
            if (!graph.schema().edgeLabels().contains(label)) {
                return null;
            }
        }
        GraphAlgorithms all = graph.algorithms();
        return switch (direction) {
            case OUT -> all.out(labels);
            case IN -> all.in(labels);
            case BOTH -> all.both(labels);
        };
    }

    private void askForConditions(OrielGraph ours, Graph theirs) {
        String label = LABELS[random.nextInt(LABELS.length)];
        VertexQuery query = ours.find(label);
        GraphTraversal<Vertex, Vertex> traversal = theirs.traversal().V().hasLabel(label);
        for (int i = random.nextInt(4); i > 0; i--) {
            int number = random.nextInt(20);
            String name = "n" + random.nextInt(6);
            String key =
                    switch (random.nextInt(5)) {
                        case 0 -> "age";
                        case 1 -> "name";
                        case 2 -> "rank";
                        case 3 -> "tag";
                        default -> "score";
                    };
            P<?> condition =
                    switch (key) {
                        case "name", "tag" -> ofText(name);
                        case "score" -> ofNumber(number / 2.0, number);
                        default -> ofNumber(number, number + 4);
                    };
            query = query.has(key, condition);
            traversal = traversal.has(key, condition);
        }
        List<String> expected = ids(traversal);
        assertEquals(expected, ids(query.iterator()), query::toString);
        assertEquals(expected.size(), query.count(), query::toString);
        asked += 2;
    }

    private P<?> ofText(String name) {
        return switch (random.nextInt(5)) {
            case 0 -> P.eq(name);
            case 1 -> P.neq(name);
            case 2 -> P.within(name, "n1");
            case 3 -> TextP.startingWith("n");
            default -> P.gt(name);
        };
    }

    private P<?> ofNumber(Number low, Number high) {
        return switch (random.nextInt(8)) {
            case 0 -> P.eq(low);
            case 1 -> P.neq(low);
            case 2 -> P.gt(low);
            case 3 -> P.gte(low);
            case 4 -> P.lt(high);
            case 5 -> P.lte(high.longValue());
            case 6 -> P.between(low, high);
            default -> P.without(low, high);
        };
    }

    private static List<String> ids(Iterator<? extends Element> elements) {
        List<String> ids = new ArrayList<>();
        elements.forEachRemaining(each -> ids.add(String.valueOf(each.id())));
        ids.sort(null);
        return ids;
    }

    @Test
    void aVertexIsFoundByItsNumberAsLongAsItIsThere() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielVertex marko = (OrielVertex) graph.addVertex(T.id, "m", "name", "marko");
            OrielVertex vadas = (OrielVertex) graph.addVertex("name", "vadas");
            graph.tx().commit();
            assertEquals("m", Objects.requireNonNull(graph.vertexByNumber(marko.number())).id());
            assertEquals(vadas.id(), vadas.number());
            assertNull(graph.vertexByNumber(0));
            assertNull(graph.vertexByNumber(-1));
            assertNull(graph.vertexByNumber(marko.number() + (1L << 40)));
            OrielVertex seen = graph.vertexByNumber(marko.number());
            assertEquals("marko", Objects.requireNonNull(seen).<String>value("name"));
            marko.property("name", "peter");
            assertEquals("peter", seen.<String>value("name"), "what this transaction changed");
            vadas.addEdge("knows", marko);
            assertEquals(1, seen.degree(Direction.IN));
            marko.remove();
            assertNull(graph.vertexByNumber(marko.number()));
            assertEquals(0, marko.degree(Direction.BOTH));
            assertEquals(0, vadas.degree(Direction.OUT, "knows"));
            graph.tx().rollback();
            assertNotNull(graph.vertexByNumber(marko.number()));
            assertEquals("marko", seen.<String>value("name"));
        }
    }

    /// A vertex's row is fetched once for its lookup and its read, and never confused with another row.
    @Test
    void rowsOfVerticesAreNotMistakenForEachOther() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            String large = "x".repeat(20_000);
            for (long id = 1; id <= 50; id++) {
                Vertex vertex = graph.addVertex(T.id, id, T.label, "l" + id % 3, "name", "n" + id);
                vertex.property("large", large + id);
                vertex.addEdge("self", vertex, "large", large + id, "name", "e" + id);
            }
            graph.tx().commit();
            for (int i = 0; i < 500; i++) {
                long one = 1L + random.nextInt(50);
                long other = 1L + random.nextInt(50);
                Vertex first = graph.vertices(one).next();
                Vertex second = graph.vertices(other).next();
                if (random.nextBoolean()) {
                    assertEquals("e" + one, first.edges(Direction.OUT).next().value("name"));
                }
                assertEquals(large + other, second.value("large"));
                assertEquals("n" + one, first.value("name"));
                assertEquals(large + one, first.value("large"));
                assertEquals("n" + other, second.value("name"));
                if (random.nextInt(10) == 0) {
                    graph.tx().commit();
                }
            }
        }
    }

    @Test
    void whatNoIndexServesIsRefusedWhereThatIsConfigured() {
        BaseConfiguration configuration = new BaseConfiguration();
        configuration.setProperty(OrielGraph.UNINDEXED, "refuse");
        try (OrielGraph graph = OrielGraph.open(configuration)) {
            graph.schema().propertyKey("age").asInt().create();
            graph.schema().propertyKey("name").asText().create();
            graph.schema()
                    .vertexLabel("person")
                    .properties("age", "name")
                    .nullableKeys("age", "name")
                    .create();
            graph.schema().indexLabel("byAge").onV("person").by("age").create();
            graph.addVertex(T.label, "person", "age", 29, "name", "marko");
            assertEquals(1, graph.find("person").count());
            assertEquals(1, graph.find("person").has("age", 29).has("name", "marko").count());
            assertEquals(0, graph.find("nobody").has("name", "marko").count());
            VertexQuery byName = graph.find("person").has("name", "marko");
            String said =
                    String.valueOf(
                            assertThrows(IllegalArgumentException.class, byName::count)
                                    .getMessage());
            assertTrue(said.contains("No index serves [name.eq(marko)] on the label person"), said);
            assertThrows(IllegalArgumentException.class, byName::iterator);
        }
    }

    @Test
    void whatRunsAwayIsEnded() {
        BaseConfiguration configuration = new BaseConfiguration();
        configuration.setProperty(OrielGraph.TIMEOUT_MILLIS, 1);
        try (OrielGraph graph = OrielGraph.open(configuration)) {
            for (int i = 0; i < 20_000; i++) {
                graph.addVertex("name", "n" + i);
            }
            VertexQuery all = graph.find("vertex").has("name", P.neq("nobody"));
            assertThrows(LimitException.class, () -> countForLong(all));
            Thread.currentThread().interrupt();
            assertThrows(TraversalInterruptedException.class, all::count);
            assertFalse(Thread.interrupted());
        }
    }

    /// Counts repeatedly, because a fast machine may finish one or two counts within the time limit.
    private static void countForLong(VertexQuery query) {
        for (int i = 0; i < 1_000; i++) {
            query.count();
        }
    }

    @Test
    void theExampleOfTheDocumentRuns() throws IOException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.addVertex(T.label, "person", "name", "marko", "city", "Ulm", "age", 29)
                    .addEdge(
                            "knows",
                            graph.addVertex(T.label, "person", "name", "vadas", "city", "Ulm"));
            graph.tx().commit();
            long grown = graph.find("person").has("city", "Ulm").has("age", P.gte(18)).count();
            for (OrielVertex person : graph.find("person").has("city", "Ulm")) {
                String name = person.value("name");
                long friends = person.degree(Direction.OUT, "knows");
                long twoAway = graph.algorithms().out("knows").countPaths(person, 2);
                System.out.println(name + " " + friends + " " + twoAway);
                person.vertices(Direction.IN, "knows").forEachRemaining(System.out::println);
                long number = person.number(); // keep it, and find the vertex by it again
                OrielVertex same = graph.vertexByNumber(number);
                assertEquals(person, same);
                assertEquals(name.equals("marko") ? 1 : 0, friends);
                assertEquals(0, twoAway);
            }
            assertEquals(1, grown);
        }
        String document = Files.readString(Path.of("..", "docs", "graph.md"));
        int section = document.indexOf("## Without Gremlin");
        assertTrue(section > 0);
        int begin = document.indexOf("```java", section) + "```java".length();
        String example = document.substring(begin, document.indexOf("```", begin));
        String source =
                Files.readString(Path.of("src/test/java/dev/oriel/graph/JavaReadsTest.java"));
        assertTrue(example.lines().count() > 6);
        for (String line : example.lines().filter(one -> one.length() > 3).toList()) {
            assertTrue(bare(source).contains(bare(line)), line);
        }
    }

    private static String bare(String text) {
        return text.replaceAll("\\s", "");
    }
}
