package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.store.ClosedException;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import dev.oriel.table.definition.ConstraintException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Errors for unsupported calls, which leave no changes behind.
@Timeout(300)
final class BadInputTest {
    @TempDir Path folder;

    private static OrielGraph open(String setting, Object value) {
        Configuration configuration = new BaseConfiguration();
        configuration.setProperty(setting, value);
        return OrielGraph.open(configuration);
    }

    private static void declare(OrielGraph graph) {
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().create();
        schema.propertyKey("age").asInt().valueSingle().create();
        schema.propertyKey("nick").asText().valueList().create();
        schema.vertexLabel("person")
                .properties("name", "age", "nick")
                .nullableKeys("age", "nick")
                .create();
        schema.vertexLabel("city").properties("name").useCustomizeStringId().create();
        schema.edgeLabel("lives").link("person", "city").multiTimes().create();
    }

    private static String refused(Runnable work) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, work::run).getMessage());
    }

    @Test
    void aGraphOfAnOpenDatabaseCanBeStrict() {
        try (Database database = Database.inMemory();
                OrielGraph graph = OrielGraph.openStrict(database, "g")) {
            assertEquals(
                    "The graph is strict and has no vertex label persn; declare it by schema() first",
                    refused(() -> graph.traversal().addV("persn").iterate()));
        }
    }

    @Test
    void aStrictGraphTakesNoNamesThatItDoesNotKnow() throws IOException {
        try (OrielGraph graph = open(OrielGraph.STRICT, true)) {
            declare(graph);
            GraphTraversalSource g = graph.traversal();
            assertEquals(
                    "The graph is strict and has no vertex label persn; declare it by schema() first",
                    refused(() -> g.addV("persn").iterate()));
            assertEquals(
                    "The graph is strict and has no property key nam; declare it by schema() first",
                    refused(() -> graph.addVertex(T.label, "person", "nam", "x")));
            Vertex a = graph.addVertex(T.label, "person", "name", "a");
            Vertex c = graph.addVertex(T.label, "city", T.id, "c", "name", "c");
            assertEquals(
                    "The graph is strict and has no edge label live; declare it by schema() first",
                    refused(() -> a.addEdge("live", c)));
            assertEquals(
                    "The graph is strict and has no property key since; declare it by schema() first",
                    refused(() -> a.property("name", "b", "since", 1)));
            assertEquals(
                    "The label person has no property since; append it to the label first",
                    refused(() -> a.property("since", 1)));
            graph.tx().commit();
            Path file = Files.writeString(folder.resolve("x.csv"), "name,size\nd,1\n");
            assertEquals(
                    "The graph is strict and has no property key size; declare it by schema() first",
                    refused(() -> unchecked(() -> graph.loadCsv().vertices("person", file).run())));
            Path other = Files.writeString(folder.resolve("y.csv"), "~label,name\ntown,d\n");
            assertEquals(
                    "The graph is strict and has no vertex label town; declare it by schema() first",
                    refused(() -> unchecked(() -> graph.loadCsv().vertices(other).run())));
            assertEquals(List.of("city", "person"), sorted(graph.schema().vertexLabels()));
            assertEquals(List.of("lives"), sorted(graph.schema().edgeLabels()));
            assertEquals(2, g.V().count().next());
            graph.tx().rollback();
            OrielGraph threaded = graph.tx().createThreadedTx();
            refused(() -> threaded.addVertex(T.label, "town"));
            threaded.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }

    private static List<String> sorted(Iterable<String> names) {
        List<String> sorted = new ArrayList<>();
        names.forEach(sorted::add);
        sorted.sort(null);
        return sorted;
    }

    private interface Reading {
        Object run() throws IOException;
    }

    private static void unchecked(Reading work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void typesAndCardinalitiesAreKept() throws IOException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            assertEquals(
                    "The property key age takes INT, not old of String",
                    refused(() -> graph.addVertex(T.label, "person", "name", "a", "age", "old")));
            assertEquals(
                    "The property key age takes one value, and an element was given several",
                    refused(() ->
                            graph.addVertex(T.label, "person", "name", "a", "age", 1, "age", 2)));
            Vertex a = graph.addVertex(T.label, "person", "name", "a", "age", 1);
            assertEquals(
                    "The property key age is declared single, and cannot be set as list",
                    refused(() -> a.property(Cardinality.list, "age", 2)));
            assertEquals(
                    "The property key nick is declared list, and cannot be set as set",
                    refused(() -> a.property(Cardinality.set, "nick", "n")));
            assertEquals(
                    "The property key age takes INT, not 3000000000 of Long",
                    refused(() -> a.property("age", 3_000_000_000L)));
            a.property("nick", "n");
            a.property("nick", "n");
            assertEquals(List.of("n", "n"), graph.traversal().V().values("nick").toList());
            assertEquals(List.of(1), graph.traversal().V().values("age").toList());
            graph.tx().commit();
            Path file = Files.writeString(folder.resolve("x.csv"), "name,age:int[]\nb,1;2\n");
            UsageException e =
                    assertThrows(
                            UsageException.class,
                            () -> graph.loadCsv().vertices("person", file).run());
            assertTrue(
                    String.valueOf(e.getMessage())
                            .contains("the property age takes one value, and the row has 2"),
                    e.getMessage());
            assertEquals(1, graph.traversal().V().count().next());
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void halvesOfSurrogatePairsAreNoText() {
        String half = "i\ud800";
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex vertex = graph.addVertex(T.id, "i\ud83d\ude00", "name", "a\ud83d\ude00b");
            assertEquals("a\ud83d\ude00b", vertex.value("name"));
            assertThrows(IllegalArgumentException.class, () -> vertex.property("name", half));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> vertex.property("names", List.of("fine", half)));
            assertThrows(IllegalArgumentException.class, () -> graph.addVertex(T.id, half));
            assertThrows(ConstraintException.class, () -> graph.addVertex(T.label, half));
            graph.tx().commit();
            assertEquals(1, graph.traversal().V().count().next());
        }
    }

    @Test
    void theDatabaseOfAGraphIsClosedWhereItsTransactionRefusesTo() {
        OrielGraph graph = OrielGraph.open(folder.resolve("open"));
        graph.tx().onClose(Transaction.CLOSE_BEHAVIOR.MANUAL);
        graph.addVertex();
        assertThrows(IllegalStateException.class, graph::close);
        assertThrows(ClosedException.class, () -> graph.database().check());
    }

    @Test
    void whatALabelRequiresStays() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = graph.schema();
            schema.propertyKey("name").asText().create();
            schema.propertyKey("since").asInt().create();
            schema.propertyKey("how").asText().create();
            schema.vertexLabel("person").properties("name").create();
            schema.vertexLabel("town").properties("name").primaryKeys("name").create();
            schema.edgeLabel("lives")
                    .link("person", "town")
                    .properties("since", "how")
                    .sortKeys("since")
                    .create();
            Vertex marko = graph.addVertex(T.label, "person", "name", "marko");
            Vertex ulm = graph.addVertex(T.label, "town", "name", "Ulm");
            Edge lives = marko.addEdge("lives", ulm, "since", 2000, "how", "well");
            String lacks =
                    "An element of person must have the property name, which is not nullable";
            assertEquals(lacks, refused(() -> marko.property("name").remove()));
            assertEquals(lacks, refused(() -> marko.property("name", null)));
            GraphTraversalSource g = graph.traversal();
            refused(() -> g.V().properties("name").drop().iterate());
            assertEquals(
                    "An element of lives must have the property how, which is not nullable",
                    refused(() -> lives.property("how", null)));
            refused(() -> g.E().properties("how").drop().iterate());
            assertEquals(
                    "The sort key since of an edge cannot be changed; add another edge",
                    refused(() -> lives.property("since", null)));
            refused(() -> lives.property("since").remove());
            assertEquals(
                    "The primary key name of a vertex cannot be changed; add another vertex",
                    refused(() -> ulm.property("name", "Bonn")));
            refused(() -> ulm.property("name").remove());
            ulm.property("name", "Ulm");
            lives.property("how", "better");
            marko.property("name", "Marko");
            graph.tx().commit();
            assertEquals(List.of("Marko", "Ulm"), sorted(names(g)));
            assertEquals("better", g.E().values("how").next());
        }
    }

    private static List<String> names(GraphTraversalSource g) {
        return g.V().<String>values("name").toList();
    }

    @Test
    void idsAreGivenOnceAndEdgesHaveBothEnds() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            Vertex a = graph.addVertex(T.label, "person", "name", "a");
            Vertex c = graph.addVertex(T.label, "city", T.id, "c", "name", "c");
            assertEquals(
                    "Vertex with id already exists: c",
                    refused(() -> graph.addVertex(T.label, "city", T.id, "c", "name", "d")));
            a.addEdge("free", c, T.id, "e");
            assertEquals(
                    "Edge with id already exists: e",
                    refused(() -> a.addEdge("free", c, T.id, "e")));
            assertEquals(
                    "The edge label lives leads from person to city, not from city to person",
                    refused(() -> c.addEdge("lives", a)));
            graph.tx().commit();
            Vertex gone = graph.addVertex(T.label, "person", "name", "b");
            graph.traversal().V(gone.id()).drop().iterate();
            assertThrows(IllegalStateException.class, () -> a.addEdge("free", gone));
            assertThrows(IllegalStateException.class, () -> gone.addEdge("free", a));
            graph.tx().commit();
            a.addEdge("free", c);
            graph.traversal().V("c").drop().iterate();
            assertThrows(IllegalStateException.class, () -> a.addEdge("free", c));
            graph.tx().rollback();
            a.addEdge("free", c);
            c.remove();
            assertEquals(0, graph.traversal().E().count().next()); // went with its end
            graph.tx().commit();
            assertEquals(List.of(), graph.database().check());
        }
    }

    private static void fill(OrielGraph graph, int people) {
        for (int i = 0; i < people; i++) {
            graph.addVertex(T.label, "person", "name", "p" + i, "age", i % 90);
        }
        graph.tx().commit();
    }

    @Test
    void conditionsThatNoIndexServesAreRefusedWhereThatIsWished() {
        try (OrielGraph graph = open(OrielGraph.UNINDEXED, "refuse")) {
            declare(graph);
            fill(graph, 10);
            GraphTraversalSource g = graph.traversal();
            g.V().limit(1).as("v").addE("free").to("v").iterate();
            graph.tx().commit();
            String said = refused(() -> g.V().has("person", "age", 5).iterate());
            assertEquals(
                    "No index serves [age.eq(5)] on the label person, so all of its vertices are looked at;"
                            + " make one, or set oriel.unindexed to allow. The step:"
                            + " OrielGraphStep(vertex,[~label.eq(person), age.eq(5)])",
                    said);
            refused(() -> g.V().has("age", 5).count().next());
            refused(() -> g.E().has("since", 5).iterate());
            refused(() -> g.E().has("since", 5).count().next());
            assertEquals(10, g.V().hasLabel("person").count().next());
            assertEquals(0, g.V().has("city", "age", 5).count().next()); // this label has no age
            assertEquals(1, g.with(OrielGraph.UNINDEXED, "allow").V().has("age", 5).count().next());
            graph.tx().rollback();
            graph.schema().indexLabel("byAge").onV("person").by("age").create();
            assertEquals(1, g.V().has("person", "age", 5).count().next());
            assertEquals(1, g.V().has("person", "age", 5).has("name", "p5").count().next());
            assertEquals(
                    "oriel.unindexed is allow, warn or refuse, not never",
                    refused(() ->
                            g.with(OrielGraph.UNINDEXED, "never").V().has("name", "p5").iterate()));
        }
    }

    @Test
    void aWarningHasThePlanOfWhatNoIndexServes() {
        Logger logger = Logger.getLogger("dev.oriel.graph");
        List<String> warnings = new ArrayList<>();
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord logged) {
                        warnings.add(logged.getLevel() + " " + logged.getMessage());
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(handler);
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declare(graph);
            fill(graph, 10);
            GraphTraversalSource g = graph.traversal();
            assertEquals(1, g.V().has("person", "age", 5).count().next());
            assertEquals(List.of(), warnings);
            GraphTraversalSource warned = g.with(OrielGraph.UNINDEXED, "warn");
            assertEquals(1, warned.V().has("person", "age", 5).toList().size());
            assertEquals(1, warnings.size());
            assertTrue(warnings.getFirst().startsWith("WARNING No index serves [age.eq(5)]"));
            assertTrue(warnings.getFirst().contains("OrielGraphStep(vertex,"), warnings::toString);
        } finally {
            logger.removeHandler(handler);
        }
    }

    /// A complete graph, so that paths have no end.
    private static void whole(OrielGraph graph, int size) {
        List<Vertex> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(graph.addVertex(T.label, "n", "i", i));
        }
        for (Vertex from : all) {
            all.forEach(to -> from.addEdge("to", to, "i", 1));
        }
        graph.tx().commit();
    }

    /// Traversals that would run for years, or at least for seconds.
    private static List<GraphTraversal<?, ?>> endless(GraphTraversalSource g) {
        return List.of(
                g.V().repeat(__.out().simplePath()).times(60).path().count(),
                g.V().repeat(__.out()).times(1_000).dedup(),
                g.V().repeat(__.identity()),
                g.V().out().path().by(__.repeat(__.both().simplePath()).times(90).count()),
                g.V().as("a").V().V().V().V().V().V().select("a").is("none"),
                g.E().repeat(__.bothV().bothE()).until(__.has("nothing", 1)).count());
    }

    @Test
    void morePathsThanALongCountsAreRefused() {
        try (OrielGraph graph = open(OrielGraph.TIMEOUT_MILLIS, 0)) {
            whole(graph, 10);
            GraphTraversal<?, Long> paths =
                    graph.traversal().V().repeat(__.both()).times(1_000).count();
            LimitException e = assertThrows(LimitException.class, paths::next);
            assertTrue(String.valueOf(e.getMessage()).contains("fewer hops"), e.getMessage());
        }
    }

    @Test
    void aTraversalThatWouldRunAwayIsHeldToItsTime() {
        try (OrielGraph graph = open(OrielGraph.TIMEOUT_MILLIS, 50)) {
            whole(graph, 100);
            for (GraphTraversal<?, ?> each : endless(graph.traversal())) {
                LimitException e =
                        assertThrows(LimitException.class, each::iterate, each.toString());
                assertTrue(
                        String.valueOf(e.getMessage()).contains("evaluationTimeout=50"),
                        e.getMessage());
            }
            GraphTraversal<?, ?> profiled = graph.traversal().V().repeat(__.out()).times(1_000);
            assertThrows(LimitException.class, () -> profiled.profile().next());
            GraphTraversalSource free = graph.traversal().with("evaluationTimeout", 0);
            assertEquals(100L * 100 * 100, free.V().out().out().count().next());
            assertEquals(
                    "evaluationTimeout and oriel.timeoutMillis are milliseconds, 0 for no limit, not soon",
                    refused(() ->
                            graph.traversal().with("evaluationTimeout", "soon").V().iterate()));
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void aTraversalThatRunsAwayCanBeCancelled() throws InterruptedException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            whole(graph, 100);
            int count = endless(graph.traversal()).size();
            for (int i = 0; i < count; i++) {
                int which = i;
                FutureTask<Void> run =
                        new FutureTask<>(() -> {
                            try {
                                endless(graph.traversal()).get(which).iterate();
                            } finally {
                                graph.tx().rollback();
                            }
                            return null;
                        });
                Thread thread = new Thread(run);
                thread.start();
                while (!reads(thread) && thread.isAlive()) {
                    Thread.onSpinWait();
                }
                thread.interrupt();
                thread.join();
                ExecutionException e = assertThrows(ExecutionException.class, run::get);
                assertInstanceOf(TraversalInterruptedException.class, e.getCause());
            }
            assertEquals(100L, graph.traversal().V().count().next());
        }
    }

    /// Whether the thread is in the middle of the traversal.
    private static boolean reads(Thread thread) {
        for (StackTraceElement at : thread.getStackTrace()) {
            String name = at.getClassName();
            if (name.endsWith(".RangeReads") || name.endsWith(".RepeatStep")) {
                return true;
            }
        }
        return false;
    }

    /// A predicate that matches nothing and interrupts its thread.
    private static P<Object> interrupting() {
        return new P<>(
                (_, _) -> {
                    Thread.currentThread().interrupt();
                    return false;
                },
                0);
    }

    @Test
    void aSearchThroughAllElementsCanBeCancelled() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE n (i INT PRIMARY KEY)");
            statement.execute("INSERT INTO n VALUES (1), (2), (3)");
            statement.execute("CREATE PROPERTY GRAPH g VERTEX TABLES (n)");
            try (OrielGraph graph = OrielGraph.inMemory();
                    TableGraph tables = TableGraph.open(database, "g")) {
                whole(graph, 3);
                for (Graph each : List.of(graph, tables)) {
                    cancelled(each.traversal().V().has("i", interrupting()));
                    cancelled(each.traversal().V().has("i", interrupting()).count());
                }
                cancelled(graph.traversal().E().has("i", interrupting()).count());
            }
        }
    }

    private static void cancelled(GraphTraversal<?, ?> search) {
        assertThrows(TraversalInterruptedException.class, search::hasNext);
        assertFalse(Thread.currentThread().isInterrupted());
    }
}
