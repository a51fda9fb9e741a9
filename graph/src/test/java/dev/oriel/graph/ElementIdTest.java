package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.load.GraphLoad;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.store.ConflictException;
import dev.oriel.table.definition.ConstraintException;
import java.math.BigDecimal;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Ids that the graph makes of elements' contents: no two elements share one.
final class ElementIdTest {
    private final OrielGraph graph = OrielGraph.inMemory();
    private final GraphTraversalSource g = graph.traversal();
    private final OrielSchema schema = graph.schema();

    @AfterEach
    void check() {
        graph.tx().rollback();
        assertEquals(List.of(), graph.database().check());
        graph.close();
    }

    @Test
    void edgesThatDifferInTheirSortKeysAloneHaveIdsOfTheirOwn() {
        schema.propertyKey("day").asInt().create();
        schema.vertexLabel("p").create();
        schema.edgeLabel("visited").link("p", "p").properties("day").sortKeys("day").create();
        Vertex a = graph.addVertex(T.label, "p");
        Vertex b = graph.addVertex(T.label, "p");
        Edge one = a.addEdge("visited", b, "day", 1);
        Edge two = a.addEdge("visited", b, "day", -2);
        Edge same = a.addEdge("visited", b, "day", 1); // replaces the first
        graph.tx().commit();
        assertEquals(one, same);
        assertNotEquals(one.id(), two.id());
        assertNotEquals(one, two);
        assertEquals(2L, g.V(a).outE("visited").dedup().count().next());
        assertEquals(-2, g.E(two.id()).values("day").next());
        assertEquals(1, g.E(one).values("day").next());
        assertEquals(Set.of(one, two), g.V(b).inE("visited").toSet());
        g.E(two).drop().iterate();
        graph.tx().commit();
        assertEquals(List.of(one), g.E().toList());
        assertFalse(graph.edges(two.id()).hasNext());
        assertFalse(graph.edges(one.id() + "-1").hasNext());
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    void primaryKeysThatAreMomentsAreToldApartInAnyTimeZone() {
        schema.propertyKey("sensor").asText().create();
        schema.propertyKey("at").asDate().create();
        schema.propertyKey("v").asInt().create();
        schema.vertexLabel("reading")
                .properties("sensor", "at", "v")
                .primaryKeys("sensor", "at")
                .create();
        TimeZone usual = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
            graph.addVertex(T.label, "reading", "sensor", "s", "at", new Date(1_000), "v", 1);
            Vertex second =
                    graph.addVertex(
                            T.label, "reading", "sensor", "s", "at", new Date(1_500), "v", 2);
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            assertEquals(
                    second,
                    graph.addVertex(
                            T.label, "reading", "sensor", "s", "at", new Date(1_500), "v", 3));
        } finally {
            TimeZone.setDefault(usual);
        }
        assertEquals(2L, g.V().count().next());
        assertEquals(1, g.V("reading:s!1970-01-01T00:00:01Z").values("v").next());
        assertEquals(3, g.V("reading:s!1970-01-01T00:00:01.500Z").values("v").next());
    }

    @Test
    void primaryKeysOfEqualValuesAreOneVertexWhateverTheirClass() {
        schema.propertyKey("n").asInt().create();
        schema.propertyKey("bytes").asBlob().create();
        schema.vertexLabel("number").properties("n").primaryKeys("n").create();
        schema.vertexLabel("digest").properties("bytes").primaryKeys("bytes").create();
        Vertex five = graph.addVertex(T.label, "number", "n", 5);
        assertEquals(five, graph.addVertex(T.label, "number", "n", 5.0));
        assertEquals(five, graph.addVertex(T.label, "number", "n", new BigDecimal("5.0")));
        Vertex bytes = graph.addVertex(T.label, "digest", "bytes", new byte[] {1, -1});
        assertEquals(bytes, graph.addVertex(T.label, "digest", "bytes", new byte[] {1, -1}));
        assertEquals(Set.of("number:5", "digest:01ff"), g.V().id().toSet());
        graph.tx().commit();
        try (GraphLoad load = graph.load()) {
            assertThrows(
                    IllegalArgumentException.class, () -> load.vertex("number", "n", (short) 5));
        }
    }

    @Test
    void aVertexThatIsAddedAgainIsHeldToItsLabelAndKeepsAllValues() {
        schema.propertyKey("name").asText().create();
        schema.propertyKey("tag").asText().valueList().create();
        schema.vertexLabel("city")
                .properties("name", "tag")
                .nullableKeys("tag")
                .primaryKeys("name")
                .create();
        Vertex ulm = graph.addVertex(T.label, "city", "name", "Ulm", "tag", "old", "tag", "older");
        assertThrows(
                IllegalArgumentException.class,
                () -> graph.addVertex(T.label, "city", "name", "Ulm", "other", 1));
        graph.addVertex(T.label, "city", "name", "Ulm", "tag", "a", "tag", "b");
        assertEquals(List.of("a", "b"), g.V(ulm).values("tag").toList());
        assertFalse(g.V(ulm).values("other").hasNext());
    }

