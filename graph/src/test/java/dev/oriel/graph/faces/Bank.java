package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.graph.OrielGraph;
import dev.oriel.kv.Codec;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.store.ConflictException;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.testkit.Gen;
import java.sql.Connection;
import java.sql.SQLException;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.jspecify.annotations.Nullable;

/// A bank with accounts in all faces ([Accounts]). A transfer takes from an account of any face and gives to one
/// of any other. Each teller records it in four books: a table, a map, a counter in a bucket, and edges. So in
/// every snapshot the sum of all accounts is the same through any face, and each teller's books agree.
final class Bank {
    static final long EACH = 1_000;
    static final TransactionOptions READING = TransactionOptions.defaults().withReadOnly(true);

    private static final Accounts[] KINDS = Accounts.values();

    private final Database db;
    private final int accounts;
    private final int tellers;

    /// The balance would be negative.
    static final class Overdrawn extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overdrawn() {
            super("an account would have less than nothing", null, false, false);
        }
    }

    /// @param accounts number of accounts of each kind
    Bank(Database db, int accounts, int tellers) {
        this.db = db;
        this.accounts = accounts;
        this.tellers = tellers;
    }

    void create() throws SQLException {
        Sql.run(
                db,
                "CREATE TABLE book (teller INTEGER, number BIGINT, amount BIGINT NOT NULL,"
                        + " PRIMARY KEY (teller, number))");
        OrderedMap<MapKey.Pair<Long, Long>, Long> _ = db.map("book", BOOK, MapValue.longs());
        for (int teller = 0; teller < tellers; teller++) {
            long _ = db.bucket("book").increment(counter(teller), 0, 0);
        }
        for (Accounts kind : KINDS) {
            kind.create(db, accounts);
        }
        Sql.run(db, "CREATE TABLE ready (id INTEGER PRIMARY KEY)");
    }

    private static final MapKey<MapKey.Pair<Long, Long>> BOOK = MapKey.longs().then(MapKey.longs());

    private static String counter(int teller) {
        return "teller-" + teller;
    }

    /// Whether `failure` demands a retry of the transaction.
    static boolean isConflict(Throwable failure) {
        ConflictException conflict = cause(failure, ConflictException.class);
        return conflict != null && conflict.mayPass();
    }

    static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    static boolean isReadCommitted(Transaction tx) throws SQLException {
        return tx.connection().getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
    }

    /// Makes transfer `number` of `teller` and records it; some undone transfers may precede it.
    void transfer(Transaction tx, int teller, long number, Gen gen) throws SQLException {
        if (gen.chance(20)) {
            Transaction.Savepoint before = tx.savepoint();
            for (int i = gen.below(3); i >= 0; i--) {
                refusedIfOverdrawn(tx, before, gen.below(KINDS.length * accounts), 7, gen);
            }
            tx.rollbackTo(before);
            tx.release(before);
        }
        long amount = 1L + gen.below(50);
        int from = gen.below(KINDS.length * accounts);
        int to = gen.below(KINDS.length * accounts);
        Transaction.Savepoint before = tx.savepoint();
        if (refusedIfOverdrawn(tx, before, from, -amount, gen)) {
            refusedIfOverdrawn(tx, before, to, amount, gen);
        }
        tx.release(before);
        write(tx, teller, number, amount, gen);
    }

    /// Adds to an account, or rolls back to `before` if its balance is too low.
    private boolean refusedIfOverdrawn(
            Transaction tx, Transaction.Savepoint before, int account, long amount, Gen gen)
            throws SQLException {
        Accounts kind = KINDS[account / accounts];
        try {
            if (gen.chance(70)) {
                kind.add(tx, account % accounts, amount);
            } else {
                kind.addBySql(tx, account % accounts, amount);
            }
            return true;
        } catch (RuntimeException | SQLException e) {
            if (!(e instanceof Overdrawn) && cause(e, ConstraintException.class) == null) {
                throw e;
            }
            tx.rollbackTo(before);
            return false;
        }
    }

    private static void write(Transaction tx, int teller, long number, long amount, Gen gen)
            throws SQLException {
        int first = gen.below(4);
        for (int i = 0; i < 4; i++) {
            switch ((first + i) % 4) {
                case 0 -> Sql.run(tx, "INSERT INTO book VALUES (?, ?, ?)", teller, number, amount);
                case 1 ->
                        assertTrue(
                                tx.map("book", BOOK, MapValue.longs())
                                        .put(new MapKey.Pair<>((long) teller, number), amount));
                case 2 -> {
                    long count = tx.bucket("book").increment(counter(teller), 1, 0);
                    assertEquals(number, count);
                }
                default ->
                        OrielGraph.in(tx, "")
                                .traversal()
                                .V("holder-" + gen.below(2))
                                .addE("moved")
                                .to(__.V("holder-" + gen.below(2)))
                                .property("teller", (long) teller)
                                .property("turn", number)
                                .property("amount", amount)
                                .iterate();
            }
        }
    }

    /// Number of recorded transfers of `teller`, equal in all books.
    long written(Transaction tx, int teller) throws SQLException {
        String counted = tx.bucket("book", Codec.text()).get(counter(teller));
        long number = counted == null ? 0 : Long.parseLong(counted);
        assertEquals(number, Sql.number(tx, "SELECT COUNT(*) FROM book WHERE teller = ?", teller));
        assertEquals(
                number, Sql.number(tx, "SELECT MAX(number) FROM book WHERE teller = ?", teller));
        assertEquals(number, Sql.number(tx, "SELECT COUNT(*) FROM map_book WHERE k1 = ?", teller));
        MapKey.Pair<Long, Long> first = new MapKey.Pair<>((long) teller, 0L);
        MapKey.Pair<Long, Long> end = new MapKey.Pair<>(teller + 1L, 0L);
        OrderedMap<MapKey.Pair<Long, Long>, Long> map = tx.map("book", BOOK, MapValue.longs());
        assertEquals(number, map.count(MapRange.from(first).andBelow(end)));
        assertEquals(
                number,
                Sql.number(tx, "SELECT COUNT(*) FROM \"moved\" WHERE teller = ?", (long) teller));
        assertEquals(
                number,
                OrielGraph.in(tx, "")
                        .traversal()
                        .V()
                        .hasLabel("holder")
                        .outE("moved")
                        .has("teller", (long) teller)
                        .count()
                        .next());
        return number;
    }

    /// Checks one snapshot through all faces.
    void check(Transaction tx) throws SQLException {
        long sum = 0;
        for (Accounts kind : KINDS) {
            long own = kind.sum(tx);
            assertEquals(own, kind.sumBySql(tx), kind.name());
            sum += own;
        }
        assertEquals(EACH * accounts * KINDS.length, sum, "sum of all accounts");
        for (int teller = 0; teller < tellers; teller++) {
            long _ = written(tx, teller);
        }
        long amounts = Sql.number(tx, "SELECT SUM(amount) FROM book");
        long[] inMap = {0};
        tx.map("book", BOOK, MapValue.longs())
                .forEach(MapRange.all(), (key, amount) -> inMap[0] += amount);
        assertEquals(amounts, inMap[0]);
        GraphTraversalSource g = OrielGraph.in(tx, "").traversal();
        long[] onEdges = {0};
        g.E().hasLabel("moved").<Long>values("amount").forEachRemaining(n -> onEdges[0] += n);
        assertEquals(amounts, onEdges[0]);
        assertEquals(
                0,
                Sql.number(
                        tx,
                        "SELECT COUNT(*) FROM book b LEFT JOIN map_book m ON m.k1 = b.teller AND"
                                + " m.k2 = b.number AND m.v = b.amount WHERE m.k1 IS NULL"));
    }

    /// Checks the committed state.
    void check() throws SQLException {
        try (Transaction tx = db.begin(READING)) {
            check(tx);
        }
    }
}
