package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.element.RangeReads;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.graph.traversal.OrielGraphStepStrategy;
import dev.oriel.graph.traversal.OrielHopsStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Strategies that fold conditions into range reads: `explain()` shows them, and the results are the same without
/// them.
@SuppressWarnings("unchecked") // varargs and traversals of TinkerPop
class FoldingTest {
    private static final int PEOPLE = 2000;

    private final OrielGraph graph = OrielGraph.inMemory();
    private final GraphTraversalSource g = graph.traversal();

    @BeforeEach
    void fill() {
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().create();
        schema.propertyKey("age").asInt().create();
        schema.propertyKey("score").asDouble().create();
        schema.propertyKey("since").asInt().create();
        schema.vertexLabel("person")
                .properties("name", "age", "score")
                .nullableKeys("name", "age", "score")
                .create();
        schema.edgeLabel("knows").link("person", "person").multiTimes().create();
        schema.indexLabel("byAge").onV("person").by("age").create();
        schema.indexLabel("byName").onV("person").by("name", "age").create();
        schema.indexLabel("byScore").onV("person").by("score").create();
        schema.edgeLabel("met")
                .link("person", "person")
                .multiTimes()
                .properties("since", "score")
                .sortKeys("since")
                .nullableKeys("score")
                .create();
        List<Vertex> people = new ArrayList<>();
        for (int i = 0; i < PEOPLE; i++) {
            Vertex person = graph.addVertex(T.label, "person", "name", "p" + i % 50);
            if (i % 10 != 0) {
                person.property("age", i % 97);
            }
            if (i % 7 == 0) {
                person.property("score", i % 21 == 0 ? Double.NaN : i / 2.0);
            }
            people.add(person);
        }
        for (int i = 0; i < 3 * PEOPLE; i++) {
            people.get(i * 31 % PEOPLE).addEdge("knows", people.get(i * 17 % 200));
        }
        for (int i = 0; i < PEOPLE; i++) {
            people.get(i % 20).addEdge("met", people.get(i * 7 % 300), "since", i % 400);
        }
        graph.tx().commit();
    }

    @AfterEach
    void check() {
        graph.tx().rollback();
        assertEquals(List.of(), graph.database().check());
        graph.close();
    }

    private static List<String> results(GraphTraversal<?, ?> traversal) {
        List<String> results = new ArrayList<>();
        traversal.forEachRemaining(each -> results.add(String.valueOf(each)));
        results.sort(null);
        return results;
    }

    /// Checks that the results are the same with and without the strategies, and that the final plan contains
    /// `words`.
    private void folds(
            String words, Function<GraphTraversalSource, GraphTraversal<?, ?>> traversal) {
        List<String> expected =
                results(
                        traversal.apply(
                                g.withoutStrategies(
                                        OrielGraphStepStrategy.class, OrielHopsStrategy.class)));
        assertEquals(expected, results(traversal.apply(g)));
        String plan = traversal.apply(g).explain().toString();
        assertTrue(plan.contains(words), plan);
    }

    @Test
    void conditionsBecomeRangesOfIndexes() {
        folds("index byAge", g -> g.V().has("person", "age", P.gt(90)).id());
        folds("index byAge 3 ranges", g -> g.V().has("person", "age", P.within(3, 5, 90)).id());
        folds(
                "index byName",
                g -> g.V().has("name", "p7").has("age", P.between(10, 60)).values("age"));
        folds(
                "index byName 2 ranges",
                g -> g.V().has("name", P.within("p7", "p9")).has("age", P.gte(40)).id());
        folds("index byName", g -> g.V().has("name", TextP.startingWith("p4")).id());
        folds("index byAge", g -> g.V().has("age", P.gt(20)).has("age", P.gt(80)).count());
    }

    @Test
    void whatIsNotANumberMeetsNoComparison() {
        folds("index byScore", g -> g.V().has("person", "score", P.gt(900.0)).values("score"));
        folds("index byScore", g -> g.V().has("person", "score", P.lt(100.0)).count());
        folds("vertex", g -> g.V().has("person", "score", P.eq(Double.NaN)).count());
        folds("vertex", g -> g.V().has("person", "score", P.within(Double.NaN, 7.0)).count());
    }

    @Test
    void countsComeFromRanges() {
        folds("OrielCountStep", g -> g.V().count());
        folds("OrielCountStep", g -> g.E().count());
        folds("OrielCountStep", g -> g.V().hasLabel("person").count());
        folds("OrielCountStep", g -> g.V().hasLabel("none").count());
        folds("OrielCountStep", g -> g.V().has("age", P.lt(30)).count());
        folds("OrielCountStep", g -> g.V().has("age", P.lt(30)).has("name", "p3").count());
        assertEquals(PEOPLE, g.V().count().next());
        graph.addVertex(T.label, "person");
        assertEquals(PEOPLE + 1, g.V().count().next());
        assertEquals(0, results(g.V().count().is(0)).size());
    }

