package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Seed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ids of vertex properties: the id of a removed one is not reused.
final class PropertyIdTest {
    private static final String[] KEYS = {"age", "name", "nick", "free"};

    @TempDir Path folder;

    private static Object id(Vertex vertex, String key) {
        return vertex.property(key).id();
    }

    @Test
    void aPropertyThatWasRemovedGivesItsIdToNoOther() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex vertex = graph.addVertex("free", 1);
            Object first = id(vertex, "free");
            vertex.property("free").remove();
            vertex.property("free", 2);
            assertFalse(first.equals(id(vertex, "free")), "the id of another");
            Object second = id(vertex, "free");
            vertex.property("free", 3);
            assertEquals(second, id(vertex, "free")); // the same one with another value
            Object a = vertex.property(Cardinality.list, "nick", "a").id();
            Object b = vertex.property(Cardinality.list, "nick", "b").id();
            vertex.properties("nick").forEachRemaining(VertexProperty::remove);
            Object c = vertex.property(Cardinality.list, "nick", "c").id();
            assertEquals(3, Set.of(a, b, c).size());
            vertex.property(Cardinality.list, "nick", "d");
            vertex.property(Cardinality.single, "nick", "e"); // the first with another value
            assertEquals(c, id(vertex, "nick"));
            Object f = vertex.property(Cardinality.list, "nick", "f").id();
            assertEquals(vertex.id() + ":nick:4", f);
            graph.tx().commit();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void aPropertyWithAColumnKeepsItsIdsAndItsIndex() throws SQLException {
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            declare(graph);
            Vertex vertex = graph.addVertex(T.label, "person", "age", 1);
            Object first = id(vertex, "age");
            vertex.property("age").remove();
            vertex.property("age", 2);
            Object second = id(vertex, "age");
            assertFalse(first.equals(second));
            graph.tx().commit();
            assertEquals(1, graph.traversal().V().has("person", "age", 2).count().next());
            graph.tx().rollback();
            sql(graph, "UPDATE person SET age = 3"); // the value of the same property
            Vertex again = graph.traversal().V().has("person", "age", 3).next();
            assertEquals(second, id(again, "age"));
            graph.tx().rollback();
            sql(graph, "UPDATE person SET age = NULL");
            again = graph.traversal().V(vertex.id()).next();
            assertFalse(again.property("age").isPresent());
            again.property("age", 4);
            assertFalse(Set.of(first, second).contains(id(again, "age")));
            graph.tx().commit();
        }
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            Vertex vertex = graph.traversal().V().has("person", "age", 4).next();
            assertTrue(
                    id(vertex, "age").toString().endsWith(":age:2"), id(vertex, "age")::toString);
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void whatSqlEmptiesTakesItsOwnPropertiesWithIt() throws SQLException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            Vertex vertex = graph.addVertex(T.label, "person", "age", 1, "name", "n");
            vertex.property("age", 2, "since", 2000, "by", "me");
            graph.tx().commit();
            sql(graph, "UPDATE person SET age = NULL");
            Vertex again = graph.traversal().V().next();
            assertEquals(List.of("n"), graph.traversal().V().values().toList());
            again.property("age", 3);
            assertFalse(again.property("age").properties().hasNext());
            graph.tx().commit();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void propertiesOfEdgesHaveNoIdsToKeep() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex vertex = graph.addVertex();
            Edge edge = vertex.addEdge("self", vertex, "w", 1);
            edge.property("w").remove();
            graph.tx().commit();
            assertFalse(edge.properties().hasNext());
            edge.property("w", 2);
            edge.property("w", 3);
            graph.tx().commit();
            assertEquals(List.of(3), graph.traversal().E().values("w").toList());
        }
    }

    private static void declare(OrielGraph graph) {
        graph.schema().propertyKey("age").asInt().ifNotExist().create();
        graph.schema().propertyKey("name").asText().ifNotExist().create();
        graph.schema()
                .vertexLabel("person")
                .properties("age", "name")
                .nullableKeys("age", "name")
                .ifNotExist()
                .create();
        graph.schema().indexLabel("byAge").onV("person").by("age").ifNotExist().create();
    }

    private static void sql(OrielGraph graph, String statement) throws SQLException {
        try (Connection connection = graph.database().connect();
                Statement open = connection.createStatement()) {
            open.execute(statement);
        }
    }

    /// Properties are set, added and removed at random, in rows that are read again; some keys get columns midway.
    /// No id may belong to two properties over time.
    @Test
    void noIdIsEverGivenTwice() {
        SplittableRandom random = Seed.of("PropertyIdTest", 20261122);
        for (int round = 0; round < 40; round++) {
            try (OrielGraph graph = OrielGraph.inMemory()) {
                Object of = graph.addVertex(T.label, "v").id();
                Map<Object, String> known = new HashMap<>();
                Set<Object> gone = new HashSet<>();
                for (int i = 0; i < 120; i++) {
                    if (i == 60 && round % 2 == 0) {
                        graph.tx().commit();
                        index(graph);
                    }
                    if (random.nextInt(4) == 0) {
                        graph.tx().commit();
                    }
                    change(random, graph.vertices(of).next());
                    Map<Object, String> now = new HashMap<>();
                    graph.vertices(of)
                            .next()
                            .properties()
                            .forEachRemaining(each -> now.put(each.id(), each.key()));
                    now.keySet().forEach(each -> assertFalse(gone.contains(each), each::toString));
                    known.keySet().stream()
                            .filter(each -> !now.containsKey(each))
                            .forEach(gone::add);
                    known.clear();
                    known.putAll(now);
                }
                graph.tx().commit();
                assertEquals(List.of(), graph.database().check());
            }
        }
    }

    private static void index(OrielGraph graph) {
        graph.traversal().V().properties("age").drop().iterate();
        graph.tx().commit();
        graph.schema().propertyKey("age").asInt().create();
        graph.schema().indexLabel("byAge").onV("v").by("age").create();
    }

    private static void change(SplittableRandom random, Vertex vertex) {
        String key = KEYS[random.nextInt(KEYS.length)];
        List<VertexProperty<Object>> there = new ArrayList<>();
        vertex.properties(key).forEachRemaining(there::add);
        boolean single = key.equals("age");
        switch (random.nextInt(4)) {
            case 0 -> vertex.property(Cardinality.single, key, random.nextInt(9));
            case 1 -> {
                Cardinality cardinality = single ? Cardinality.single : Cardinality.list;
                vertex.property(cardinality, key, random.nextInt(9), "meta", random.nextInt(9));
            }
            case 2 -> there.forEach(VertexProperty::remove);
            default -> {
                if (!there.isEmpty()) {
                    there.get(random.nextInt(there.size())).remove();
                }
            }
        }
    }
}
