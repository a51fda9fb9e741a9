package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.OpenedDatabase;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Entry;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.store.Isolation;
import dev.oriel.store.engine.Store;
import dev.oriel.table.definition.ConstraintException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.jspecify.annotations.Nullable;

/// A database beside its [Model], in which a [Program] runs: with its transaction, if it has one, and its clock.
final class World implements AutoCloseable {
    private final Database db;
    private final Connection outside;
    private final OrielGraph outsideGraph;
    private long clockMicros = 1_800_000_000_000_000L;

    /// Committed state.
    private final Model committed = new Model();

    /// State seen by the transaction; the committed one if there is none.
    private Model model = committed;

    private @Nullable Transaction tx;
    private Isolation isolation = Isolation.READ_COMMITTED;

    /// Whether the transaction has changed definitions above READ COMMITTED. Then it cannot add vertices, because
    /// their numbers are reserved beside it.
    private boolean exclusive;

    /// Time of the transaction's snapshot, above READ COMMITTED.
    private long snapshotMicros;

    private final List<Moment> moments = new ArrayList<>();
    private long lastTicket;

    private record Moment(Transaction.Savepoint savepoint, Model model) {}

    /// A call that constraints may refuse.
    interface Call {
        void run() throws Exception;
    }

    World(Store store) throws SQLException {
        db = OpenedDatabase.over(store, DatabaseOptions.defaults(), () -> clockMicros);
        outside = db.connect();
        outsideGraph = OrielGraph.open(db, "");
        OrielSchema schema = outsideGraph.schema();
        schema.propertyKey("score").asLong().valueSingle().create();
        schema.vertexLabel("person").useCustomizeStringId().properties("score").create();
        schema.edgeLabel("friend").link("person", "person").properties("score").create();
        OrderedMap<Long, Long> _ = db.map("stock", MapKey.longs(), MapValue.longs());
        OrderedMap<Long, String> _ = db.map("plain", MapKey.longs(), MapValue.text());
        long _ = db.bucket("session", Codec.text()).upsert("clock", "");
        committed.sessions.put("clock", new Model.Session("", 0));
        for (String definition :
                List.of(
                        "ALTER TABLE \"person\" ADD CHECK (score < " + Model.SCORE_END + ")",
                        "CREATE UNIQUE INDEX stock_v ON map_stock (v)",
                        "ALTER TABLE map_stock ADD CHECK (v <> " + Model.FORBIDDEN + ")",
                        "CREATE TABLE account (id INTEGER PRIMARY KEY, owner VARCHAR(20) NOT NULL"
                                + " UNIQUE, balance BIGINT NOT NULL CHECK (balance >= 0), item"
                                + " BIGINT REFERENCES map_stock ON DELETE SET NULL)",
                        "CREATE SEQUENCE ticket",
                        "CREATE TABLE note (id BIGINT PRIMARY KEY, account INTEGER NOT NULL"
                                + " REFERENCES account ON DELETE CASCADE, item BIGINT REFERENCES"
                                + " map_stock)")) {
            Sql.run(db, definition);
        }
    }

    Model model() {
        return model;
    }

    Database db() {
        return db;
    }

    @Nullable Transaction tx() {
        return tx;
    }

    void pass(long micros) {
        clockMicros += micros;
    }

    long clockMicros() {
        return clockMicros;
    }

    /// The current time for expiry; within a snapshot the time of the snapshot.
    long nowMicros() {
        return isSnapshot() ? snapshotMicros : clockMicros;
    }

    /// Whether it is in a transaction with one snapshot.
    boolean isSnapshot() {
        return tx != null && isolation != Isolation.READ_COMMITTED;
    }

    /// Notes that a map may have been created within the transaction.
    void made() {
        exclusive = isSnapshot();
    }

    boolean isExclusive() {
        return tx != null && exclusive;
    }

    void begin(Isolation level) {
        if (tx != null) {
            return;
        }
        Transaction begun = db.begin(TransactionOptions.defaults().withIsolation(level));
        tx = begun;
        exclusive = false;
        isolation = level;
        model = committed.copy();
        assertTrue(
                begun.bucket("session")
                        .exists("clock")); // the first look at an expiry takes the time
        snapshotMicros = clockMicros;
    }

