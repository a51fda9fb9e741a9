package dev.oriel.graph.faces;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Entry;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.kv.WriteOptions;
import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Accounts of a [Bank] in one face. Each face is stored in a table, which SQL reads and writes as well.
enum Accounts {
    /// Rows, written by SQL.
    ROWS {
        @Override
        void create(Database db, int count) throws SQLException {
            Sql.run(
                    db,
                    "CREATE TABLE account (id INTEGER PRIMARY KEY,"
                            + " balance BIGINT NOT NULL CHECK (balance >= 0))");
            for (int id = 0; id < count; id++) {
                Sql.run(db, "INSERT INTO account VALUES (?, ?)", id, Bank.EACH);
            }
            Sql.run(db, "CREATE PROPERTY GRAPH bank VERTEX TABLES (account)");
        }

        // As a vertex of the property graph over the table.
        @Override
        void add(Transaction tx, int id, long amount) throws SQLException {
            long there = Sql.number(tx, "SELECT balance FROM account WHERE id = ? FOR UPDATE", id);
            Vertex account = TableGraph.in(tx, "bank").traversal().V("account:" + id).next();
            assertTrue(account.<Long>value("balance") == there);
            account.property("balance", there + amount);
        }

        @Override
        void addBySql(Transaction tx, int id, long amount) throws SQLException {
            Sql.run(tx, "UPDATE account SET balance = balance + ? WHERE id = ?", amount, id);
        }

        @Override
        long sum(Transaction tx) {
            return TableGraph.in(tx, "bank")
                    .traversal()
                    .V()
                    .values("balance")
                    .sum()
                    .next()
                    .longValue();
        }

        @Override
        long sumBySql(Transaction tx) throws SQLException {
            return Sql.number(tx, "SELECT SUM(balance) FROM account");
        }
    },

    /// Entries of an ordered map.
    MAP {
        @Override
        void create(Database db, int count) throws SQLException {
            OrderedMap<Long, Long> map = db.map("account", MapKey.longs(), MapValue.longs());
            for (long id = 0; id < count; id++) {
                assertTrue(map.put(id, Bank.EACH));
            }
            Sql.run(db, "ALTER TABLE map_account ADD CHECK (v >= 0)");
        }

        private static OrderedMap<Long, Long> map(Transaction tx) {
            return tx.map("account", MapKey.longs(), MapValue.longs());
        }

        @Override
        void add(Transaction tx, int id, long amount) {
            OrderedMap<Long, Long> map = map(tx);
            long key = id;
            long there = Objects.requireNonNull(map.get(key));
            while (!map.compareAndSet(key, there, there + amount)) {
                there = Objects.requireNonNull(map.get(key));
            }
        }

        @Override
        void addBySql(Transaction tx, int id, long amount) throws SQLException {
            Sql.run(tx, "UPDATE map_account SET v = v + ? WHERE k = ?", amount, id);
        }

        @Override
        long sum(Transaction tx) {
            long[] sum = {0};
            map(tx).forEach(MapRange.all(), (id, balance) -> sum[0] += balance);
            return sum[0];
        }

        @Override
        long sumBySql(Transaction tx) throws SQLException {
            return Sql.number(tx, "SELECT SUM(v) FROM map_account");
        }
    },

