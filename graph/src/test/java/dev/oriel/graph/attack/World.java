package dev.oriel.graph.attack;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.kv.Bucket;
import dev.oriel.store.ConflictException;
import dev.oriel.testkit.Gen;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Objects that the threads of an episode share, and the records of its model.
final class World {
    static final int ACCOUNTS = 16;
    static final long OPENING_BALANCE = 1_000_000;
    static final int COUNTERS = 4;
    private static final int SHELF = 16;

    /// Created first: the look at what is left would create them otherwise, on a disk that may be full.
    private static final List<String> BUCKETS = List.of("money", "own", "counters", "common");

    final Setting setting;
    final Ground ground;
    final Findings findings;
    final List<PrivateKeys> rows = new ArrayList<>();
    final List<PrivateKeys> entries = new ArrayList<>();
    final List<PrivateKeys> vertices = new ArrayList<>();

    /// Sums of the acknowledged increments of each counter, and of increments with unknown outcome.
    final AtomicLong[] counted = new AtomicLong[COUNTERS];

    final AtomicLong[] maybeCounted = new AtomicLong[COUNTERS];

    /// Connections, statements, results, iterators and elements that any thread may use.
    final AtomicReferenceArray<@Nullable Object> shelf = new AtomicReferenceArray<>(SHELF);

    /// Connections whose transactions are committed and rolled back by their own thread only.
    final AtomicReferenceArray<@Nullable Connection> own;

    /// All connections and transactions of threads, to be closed at the end even if unreferenced.
    final Queue<AutoCloseable> opened = new ConcurrentLinkedQueue<>();

    volatile Database database;
    volatile OrielGraph graph;

    World(Setting setting, Ground ground, Findings findings) throws Exception {
        this.setting = setting;
        this.ground = ground;
        this.findings = findings;
        this.own = new AtomicReferenceArray<>(setting.threads());
        for (int i = 0; i < setting.threads(); i++) {
            rows.add(new PrivateKeys());
            entries.add(new PrivateKeys());
            vertices.add(new PrivateKeys());
        }
        for (int i = 0; i < COUNTERS; i++) {
            counted[i] = new AtomicLong();
            maybeCounted[i] = new AtomicLong();
        }
        database = ground.open();
        graph = OrielGraph.open(database, "g");
        populate();
    }

    private void populate() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            define(statement, "CREATE TABLE account (id INT PRIMARY KEY, balance BIGINT NOT NULL)");
            define(statement, "CREATE TABLE parent (id INT PRIMARY KEY, code INT UNIQUE)");
            define(
                    statement,
                    "CREATE TABLE child (id INT PRIMARY KEY,"
                            + " parent INT NOT NULL REFERENCES parent (id) ON DELETE CASCADE,"
                            + " v VARCHAR(4000))");
            define(statement, "CREATE INDEX child_parent ON child (parent)");
            define(
                    statement,
                    "CREATE TABLE own (thread INT, k INT, v VARCHAR(100000), PRIMARY KEY (thread, k))");
            define(statement, "CREATE TABLE loaded (id BIGINT PRIMARY KEY, v VARCHAR(1000))");
            for (int i = 0; i < ACCOUNTS; i++) {
                statement.execute(
                        "INSERT INTO account VALUES (" + i + ", " + OPENING_BALANCE + ")");
            }
        }
        for (String bucket : BUCKETS) {
            Bucket<byte[]> _ = database.bucket(bucket);
        }
        for (int i = 0; i < ACCOUNTS; i++) {
            long _ = database.bucket("money").increment("a" + i, 0, OPENING_BALANCE);
        }
        graph.addVertex("place");
        graph.addVertex("place");
        graph.tx().commit();
    }

    /// Definitions are exclusive. The transaction may be rolled back if this thread is kept from continuing for
    /// longer than the idle limit.
    private static void define(Statement statement, String sql) throws SQLException {
        boolean defined = false;
        while (!defined) {
            try {
                statement.execute(sql);
                defined = true;
            } catch (SQLException e) {
                if (!(e.getCause() instanceof ConflictException)) {
                    throw e;
                }
                System.out.println("again: " + e.getMessage());
            }
        }
    }

    /// A new connection with the setting's isolation level.
    Connection connect() throws SQLException {
        Connection connection = database.connect();
        opened.add(connection);
        connection.setTransactionIsolation(setting.isolation());
        return connection;
    }

    /// An object on the shelf, or null; it stays there.
    @Nullable Object borrowed(Gen gen) {
        return shelf.get(gen.below(SHELF));
    }

    /// Puts `thing` on the shelf in place of another, if the setting lets threads share.
    void share(Gen gen, Object thing) {
        if (setting.shared()) {
            shelf.set(gen.below(SHELF), thing);
        }
    }
}
