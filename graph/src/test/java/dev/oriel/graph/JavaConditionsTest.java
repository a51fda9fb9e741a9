package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.graph.value.DataType;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;

/// Compares `graph.find(label).has(..)` with Gremlin over TinkerGraph, for values and conditions of all kinds,
/// including mismatched ones.
final class JavaConditionsTest {
    private static final String[] KEYS = {
        "byte", "short", "int", "long", "float", "double", "text", "flag", "uuid", "date", "blob",
        "free"
    };

    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    private static final List<Object> VALUES =
            List.of(
                    (byte) 1,
                    (short) 1,
                    1,
                    1L,
                    1.0f,
                    1.0,
                    0,
                    -0.0,
                    0.1f,
                    0.1,
                    127,
                    128,
                    -129L,
                    16_777_217,
                    9_007_199_254_740_993L,
                    Long.MAX_VALUE,
                    Long.MIN_VALUE,
                    9.2e18,
                    Double.NaN,
                    Double.POSITIVE_INFINITY,
                    Float.NEGATIVE_INFINITY,
                    "",
                    "1",
                    "one",
                    "onto",
                    "One",
                    "\uD83D\uDE00",
                    true,
                    false,
                    new UUID(0, 1),
                    new UUID(-1, 1),
                    new Date(1),
                    new Date(-1),
                    new Date(Long.MAX_VALUE), // out of range for columns
                    new Date(Long.MIN_VALUE),
                    OffsetDateTime.parse("1970-01-01T00:00:00.001Z"),
                    Instant.ofEpochSecond(0, 1),
                    new byte[] {1, 2});

    private static void declare(OrielGraph graph) {
        OrielSchema schema = graph.schema();
        schema.propertyKey("byte").asByte().create();
        schema.propertyKey("short").as(DataType.SHORT).create();
        schema.propertyKey("int").asInt().create();
        schema.propertyKey("long").asLong().create();
        schema.propertyKey("float").asFloat().create();
        schema.propertyKey("double").asDouble().create();
        schema.propertyKey("text").asText().create();
        schema.propertyKey("flag").asBoolean().create();
        schema.propertyKey("uuid").asUuid().create();
        schema.propertyKey("date").asDate().create();
        schema.propertyKey("blob").asBlob().create();
    }

    private static void index(OrielGraph graph) {
        for (String key : KEYS) {
            if (!key.equals("free")) {
                graph.schema().indexLabel("by_" + key).onV("thing").by(key).create();
            }
        }
    }

    /// Adds every value under every key that accepts it.
    private static void fill(OrielGraph ours, Graph theirs) {
        long id = 0;
        for (String key : KEYS) {
            for (Object value : VALUES) {
                id++;
                try {
                    ours.addVertex(T.label, "thing", T.id, id, key, value);
                } catch (IllegalArgumentException e) {
                    continue; // a key of another type
                }
                Object kept = ours.vertices(id).next().value(key);
                theirs.addVertex(T.label, "thing", T.id, id, key, kept);
            }
        }
    }

    private static List<P<?>> conditions() {
        List<P<?>> all = new ArrayList<>();
        for (Object value : VALUES) {
            all.add(P.eq(value));
            all.add(P.neq(value));
            all.add(P.gt(value));
            all.add(P.gte(value));
            all.add(P.lt(value));
            all.add(P.lte(value));
            all.add(P.not(P.gt(value)));
            all.add(P.within(value, "one"));
            all.add(P.within(List.of(value)));
            all.add(P.without(value, 1));
            all.add(P.gte(value).and(P.lt(127)));
            all.add(P.eq(value).or(P.eq("one")));
        }
        all.add(P.within(List.of()));
        all.add(P.without(List.of()));
        all.add(P.eq(null));
        all.add(P.neq(null));
        all.add(P.between(1, 128L));
        all.add(P.between(128, 1));
        all.add(P.inside(0.0, 2));
        all.add(P.outside(0, 1.5));
        all.add(P.between("on", "oo"));
        all.add(TextP.startingWith("on"));
        all.add(TextP.startingWith(""));
        all.add(TextP.notStartingWith("on"));
        all.add(TextP.endingWith("e"));
        all.add(TextP.containing("n"));
        all.add(TextP.notContaining("n"));
        all.add(TextP.regex("o.*e"));
        return all;
    }