    @Test
    void degreesAreCountedWithoutNeighbours() {
        Object one = g.V().has("name", "p1").id().next();
        folds("OrielHopCountStep(degree OUT)", g -> g.V(one).out().count());
        folds("degree IN[knows]", g -> g.V(one).in("knows").count());
        folds("degree BOTH", g -> g.V().both().count());
        folds("degree OUT", g -> g.V().map(__.outE("knows").count()));
        folds("OrielHopCountStep([OUT, IN],degree OUT)", g -> g.V(one).out().in().out().count());
        folds("degree", g -> g.V().group().by(T.label).by(__.out().out().count()));
        assertEquals(0, g.V(one).out("nothing").count().next());
        assertEquals(0, g.V(-5).out().count().next());
    }

    @Test
    void conditionsOnSortKeysAreRangesOfEdges() {
        folds(
                "OrielEdgesStep(OUT[met],[since.gt(300)])",
                g -> g.V().hasLabel("person").outE("met").has("since", P.gt(300)).id());
        folds(
                "OrielEdgesStep",
                g -> g.V().inE("met").has("since", P.between(10, 20)).outV().values("name"));
        folds("OrielEdgesStep", g -> g.V().bothE("met").has("since", 17).values("since"));
        folds(
                "OrielEdgesStep",
                g -> g.V().outE("met").has("since", P.lt(5)).has("score", 1.0).count());
        assertFalse(
                g.V().outE("met").has("score", 1.0).explain().toString().contains("OrielEdges"));
    }

    @Test
    void hopsInARowGoTogether() {
        Object one = g.V().has("name", "p1").id().next();
        folds("OrielHopsStep([OUT, IN])", g -> g.V(one).out().in().id());
        folds("OrielHopsStep([OUT, OUT, OUT])", g -> g.V(one).repeat(__.out()).times(3).id());
        folds("OrielHopsStep", g -> g.V(one).out().both("knows").dedup().values("name"));
        folds("OrielHopsStep", g -> g.V().out().in().groupCount().by(T.id));
        String path = g.V(one).out().in().path().explain().toString();
        assertFalse(path.contains("OrielHopsStep"), path);
        String sack = g.withSack(1).V(one).out().in().sack().explain().toString();
        assertFalse(sack.contains("OrielHopsStep"), sack);
    }

    @Test
    void verticesThatAreMetAgainBehindHopsArePassedOver() {
        Object one = g.V().has("name", "p1").id().next();
        folds("OrielHopsStep([OUT],each once)", g -> g.V(one).out().dedup().id());
        folds("OrielHopsStep([OUT, IN],each once)", g -> g.V().out().in().dedup().values("age"));
        folds(
                "OrielHopCountStep([BOTH[knows]],each once)",
                g -> g.V().both("knows").dedup().count());
        folds(
                "OrielHopCountStep([OUT, OUT, OUT],each once)",
                g -> g.V(one).repeat(__.out()).times(3).dedup().count());
        folds("each once", g -> g.V().out().dedup().out().dedup().count());
        folds("each once", g -> g.V().hasLabel("person").map(__.out().in().dedup().count()));
        String by = g.V(one).out().dedup().by("name").count().explain().toString();
        assertFalse(by.contains("each once"), by);
        String labels = g.V().as("a").out().dedup("a").count().explain().toString();
        assertFalse(labels.contains("each once"), labels);
    }

    /// An index orders UUIDs by their bytes, Java by two signed numbers.
    @Test
    void rangesOfUuidsAreComparedOneByOne() {
        graph.tx().rollback();
        graph.schema().propertyKey("token").asUuid().create();
        graph.schema().vertexLabel("device").properties("token").create();
        graph.schema().indexLabel("byToken").onV("device").by("token").create();
        for (long half : new long[] {1, -1, 5, Long.MIN_VALUE, Long.MAX_VALUE}) {
            graph.addVertex(T.label, "device", "token", new UUID(half, half));
        }
        graph.tx().commit();
        UUID middle = new UUID(2, 2);
        folds("index byToken", g -> g.V().has("token", new UUID(5, 5)).count());
        folds("vertex", g -> g.V().has("token", P.gt(middle)).values("token"));
        folds("vertex", g -> g.V().has("token", P.lte(middle)).values("token"));
        folds("vertex", g -> g.V().order().by("token").limit(2).values("token"));
        String plan = g.V().has("token", P.gt(middle)).explain().toString();
        assertFalse(plan.contains("index byToken"), plan);
    }

    @Test
    void theFirstFewInAnOrderComeFromTheBeginningOfAnIndex() {
        folds(
                "index byAge ascending, first 10",
                g -> g.V().hasLabel("person").order().by("age").limit(10).values("age"));
        folds(
                "index byAge descending, first 5",
                g -> g.V().order().by("age", Order.desc).limit(5).values("age"));
        folds(
                "index byName ascending, first 7",
                g -> g.V().has("name", "p7").order().by("age").range(3, 7).values("age"));
        folds(
                "index byAge descending",
                g ->
                        g.V()
                                .has("age", P.lt(50))
                                .has("name", P.neq("p3"))
                                .order()
                                .by("age", Order.desc)
                                .limit(200)
                                .values("age"));
        folds("index byScore", g -> g.V().order().by("score").limit(300).values("score"));
    }

