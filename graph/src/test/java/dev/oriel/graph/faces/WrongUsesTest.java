package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.kv.Bucket;
import dev.oriel.kv.MapCursor;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.kv.WriteOptions;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random wrong uses of transactions over all faces, between right ones: each is refused with a matching error,
/// and damages nothing.
@Timeout(600)
final class WrongUsesTest {
    private static final int ROUNDS = Integer.getInteger("faces.rounds", 60);
    private static final int ACCOUNTS = 3;
    private static final MapKey<Long> KEYS = MapKey.longs();

    /// Objects that a transaction returned and that outlive it.
    private record Given(
            Transaction tx,
            Connection connection,
            Statement statement,
            ResultSet rows,
            OrderedMap<Long, Long> map,
            MapCursor<Long, Long> cursor,
            Bucket<byte[]> bucket,
            Transaction.Savepoint savepoint) {
        static Given of(Transaction tx) throws SQLException {
            Connection connection = tx.connection();
            Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("SELECT id FROM account");
            OrderedMap<Long, Long> map = tx.map("account", KEYS, MapValue.longs());
            MapCursor<Long, Long> cursor = map.cursor(MapRange.all());
            assertTrue(cursor.next());
            return new Given(
                    tx,
                    connection,
                    statement,
                    rows,
                    map,
                    cursor,
                    tx.bucket("account"),
                    tx.savepoint());
        }
    }

    @Test
    void wrongUsesAreRefusedAndDamageNothing() throws Exception {
        Gen gen = new Gen(Seed.of("WrongUsesTest", 67));
        try (Database db = Database.inMemory()) {
            Bank bank = new Bank(db, ACCOUNTS, 1);
            bank.create();
            long number = 0;
            Transaction other = db.begin();
            for (int round = 0; round < ROUNDS; round++) {
                try (Transaction tx = db.begin()) {
                    Given given = Given.of(tx);
                    int wrongs = gen.below(5);
                    for (int i = 0; i < wrongs; i++) {
                        inside(db, tx, other, gen);
                    }
                    boolean commits = gen.chance(60);
                    bank.transfer(tx, 0, number + 1, gen);
                    for (int i = 0; i < wrongs; i++) {
                        inside(db, tx, other, gen);
                    }
                    if (commits) {
                        tx.commit();
                        number++;
                    } else {
                        tx.rollback();
                    }
                    for (int i = 0; i < 5; i++) {
                        afterwards(given, gen);
                    }
                    given.cursor.close();
                }
                bank.check();
                try (Transaction tx = db.begin(Bank.READING)) {
                    assertEquals(number, bank.written(tx, 0));
                }
            }
            other.close();
            assertEquals(List.of(), db.check());
        }
    }

    /// One wrong call during the transaction.
    private static void inside(Database db, Transaction tx, Transaction other, Gen gen)
            throws SQLException {
        Connection inner = tx.connection();
        switch (gen.below(13)) {
            case 0 -> refused("25001", inner::commit);
            case 1 -> refused("25001", inner::rollback);
            case 2 -> refused("25001", () -> inner.setAutoCommit(true));
            case 3 -> refused("25001", () -> run(inner, "COMMIT"));
            case 4 -> refused("25001", () -> run(inner, "ROLLBACK"));
            case 5 -> refused("25001", () -> run(inner, "BEGIN"));
            case 6 -> {
                Transaction.Savepoint foreign = other.savepoint();
                refused(() -> tx.rollbackTo(foreign));
                refused(() -> tx.release(foreign));
                other.release(foreign);
            }
            case 7 -> {
                Transaction.Savepoint released = tx.savepoint();
                tx.release(released);
                refused(() -> tx.rollbackTo(released));
            }
            case 8 ->
                    refused(() ->
                            db.transact(outer ->
                                    db.transact(nested -> nested.bucket("account").exists(""))));
            case 9 ->
                    refused(() ->
                            tx.bucket("account").getAndLock("account-1", Duration.ofSeconds(1)));
            case 10 -> {
                WriteOptions sync = WriteOptions.none().withDurability(Durability.SYNC);
                refused(() -> tx.bucket("account").upsert("account-1", new byte[0], sync));
            }
            case 11 -> {
                refused(() -> tx.map("account", MapKey.text(), MapValue.longs()));
                refused(() -> tx.map("not a name"));
                refused(() ->
                        tx.map("account", KEYS, MapValue.longs())
                                .load(List.<Map.Entry<Long, Long>>of().iterator()));
            }
            default ->
                    refused(
                            "25006",
                            () -> {
                                try (Transaction reading = db.begin(Bank.READING)) {
                                    run(reading.connection(), "DELETE FROM account");
                                }
                            });
        }
    }

