package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.load.GraphLoad;
import dev.oriel.graph.load.LoadResult;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.testkit.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loads of elements made by a program, one by one.
final class GraphLoadTest {
    @TempDir Path folder;

    private static void declare(OrielGraph graph) {
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().create();
        schema.propertyKey("weight").asDouble().create();
        schema.vertexLabel("person").properties("name").nullableKeys("name").create();
        schema.vertexLabel("town").properties("name").primaryKeys("name").create();
        schema.edgeLabel("knows")
                .link("person", "person")
                .multiTimes()
                .properties("weight")
                .nullableKeys("weight")
                .create();
        schema.edgeLabel("lives").link("person", "town").create();
    }

    private static String message(Runnable refused) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, refused::run).getMessage());
    }

    /// Regardless of the class of the number.
    @Test
    void theGraphGivesNobodyANumberThatWasLoadedAsAnId() {
        for (boolean wide : new boolean[] {false, true}) {
            try (OrielGraph graph = OrielGraph.inMemory()) {
                graph.schema().vertexLabel("person").useCustomizeNumberId().create();
                graph.schema().vertexLabel("city").create();
                VertexLabel city =
                        Objects.requireNonNull(graph.catalog().vertexLabels().byName().get("city"));
                long next = city.vertex(city.sequence().next(), false);
                try (GraphLoad load = graph.load()) {
                    load.vertex("person", T.id, wide ? (Object) next : (Object) (int) next);
                    load.commit();
                }
                Vertex added = graph.addVertex(T.label, "city");
                assertNotEquals(next, added.id());
                assertEquals("person", graph.traversal().V(next).label().next());
                graph.tx().commit();
                try (GraphLoad load = graph.load()) {
                    String said = message(() -> load.vertex("person", T.id, (int) next));
                    assertTrue(said.contains("already exists"), said);
                }
            }
        }
    }

    /// The id stays in the table of ids, to which a load only adds.
    @Test
    void anIdOfAnElementThatHasExpiredIsRefused() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = graph.schema();
            schema.vertexLabel("person").useCustomizeStringId().create();
            schema.vertexLabel("session").useCustomizeStringId().ttl(1).create();
            schema.edgeLabel("saw").link("person", "person").multiTimes().ttl(1).create();
            graph.addVertex(T.label, "session", T.id, "s");
            Vertex person = graph.addVertex(T.label, "person", T.id, "p");
            person.addEdge("saw", person, T.id, "e");
            graph.tx().commit();
            GraphTraversalSource g = graph.traversal();
            long deadline = System.nanoTime() + 60_000_000_000L;
            do {
                graph.tx().rollback();
                assertTrue(System.nanoTime() < deadline, "they never expire");
            } while (g.V("s").hasNext() || g.E("e").hasNext());
            graph.tx().rollback();
            refusesBoth(graph, "q");
            schema.vertexLabel("session").remove();
            refusesBoth(graph, "r");
            assertEquals(3, g.V().hasLabel("person").count().next());
        }
    }

    private static void refusesBoth(OrielGraph graph, String another) {
        try (GraphLoad load = graph.load()) {
            String said = message(() -> load.vertex("person", T.id, "s"));
            assertTrue(said.contains("already exists"), said);
            long person = load.find("p");
            said = message(() -> load.edge("saw", person, person, T.id, "e"));
            assertTrue(said.contains("an edge with this id already"), said);
            load.vertex("person", T.id, another);
            load.commit();
        }
    }

    @Test
    void whatIsLoadedIsThereAtOnceOrNever() {
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            declare(graph);
            graph.traversal().addV("free").property(T.id, "old").iterate();
            graph.tx().commit();
            try (GraphLoad load = graph.load()) {
                load.edge("knows", load.vertex("person"), load.vertex("person"));
            }
            assertEquals(1, graph.traversal().V().count().next());
            graph.tx().rollback();
            try (GraphLoad load = graph.load()) {
                long marko = load.vertex("person", "name", "marko");
                long vadas = load.vertex("person");
                long town = load.vertex("town", "name", "Graz");
                load.vertex("free", T.id, "new");
                load.edge("knows", vadas, marko);
                load.edge("knows", marko, vadas, "weight", 0.5);
                load.edge("knows", marko, vadas, "weight", 0.25);
                load.edge("lives", marko, town);
                assertEquals(town, load.find("town:Graz"));
                assertTrue(load.find("old") != 0);
                assertEquals(0, load.find("nobody"));
                assertEquals(new LoadResult(4, 4, 0), load.commit());
                assertThrows(IllegalStateException.class, load::commit);
            }
            GraphTraversalSource g = graph.traversal();
            assertEquals(5, g.V().count().next());
            assertEquals(
                    0.75,
                    g.V().has("person", "name", "marko").outE().values("weight").sum().next());
            assertEquals("town:Graz", g.V().has("name", "marko").out("lives").id().next());
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            graph.traversal().addV("person").iterate();
            graph.tx().commit();
            assertEquals(3, graph.traversal().V().hasLabel("person").count().next());
        }
    }

    @Test
    void whatIsRefusedHasAddedNothingAndTheLoadGoesOn() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            graph.traversal().addV("free").property(T.id, "old").iterate();
            graph.tx().commit();
            try (GraphLoad load = graph.load()) {
                long person = load.vertex("person");
                long town = load.vertex("town", "name", "Graz");
                load.vertex("free", T.id, "a");
                assertTrue(
                        message(() -> load.vertex("nothing")).contains("no vertex label nothing"));
                assertTrue(
                        message(() -> load.edge("no", person, person)).contains("edge label no"));
                assertTrue(message(() -> load.vertex("person", "age", 1)).contains("key age"));
                assertTrue(message(() -> load.vertex("person", "weight", 1.0)).contains("weight"));
                assertTrue(message(() -> load.vertex("person", "name", 1)).contains("takes TEXT"));
                assertTrue(
                        message(() -> load.vertex("free", T.id, "a")).contains("already exists"));
                assertTrue(message(() -> load.vertex("free", T.id, "old")).contains("already"));
                assertTrue(message(() -> load.vertex("town", "name", "Graz")).contains("already"));
                assertTrue(
                        message(() -> load.vertex("free", T.id, "x".repeat(901))).contains("900"));
                assertTrue(
                        message(() -> load.edge("knows", person, 1L << 40)).contains("its target"));
                assertTrue(
                        message(() -> load.edge("knows", person, person + (5L << 17)))
                                .contains("its target"));
                assertTrue(message(() -> load.edge("knows", person, town)).contains("leads from"));
                load.edge("lives", person, town);
                assertTrue(message(() -> load.edge("lives", person, town)).contains("already"));
                load.edge("knows", person, person, T.id, "e");
                assertTrue(
                        message(() -> load.edge("knows", person, person, T.id, "e"))
                                .contains("already"));
                assertEquals(new LoadResult(3, 2, 0), load.commit());
            }
            assertEquals(4, graph.traversal().V().count().next());
            assertEquals(2, graph.traversal().E().count().next());
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void aUniqueIndexRefusesAllOfItWhenItCommits() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            graph.schema().indexLabel("byName").onV("person").by("name").unique().create();
            try (GraphLoad load = graph.load()) {
                load.vertex("person", "name", "a");
                load.vertex("person", "name", "a");
                assertThrows(ConstraintException.class, load::commit);
            }
            assertEquals(0, graph.traversal().V().count().next());
            graph.traversal().addV("person").property("name", "a").iterate();
            graph.tx().commit();
        }
    }

    @Test
    void aTransactionThatHasWrittenIsInTheWay() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            graph.traversal().addV("person").iterate();
            assertThrows(IllegalStateException.class, graph::load);
            graph.tx().rollback();
            graph.load().close();
        }
    }

    /// Sorted and unsorted input, on top of an existing graph, gives the same edges.
    @Test
    void edgesInAnyOrderMakeTheSameGraph() {
        SplittableRandom random = Seed.of("GraphLoadTest", 20261122);
        try (OrielGraph graph = OrielGraph.open(folder.resolve("any"))) {
            declare(graph);
            TreeMap<Long, List<Long>> wanted = new TreeMap<>();
            List<Long> vertices = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                try (GraphLoad load = graph.load()) {
                    for (int i = 0; i < 2_000; i++) {
                        vertices.add(load.vertex("person", "name", "p" + i));
                    }
                    List<long[]> edges = new ArrayList<>();
                    for (int i = 0; i < 8_000; i++) {
                        long from = vertices.get(random.nextInt(vertices.size()));
                        long to = vertices.get(random.nextInt(vertices.size()));
                        edges.add(new long[] {from, to});
                        wanted.computeIfAbsent(from, _ -> new ArrayList<>()).add(to);
                    }
                    if (round % 2 == 0) {
                        edges.sort((a, b) ->
                                a[0] != b[0] ? Long.compare(a[0], b[0]) : Long.compare(a[1], b[1]));
                    }
                    edges.forEach(edge -> load.edge("knows", edge[0], edge[1]));
                    load.commit();
                }
            }
            TreeMap<Long, List<Long>> out = new TreeMap<>();
            TreeMap<Long, List<Long>> in = new TreeMap<>();
            GraphTraversalSource g = graph.traversal();
            for (long each : vertices) {
                Vertex vertex = g.V(each).next();
                vertex.vertices(org.apache.tinkerpop.gremlin.structure.Direction.OUT)
                        .forEachRemaining(to ->
                                out.computeIfAbsent(each, _ -> new ArrayList<>())
                                        .add((Long) to.id()));
                vertex.vertices(org.apache.tinkerpop.gremlin.structure.Direction.IN)
                        .forEachRemaining(from ->
                                in.computeIfAbsent((Long) from.id(), _ -> new ArrayList<>())
                                        .add(each));
            }
            wanted.values().forEach(each -> each.sort(null));
            out.values().forEach(each -> each.sort(null));
            in.values().forEach(each -> each.sort(null));
            assertEquals(wanted, out);
            assertEquals(wanted, in);
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }
}
