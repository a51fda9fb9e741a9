package dev.oriel.bench.faces;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.bench.Durability;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/// A row by SQL, an edge by the graph and an entry by a map, in one transaction.
final class OrielFaceStore implements FacesStore {
    static final String ROWS =
            "CREATE TABLE payment (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL, name VARCHAR(40)"
                    + " NOT NULL)";
    private static final MapKey<Long> KEYS = MapKey.longs();
    private static final MapValue<String> TEXTS = MapValue.text();

    private final Database database;
    private final long[] holders = new long[HOLDERS];

    private OrielFaceStore(Database database) {
        this.database = database;
    }

    static Database database(Path folder, Durability durability) {
        dev.oriel.store.Durability ours =
                switch (durability) {
                    case SYNC -> dev.oriel.store.Durability.SYNC;
                    case WRITTEN -> dev.oriel.store.Durability.WRITTEN;
                    case ASYNC, MEMORY -> dev.oriel.store.Durability.ASYNC;
                };
        return Database.open(folder, DatabaseOptions.defaults().withDurability(ours));
    }

    static FacesStore open(Path folder, Durability durability) {
        OrielFaceStore store = new OrielFaceStore(database(folder, durability));
        store.create();
        return store;
    }

    private void create() {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(ROWS);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        OrderedMap<Long, String> _ = database.map("entry", KEYS, TEXTS);
        try (OrielGraph graph = OrielGraph.open(database, "")) {
            OrielSchema schema = graph.schema();
            schema.propertyKey("place").asLong().create();
            schema.propertyKey("amount").asLong().create();
            schema.vertexLabel("holder").properties("place").create();
            schema.edgeLabel("paid")
                    .link("holder", "holder")
                    .multiTimes()
                    .properties("amount")
                    .create();
            for (int i = 0; i < HOLDERS; i++) {
                holders[i] =
                        (Long)
                                graph.addVertex(
                                                org.apache.tinkerpop.gremlin.structure.T.label,
                                                "holder",
                                                "place",
                                                (long) i)
                                        .id();
            }
            graph.tx().commit();
        }
    }

    @Override
    public void write(long number) {
        try {
            boolean _ =
                    database.<Boolean, SQLException>transact(tx -> {
                        write(tx, number);
                        return true;
                    });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(Transaction tx, long number) throws SQLException {
        String text = FacesStore.text(number);
        long amount = FacesStore.amount(number);
        try (PreparedStatement insert =
                tx.connection().prepareStatement("INSERT INTO payment VALUES (?, ?, ?)")) {
            insert.setLong(1, number);
            insert.setLong(2, amount);
            insert.setString(3, text);
            int _ = insert.executeUpdate();
        }
        OrielGraph graph = OrielGraph.in(tx, "");
        var source = graph.vertexByNumber(holders[FacesStore.source(number)]);
        var target = graph.vertexByNumber(holders[FacesStore.target(number)]);
        Objects.requireNonNull(source)
                .addEdge("paid", Objects.requireNonNull(target), "amount", amount);
        boolean _ = tx.map("entry", KEYS, TEXTS).put(number, text);
    }

    @Override
    public long count() {
        try (Transaction tx = database.begin(TransactionOptions.defaults().withReadOnly(true));
                Statement statement = tx.connection().createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM payment")) {
            long count = rows.next() ? rows.getLong(1) : 0;
            count += OrielGraph.in(tx, "").traversal().E().hasLabel("paid").count().next();
            return count + tx.map("entry", KEYS, TEXTS).count(MapRange.all());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
