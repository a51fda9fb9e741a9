package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.graph.OrielGraph;
import dev.oriel.kv.Bucket;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.store.Isolation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.Test;

/// The examples of docs/one-transaction.md, and the program of samples/faces.
final class OneTransactionDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "one-transaction.md");
    private static final Path SOURCE =
            Path.of("src/test/java/dev/oriel/graph/faces/OneTransactionDocumentTest.java");

    static void move(Connection connection, int from, int to, long amount) throws SQLException {
        try (PreparedStatement add =
                connection.prepareStatement(
                        "UPDATE account SET balance = balance + ? WHERE id = ?")) {
            add.setLong(1, -amount);
            add.setInt(2, from);
            add.executeUpdate();
            add.setLong(1, amount);
            add.setInt(2, to);
            add.executeUpdate();
        }
    }

    private static long sum(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    @Test
    @SuppressWarnings({"CheckReturnValue", "UnusedVariable"}) // as on the page
    void thePageDoesWhatItSays() throws Exception {
        Database db = Database.inMemory(); // or open(path)
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT CHECK (balance >= 0))");
            statement.execute("INSERT INTO account VALUES (1, 100), (2, 100)");
        }
        try (OrielGraph graph = OrielGraph.open(db, "")) {
            graph.addVertex(T.label, "person", T.id, "ada");
            graph.addVertex(T.label, "person", T.id, "bob");
            graph.tx().commit();
        }
        Bucket<byte[]> counters = db.bucket("counters");
        OrderedMap<Long, String> receipts = db.map("receipts", MapKey.longs(), MapValue.text());

        long number =
                db.<Long, SQLException>transact(tx -> {
                    move(tx.connection(), 1, 2, 30);
                    GraphTraversalSource g = OrielGraph.in(tx, "").traversal();
                    g.V("ada").addE("paid").to(__.V("bob")).property("amount", 30L).iterate();
                    long next = tx.bucket("counters").increment("transfers", 1, 1);
                    tx.map("receipts", MapKey.longs(), MapValue.text()).put(next, "ada -> bob: 30");
                    return next;
                });
        assertEquals(1, number);
        assertEquals(Map.of(1L, "ada -> bob: 30"), rows(db));

        assertThrows(
                SQLException.class,
                () ->
                        db.transact(tx -> {
                            tx.map("receipts", MapKey.longs(), MapValue.text()).put(2L, "never");
                            move(tx.connection(), 1, 2, 1_000);
                            return null;
                        }));
        assertNull(receipts.get(2L));

        try (Transaction tx = db.begin()) {
            tx.bucket("counters").increment("tries", 1, 1);
            Transaction.Savepoint before = tx.savepoint();
            OrielGraph.in(tx, "").traversal().V("bob").drop().iterate();
            tx.map("receipts", MapKey.longs(), MapValue.text()).remove(1L);
            tx.rollbackTo(before);
            tx.onCommit(() -> System.out.println("committed"));
            tx.commit();
        }
        assertEquals("ada -> bob: 30", receipts.get(1L));
        byte[] tries = Objects.requireNonNull(counters.get("tries"));
        assertEquals("1", new String(tries, StandardCharsets.UTF_8));

        TransactionOptions options =
                TransactionOptions.defaults()
                        .withIsolation(Isolation.SNAPSHOT)
                        .withTimeout(Duration.ofSeconds(5));
        long all =
                db.<Long, SQLException>transact(
                        options,
                        tx -> {
                            long rows = sum(tx.connection());
                            long edges = OrielGraph.in(tx, "").traversal().E().count().next();
                            return rows + edges;
                        });
        assertEquals(201, all);
        db.close();
        checkPage();
    }

    private static Map<Long, String> rows(Database db) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT k, v FROM map_receipts WHERE k > 0 ORDER BY k")) {
            assertTrue(rows.next());
            Map<Long, String> found = Map.of(rows.getLong(1), rows.getString(2));
            assertTrue(!rows.next());
            return found;
        }
    }

    /// Checks that each line of the page's code is in this file.
    private static void checkPage() throws Exception {
        String source = bare(Files.readString(SOURCE));
        String page = Files.readString(DOCUMENT);
        int lines = 0;
        for (int at = page.indexOf("```"); at >= 0; at = page.indexOf("```", at + 3)) {
            int begin = page.indexOf('\n', at);
            int end = page.indexOf("```", begin);
            for (String line : page.substring(begin, end).lines().toList()) {
                assertTrue(source.contains(bare(line)), line);
                lines++;
            }
            at = end;
        }
        assertTrue(lines > 50, lines + " lines");
    }

    private static String bare(String text) {
        return text.replaceAll("\\s", "");
    }
}