    /// Entries of a bucket.
    BUCKET {
        @Override
        void create(Database db, int count) {
            Bucket<String> bucket = db.bucket("account", Codec.text());
            for (int id = 0; id < count; id++) {
                assertTrue(bucket.insert(key(id), Long.toString(Bank.EACH)) != 0);
            }
        }

        private static String key(int id) {
            return "account-" + id;
        }

        // By CAS: at READ COMMITTED the entry may have changed since it was read.
        @Override
        void add(Transaction tx, int id, long amount) throws SQLException {
            Bucket<String> bucket = tx.bucket("account", Codec.text());
            while (true) {
                Entry<String> entry = Objects.requireNonNull(bucket.entry(key(id)));
                long next = Long.parseLong(entry.value()) + amount;
                if (next < 0) {
                    throw new Bank.Overdrawn();
                }
                WriteOptions same = WriteOptions.none().ifCas(entry.cas());
                try {
                    assertTrue(bucket.upsert(key(id), Long.toString(next), same) != 0);
                    return;
                } catch (ConflictException e) {
                    if (e.reason() != Reason.CHANGED || !Bank.isReadCommitted(tx)) {
                        throw e;
                    }
                }
            }
        }

        @Override
        void addBySql(Transaction tx, int id, long amount) throws SQLException {
            byte[] there =
                    Objects.requireNonNull(
                            Sql.bytes(
                                    tx,
                                    "SELECT value FROM bucket_account WHERE key = ? FOR UPDATE",
                                    key(id)));
            long next = Long.parseLong(new String(there, StandardCharsets.UTF_8)) + amount;
            if (next < 0) {
                throw new Bank.Overdrawn();
            }
            Sql.run(
                    tx,
                    "UPDATE bucket_account SET value = ? WHERE key = ?",
                    Long.toString(next).getBytes(StandardCharsets.UTF_8),
                    key(id));
        }

        @Override
        long sum(Transaction tx) {
            long[] sum = {0};
            tx.bucket("account", Codec.text())
                    .scan("account-", entry -> sum[0] += Long.parseLong(entry.value()));
            return sum[0];
        }

        @Override
        long sumBySql(Transaction tx) throws SQLException {
            return Sql.sumOfTexts(tx, "SELECT value FROM bucket_account");
        }
    },

    /// Vertices of a graph with labels of its own.
    VERTICES {
        @Override
        void create(Database db, int count) throws SQLException {
            try (OrielGraph graph = OrielGraph.open(db, "")) {
                OrielSchema schema = graph.schema();
                for (String key : List.of("place", "balance", "teller", "turn", "amount")) {
                    schema.propertyKey(key).asLong().valueSingle().create();
                }
                schema.vertexLabel("holder")
                        .useCustomizeStringId()
                        .properties("place", "balance")
                        .create();
                schema.edgeLabel("moved")
                        .link("holder", "holder")
                        .multiTimes()
                        .properties("teller", "turn", "amount")
                        .create();
                for (int id = 0; id < count; id++) {
                    graph.traversal()
                            .addV("holder")
                            .property(T.id, id(id))
                            .property("place", (long) id)
                            .property("balance", Bank.EACH)
                            .iterate();
                }
                graph.tx().commit();
            }
            Sql.run(db, "ALTER TABLE \"holder\" ADD CHECK (balance >= 0)");
        }

        private static String id(int id) {
            return "holder-" + id;
        }

        // Locked by SQL first: at READ COMMITTED the vertex may change after it was read.
        @Override
        void add(Transaction tx, int id, long amount) throws SQLException {
            long there =
                    Sql.number(tx, "SELECT balance FROM \"holder\" WHERE place = ? FOR UPDATE", id);
            Vertex holder = OrielGraph.in(tx, "").traversal().V(id(id)).next();
            assertTrue(holder.<Long>value("balance") == there);
            holder.property("balance", there + amount);
        }

        @Override
        void addBySql(Transaction tx, int id, long amount) throws SQLException {
            Sql.run(tx, "UPDATE \"holder\" SET balance = balance + ? WHERE place = ?", amount, id);
        }

        @Override
        long sum(Transaction tx) {
            return OrielGraph.in(tx, "")
                    .traversal()
                    .V()
                    .hasLabel("holder")
                    .values("balance")
                    .sum()
                    .next()
                    .longValue();
        }

        @Override
        long sumBySql(Transaction tx) throws SQLException {
            return Sql.number(tx, "SELECT SUM(balance) FROM \"holder\"");
        }
    };

    /// Creates accounts 0 to `count - 1`, each with [Bank#EACH].
    abstract void create(Database db, int count) throws SQLException;

    /// Adds to an account through its own face, based on the current balance.
    ///
    /// @throws Bank.Overdrawn or a constraint's error if the balance would be negative
    abstract void add(Transaction tx, int id, long amount) throws SQLException;

    /// Adds to an account by SQL.
    abstract void addBySql(Transaction tx, int id, long amount) throws SQLException;

    /// The sum of all accounts, read by their own face.
    abstract long sum(Transaction tx) throws SQLException;

    /// The sum of all accounts, read by SQL.
    abstract long sumBySql(Transaction tx) throws SQLException;

    private static void assertTrue(boolean done) {
        if (!done) {
            throw new AssertionError("an account is not as it should be");
        }
    }
}