    /// One call of an object that an ended transaction returned.
    private static void afterwards(Given given, Gen gen) throws SQLException {
        switch (gen.below(14)) {
            case 0 -> closed(given.tx::commit);
            case 1 -> closed(given.tx::rollback);
            case 2 -> closed(given.tx::connection);
            case 3 -> closed(given.tx::savepoint);
            case 4 -> closed(() -> given.tx.rollbackTo(given.savepoint));
            case 5 -> closed(() -> given.tx.onCommit(() -> {}));
            case 6 -> closed(() -> given.map.get(1L));
            case 7 -> closed(() -> given.map.put(1L, 2L));
            case 8 -> closed(given.cursor::value);
            case 9 -> closed(given.cursor::next);
            case 10 -> closed(() -> given.bucket.increment("account-1", 1, 1));
            case 11 -> closed(() -> given.bucket.scan("", entry -> {}));
            case 12 -> {
                assertTrue(given.connection.isClosed());
                assertTrue(given.statement.isClosed());
                assertThrows(SQLException.class, given.rows::next);
                assertThrows(SQLException.class, given.connection::createStatement);
            }
            default -> {
                given.tx.close();
                given.connection.close();
            }
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private interface Call {
        void run() throws SQLException;
    }

    private static void refused(String state, Call call) {
        SQLException e = assertThrows(SQLException.class, call::run);
        assertEquals(state, e.getSQLState(), e::toString);
    }

    private static void refused(Call call) {
        UsageException e = assertThrows(UsageException.class, call::run);
        assertNotNull(e.getMessage());
    }

    private static void closed(Call call) {
        ClosedException e = assertThrows(ClosedException.class, call::run);
        assertNotNull(e.getMessage());
    }

    /// Threads call the faces of one transaction, and another thread ends it at any moment. If it commits, all
    /// acknowledged changes are there, else none.
    @Test
    void threadsThatCallATransactionThatEndsGetAnAnswer() throws Exception {
        SplittableRandom random = Seed.of("WrongUsesTest threads", 68);
        try (Database db = Database.inMemory();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Bank bank = new Bank(db, ACCOUNTS, 1);
            bank.create();
            for (int round = 0; round < ROUNDS; round++) {
                Transaction tx = db.begin();
                boolean commits = random.nextBoolean();
                CountDownLatch calls = new CountDownLatch(1 + random.nextInt(20));
                AtomicInteger added = new AtomicInteger();
                List<Future<?>> all = new ArrayList<>();
                for (int thread = 0; thread < 3; thread++) {
                    Accounts kind = List.of(Accounts.values()).get(thread);
                    all.add(
                            threads.submit(() -> {
                                try {
                                    while (true) {
                                        kind.add(tx, 0, 1);
                                        added.incrementAndGet();
                                        calls.countDown();
                                    }
                                } catch (ClosedException | SQLException e) {
                                    String state =
                                            e instanceof SQLException sql ? sql.getSQLState() : "";
                                    assertTrue(
                                            List.of("", "08003", "24000", "57014").contains(state),
                                            e::toString);
                                    return null;
                                }
                            }));
                }
                calls.await();
                if (commits) {
                    tx.commit();
                } else {
                    tx.close();
                }
                for (Future<?> one : all) {
                    one.get();
                }
                long sum = sum(db);
                long least = 3L * ACCOUNTS * Bank.EACH + (commits ? added.get() : 0);
                // A call may have been done without an acknowledgement.
                long most = least + (commits ? 3 : 0);
                assertTrue(sum >= least && sum <= most, () -> sum + " after " + least);
                takeBack(db);
            }
            bank.check();
            assertEquals(List.of(), db.check());
        }
    }

    private static long sum(Database db) throws SQLException {
        try (Transaction tx = db.begin(Bank.READING)) {
            long sum = 0;
            for (Accounts kind : List.of(Accounts.ROWS, Accounts.MAP, Accounts.BUCKET)) {
                sum += kind.sum(tx);
            }
            return sum;
        }
    }

    private static void takeBack(Database db) throws SQLException {
        boolean _ =
                db.<Boolean, SQLException>transact(tx -> {
                    for (Accounts kind : List.of(Accounts.ROWS, Accounts.MAP, Accounts.BUCKET)) {
                        kind.add(tx, 0, ACCOUNTS * Bank.EACH - kind.sum(tx));
                    }
                    return true;
                });
    }

    /// A handle is closed while transactions of it run: they continue to their end, and no new one begins.
    @Test
    void closingTheDatabaseMeanwhileLosesNoTransaction() throws Exception {
        SplittableRandom random = Seed.of("WrongUsesTest closing", 69);
        for (int round = 0; round < ROUNDS / 4; round++) {
            String name = "closing-" + round;
            try (Database kept = Database.inMemory(name);
                    ExecutorService threads = Executors.newCachedThreadPool()) {
                Bank bank = new Bank(kept, ACCOUNTS, 2);
                bank.create();
                Database handle = Database.inMemory(name);
                CountDownLatch some = new CountDownLatch(1 + random.nextInt(30));
                List<Future<Long>> all = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    int teller = i;
                    Gen gen = new Gen(random.split());
                    all.add(
                            threads.submit(() -> {
                                long number = 0;
                                try {
                                    while (true) {
                                        long next = number + 1;
                                        boolean _ =
                                                handle.<Boolean, SQLException>transact(tx -> {
                                                    bank.transfer(tx, teller, next, gen);
                                                    return true;
                                                });
                                        number = next;
                                        some.countDown();
                                    }
                                } catch (ClosedException e) {
                                    return number;
                                }
                            }));
                }
                some.await();
                handle.close();
                bank.check();
                try (Transaction tx = kept.begin(Bank.READING)) {
                    for (int teller = 0; teller < 2; teller++) {
                        long acknowledged = all.get(teller).get();
                        assertTrue(bank.written(tx, teller) <= acknowledged);
                    }
                }
                try (Transaction tx = kept.begin(Bank.READING)) {
                    for (int teller = 0; teller < 2; teller++) {
                        assertEquals(all.get(teller).get(), bank.written(tx, teller));
                    }
                }
                assertEquals(List.of(), kept.check());
            }
        }
    }

    /// An exception in a hook comes after the commit, even if it looks like a conflict: the work is not retried.
    @Test
    void aConflictInAHookDoesNotRunTheWorkAgain() throws Exception {
        try (Database db = Database.inMemory()) {
            OrderedMap<Long, Long> map = db.map("m", KEYS, MapValue.longs());
            ConflictException thrown =
                    new ConflictException(ConflictException.Reason.CHANGED, "of a hook", "");
            AtomicInteger runs = new AtomicInteger();
            ConflictException seen =
                    assertThrows(
                            ConflictException.class,
                            () ->
                                    db.transact(
                                            TransactionOptions.defaults()
                                                    .withTimeout(Duration.ofSeconds(2)),
                                            tx -> {
                                                runs.incrementAndGet();
                                                tx.onCommit(() -> {
                                                    throw thrown;
                                                });
                                                return tx.map("m", KEYS, MapValue.longs())
                                                        .put((long) runs.get(), 1L);
                                            }));
            assertSame(thrown, seen);
            assertEquals(1, runs.get());
            assertEquals(1, map.count(MapRange.all()));
        }
    }
}