    @Test
    void numbersOfUsersThatNoSequenceComesToAreInNobodysWay() {
        Vertex first = graph.addVertex(T.label, "first");
        long label = (Long) first.id() & 0xFFFF;
        List<Long> ids =
                List.of(Long.MAX_VALUE, Long.MAX_VALUE - 0x1FFFF + label, Long.MIN_VALUE, -1L);
        for (long id : ids) {
            graph.addVertex(T.label, "user", T.id, id);
        }
        graph.tx().commit();
        for (String name : List.of("first", "late")) {
            Vertex added = graph.addVertex(T.label, name);
            assertTrue((Long) added.id() > 0, () -> name + " " + added.id());
            assertEquals(name, g.V(added.id()).label().next());
        }
        for (long id : ids) {
            assertEquals("user", g.V(id).label().next());
        }
        assertEquals(7L, g.V().count().next());
    }

    @Test
    void anIdIsFreeAgainWhereItsVertexIsRefused() {
        schema.propertyKey("email").asText().create();
        schema.vertexLabel("person").useCustomizeStringId().properties("email").create();
        schema.indexLabel("byEmail").onV("person").by("email").unique().create();
        schema.vertexLabel("mailbox").properties("email").primaryKeys("email").create();
        schema.propertyKey("owner").asText().create();
        schema.vertexLabel("mailbox").properties("owner").nullableKeys("owner").append();
        schema.indexLabel("byOwner").onV("mailbox").by("owner").unique().create();
        graph.addVertex(T.label, "person", T.id, "a", "email", "x");
        graph.addVertex(T.label, "mailbox", "email", "x", "owner", "a");
        assertThrows(
                ConstraintException.class,
                () -> graph.addVertex(T.label, "person", T.id, "b", "email", "x"));
        assertThrows(
                ConstraintException.class,
                () -> graph.addVertex(T.label, "mailbox", "email", "y", "owner", "a"));
        graph.tx().commit();
        assertFalse(graph.vertices("b").hasNext());
        assertFalse(graph.vertices("mailbox:y").hasNext());
        Vertex b = graph.addVertex(T.label, "person", T.id, "b", "email", "y");
        Vertex y = graph.addVertex(T.label, "mailbox", "email", "y", "owner", "b");
        graph.tx().commit();
        assertEquals(List.of(b, y), g.V("b", "mailbox:y").toList());
    }

    @Test
    void anIdIsFreeAgainWhereAnotherTransactionWasInTheWayOfItsVertex() {
        schema.propertyKey("email").asText().create();
        schema.vertexLabel("person").useCustomizeStringId().properties("email").create();
        schema.indexLabel("byEmail").onV("person").by("email").unique().create();
        graph.addVertex(T.label, "person", T.id, "a", "email", "w");
        Graph other = graph.tx().createThreadedTx();
        other.addVertex(T.label, "person", T.id, "c", "email", "x");
        other.tx().commit();
        assertThrows(
                ConflictException.class,
                () -> graph.addVertex(T.label, "person", T.id, "b", "email", "x"));
        graph.tx().commit();
        assertFalse(graph.vertices("b").hasNext());
        Vertex b = graph.addVertex(T.label, "person", T.id, "b", "email", "y");
        graph.tx().commit();
        assertEquals(List.of(b), g.V("b").toList());
        assertEquals(3L, g.V().count().next());
    }

    @Test
    void sortKeysOfEveryTypeAreInIds() {
        schema.propertyKey("text").asText().create();
        schema.propertyKey("share").asDouble().create();
        schema.propertyKey("bytes").asBlob().create();
        schema.vertexLabel("p").create();
        schema.edgeLabel("e")
                .link("p", "p")
                .properties("text", "share", "bytes")
                .sortKeys("text", "share", "bytes")
                .create();
        Vertex a = graph.addVertex(T.label, "p");
        for (String text : List.of("", "a-b", "\u00fc\0x")) {
            for (double share : new double[] {0.0, -1.5, Double.NaN}) {
                for (byte last = -1; last <= 1; last++) {
                    byte[] bytes = {0, last};
                    a.addEdge("e", a, "text", text, "share", share, "bytes", bytes);
                }
            }
        }
        graph.tx().commit();
        assertEquals(27, g.E().id().toSet().size());
        for (Edge edge : g.E().toList()) {
            Edge found = g.E(edge.id()).next();
            assertEquals(edge.<String>value("text"), found.value("text"));
            assertEquals(edge.<Double>value("share"), found.<Double>value("share"));
            assertEquals(edge.<byte[]>value("bytes")[1], found.<byte[]>value("bytes")[1]);
        }
    }
}
