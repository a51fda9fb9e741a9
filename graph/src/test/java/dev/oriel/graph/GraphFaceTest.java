package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.UsageException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Graphs as faces of a transaction, beside SQL, buckets and maps.
@SuppressWarnings({"try", "NullAway"}) // closing twice is tested; a null fails the test
final class GraphFaceTest {
    private static final TransactionOptions SNAPSHOT =
            TransactionOptions.defaults().withIsolation(Isolation.SNAPSHOT);

    private Database db;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        outside("CREATE TABLE account (id INTEGER PRIMARY KEY, owner VARCHAR, balance BIGINT)");
        outside(
                "CREATE TABLE paid (payer INTEGER REFERENCES account, payee INTEGER REFERENCES account,"
                        + " amount BIGINT, PRIMARY KEY (payer, payee))");
        outside("CREATE INDEX paid_payee ON paid (payee)");
        outside("INSERT INTO account VALUES (1, 'Ada', 100), (2, 'Bob', 100)");
        outside(
                "CREATE PROPERTY GRAPH bank VERTEX TABLES (account) EDGE TABLES (paid"
                        + " SOURCE KEY (payer) REFERENCES account (id)"
                        + " DESTINATION KEY (payee) REFERENCES account (id))");
    }

    @AfterEach
    void checkAndClose() {
        assertEquals(List.of(), db.check());
        db.close();
    }

    private void outside(String sql) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long outsideNumber(String sql) throws SQLException {
        try (Connection connection = db.connect()) {
            return number(connection, sql);
        }
    }

    private static void in(Transaction tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    private static GraphTraversalSource g(Transaction tx) {
        return OrielGraph.in(tx, "").traversal();
    }

    @Test
    void facesSeeEachOtherAndCommitAsOne() throws SQLException {
        try (Transaction tx = db.begin()) {
            GraphTraversalSource g = g(tx);
            Vertex ada = g.addV("person").property("name", "Ada").next();
            Vertex bob = g.addV("person").property("name", "Bob").next();
            ada.addEdge("knows", bob, "since", 1999);
            assertEquals(2, number(tx.connection(), "SELECT COUNT(*) FROM \"person\""));
            in(tx, "UPDATE account SET balance = balance - 5 WHERE id = 1");
            tx.bucket("counters").increment("transfers", 1, 1);
            tx.map("log", MapKey.longs(), MapValue.text()).put(1L, "paid");
            GraphTraversalSource bank = TableGraph.in(tx, "bank").traversal();
            assertEquals(95L, bank.V("account:1").values("balance").next());
            bank.V("account:1").property("balance", 90L).iterate();
            assertEquals(90, number(tx.connection(), "SELECT balance FROM account WHERE id = 1"));
            try (OrielGraph outside = OrielGraph.open(db, "")) {
                assertEquals(0, outside.traversal().V().count().next());
            }
            tx.commit();
        }
        try (OrielGraph outside = OrielGraph.open(db, "")) {
            assertEquals(
                    List.of("Bob"),
                    outside.traversal()
                            .V()
                            .has("name", "Ada")
                            .out("knows")
                            .values("name")
                            .toList());
        }
        assertEquals(90, outsideNumber("SELECT balance FROM account WHERE id = 1"));
        assertEquals("paid", db.map("log", MapKey.longs(), MapValue.text()).get(1L));
    }

    @Test
    void withoutACommitNothingStays() throws SQLException {
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            graph.traversal().addV("person").property(T.id, "ada").iterate();
            graph.tx().commit();
        }
        try (Transaction tx = db.begin()) {
            GraphTraversalSource g = g(tx);
            g.V("ada").drop().iterate();
            g.addV("person").property(T.id, "bob").iterate();
            GraphTraversalSource bank = TableGraph.in(tx, "bank").traversal();
            bank.V("account:2").drop().iterate();
            assertEquals(List.of("bob"), g.V().id().toList());
        }
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            assertEquals(List.of("ada"), graph.traversal().V().id().toList());
        }
        assertEquals(2, outsideNumber("SELECT COUNT(*) FROM account"));
    }

    @Test
    void savepointsGoBackInTheGraphToo() throws SQLException {
        try (OrielGraph graph = OrielGraph.open(db, "");
                Transaction tx = db.begin()) {
            GraphTraversalSource g = g(tx);
            Vertex kept = g.addV("person").property(T.id, "kept").next();
            Transaction.Savepoint moment = tx.savepoint();
            Vertex gone = g.addV("person").property(T.id, "gone").next();
            kept.property("age", 7);
            kept.addEdge("knows", gone);
            tx.rollbackTo(moment);
            assertFalse(kept.property("age").isPresent());
            assertEquals(List.of("kept"), g.V().id().toList());
            assertThrows(IllegalStateException.class, () -> kept.addEdge("knows", gone));
            in(tx, "SAVEPOINT s");
            kept.remove();
            assertFalse(g.V("kept").hasNext());
            in(tx, "ROLLBACK TO s");
            assertTrue(g.V("kept").hasNext());
            kept.property("age", 8);
            Vertex again = g.addV("person").property(T.id, "gone").next();
            kept.addEdge("knows", again);
            tx.commit();
            assertEquals(List.of("gone"), graph.traversal().V("kept").out("knows").id().toList());
        }
    }

    @Test
    void aChangeThatFailsHalfWayLeavesNothingAndTheTransactionGoesOn() throws SQLException {
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            graph.schema().propertyKey("name").asText().create();
            graph.schema().vertexLabel("city").properties("name").useCustomizeStringId().create();
            graph.schema().indexLabel("cityByName").onV("city").by("name").unique().create();
            graph.traversal().addV("city").property(T.id, "u").property("name", "Ulm").iterate();
            graph.tx().commit();
        }
        try (Transaction tx = db.begin()) {
            GraphTraversalSource g = g(tx);
            RuntimeException refused =
                    assertThrows(
                            RuntimeException.class,
                            () ->
                                    g.addV("city")
                                            .property(T.id, "v")
                                            .property("name", "Ulm")
                                            .iterate());
            assertNotNull(refused.getMessage());
            assertThrows(
                    SQLException.class,
                    () -> in(tx, "INSERT INTO \"city\" (_id, \"name\") VALUES (77, 'Ulm')"));
            g.addV("city").property(T.id, "v").property("name", "Bonn").iterate();
            tx.commit();
        }
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            assertEquals(List.of("Bonn"), graph.traversal().V("v").values("name").toList());
            assertEquals(2, graph.traversal().V().count().next());
        }
    }

    @Test
    void theGraphOfATransactionCannotEndIt() throws SQLException {
        Transaction tx = db.begin();
        try (OrielGraph graph = OrielGraph.in(tx, "")) {
            assertSame(graph, OrielGraph.in(tx, ""));
            Vertex vertex = graph.addVertex("person");
            assertTrue(graph.tx().isOpen());
            for (Runnable wrong :
                    List.<Runnable>of(
                            () -> graph.tx().commit(),
                            () -> graph.tx().rollback(),
                            graph::threaded,
                            graph::schema,
                            graph::load,
                            graph::loadCsv,
                            graph::compute,
                            () -> graph.tx().createThreadedTx(),
                            () -> TableGraph.in(tx, "bank").tx().commit(),
                            () -> TableGraph.in(tx, "bank").tx().rollback())) {
                UsageException refused = assertThrows(UsageException.class, wrong::run);
                assertTrue(
                        refused.getMessage().contains("transaction over several faces"),
                        refused.getMessage());
            }
            graph.close();
            graph.tx().close();
            assertTrue(vertex.edges(org.apache.tinkerpop.gremlin.structure.Direction.OUT) != null);
            List<Object> told = new ArrayList<>();
            graph.tx().addTransactionListener(told::add);
            tx.commit();
            assertEquals(
                    List.of(org.apache.tinkerpop.gremlin.structure.Transaction.Status.COMMIT),
                    told);
            assertFalse(graph.tx().isOpen());
            assertThrows(ClosedException.class, () -> graph.traversal().V().hasNext());
            assertThrows(ClosedException.class, () -> graph.addVertex("person"));
            assertThrows(ClosedException.class, () -> vertex.property("a", 1));
            assertThrows(ClosedException.class, () -> graph.tx().commit());
            assertThrows(ClosedException.class, () -> OrielGraph.in(tx, ""));
        }
        try (OrielGraph outside = OrielGraph.open(db, "")) {
            assertEquals(1, outside.traversal().V().count().next());
        }
    }

    @Test
    void aReadOnlyTransactionReadsOneMomentInAllFaces() throws SQLException {
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            graph.traversal().addV("person").iterate();
            graph.tx().commit();
            try (Transaction tx = db.begin(TransactionOptions.defaults().withReadOnly(true))) {
                graph.traversal().addV("person").iterate();
                graph.tx().commit();
                outside("UPDATE account SET balance = 0");
                assertEquals(1, g(tx).V().count().next());
                GraphTraversalSource bank = TableGraph.in(tx, "bank").traversal();
                assertEquals(100L, bank.V("account:1").values("balance").next());
                assertThrows(UsageException.class, () -> g(tx).addV("person").iterate());
                assertThrows(UsageException.class, () -> bank.V("account:1").drop().iterate());
            }
        }
    }

    @Test
    void aSnapshotKeepsVerticesWithNewEdgesAndConflictsWithChangedOnes() {
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            Vertex a = graph.addVertex(T.label, "person", T.id, "a");
            Vertex b = graph.addVertex(T.label, "person", T.id, "b");
            a.addEdge("knows", b);
            graph.tx().commit();
            try (Transaction tx = db.begin(SNAPSHOT)) {
                GraphTraversalSource g = g(tx);
                assertEquals(1, g.V("a").outE().count().next());
                graph.traversal().V("a").as("x").V("b").addE("knows").to("x").iterate();
                graph.tx().commit();
                assertEquals(0, g.V("a").inE().count().next());
                ConflictException conflict =
                        assertThrows(ConflictException.class, () -> g.V("a").drop().iterate());
                assertEquals(ConflictException.Reason.CHANGED, conflict.reason());
            }
            try (Transaction tx = db.begin(SNAPSHOT)) {
                GraphTraversalSource g = g(tx);
                g.V("a").next();
                graph.traversal().V("a").property("age", 1).iterate();
                graph.tx().commit();
                assertThrows(ConflictException.class, () -> g.V("a").property("age", 2).iterate());
            }
            try (Transaction tx = db.begin(SNAPSHOT)) {
                g(tx).V("a").drop().iterate();
                tx.commit();
            }
            assertEquals(0, graph.traversal().E().count().next());
            assertEquals(1, graph.traversal().V().count().next());
        }
    }

    @Test
    void aLabelThatComesAfterASnapshotIsAConflictThatARetryMends() {
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            int[] attempts = new int[1];
            Vertex added =
                    db.transact(
                            SNAPSHOT,
                            tx -> {
                                attempts[0]++;
                                return OrielGraph.in(tx, "").addVertex("fresh");
                            });
            assertNotNull(added);
            assertTrue(attempts[0] <= 2, "attempts: " + attempts[0]);
            assertEquals(1, graph.traversal().V().hasLabel("fresh").count().next());
        }
    }

    @Test
    void afterADefinitionElementsOfKnownLabelsAreAddedAndNewLabelsAreRefused() throws SQLException {
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            graph.addVertex("person");
            graph.tx().commit();
        }
        int many = (1 << 16) + 5; // more than one block of numbers
        try (Transaction tx = db.begin()) {
            in(tx, "CREATE TABLE note (id INTEGER)");
            OrielGraph graph = OrielGraph.in(tx, "");
            Vertex first = graph.addVertex("person");
            Transaction.Savepoint moment = tx.savepoint();
            for (int i = 0; i < many; i++) {
                graph.addVertex("person");
            }
            tx.rollbackTo(moment);
            for (int i = 0; i < 3; i++) {
                graph.addVertex("person");
            }
            UsageException label =
                    assertThrows(UsageException.class, () -> graph.addVertex("city"));
            assertTrue(label.getMessage().contains("declare them"), label.getMessage());
            assertThrows(UsageException.class, () -> first.property("height", 3));
            tx.commit();
        }
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            for (int i = 0; i < many; i++) {
                graph.addVertex("person");
            }
            graph.tx().commit();
            assertEquals(5 + many, graph.traversal().V().id().dedup().count().next());
        }
    }

    @Test
    void aProfileShowsAllFacesBeneathTheTransaction() throws SQLException {
        OrielGraph.open(db, "").close();
        outside("CALL sys.profile_start('tree')");
        db.<Void, SQLException>transact(tx -> {
            in(tx, "UPDATE account SET balance = 0 WHERE id = 1");
            tx.bucket("counters").increment("transfers", 1, 1);
            assertNull(tx.map("log").get(new byte[] {1}));
            assertEquals(0L, g(tx).V().hasLabel("person").has("name", "Ada").count().next());
            assertEquals(0L, g(tx).addV("person").outE().count().next());
            return null;
        });
        outside("CALL sys.profile_stop()");
        for (String face :
                List.of(
                        "dev.oriel.sql.Prepared.update",
                        "dev.oriel.kv.Bucket.change",
                        "dev.oriel.kv.OrderedMap.find",
                        "dev.oriel.store.transaction.WriteTransaction.commit")) {
            assertTrue(
                    outsideNumber(
                                    "SELECT COUNT(*) FROM sys.profile_tree f JOIN sys.profile_tree t"
                                            + " ON t.node = f.caller WHERE t.frame LIKE"
                                            + " '%Database.transact' AND f.frame = '"
                                            + face
                                            + "'")
                            > 0,
                    face);
        }
    }

    @Test
    void aTransactionMovesBetweenThreads() throws Exception {
        try (Transaction tx = db.begin()) {
            OrielGraph graph = OrielGraph.in(tx, "");
            Vertex a = graph.addVertex("person");
            Edge edge =
                    CompletableFuture.supplyAsync(
                                    () -> a.addEdge("knows", graph.addVertex("person")))
                            .get();
            Thread other = Thread.ofVirtual().start(() -> edge.property("since", 2001));
            other.join();
            assertEquals(2001, graph.traversal().E(edge.id()).values("since").next());
            tx.commit();
        }
    }

    @Test
    void graphsThatDoNotExistAreNamed() throws SQLException {
        try (OrielGraph shop = OrielGraph.open(db, "shop");
                Transaction tx = db.begin()) {
            assertNotNull(shop);
            IllegalArgumentException missing =
                    assertThrows(IllegalArgumentException.class, () -> OrielGraph.in(tx, "typo"));
            assertEquals("There is no graph typo; there are: bank, shop", missing.getMessage());
            missing = assertThrows(IllegalArgumentException.class, () -> TableGraph.in(tx, "typo"));
            assertEquals("There is no graph typo; there are: bank, shop", missing.getMessage());
            assertThrows(IllegalArgumentException.class, () -> OrielGraph.in(tx, "bank"));
            assertThrows(IllegalArgumentException.class, () -> TableGraph.in(tx, "shop"));
        }
        assertFalse(OrielGraph.exists(db, "typo"));
        assertEquals(List.of("shop"), OrielGraph.names(db));
    }

    @Test
    void aVertexThatSqlRemovesGetsNoEdges() throws SQLException {
        try (Transaction tx = db.begin()) {
            OrielGraph graph = OrielGraph.in(tx, "");
            Vertex a = graph.addVertex("person");
            Vertex b = graph.addVertex("person");
            in(tx, "DELETE FROM \"person\" WHERE _id = " + b.id());
            assertThrows(IllegalStateException.class, () -> a.addEdge("knows", b));
            assertNull(graph.vertexByNumber((long) b.id()));
        }
    }
}