    /// The entries of a unique index have no row key behind the values.
    @Test
    void aUniqueIndexIsReadOnBehindTheRowThatWasReadLast() {
        graph.tx().rollback();
        graph.schema().propertyKey("rank").asInt().create();
        graph.schema().vertexLabel("thing").properties("rank").nullableKeys("rank").create();
        graph.schema().indexLabel("byRank").onV("thing").by("rank").unique().create();
        for (int i = 0; i < 100; i++) {
            graph.addVertex(T.label, "thing", "rank", i);
            graph.addVertex(T.label, "thing");
        }
        graph.tx().commit();
        folds(
                "index byRank descending, first 40",
                g ->
                        g.V()
                                .hasLabel("thing")
                                .order()
                                .by("rank", Order.desc)
                                .limit(40)
                                .values("rank"));
        folds(
                "index byRank ascending, first 90",
                g -> g.V().hasLabel("thing").order().by("rank").limit(90).values("rank"));
        folds("index byRank", g -> g.V().has("thing", "rank", P.gte(20)).values("rank"));
    }

    @Test
    void profilesShowWhatWasRead() {
        TraversalMetrics metrics =
                g.V().hasLabel("person").has("age", 5).repeat(__.both()).times(2).profile().next();
        Metrics first = List.copyOf(metrics.getMetrics()).getFirst();
        assertTrue(first.getName().contains("index byAge"), first.getName());
        long found = g.V().hasLabel("person").has("age", 5).count().next();
        assertEquals(found, first.getCount("rowsRead"));
        assertTrue(first.getCount("pagesRead") >= 0);
        Metrics hops = List.copyOf(metrics.getMetrics()).get(1);
        assertTrue(hops.getCount("rangesRead") > found, metrics::toString);
        assertTrue(hops.getAnnotation("readMillis") instanceof Double);
    }

    @Test
    void anIndexIsReadWhileItsElementsAreAskedFor() {
        RangeReads reads = graph.work().reads();
        long before = reads.rows();
        Iterator<Vertex> all = g.V().has("person", "age", P.gte(0));
        all.next();
        assertTrue(reads.rows() - before < 100, "read " + (reads.rows() - before));
        int count = 1;
        while (all.hasNext()) {
            all.next();
            count++;
        }
        assertEquals(PEOPLE * 9 / 10, count);
    }

    @Test
    void whatIsChangedIsNotMetAgain() {
        Set<Object> met = new HashSet<>();
        Iterator<Vertex> some = g.V().has("person", "age", P.gte(50));
        while (some.hasNext()) {
            Vertex vertex = some.next();
            assertTrue(met.add(vertex.id()), "met twice");
            vertex.property("age", 200 + met.size());
        }
        assertEquals(met.size(), g.V().has("age", P.gte(200)).count().next());
    }

    /// The same for elements added to a label that is read later.
    @Test
    void whatIsAddedToALabelThatIsReadLaterIsNotMet() {
        graph.tx().rollback();
        graph.schema().propertyKey("n").asInt().create();
        for (String label : List.of("a", "b", "c")) {
            graph.schema().vertexLabel(label).properties("n").create();
            graph.schema().indexLabel("byN_" + label).onV(label).by("n").create();
            graph.addVertex(T.label, label, "n", 1);
            graph.tx().commit();
        }
        long count = 3;
        for (String label : List.of("a", "b", "c")) { // whichever comes last
            g.V().has("n", 1).addV(label).property("n", 1).iterate();
            count *= 2;
            assertEquals(count, g.V().has("n", 1).count().next());
        }
        graph.tx().rollback();
        g.V().hasLabel("a").addE("e").property("n", 1).iterate();
        g.V().hasLabel("a").addE("f").property("n", 1).iterate();
        graph.tx().commit();
        for (String label : List.of("e", "f")) {
            graph.schema().indexLabel("byN_" + label).onE(label).by("n").create();
        }
        g.E().has("n", 1).outV().addE("e").property("n", 1).iterate();
        assertEquals(4L, g.E().has("n", 1).count().next());
        g.E().has("n", 1).outV().addE("f").property("n", 1).iterate();
        assertEquals(8L, g.E().has("n", 1).count().next());
    }

    @Test
    void readingGoesOnInTheNextTransaction() {
        Set<Object> met = new HashSet<>();
        Iterator<Vertex> some = g.V().has("person", "age", P.gte(50));
        while (some.hasNext()) {
            assertTrue(met.add(some.next().id()), "met twice");
            if (met.size() % 40 == 0) {
                graph.tx().commit();
            }
        }
        assertEquals(met.size(), g.V().has("age", P.gte(50)).count().next());
    }

    @Test
    void verticesThatWereReachedTwiceAreDroppedOnce() {
        g.V().has("name", "p1").out().in().drop().iterate();
        graph.tx().commit();
        assertTrue(g.V().count().next() < PEOPLE);
    }
}