    @Test
    void valuesOfAllTypesMeetWhatTheyMeetInGremlin() {
        List<String> wrong = new ArrayList<>();
        for (int kind = 0; kind < 3; kind++) {
            try (OrielGraph ours = OrielGraph.inMemory();
                    TinkerGraph theirs = TinkerGraph.open()) {
                if (kind > 0) {
                    declare(ours);
                }
                fill(ours, theirs);
                ours.tx().commit();
                if (kind > 1) {
                    index(ours);
                }
                for (String key : KEYS) {
                    for (P<?> condition : conditions()) {
                        compare(ours, theirs, key, condition, kind, wrong);
                    }
                }
            }
        }
        assertEquals("", String.join("\n", wrong));
    }

    private static void compare(
            OrielGraph ours,
            Graph theirs,
            String key,
            P<?> condition,
            int kind,
            List<String> wrong) {
        VertexQuery query = ours.find("thing").has(key, condition);
        String expected =
                said(() -> ids(theirs.traversal().V().hasLabel("thing").has(key, condition)));
        String gremlin =
                said(() -> ids(ours.traversal().V().hasLabel("thing").has(key, condition)));
        String found = said(() -> ids(query.iterator()));
        String count = said(() -> Long.toString(query.count()));
        String number =
                expected.startsWith("[")
                        ? Long.toString(expected.chars().filter(c -> c == '_').count())
                        : expected;
        if (!found.equals(expected) || !gremlin.equals(expected) || !count.equals(number)) {
            wrong.add(
                    "%d %s %s: %s, ours %s, %s, %s"
                            .formatted(kind, key, condition, expected, gremlin, found, count));
        }
    }

    /// The answer, or the class of the error.
    private static String said(Supplier<String> answer) {
        try {
            return answer.get();
        } catch (ClassCastException | IllegalArgumentException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static String ids(Iterator<? extends Element> elements) {
        List<String> ids = new ArrayList<>();
        elements.forEachRemaining(each -> ids.add("_" + each.id()));
        ids.sort(null);
        return ids.toString();
    }

    @Test
    void conditionsMayBeOnTheIdAndTheLabelToo() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex one = graph.addVertex(T.label, "person", "name", "marko");
            graph.addVertex(T.label, "city", "name", "Ulm");
            String label = T.label.getAccessor();
            String id = T.id.getAccessor();
            VertexQuery people = graph.find("person");
            assertEquals(1, people.has(label, "person").count());
            assertEquals(0, people.has(label, "city").count());
            assertEquals(0, ids(people.has(label, P.within("city", "x")).iterator()).length() - 2);
            assertEquals(0, people.has(label, P.neq("person")).count());
            assertEquals(1, people.has(id, one.id()).count());
            assertEquals(0, people.has(id, P.neq(one.id())).count());
        }
    }

    @Test
    void whatIsAskedOfAnIdIsRefusedNoMoreThanInGremlin() {
        BaseConfiguration configuration = new BaseConfiguration();
        configuration.setProperty(OrielGraph.UNINDEXED, "refuse");
        try (OrielGraph graph = OrielGraph.open(configuration)) {
            Vertex one = graph.addVertex(T.label, "person", "name", "marko");
            String id = T.id.getAccessor();
            assertEquals(0, graph.find("person").has(id, P.neq(one.id())).count());
            assertEquals(
                    0,
                    graph.traversal()
                            .V()
                            .hasLabel("person")
                            .has(T.id, P.neq(one.id()))
                            .count()
                            .next());
        }
    }