    void end(boolean commit) throws SQLException {
        Transaction ending = tx;
        if (ending == null) {
            return;
        }
        if (commit) {
            ending.commit();
            committed.set(model);
        } else {
            ending.rollback();
        }
        tx = null;
        model = committed;
        moments.clear();
        check();
    }

    void mark() {
        Transaction in = tx;
        if (in != null && moments.size() < 5) {
            moments.add(new Moment(in.savepoint(), model.copy()));
        }
    }

    void backTo(int number) {
        Transaction in = tx;
        if (in != null && !moments.isEmpty()) {
            int at = number % moments.size();
            in.rollbackTo(moments.get(at).savepoint);
            model.set(moments.get(at).model);
            moments.subList(at + 1, moments.size()).clear();
        }
    }

    void forget(int number) {
        Transaction in = tx;
        if (in != null && !moments.isEmpty()) {
            int at = number % moments.size();
            in.release(moments.get(at).savepoint);
            moments.subList(at, moments.size()).clear();
        }
    }

    OrderedMap<Long, Long> stock() {
        return map("stock");
    }

    OrderedMap<Long, String> plain() {
        Transaction in = tx;
        return in == null
                ? db.map("plain", MapKey.longs(), MapValue.text())
                : in.map("plain", MapKey.longs(), MapValue.text());
    }

    OrderedMap<Long, Long> map(String name) {
        Transaction in = tx;
        return in == null
                ? db.map(name, MapKey.longs(), MapValue.longs())
                : in.map(name, MapKey.longs(), MapValue.longs());
    }

    Bucket<String> sessions() {
        Transaction in = tx;
        return in == null ? db.bucket("session", Codec.text()) : in.bucket("session", Codec.text());
    }

    /// A call on a graph, in a transaction of its own if there is no other one.
    interface GraphCall {
        void run(OrielGraph graph) throws Exception;
    }

    void graph(GraphCall call) throws Exception {
        Transaction in = tx;
        if (in != null) {
            call.run(OrielGraph.in(in, ""));
            return;
        }
        try {
            call.run(outsideGraph);
            outsideGraph.tx().commit();
        } finally {
            outsideGraph.tx().rollback();
        }
    }

