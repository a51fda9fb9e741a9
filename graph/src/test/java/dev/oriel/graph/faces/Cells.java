package dev.oriel.graph.faces;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Entry;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.kv.WriteOptions;
import dev.oriel.store.ConflictException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// Texts by number, stored in a face and accessed through that face or SQL.
enum Cells {
    ROWS {
        @Override
        void create(Database db) throws SQLException {
            Sql.run(db, "CREATE TABLE cell (k BIGINT PRIMARY KEY, v VARCHAR)");
        }

        @Override
        @Nullable String read(Transaction tx, long key) throws SQLException {
            return Sql.text(tx, "SELECT v FROM cell WHERE k = ?", key);
        }

        @Override
        boolean swap(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            return swapIn(tx, "cell", key, expected, next);
        }

        @Override
        @Nullable String readBySql(Transaction tx, long key) throws SQLException {
            return read(tx, key);
        }

        @Override
        boolean swapBySql(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            return swap(tx, key, expected, next);
        }
    },

    MAP {
        private static final MapKey<Long> KEYS = MapKey.longs();

        @Override
        void create(Database db) {
            OrderedMap<Long, String> _ = db.map("cell", KEYS, MapValue.text());
        }

        @Override
        @Nullable String read(Transaction tx, long key) {
            return tx.map("cell", KEYS, MapValue.text()).get(key);
        }

        @Override
        boolean swap(Transaction tx, long key, @Nullable String expected, String next) {
            return tx.map("cell", KEYS, MapValue.text()).compareAndSet(key, expected, next);
        }

        @Override
        @Nullable String readBySql(Transaction tx, long key) throws SQLException {
            return Sql.text(tx, "SELECT v FROM map_cell WHERE k = ?", key);
        }

        @Override
        boolean swapBySql(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            return swapIn(tx, "map_cell", key, expected, next);
        }
    },

    BUCKET {
        @Override
        void create(Database db) {
            Bucket<byte[]> _ = db.bucket("cell");
        }

        @Override
        @Nullable String read(Transaction tx, long key) {
            return tx.bucket("cell", Codec.text()).get(Long.toString(key));
        }

        @Override
        boolean swap(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            Bucket<String> bucket = tx.bucket("cell", Codec.text());
            String name = Long.toString(key);
            if (expected == null) {
                return bucket.insert(name, next) != 0;
            }
            Entry<String> entry = bucket.entry(name);
            if (entry == null || !entry.value().equals(expected)) {
                return false;
            }
            try {
                return bucket.replace(name, next, WriteOptions.none().ifCas(entry.cas())) != 0;
            } catch (ConflictException e) {
                if (e.reason() != ConflictException.Reason.CHANGED || !Bank.isReadCommitted(tx)) {
                    throw e;
                }
                return false;
            }
        }

        @Override
        @Nullable String readBySql(Transaction tx, long key) throws SQLException {
            byte[] bytes =
                    Sql.bytes(
                            tx, "SELECT value FROM bucket_cell WHERE key = ?", Long.toString(key));
            return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        boolean swapBySql(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            byte[] value = next.getBytes(StandardCharsets.UTF_8);
            String name = Long.toString(key);
            if (expected == null) {
                return Sql.run(
                                tx,
                                "INSERT INTO bucket_cell (key, value) VALUES (?, ?) ON CONFLICT DO"
                                        + " NOTHING",
                                name,
                                value)
                        == 1;
            }
            return Sql.run(
                            tx,
                            "UPDATE bucket_cell SET value = ? WHERE key = ? AND value = ?",
                            value,
                            name,
                            expected.getBytes(StandardCharsets.UTF_8))
                    == 1;
        }
    },

    /// Vertices with the number as their primary key.
    VERTICES {
        @Override
        void create(Database db) throws SQLException {
            Sql.run(db, "CREATE TABLE adding (id INTEGER PRIMARY KEY)");
            Sql.run(db, "INSERT INTO adding VALUES (1)");
            try (OrielGraph graph = OrielGraph.open(db, "")) {
                OrielSchema schema = graph.schema();
                schema.propertyKey("k").asLong().create();
                schema.propertyKey("v").asText().valueSingle().create();
                schema.vertexLabel("vertex").properties("k", "v").primaryKeys("k").create();
                graph.tx().commit();
            }
        }

        private static @Nullable Vertex vertex(Transaction tx, long key) {
            Iterator<Vertex> found = OrielGraph.in(tx, "").vertices("vertex:" + key);
            return found.hasNext() ? found.next() : null;
        }

        @Override
        @Nullable String read(Transaction tx, long key) {
            Vertex vertex = vertex(tx, key);
            return vertex == null ? null : vertex.value("v");
        }

        // Locked by SQL first: a graph has no conditional change, and adding a vertex that another
        // transaction has
        // added changes that one.
        @Override
        boolean swap(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            if (expected == null) {
                if (Bank.isReadCommitted(tx)) {
                    Sql.run(tx, "UPDATE adding SET id = id");
                    // The next statement's snapshot has the rows that others added before they
                    // released the lock.
                    if (readBySql(tx, key) != null) {
                        return false;
                    }
                }
                OrielGraph.in(tx, "").addVertex(T.label, "vertex", "k", key, "v", next);
                return true;
            }
            String there = Sql.text(tx, "SELECT v FROM \"vertex\" WHERE k = ? FOR UPDATE", key);
            if (!expected.equals(there)) {
                return false;
            }
            Objects.requireNonNull(vertex(tx, key)).property("v", next);
            return true;
        }

        @Override
        @Nullable String readBySql(Transaction tx, long key) throws SQLException {
            return Sql.text(tx, "SELECT v FROM \"vertex\" WHERE k = ?", key);
        }

        @Override
        boolean swapBySql(Transaction tx, long key, @Nullable String expected, String next)
                throws SQLException {
            return expected == null
                    ? swap(tx, key, null, next)
                    : swapIn(tx, "\"vertex\"", key, expected, next);
        }
    };

    abstract void create(Database db) throws SQLException;

    /// Null if there is nothing.
    abstract @Nullable String read(Transaction tx, long key) throws SQLException;

    /// Writes `next` if the current value is `expected`, in the newest state that the level allows to write to.
    abstract boolean swap(Transaction tx, long key, @Nullable String expected, String next)
            throws SQLException;

    abstract @Nullable String readBySql(Transaction tx, long key) throws SQLException;

    abstract boolean swapBySql(Transaction tx, long key, @Nullable String expected, String next)
            throws SQLException;

    static boolean swapIn(
            Transaction tx, String table, long key, @Nullable String expected, String next)
            throws SQLException {
        if (expected == null) {
            return Sql.run(
                            tx,
                            "INSERT INTO " + table + " VALUES (?, ?) ON CONFLICT DO NOTHING",
                            key,
                            next)
                    == 1;
        }
        return Sql.run(
                        tx,
                        "UPDATE " + table + " SET v = ? WHERE k = ? AND v = ?",
                        next,
                        key,
                        expected)
                == 1;
    }
}