    @Test
    void aConditionThatIsGivenAsAValueIsACondition() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.addVertex(T.label, "person", "age", 29);
            Object grown = P.gte(18);
            assertEquals(1, graph.find("person").has("age", grown).count());
        }
    }

    @Test
    void severalValuesOfAKeyAreMetByAnyOfThem() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().propertyKey("nick").asText().valueList().create();
            graph.schema().propertyKey("age").asInt().create();
            Vertex one = graph.addVertex(T.label, "person", "age", 29);
            one.property(Cardinality.list, "nick", "a", "since", 1);
            one.property(Cardinality.list, "nick", "b");
            graph.tx().commit();
            VertexQuery people = graph.find("person").has("age", P.gt(20));
            for (String nick : new String[] {"a", "b"}) {
                assertEquals(1, people.has("nick", nick).count());
            }
            assertEquals(1, people.has("nick", "a").has("nick", "b").count());
            assertEquals(0, people.has("nick", "c").count());
            assertEquals(0, people.has("since", 1).count(), "that is a property of a property");
            one.properties("nick").next().remove();
            assertEquals(0, people.has("nick", "a").count());
            assertEquals(1, people.has("nick", "b").count());
            graph.tx().rollback();
            assertEquals(1, people.has("nick", "a").count());
        }
    }

    @Test
    void changesOfTheTransactionAreSeenAndItsEndIsHeeded() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().propertyKey("age").asInt().create();
            List<Vertex> people = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                people.add(graph.addVertex(T.label, "person", "age", i % 10));
            }
            graph.tx().commit();
            graph.schema().indexLabel("byAge").onV("person").by("age").create();
            VertexQuery threes = graph.find("person").has("age", 3);
            assertEquals(10, threes.count());
            people.get(3).remove();
            people.get(13).property("age", 4);
            people.get(4).property("age", 3);
            graph.addVertex(T.label, "person", "age", 3);
            assertEquals(10, threes.count());
            assertEquals(10, threes.has("age", P.lt(100)).count());
            int met = 0;
            for (OrielVertex each : threes) {
                each.property("age", 3); // a changed vertex is not met again
                graph.addVertex(T.label, "person", "age", 3);
                met++;
            }
            assertEquals(10, met);
            assertEquals(20, threes.count());
            graph.tx().rollback();
            assertEquals(10, threes.count());
        }
    }

    @Test
    void edgesAreCountedOneByOneWhateverTheyLeadTo() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielVertex one = (OrielVertex) graph.addVertex();
            OrielVertex two = (OrielVertex) graph.addVertex();
            one.addEdge("e", two);
            one.addEdge("e", two);
            one.addEdge("e", one);
            one.addEdge("f", two);
            for (int round = 0; round < 2; round++) {
                assertEquals(4, one.degree(Direction.OUT));
                assertEquals(1, one.degree(Direction.IN));
                assertEquals(5, one.degree(Direction.BOTH));
                assertEquals(4, one.degree(Direction.BOTH, "e"));
                assertEquals(4, one.degree(Direction.BOTH, "e", "e", "none"));
                assertEquals(0, one.degree(Direction.BOTH, "none"));
                assertEquals(3, graph.algorithms().out("e").countPaths(one, 2));
                graph.tx().commit();
            }
            one.edges(Direction.OUT, "f").next().remove();
            assertEquals(3, one.degree(Direction.OUT));
            two.remove();
            assertEquals(1, one.degree(Direction.OUT));
            assertEquals(0, two.degree(Direction.IN));
            assertNull(graph.vertexByNumber(two.number()));
            assertThrows(
                    IllegalStateException.class, () -> graph.algorithms().out().countPaths(two, 1));
        }
    }

    @Test
    void aTransactionThatMustBeOpenedIsNotOpenedByReading() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielVertex one = (OrielVertex) graph.addVertex("name", "marko");
            graph.tx().commit();
            graph.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.MANUAL);
            VertexQuery all = graph.find("vertex");
            assertThrows(IllegalStateException.class, all::count);
            assertThrows(IllegalStateException.class, all::iterator);
            assertThrows(IllegalStateException.class, () -> one.degree(Direction.OUT));
            assertThrows(IllegalStateException.class, () -> graph.vertexByNumber(one.number()));
            assertThrows(
                    IllegalStateException.class, () -> graph.algorithms().out().countPaths(one, 2));
            graph.tx().open();
            assertEquals(1, all.count());
            assertEquals(one, Objects.requireNonNull(graph.vertexByNumber(one.number())));
            graph.tx().rollback();
            graph.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.AUTO);
        }
    }
}