    /// Returns the number of changed rows.
    int sql(String sql, @Nullable Object... parameters) throws SQLException {
        Transaction in = tx;
        try (PreparedStatement statement =
                prepare(in == null ? outside : in.connection(), sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(
            Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    /// A number that was never drawn before, regardless of the outcome of the drawing transactions.
    long ticket() throws SQLException {
        Transaction in = tx;
        try (PreparedStatement statement =
                        prepare(
                                in == null ? outside : in.connection(),
                                "SELECT NEXTVAL('ticket')");
                ResultSet rows = statement.executeQuery()) {
            assertTrue(rows.next());
            long ticket = rows.getLong(1);
            assertTrue(ticket > lastTicket, () -> ticket + " after " + lastTicket);
            lastTicket = ticket;
            return ticket;
        }
    }

    /// Runs `call`, which a constraint must refuse unless `wanted`.
    void run(boolean wanted, Call call) throws Exception {
        boolean done = false;
        try {
            call.run();
            done = true;
        } catch (RuntimeException | SQLException e) {
            if (Bank.cause(e, ConstraintException.class) == null) {
                throw e;
            }
            if (wanted) {
                throw new AssertionError("it was refused: " + e, e);
            }
        }
        assertEquals(wanted, done, "whether the constraints let it");
    }

    /// Compares the whole state, from within and from outside the transaction.
    void check() throws SQLException {
        Transaction in = tx;
        try (Transaction now = db.begin(Bank.READING)) {
            check(now, committed, clockMicros);
        }
        if (in != null) {
            check(in, model, nowMicros());
        }
    }

    private static void check(Transaction by, Model wanted, long nowMicros) throws SQLException {
        assertEquals(wanted.stock, all(by, "stock"));
        assertEquals(wanted.stock, rows(by, "SELECT k, v FROM map_stock"));
        for (long value : wanted.stock.values()) {
            assertEquals(1, Sql.number(by, "SELECT COUNT(*) FROM map_stock WHERE v = ?", value));
        }
        TreeMap<Long, String> plain = new TreeMap<>();
        by.map("plain", MapKey.longs(), MapValue.text()).forEach(MapRange.all(), plain::put);
        assertEquals(wanted.plain, plain);
        checkSessions(by, wanted, nowMicros);
        checkRows(by, wanted);
        checkGraph(by, wanted);
        wanted.made.forEach((name, entries) -> assertEquals(entries, all(by, name)));
    }

    private static void checkGraph(Transaction by, Model wanted) throws SQLException {
        TreeMap<String, Long> people = new TreeMap<>();
        TreeMap<String, Long> friends = new TreeMap<>();
        GraphTraversalSource g = OrielGraph.in(by, "").traversal();
        g.V()
                .hasLabel("person")
                .forEachRemaining(v -> people.put((String) v.id(), v.value("score")));
        g.E()
                .hasLabel("friend")
                .forEachRemaining(e ->
                        friends.put(
                                Model.friends(
                                        (String) e.outVertex().id(), (String) e.inVertex().id()),
                                e.value("score")));
        assertEquals(wanted.people, people);
        assertEquals(wanted.friends, friends);
        long sum = people.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(sum, Sql.number(by, "SELECT SUM(score) FROM \"person\""));
        for (String person : people.keySet()) {
            long degree =
                    friends.keySet().stream().filter(key -> key.endsWith(">" + person)).count();
            assertEquals(degree, g.V(person).in("friend").count().next());
        }
        assertEquals(friends.size(), Sql.number(by, "SELECT COUNT(*) FROM \"friend\""));
    }

    private static Map<Long, Long> all(Transaction by, String name) {
        TreeMap<Long, Long> found = new TreeMap<>();
        OrderedMap<Long, Long> map = by.map(name, MapKey.longs(), MapValue.longs());
        map.forEach(MapRange.all(), found::put);
        assertEquals(found.size(), map.count(MapRange.all()));
        return found;
    }

    private static Map<Long, Long> rows(Transaction by, String sql) throws SQLException {
        TreeMap<Long, Long> found = new TreeMap<>();
        try (PreparedStatement statement = prepare(by.connection(), sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.put(rows.getLong(1), rows.getLong(2));
            }
        }
        return found;
    }

    private static void checkSessions(Transaction by, Model wanted, long nowMicros)
            throws SQLException {
        TreeMap<String, Model.Session> there = new TreeMap<>(wanted.sessions);
        there.values().removeIf(session -> !session.isThere(nowMicros));
        TreeMap<String, Model.Session> found = new TreeMap<>();
        by.bucket("session", Codec.text())
                .scan("", entry -> found.put(entry.key(), session(entry)));
        assertEquals(there, found);
        found.clear();
        try (PreparedStatement statement =
                        prepare(
                                by.connection(),
                                "SELECT key, value, expires_at FROM bucket_session");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String key = rows.getString(1);
                Model.Session known = there.get(key);
                long expires = known == null ? 0 : known.expiresMicros();
                assertEquals(expires == 0, rows.getTimestamp(3) == null);
                found.put(
                        key,
                        new Model.Session(
                                new String(rows.getBytes(2), StandardCharsets.UTF_8), expires));
            }
        }
        assertEquals(there, found);
    }

    private static Model.Session session(Entry<String> entry) {
        java.time.Instant at = entry.expiresAt();
        return new Model.Session(
                entry.value(),
                at == null ? 0 : at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000);
    }

    private static void checkRows(Transaction by, Model wanted) throws SQLException {
        TreeMap<Integer, Model.Account> accounts = new TreeMap<>();
        TreeMap<Long, Model.Note> notes = new TreeMap<>();
        try (PreparedStatement statement = prepare(by.connection(), "SELECT * FROM account");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                accounts.put(
                        rows.getInt(1),
                        new Model.Account(
                                rows.getString(2), rows.getLong(3), rows.getObject(4, Long.class)));
            }
        }
        try (PreparedStatement statement = prepare(by.connection(), "SELECT * FROM note");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                notes.put(
                        rows.getLong(1),
                        new Model.Note(rows.getInt(2), rows.getObject(3, Long.class)));
            }
        }
        assertEquals(wanted.accounts, accounts);
        assertEquals(wanted.notes, notes);
    }

    @Override
    public void close() throws SQLException {
        try {
            Transaction open = tx;
            if (open != null) {
                open.close();
            }
            assertEquals(List.of(), db.check());
        } finally {
            outside.close();
            outsideGraph.close();
            db.close();
        }
    }
}
