package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.store.ConflictException;
import dev.oriel.store.UsageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Features of a graph in a database beyond TinkerPop's suites: files, SQL, schema, threads.
final class OrielGraphTest {
    @TempDir Path folder;

    private static List<String> sql(Database database, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.append(i == 1 ? "" : " ").append(result.getString(i));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    private static void declarePeople(OrielGraph graph) {
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().ifNotExist().create();
        schema.propertyKey("age").asInt().valueSingle().ifNotExist().create();
        schema.vertexLabel("person").properties("name", "age").nullableKeys("age").create();
        schema.indexLabel("personByAge").onV("person").by("age").range().create();
    }

    @Test
    void aPrimaryKeyIsGivenOnceByTransactionsThatDoNotSeeEachOther() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().propertyKey("name").asText().create();
            graph.schema().vertexLabel("city").properties("name").primaryKeys("name").create();
            Graph one = graph.tx().createThreadedTx();
            Graph other = graph.tx().createThreadedTx();
            other.addVertex(T.label, "city", "name", "Ulm"); // its snapshot is fixed now
            one.addVertex(T.label, "city", "name", "Bonn");
            one.tx().commit();
            assertThrows(
                    ConflictException.class,
                    () -> other.addVertex(T.label, "city", "name", "Bonn"));
            other.tx().rollback();
            Graph again = graph.tx().createThreadedTx();
            Vertex ulm = again.addVertex(T.label, "city", "name", "Ulm");
            assertEquals(ulm, again.addVertex(T.label, "city", "name", "Ulm"));
            assertEquals("city:Bonn", again.addVertex(T.label, "city", "name", "Bonn").id());
            again.tx().commit();
            assertEquals(2, graph.traversal().V().count().next());
        }
    }

    @Test
    void aThreadMaySayWhatItsTransactionsBeginWith() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            int[] asked = new int[1];
            Vertex vertex = graph.addVertex("name", "marko");
            graph.tx()
                    .onReadWrite(transaction -> {
                        asked[0]++;
                        Transaction.READ_WRITE_BEHAVIOR.AUTO.accept(transaction);
                    });
            assertEquals("marko", vertex.value("name"));
            int first = asked[0];
            assertEquals("marko", vertex.value("name"));
            assertTrue(first > 0 && asked[0] > first, asked[0] + " times");
        }
    }

    @Test
    void whatWasRemovedIsThereAgainWhenThatIsRolledBack() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex vertex = graph.addVertex("name", "marko");
            Edge edge = vertex.addEdge("self", vertex, "since", 2009);
            graph.tx().commit();
            VertexProperty<String> name = vertex.property("name");
            name.remove();
            edge.remove();
            vertex.remove();
            assertThrows(IllegalStateException.class, () -> vertex.value("name"));
            assertFalse(vertex.edges(Direction.OUT).hasNext());
            graph.tx().rollback();
            assertEquals("marko", vertex.value("name"));
            assertEquals(2009, edge.<Integer>value("since"));
            assertEquals(edge, vertex.edges(Direction.OUT).next());
            name.property("meta", 1);
            assertEquals(1, vertex.property("name").<Integer>value("meta"));
            vertex.remove();
            graph.tx().commit();
            assertThrows(IllegalStateException.class, () -> vertex.value("name"));
            assertEquals(0L, graph.traversal().V().count().next());
        }
    }

    @Test
    void aGraphIsThereAgainWhenItIsOpenedAgain() {
        UUID uuid = new UUID(1, 2);
        Object edgeId;
        Object personId;
        try (OrielGraph graph = OrielGraph.open(folder)) {
            declarePeople(graph);
            Vertex marko = graph.addVertex(T.label, "person", "name", "marko", "age", 29);
            Vertex free =
                    graph.addVertex(T.id, uuid, "tags", List.of("a", 1, 2.5), "big", 1L << 40);
            Edge edge = marko.addEdge("likes", free, "since", 2009);
            personId = marko.id();
            edgeId = edge.id();
            graph.variables().set("author", "somebody");
            graph.tx().commit();
        }
        try (OrielGraph graph = OrielGraph.open(folder)) {
            GraphTraversalSource g = graph.traversal();
            assertEquals(List.of("marko"), g.V(personId).values("name").toList());
            assertEquals(List.of(2009), g.E(edgeId).values("since").toList());
            assertEquals(List.of("a", 1, 2.5), g.V(personId).out("likes").values("tags").next());
            assertEquals(uuid, g.V().has("big", 1L << 40).next().id());
            assertEquals("somebody", graph.variables().get("author").orElseThrow());
            Vertex next = graph.addVertex(T.label, "person", "name", "vadas");
            assertFalse(next.id().equals(personId));
            graph.tx().commit();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void aGraphIsReadInADatabaseThatIsOpenForReadingOnly() {
        try (OrielGraph graph = OrielGraph.open(folder)) {
            graph.schema().propertyKey("n").asInt().create();
            graph.schema().vertexLabel("session").properties("n").ttl(3_600_000).create();
            graph.addVertex(T.label, "session", "n", 1);
            graph.tx().commit();
        }
        DatabaseOptions readOnly = DatabaseOptions.defaults().withReadOnly(true);
        try (Database database = Database.open(folder, readOnly);
                OrielGraph graph = OrielGraph.open(database, "")) {
            assertEquals(List.of(1), graph.traversal().V().values("n").toList());
            assertThrows(UsageException.class, () -> graph.addVertex(T.label, "session", "n", 2));
            graph.tx().rollback();
            assertThrows(UsageException.class, () -> OrielGraph.open(database, "none"));
        }
    }

    @Test
    void sqlReadsTheSameRows() throws SQLException {
        try (Database database = Database.inMemory();
                OrielGraph graph = OrielGraph.open(database, "");
                OrielGraph other = OrielGraph.open(database, "social")) {
            declarePeople(graph);
            Vertex a = graph.addVertex(T.label, "person", "name", "a", "age", 30);
            Vertex b = graph.addVertex(T.label, "person", "name", "b", "age", 40);
            a.addEdge("knows", b);
            other.addVertex(T.label, "person", "name", "of the other graph");
            graph.tx().commit();
            other.tx().commit();
            assertEquals(
                    List.of("b 40"), sql(database, "SELECT name, age FROM person WHERE age > 30"));
            assertEquals(
                    List.of("a b"),
                    sql(
                            database,
                            "SELECT s.name, t.name FROM knows k JOIN person s ON s._id = k._source"
                                    + " JOIN person t ON t._id = k._target"));
            assertEquals(List.of("1"), sql(database, "SELECT count(*) FROM \"social.person\""));
            assertEquals(2L, graph.traversal().V().count().next());
        }
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    void momentsThatSqlWritesAreFoundByAnIndex() throws SQLException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = graph.schema();
            schema.propertyKey("born").asDate().create();
            schema.vertexLabel("person").properties("born").create();
            schema.indexLabel("byBorn").onV("person").by("born").create();
            graph.addVertex(T.label, "person", "born", new Date(0));
            graph.tx().commit();
            try (Connection connection = graph.database().connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "UPDATE person SET born = TIMESTAMP WITH TIME ZONE"
                                + " '2001-02-03 04:05:06.789123+00:00'");
            }
            GraphTraversalSource g = graph.traversal();
            Date born = (Date) g.V().values("born").next();
            assertEquals(Instant.parse("2001-02-03T04:05:06.789Z"), born.toInstant());
            assertEquals(1L, g.V().has("person", "born", born).count().next());
            assertEquals(1L, g.V().has("person", "born", P.lte(born)).count().next());
            assertEquals(0L, g.V().has("person", "born", P.gt(born)).count().next());
        }
    }

    @Test
    void namesOfGraphsThatDifferInCaseAreOneGraph() {
        try (Database database = Database.inMemory();
                OrielGraph one = OrielGraph.open(database, "Social");
                OrielGraph other = OrielGraph.open(database, "social")) {
            one.addVertex(T.label, "person", "name", "a");
            one.tx().commit();
            other.addVertex(T.label, "person", "name", "b");
            other.tx().commit();
            assertEquals(2L, one.traversal().V().count().next());
            assertEquals(2L, other.traversal().V().hasLabel("person").count().next());
            assertEquals(List.of(), database.check());
        }
    }

    @Test
    void conditionsBecomeRangesOfAnIndex() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declarePeople(graph);
            for (int i = 0; i < 100; i++) {
                graph.addVertex(T.label, "person", "name", "p" + i, "age", i);
            }
            graph.addVertex(T.label, "person", "name", "ageless");
            graph.tx().commit();
            GraphTraversalSource g = graph.traversal();
            assertEquals(9L, g.V().has("person", "age", P.gt(90)).count().next());
            assertEquals(101L, g.V().hasLabel("person").count().next());
            assertEquals(91L, g.V().has("person", "age", P.lte(90)).count().next());
            assertEquals(3L, g.V().has("person", "age", P.inside(10, 14)).count().next());
            assertEquals(1L, g.V().has("person", "age", 7L).count().next());
            assertEquals(0L, g.V().has("person", "age", 7.5).count().next());
            assertEquals(92L, g.V().has("person", "age", P.gt(7.5)).count().next());
            String plan = g.V().has("person", "age", P.gt(90)).limit(2).explain().toString();
            assertTrue(plan.contains("index personByAge"), plan);
        }
    }

    @Test
    void declaringAnIndexMovesValuesIntoAColumn() throws SQLException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.addVertex(T.label, "free", "age", 1, "other", "x");
            graph.addVertex(T.label, "free", "age", 2);
            graph.tx().commit();
            graph.schema().propertyKey("age").asInt().create();
            graph.schema().indexLabel("freeByAge").onV("free").by("age").create();
            assertEquals(
                    List.of("1", "2"), sql(graph.database(), "SELECT age FROM free ORDER BY 1"));
            GraphTraversalSource g = graph.traversal();
            assertEquals(List.of("x"), g.V().has("free", "age", 1).values("other").toList());
            assertEquals(
                    Map.of("age", List.of(1), "other", List.of("x")),
                    g.V().has("free", "age", 1).valueMap().next());
            graph.tx().rollback();
            graph.schema().indexLabel("freeByAge").remove();
            assertEquals(1L, g.V().has("free", "age", 2).count().next());
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void aKeyOfWhichAnElementHasSeveralValuesGetsNoColumn() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.addVertex(T.label, "person", "nick", "a", "nick", "b");
            graph.tx().commit();
            OrielSchema schema = graph.schema();
            schema.propertyKey("nick").asText().create();
            IllegalArgumentException refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> schema.indexLabel("byNick").onV("person").by("nick").create());
            assertEquals(
                    "The property nick cannot have a column in person: an element has several values of it;"
                            + " remove all but one, or declare it as list",
                    refused.getMessage());
            GraphTraversalSource g = graph.traversal();
            assertEquals(1L, g.V().has("person", "nick", "b").count().next());
            g.V().properties("nick").hasValue("a").drop().iterate();
            graph.tx().commit();
            schema.indexLabel("byNick").onV("person").by("nick").create();
            assertEquals(1L, g.V().has("person", "nick", "b").count().next());
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void aKeyIsNotTakenForTheColumnOfAnother() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = graph.schema();
            schema.propertyKey("name").asText().create();
            schema.propertyKey("Name").asText().create();
            schema.propertyKey("_id").asLong().create();
            schema.vertexLabel("person").properties("name").create();
            graph.addVertex(T.label, "person", "name", "a");
            graph.tx().commit();
            for (String key : List.of("Name", "_id")) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> schema.indexLabel("by" + key).onV("person").by(key).create());
            }
            schema.propertyKey("nick").asText().create();
            schema.propertyKey("NICK").asText().create();
            assertThrows(
                    IllegalArgumentException.class, // neither has a column yet
                    () -> schema.indexLabel("byNick").onV("person").by("nick", "NICK").create());
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            schema.vertexLabel("person")
                                    .properties("nick", "NICK")
                                    .nullableKeys("nick", "NICK")
                                    .append());
            assertEquals(List.of(), schema.indexLabels());
            schema.indexLabel("byName").onV("person").by("name").unique().create();
            assertEquals(1L, graph.traversal().V().has("person", "name", "a").count().next());
        }
    }

    @Test
    void declaredLabelsHoldTheirElementsToTheirRules() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            declarePeople(graph);
            OrielSchema schema = graph.schema();
            schema.vertexLabel("city").properties("name").primaryKeys("name").create();
            schema.edgeLabel("lives").link("person", "city").create();
            IllegalArgumentException refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> graph.addVertex(T.label, "person", "name", "a", "x", 1));
            assertEquals(
                    "The label person has no property x; append it to the label first",
                    refused.getMessage());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> graph.addVertex(T.label, "person", "age", 1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> graph.addVertex(T.label, "person", "name", "a", "age", "old"));
            Vertex person = graph.addVertex(T.label, "person", "name", "a");
            Vertex city = graph.addVertex(T.label, "city", "name", "Hongkong");
            Vertex same = graph.addVertex(T.label, "city", "name", "Hongkong");
            assertEquals(city, same);
            assertEquals("city:Hongkong", city.id());
            assertEquals(city, graph.vertices("city:Hongkong").next());
            person.addEdge("lives", city);
            person.addEdge("lives", city);
            assertEquals(1L, graph.traversal().V(city).inE("lives").count().next());
            assertThrows(IllegalArgumentException.class, () -> city.addEdge("lives", person));
            graph.tx().commit();
            schema.propertyKey("x").asInt().create();
            schema.vertexLabel("person").properties("x").nullableKeys("x").append();
            Vertex wider = graph.addVertex(T.label, "person", "name", "b", "x", 1);
            assertEquals(1, wider.<Integer>value("x"));
            graph.tx().commit();
            IllegalArgumentException unknown =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> schema.vertexLabel("person").properties("y").append());
            assertEquals("There is no property key y; create it first", unknown.getMessage());
        }
    }

    @Test
    void idsOfUsersAndOfTheGraphNeverMeet() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex first = graph.addVertex("n", 0);
            long id = (Long) first.id();
            long next = id + (1L << (VertexLabel.BITS + 1));
            graph.addVertex(T.id, next, "n", 1);
            Vertex third = graph.addVertex("n", 2);
            assertFalse(third.id().equals(next));
            assertThrows(IllegalArgumentException.class, () -> graph.addVertex(T.id, id));
            assertEquals(1, graph.vertices(next).next().<Integer>value("n"));
            assertEquals(3L, graph.traversal().V().count().next());
        }
    }

    @Test
    void threadsWriteAtOnceWithLabelsThatAreNewToAll()
            throws InterruptedException, ExecutionException {
        int threads = 8;
        try (OrielGraph graph = OrielGraph.inMemory();
                ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int of = i;
                all.add(
                        executor.submit(() -> {
                            for (int round = 0; round < 20; round++) {
                                Vertex a = graph.addVertex(T.label, "l" + round, "k" + round, of);
                                Vertex b = graph.addVertex(T.label, "m" + (round + of) % 7);
                                a.addEdge("e" + round % 5, b);
                                graph.tx().commit();
                            }
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertEquals(threads * 20L, graph.traversal().E().count().next());
            assertEquals(threads * 40L, graph.traversal().V().count().next());
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void noEdgeIsLeftWithoutItsEnd() throws InterruptedException, ExecutionException {
        try (OrielGraph graph = OrielGraph.inMemory();
                ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Vertex a = graph.addVertex();
            Vertex b = graph.addVertex();
            a.addEdge("old", b);
            graph.tx().commit();
            graph.traversal().V(a).next().addEdge("new", graph.vertices(b.id()).next());
            Future<?> removal =
                    executor.submit(() -> {
                        graph.vertices(b.id()).next().remove(); // waits for the other's commit
                        graph.tx().commit();
                    });
            graph.tx().commit();
            removal.get();
            assertEquals(0L, graph.traversal().E().count().next());
            assertEquals(1L, graph.traversal().V().count().next());
        }
    }

    @Test
    void edgesThatOthersChangeGoWithTheirEnd() throws InterruptedException, ExecutionException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex a = graph.addVertex();
            Vertex b = graph.addVertex();
            for (int i = 0; i < 3; i++) {
                a.addEdge("e", b, T.id, "e" + i, "w", 0);
            }
            graph.tx().commit();
            graph.edges("e1").next().property("w", 1);
            FutureTask<Void> removal =
                    new FutureTask<>(
                            () -> {
                                graph.vertices(b.id()).next().remove();
                                graph.tx().commit();
                            },
                            null);
            Thread remover = new Thread(removal);
            remover.start();
            while (remover.isAlive()
                    && remover.getState() != Thread.State.WAITING
                    && remover.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            graph.tx().commit(); // for which it waits
            removal.get();
            assertEquals(0L, graph.traversal().E().count().next());
            assertFalse(graph.edges("e0", "e1", "e2").hasNext());
            assertEquals(1L, graph.traversal().V().count().next());
            assertEquals(List.of(), graph.database().check());
        }
    }
}
