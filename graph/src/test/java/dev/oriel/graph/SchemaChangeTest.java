package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.schema.IndexRebuild;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.graph.value.Words;
import dev.oriel.table.definition.Table;
import dev.oriel.testkit.Seed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Declarations and their later changes: expiry, search, append, eliminate, remove, rebuild.
final class SchemaChangeTest {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir Path folder;

    private static OrielSchema people(OrielGraph graph) {
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().create();
        schema.propertyKey("age").asInt().create();
        schema.propertyKey("bio").asText().create();
        schema.propertyKey("since").asInt().create();
        return schema;
    }

    private static void checked(OrielGraph graph) {
        graph.tx().rollback();
        assertEquals(List.of(), graph.database().check());
    }

    private static long count(Database database, String table) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + table)) {
            result.next();
            return result.getLong(1);
        }
    }

    /// Retries with a longer ttl on a machine too slow to see the elements before they expire.
    @Test
    void elementsExpireForEveryReaderAndEdgesWithTheirEnds() throws SQLException {
        long ttl = 4_000;
        while (!expire(ttl)) {
            ttl *= 4;
            assertTrue(ttl < 1_000_000, "they are gone before they can be read");
        }
    }

    /// False if they expired before they were checked.
    private boolean expire(long ttlMillis) throws SQLException {
        Path path = folder.resolve("db" + ttlMillis);
        try (OrielGraph graph = OrielGraph.open(path)) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("session")
                    .useCustomizeStringId()
                    .properties("name")
                    .ttl(ttlMillis)
                    .create();
            schema.vertexLabel("person").properties("name").create();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.edgeLabel("of").link("session", "person").create());
            schema.edgeLabel("of").link("session", "person").ttl(3_600_000).create();
            assertThrows(IllegalArgumentException.class, () -> schema.vertexLabel("x").ttl(0));
            GraphTraversalSource g = graph.traversal();
            Vertex person = graph.addVertex(T.label, "person", "name", "p");
            long begun = System.nanoTime();
            Vertex session = graph.addVertex(T.label, "session", T.id, "s1", "name", "s");
            session.addEdge("of", person);
            assertThrows(IllegalArgumentException.class, () -> person.addEdge("free", session));
            session.property("name", "t");
            graph.tx().commit();
            long linked = g.V(person).in("of").count().next();
            List<Object> names = g.V("s1").values("name").toList();
            if (System.nanoTime() - begun >= ttlMillis * 1_000_000) {
                return false;
            }
            assertEquals(1, linked);
            assertEquals(List.of("t"), names);
            long deadline = System.nanoTime() + ttlMillis * 1_000_000 + PATIENCE_NANOS;
            do {
                graph.tx().rollback();
                assertTrue(System.nanoTime() < deadline, "it never expires");
            } while (g.V("s1").hasNext());
            // at once, before its row is removed
            assertThrows(IllegalStateException.class, () -> person.addEdge("free", session));
            assertThrows(IllegalStateException.class, () -> person.addEdge("of", session));
            graph.tx().rollback();
            assertEquals(0, g.V().hasLabel("session").count().next());
            assertEquals(0, g.V(person).in("of").count().next());
            assertEquals(0, g.E().count().next());
            assertEquals(0, graph.find("session").count());
            assertEquals(0, graph.find("session").has("name", "t").count());
            assertFalse(graph.find("session").iterator().hasNext());
            assertNull(graph.vertexByNumber(((OrielVertex) session).number()));
            assertEquals(0, ((OrielVertex) person).degree(Direction.IN, "of"));
            assertEquals(0, graph.algorithms().in("of").countPaths(person, 1));
            assertEquals(0, count(graph.database(), "session"));
            assertEquals(0, count(graph.database(), "of"));
            begun = System.nanoTime();
            graph.addVertex(T.label, "session", T.id, "s1", "name", "again"); // its id is free
            graph.tx().commit();
            names = g.V("s1").values("name").toList();
            if (System.nanoTime() - begun >= ttlMillis * 1_000_000) {
                return false;
            }
            assertEquals(List.of("again"), names);
            checked(graph);
        }
        try (OrielGraph graph = OrielGraph.open(path)) {
            assertEquals(1, graph.traversal().V().hasLabel("person").count().next());
            graph.addVertex(T.label, "session", T.id, "s2", "name", "n");
            graph.tx().commit();
            checked(graph);
        }
        return true;
    }

    @Test
    void numbersOfElementsWhoseLabelIsGoneAreNotGivenAgain() {
        Path path = folder.resolve("numbers");
        List<Long> numbers = new ArrayList<>();
        Object edgeId;
        try (OrielGraph graph = OrielGraph.open(path)) {
            Vertex kept = graph.addVertex(T.label, "kept");
            OrielVertex gone = (OrielVertex) graph.addVertex(T.label, "gone");
            OrielVertex named = (OrielVertex) graph.addVertex(T.label, "gone", T.id, "n");
            numbers.add(gone.number());
            numbers.add(named.number());
            edgeId = kept.addEdge("lost", kept).id();
            graph.tx().commit();
            graph.schema().vertexLabel("gone").remove();
            graph.schema().edgeLabel("lost").remove();
        }
        try (OrielGraph graph = OrielGraph.open(path)) {
            graph.addVertex(T.label, "late", T.id, "m");
            Vertex late = graph.addVertex(T.label, "late");
            late.addEdge("new", late);
            Vertex kept = graph.traversal().V().hasLabel("kept").next();
            kept.addEdge("new", kept);
            graph.tx().commit();
            for (long number : numbers) {
                assertNull(graph.vertexByNumber(number));
                assertFalse(graph.vertices(number).hasNext());
            }
            assertFalse(graph.edges(edgeId).hasNext());
            checked(graph);
        }
    }

    @Test
    void propertiesAreAppendedAndEliminated() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("person").properties("name", "age").nullableKeys("age").create();
            schema.edgeLabel("knows").link("person", "person").multiTimes().create();
            Vertex a = graph.addVertex(T.label, "person", "name", "a", "age", 1);
            Vertex b = graph.addVertex(T.label, "person", "name", "b");
            a.addEdge("knows", b);
            graph.tx().commit();
            assertThrows(IllegalArgumentException.class, () -> a.property("bio", "x"));
            graph.tx().rollback();
            schema.vertexLabel("person").properties("bio").nullableKeys("bio").append();
            schema.edgeLabel("knows").properties("since").nullableKeys("since").append();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.vertexLabel("person").properties("since").append());
            a.property("bio", "x");
            GraphTraversalSource g = graph.traversal();
            g.V(a).outE("knows").property("since", 5).iterate();
            graph.tx().commit();
            assertEquals("x", a.value("bio"));
            assertEquals(5, g.E().values("since").next());
            graph.tx().rollback();

            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.vertexLabel("person").nullableKeys("age").eliminate());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.vertexLabel("person").properties("name").eliminate());
            schema.vertexLabel("person").properties("bio", "age").eliminate();
            schema.edgeLabel("knows").nullableKeys("since").eliminate();
            assertFalse(g.V(a).values("bio").hasNext());
            assertFalse(g.V(a).values("age").hasNext());
            assertThrows(IllegalArgumentException.class, () -> a.property("age", 1));
            assertThrows(IllegalArgumentException.class, () -> a.addEdge("knows", b));
            graph.tx().rollback();
            schema.propertyKey("bio").remove();
            assertThrows(IllegalArgumentException.class, () -> schema.propertyKey("name").remove());
            checked(graph);
        }
    }

    @Test
    void aPropertyKeyMayTakeSeveralValuesLater() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.propertyKey("name").asText().valueList().append();
            Vertex v = graph.addVertex("name", "a");
            v.property("name", "b");
            graph.tx().commit();
            assertEquals(List.of("a", "b"), graph.traversal().V().values("name").toList());
            graph.tx().rollback();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.propertyKey("name").asText().valueSet().append());
            checked(graph);
        }
    }

    @Test
    void anIndexTakesMorePropertiesAndGivesThemBack() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("person").properties("name", "age").create();
            schema.indexLabel("byName").onV("person").by("name").secondary().create();
            for (int i = 0; i < 10; i++) {
                graph.addVertex(T.label, "person", "name", "n" + i % 2, "age", i);
            }
            graph.tx().commit();
            schema.indexLabel("byName").by("age").append();
            assertEquals(List.of("byName"), schema.indexLabels());
            Table person =
                    Objects.requireNonNull(graph.catalog().vertexLabels().byName().get("person"))
                            .table();
            assertEquals(
                    List.of(2, 3),
                    Objects.requireNonNull(person.index("byName")).columns().stream()
                            .map(column -> column - 1)
                            .toList());
            GraphTraversalSource g = graph.traversal();
            assertEquals(1, g.V().has("person", "name", "n1").has("age", 3).count().next());
            graph.tx().rollback();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.indexLabel("byName").by("age").append());
            schema.indexLabel("byName").by("name").eliminate();
            assertEquals(5, g.V().has("person", "name", "n1").count().next());
            assertEquals(1, g.V().has("person", "age", 3).count().next());
            graph.tx().rollback();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> schema.indexLabel("byName").by("age").eliminate());
            schema.indexLabel("byName").remove();
            assertEquals(List.of(), schema.indexLabels());
            checked(graph);
        }
    }

    @Test
    void anIndexIsMadeAnewInTheBackgroundAndCanBeCancelled() throws InterruptedException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("person").properties("age").create();
            schema.indexLabel("byAge").onV("person").by("age").unique().create();
            for (int i = 0; i < 5_000; i++) {
                graph.addVertex(T.label, "person", "age", i);
            }
            graph.tx().commit();
            IndexRebuild rebuild = schema.indexLabel("byAge").rebuild();
            rebuild.await();
            assertTrue(rebuild.isDone());
            assertEquals(5_000, rebuild.total());
            assertEquals(5_000, rebuild.done());
            assertEquals(1, graph.traversal().V().has("person", "age", 77).count().next());
            graph.tx().rollback();

            graph.addVertex(T.label, "person", "age", 5_000); // holds the rebuild up
            assertThrows(IllegalStateException.class, () -> schema.indexLabel("byAge").rebuild());
            Thread writer = Thread.currentThread();
            assertFalse(writer.isInterrupted());
            graph.tx().commit();
            IndexRebuild second = schema.indexLabel("byAge").rebuild();
            second.cancel();
            try {
                second.await();
            } catch (CancellationException e) {
                assertTrue(
                        String.valueOf(e.getMessage()).contains("stays as it was"), e.getMessage());
            }
            assertEquals(1, graph.traversal().V().has("person", "age", 5_000).count().next());
            checked(graph);
        }
    }

    @Test
    void wordsAreFoundByASearchIndexWhoeverWrites() throws SQLException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("person").properties("bio").nullableKeys("bio").create();
            graph.addVertex(T.label, "person", "bio", "Graphs, and a fast DATABASE");
            graph.addVertex(T.label, "person", "bio", "a database of birds");
            graph.addVertex(T.label, "person");
            graph.tx().commit();
            schema.indexLabel("byBio").onV("person").by("bio").search().create();
            assertThrows(
                    RuntimeException.class,
                    () -> schema.indexLabel("bad").onV("person").by("age").search().create());
            GraphTraversalSource g = graph.traversal();
            assertTrue(
                    g.V()
                            .has("person", "bio", Words.containing("database"))
                            .explain()
                            .toString()
                            .contains("index byBio"));
            assertEquals(
                    2, g.V().has("person", "bio", Words.containing("Database")).count().next());
            assertEquals(
                    1, g.V().has("person", "bio", Words.containing("fast graphs")).count().next());
            assertEquals(0, g.V().has("person", "bio", Words.containing("data")).count().next());
            assertEquals(0, g.V().has("person", "bio", Words.containing("!")).count().next());
            graph.tx().rollback();
            try (Connection connection = graph.database().connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE person SET bio = 'only birds' WHERE bio LIKE '%birds'");
            }
            assertEquals(
                    1, g.V().has("person", "bio", Words.containing("database")).count().next());
            assertEquals(
                    1,
                    g.call(
                                    "oriel.search",
                                    Map.of("label", "person", "property", "bio", "words", "BIRDS"))
                            .toList()
                            .size());
            checked(graph);
        }
    }

    @Test
    void moreElementsThanABatchHoldsHaveAWord() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("person").properties("bio").nullableKeys("bio").create();
            schema.edgeLabel("said")
                    .link("person", "person")
                    .properties("bio")
                    .nullableKeys("bio")
                    .create();
            schema.indexLabel("byBio").onV("person").by("bio").search().create();
            schema.indexLabel("bySaid").onE("said").by("bio").search().create();
            Vertex one = graph.addVertex(T.label, "person");
            for (int i = 0; i < 2_000; i++) {
                String text = (i % 2 == 0 ? "a bird " : "zebra, bird ") + i;
                Vertex other = graph.addVertex(T.label, "person", "bio", text);
                one.addEdge("said", other, "bio", text);
            }
            graph.tx().commit();
            GraphTraversalSource g = graph.traversal();
            assertEquals(
                    2_000, g.V().has("person", "bio", Words.containing("bird")).toSet().size());
            assertEquals(
                    1_000, g.E().has("said", "bio", Words.containing("zebra")).toList().size());
            assertEquals(
                    2_000, g.V().has("person", "bio", Words.containing("bird")).count().next());
        }
    }

    @Test
    void randomTextsAreFoundByEachOfTheirWords() {
        SplittableRandom random = Seed.of("SchemaChangeTest", 20261122);
        String[] words = {"graph", "Bird", "naïve", "ﬁne", "x1", "123", "ΑΒΓ", "Straße", "日本", "a"};
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = people(graph);
            schema.vertexLabel("person").properties("bio").nullableKeys("bio").create();
            schema.indexLabel("byBio").onV("person").by("bio").search().create();
            Map<Object, String> texts = new TreeMap<>();
            List<Vertex> vertices = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                StringBuilder text = new StringBuilder();
                for (int n = random.nextInt(5); n > 0; n--) {
                    text.append(words[random.nextInt(words.length)])
                            .append(random.nextBoolean() ? " " : "-");
                }
                int kind = random.nextInt(4);
                if (kind < 2 || vertices.isEmpty()) {
                    Vertex v = graph.addVertex(T.label, "person", "bio", text.toString());
                    vertices.add(v);
                    texts.put(v.id(), text.toString());
                } else if (kind == 2) {
                    Vertex v = vertices.get(random.nextInt(vertices.size()));
                    v.property("bio", text.toString());
                    texts.put(v.id(), text.toString());
                } else {
                    Vertex v = vertices.remove(random.nextInt(vertices.size()));
                    texts.remove(v.id());
                    v.remove();
                }
                if (i % 40 == 0) {
                    graph.tx().commit();
                }
            }
            graph.tx().commit();
            for (String word : words) {
                long wanted =
                        texts.values().stream()
                                .filter(text -> Words.CONTAIN.test(text, word))
                                .count();
                assertEquals(
                        wanted,
                        graph.traversal()
                                .V()
                                .has("person", "bio", Words.containing(word))
                                .count()
                                .next(),
                        word);
            }
            checked(graph);
        }
    }
}
