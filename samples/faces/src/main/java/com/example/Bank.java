package com.example;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.graph.OrielGraph;
import dev.oriel.kv.Codec;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;

/** People pay each other: a payment changes rows, a graph and entries as one commit. */
public final class Bank {
    private static final int PEOPLE = 20;
    private static final int THREADS = 8;
    private static final int PAYMENTS = 100;
    private static final MapKey<Long> NUMBERS = MapKey.longs();

    private Bank() {}

    public static void main(String[] arguments) throws Exception {
        try (Database db = Database.inMemory()) {
            create(db);
            List<Future<?>> tasks = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                for (int i = 0; i < THREADS; i++) {
                    Random random = new Random(i);
                    tasks.add(
                            threads.submit(() -> {
                                for (int n = 0; n < PAYMENTS; n++) {
                                    pay(db, random.nextInt(PEOPLE), random.nextInt(PEOPLE));
                                }
                                return null;
                            }));
                }
            }
            for (Future<?> task : tasks) {
                task.get();
            }
            report(db);
        }
    }

    private static void create(Database db) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement();
                OrielGraph graph = OrielGraph.open(db, "")) {
            statement.execute(
                    "CREATE TABLE account (id INTEGER PRIMARY KEY,"
                            + " balance BIGINT NOT NULL CHECK (balance >= 0))");
            for (int i = 0; i < PEOPLE; i++) {
                statement.execute("INSERT INTO account VALUES (" + i + ", 1000)");
                graph.addVertex(T.label, "person", T.id, "person-" + i);
            }
            graph.tx().commit();
        }
        db.bucket("counters");
        db.map("receipts", NUMBERS, MapValue.text());
    }

    /** One payment, in all faces or in none; run again where two of them meet. */
    private static void pay(Database db, int from, int to) throws SQLException {
        db.<Boolean, SQLException>transact(tx -> {
            Connection connection = tx.connection();
            add(connection, from, -1);
            add(connection, to, 1);
            GraphTraversalSource g = OrielGraph.in(tx, "").traversal();
            g.V("person-" + from).addE("paid").to(__.V("person-" + to)).iterate();
            long number = tx.bucket("counters").increment("payments", 1, 1);
            return tx.map("receipts", NUMBERS, MapValue.text()).put(number, from + " to " + to);
        });
    }

    private static void add(Connection connection, int account, long amount) throws SQLException {
        try (PreparedStatement add =
                connection.prepareStatement(
                        "UPDATE account SET balance = balance + ? WHERE id = ?")) {
            add.setLong(1, amount);
            add.setInt(2, account);
            add.executeUpdate();
        }
    }

    /** Reads all faces at one moment. */
    private static void report(Database db) throws SQLException {
        TransactionOptions reading = TransactionOptions.defaults().withReadOnly(true);
        try (Transaction tx = db.begin(reading);
                Statement statement = tx.connection().createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT SUM(balance), (SELECT COUNT(*) FROM map_receipts)"
                                        + " FROM account")) {
            rows.next();
            OrderedMap<Long, String> receipts = tx.map("receipts", NUMBERS, MapValue.text());
            System.out.println("The last receipt: " + receipts.last());
            System.out.printf(
                    "Balances %d, payments %s, edges %d, receipts %d and by SQL %d%n",
                    rows.getLong(1),
                    tx.bucket("counters", Codec.text()).get("payments"),
                    OrielGraph.in(tx, "").traversal().E().hasLabel("paid").count().next(),
                    receipts.count(MapRange.all()),
                    rows.getLong(2));
        }
    }
}
