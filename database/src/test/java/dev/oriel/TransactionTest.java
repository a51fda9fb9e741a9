package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Entry;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.kv.WriteOptions;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.Seed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One transaction over rows, entries of buckets and entries of maps.
final class TransactionTest {
    private Database db;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        outside(
                "CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT CHECK (balance >= 0))");
        outside("INSERT INTO account VALUES (1, 100), (2, 100)");
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

    private long outsideNumber(String sql) throws SQLException {
        try (Connection connection = db.connect()) {
            return number(connection, sql);
        }
    }

    @Test
    void facesSeeEachOtherAndCommitAsOne() throws SQLException {
        Bucket<String> notes = db.bucket("notes", Codec.text());
        OrderedMap<Long, String> map = db.map("log", MapKey.longs(), MapValue.text());
        List<String> told = new ArrayList<>();
        try (Transaction tx = db.begin()) {
            tx.onCommit(() -> told.add("committed"));
            in(tx, "UPDATE account SET balance = balance - 30 WHERE id = 1");
            tx.bucket("notes", Codec.text()).upsert("n", "note");
            tx.map("log", MapKey.longs(), MapValue.text()).put(7L, "seven");
            in(tx, "INSERT INTO map_log VALUES (8, 'eight')");
            in(tx, "UPDATE bucket_notes SET value = X'6869' WHERE key = 'n'");
            assertEquals("hi", tx.bucket("notes", Codec.text()).get("n"));
            assertEquals("eight", tx.map("log", MapKey.longs(), MapValue.text()).get(8L));
            assertEquals(70, number(tx.connection(), "SELECT balance FROM account WHERE id = 1"));
            assertEquals(2, number(tx.connection(), "SELECT COUNT(*) FROM map_log"));
            assertNull(notes.get("n"));
            assertNull(map.get(7L));
            assertEquals(100, outsideNumber("SELECT balance FROM account WHERE id = 1"));
            assertEquals(List.of(), told);
            tx.commit();
        }
        assertEquals(List.of("committed"), told);
        assertEquals("hi", notes.get("n"));
        assertEquals("seven", map.get(7L));
        assertEquals(70, outsideNumber("SELECT balance FROM account WHERE id = 1"));
    }

    @Test
    void withoutACommitNothingStays() throws SQLException {
        OrderedMap<byte[], byte[]> map = db.map("m");
        Bucket<byte[]> bucket = db.bucket("b");
        List<String> told = new ArrayList<>();
        try (Transaction tx = db.begin()) {
            tx.onCommit(() -> told.add("committed"));
            in(tx, "DELETE FROM account");
            tx.bucket("b").upsert("k", new byte[] {1});
            tx.map("m").put(new byte[] {1}, new byte[] {2});
        }
        assertEquals(List.of(), told);
        assertNull(bucket.get("k"));
        assertNull(map.get(new byte[] {1}));
        assertEquals(2, outsideNumber("SELECT COUNT(*) FROM account"));
    }

    @Test
    void savepointsGoBackInAllFaces() throws SQLException {
        try (Transaction tx = db.begin()) {
            OrderedMap<String, Long> map = tx.map("m", MapKey.text(), MapValue.longs());
            map.put("kept", 1L);
            Transaction.Savepoint moment = tx.savepoint();
            map.put("kept", 2L);
            map.put("gone", 3L);
            tx.bucket("b").upsert("gone", new byte[0]);
            in(tx, "UPDATE account SET balance = 0");
            try (Statement statement = tx.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM account ORDER BY id")) {
                assertTrue(rows.next());
                tx.rollbackTo(moment);
            }
            assertEquals(1L, map.get("kept"));
            assertNull(map.get("gone"));
            assertNull(tx.bucket("b").get("gone"));
            assertEquals(200, number(tx.connection(), "SELECT SUM(balance) FROM account"));
            map.put("after", 4L);
            tx.release(moment);
            assertThrows(UsageException.class, () -> tx.rollbackTo(moment));
            tx.commit();
        }
        assertEquals(2, outsideNumber("SELECT COUNT(*) FROM map_m"));
    }

    @Test
    void aSavepointForgetsTheActionsAfterIt() {
        Bucket<byte[]> bucket = db.bucket("b");
        bucket.upsert("k", new byte[] {1});
        Entry<byte[]> entry = bucket.getAndLock("k", Duration.ofSeconds(30));
        assertNotNull(entry);
        long locked = entry.cas();
        List<String> told = new ArrayList<>();
        try (Transaction tx = db.begin()) {
            tx.onCommit(() -> told.add("before"));
            Transaction.Savepoint moment = tx.savepoint();
            tx.onCommit(() -> told.add("undone"));
            tx.bucket("b").upsert("k", new byte[] {2}, WriteOptions.none().ifCas(locked));
            tx.rollbackTo(moment);
            tx.onCommit(() -> told.add("after"));
            tx.commit();
        }
        assertEquals(List.of("before", "after"), told);
        assertThrows(ConflictException.class, () -> bucket.upsert("k", new byte[] {3}));
        assertTrue(bucket.unlock("k", locked), "what was undone does not end the lock");
    }

    @Test
    void aCallThatFailsChangesNothingAndTheTransactionGoesOn() throws SQLException {
        db.map("m", MapKey.longs(), MapValue.longs());
        outside("ALTER TABLE map_m ADD CHECK (v < 10)");
        try (Transaction tx = db.begin()) {
            OrderedMap<Long, Long> map = tx.map("m", MapKey.longs(), MapValue.longs());
            map.put(1L, 1L);
            assertThrows(RuntimeException.class, () -> map.put(2L, 10L));
            assertThrows(
                    SQLException.class, () -> in(tx, "UPDATE account SET balance = balance - 101"));
            map.put(3L, 3L);
            tx.commit();
        }
        assertEquals(4, outsideNumber("SELECT SUM(k) FROM map_m"));
        assertEquals(200, outsideNumber("SELECT SUM(balance) FROM account"));
    }

    @Test
    void theConnectionOfATransactionCannotEndIt() throws SQLException {
        try (Transaction tx = db.begin()) {
            Connection connection = tx.connection();
            assertFalse(connection.getAutoCommit());
            in(tx, "UPDATE account SET balance = 1");
            assertThrows(SQLException.class, connection::commit);
            assertThrows(SQLException.class, connection::rollback);
            assertThrows(SQLException.class, () -> connection.setAutoCommit(true));
            assertThrows(SQLException.class, () -> in(tx, "COMMIT"));
            assertThrows(SQLException.class, () -> in(tx, "ROLLBACK"));
            assertThrows(SQLException.class, () -> in(tx, "BEGIN"));
            assertEquals(2, number(connection, "SELECT SUM(balance) FROM account"));
            connection.close();
            assertEquals(2, number(tx.connection(), "SELECT SUM(balance) FROM account"));
            in(tx, "SAVEPOINT s");
            in(tx, "DELETE FROM account");
            in(tx, "ROLLBACK TO s");
            tx.commit();
        }
        assertEquals(2, outsideNumber("SELECT SUM(balance) FROM account"));
    }

    @Test
    void anAbortedConnectionTakesItsTransactionAlong() throws SQLException {
        Transaction tx = db.begin();
        in(tx, "UPDATE account SET balance = 1");
        tx.bucket("b").upsert("k", new byte[0]);
        tx.connection().abort(Runnable::run);
        assertThrows(ClosedException.class, tx::commit);
        db.<Integer, SQLException>transact(within -> {
            in(within, "UPDATE account SET balance = 2");
            within.connection().abort(Runnable::run);
            return 0;
        });
        assertEquals(200, outsideNumber("SELECT SUM(balance) FROM account"));
        assertFalse(db.bucket("b").exists("k"));
    }

    @Test
    void anOpenResultKeepsItsRowsWhileOtherFacesWrite() throws SQLException {
        OrderedMap<Long, Long> before = db.map("m", MapKey.longs(), MapValue.longs());
        for (long i = 0; i < 2_000; i++) {
            before.put(i, i);
        }
        for (Isolation isolation : Isolation.values()) {
            try (Transaction tx = db.begin(TransactionOptions.defaults().withIsolation(isolation));
                    Statement statement = tx.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT k, v FROM map_m ORDER BY k")) {
                OrderedMap<Long, Long> map = tx.map("m", MapKey.longs(), MapValue.longs());
                for (long i = 0; i < 2_000; i++) {
                    assertTrue(rows.next());
                    assertEquals(i, rows.getLong(1));
                    map.put(i, -i);
                    map.put(10_000 + i, i);
                    if (i % 100 == 0) {
                        before.put(2_000L + i, 0L); // others
                    }
                    assertEquals(i, rows.getLong(2), isolation.name());
                }
                assertFalse(rows.next(), isolation.name());
            }
            before.deleteRange(MapRange.from(2_000L));
        }
    }

    @Test
    void anEndedTransactionSaysSo() throws SQLException {
        Transaction tx = db.begin();
        Connection connection = tx.connection();
        Bucket<byte[]> bucket = tx.bucket("b");
        OrderedMap<byte[], byte[]> map = tx.map("m");
        tx.commit();
        assertThrows(ClosedException.class, tx::commit);
        assertThrows(ClosedException.class, tx::rollback);
        assertThrows(ClosedException.class, tx::connection);
        assertThrows(ClosedException.class, tx::savepoint);
        assertThrows(ClosedException.class, () -> bucket.get("k"));
        assertThrows(ClosedException.class, () -> bucket.upsert("k", new byte[0]));
        assertThrows(ClosedException.class, () -> map.get(new byte[0]));
        assertThrows(ClosedException.class, () -> map.put(new byte[0], new byte[0]));
        assertTrue(connection.isClosed());
        tx.close();
    }

    @Test
    void aReadOnlyTransactionReadsOneMoment() throws SQLException {
        OrderedMap<Long, Long> map = db.map("m", MapKey.longs(), MapValue.longs());
        map.put(1L, 1L);
        try (Transaction tx = db.begin(TransactionOptions.defaults().withReadOnly(true))) {
            assertEquals(200, number(tx.connection(), "SELECT SUM(balance) FROM account"));
            outside("UPDATE account SET balance = 0");
            map.put(1L, 2L);
            OrderedMap<Long, Long> inside = tx.map("m", MapKey.longs(), MapValue.longs());
            assertEquals(200, number(tx.connection(), "SELECT SUM(balance) FROM account"));
            assertEquals(1L, inside.get(1L));
            assertThrows(SQLException.class, () -> in(tx, "DELETE FROM account"));
            assertThrows(UsageException.class, () -> inside.put(1L, 3L));
        }
    }

    @Test
    void aSnapshotIsTheSameForAllFaces() throws SQLException {
        OrderedMap<Long, Long> map = db.map("m", MapKey.longs(), MapValue.longs());
        map.put(1L, 1L);
        TransactionOptions snapshot =
                TransactionOptions.defaults().withIsolation(Isolation.SNAPSHOT);
        try (Transaction tx = db.begin(snapshot)) {
            map.put(1L, 2L);
            outside("UPDATE account SET balance = 0");
            OrderedMap<Long, Long> inside = tx.map("m", MapKey.longs(), MapValue.longs());
            assertEquals(1L, inside.get(1L));
            assertEquals(200, number(tx.connection(), "SELECT SUM(balance) FROM account"));
            assertThrows(ConflictException.class, () -> inside.put(1L, 3L));
            assertThrows(ConflictException.class, () -> inside.remove(1L));
        }
    }

    @Test
    void nobodyLosesAnUpdateInAnyFace() throws Exception {
        db.bucket("c", Codec.text()).upsert("n", "0");
        OrderedMap<String, Long> map = db.map("c", MapKey.text(), MapValue.longs());
        map.put("n", 0L);
        for (Isolation isolation : Isolation.values()) {
            TransactionOptions options =
                    TransactionOptions.defaults()
                            .withIsolation(isolation)
                            .withTimeout(Duration.ofMinutes(2));
            try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    all.add(threads.submit(() -> count(options)));
                }
                for (Future<?> one : all) {
                    one.get();
                }
            }
        }
        assertEquals(600L, map.get("n"));
        assertEquals("600", db.bucket("c", Codec.text()).get("n"));
        assertEquals(100, outsideNumber("SELECT balance FROM account WHERE id = 2"));
        assertEquals(700, outsideNumber("SELECT balance FROM account WHERE id = 1"));
    }

    private Void count(TransactionOptions options) throws SQLException {
        for (int i = 0; i < 50; i++) {
            long _ =
                    db.<Long, SQLException>transact(
                            options,
                            tx -> {
                                in(tx, "UPDATE account SET balance = balance + 1 WHERE id = 1");
                                OrderedMap<String, Long> map =
                                        tx.map("c", MapKey.text(), MapValue.longs());
                                Long before = map.get("n");
                                assertNotNull(before);
                                map.put("n", before + 1);
                                return tx.bucket("c").increment("n", 1, 0);
                            });
        }
        return null;
    }

    @Test
    void callsOfSeveralThreadsTakeTurns() throws Exception {
        db.bucket("b");
        db.map("m", MapKey.longs(), MapValue.longs());
        int threads = 4;
        int rounds = 300;
        try (Transaction tx = db.begin()) {
            OrderedMap<Long, Long> map = tx.map("m", MapKey.longs(), MapValue.longs());
            Bucket<byte[]> bucket = tx.bucket("b");
            together(
                    threads,
                    thread -> {
                        for (int i = 0; i < rounds; i++) {
                            in(
                                    tx,
                                    "INSERT INTO account VALUES (%d, 1)"
                                            .formatted(10 + thread * rounds + i));
                            bucket.increment("n", 1, 1);
                            increment(map);
                            map.put(10L + (long) thread * rounds + i, 1L);
                            UsageException refused =
                                    assertThrows(
                                            UsageException.class,
                                            () -> bucket.getAndLock("n", Duration.ofSeconds(1)));
                            assertNotNull(refused.getMessage());
                        }
                        return null;
                    });
            tx.commit();
        }
        int all = threads * rounds;
        assertEquals(all, outsideNumber("SELECT COUNT(*) FROM account WHERE id >= 10"));
        assertEquals(all, db.bucket("b").increment("n", 0, 0));
        OrderedMap<Long, Long> map = db.map("m", MapKey.longs(), MapValue.longs());
        assertEquals(all, map.get(1L));
        assertEquals(all + 1, map.count(MapRange.all()));
    }

    @Test
    void aTransactionClosedByAnotherThreadLeavesNothing() throws Exception {
        db.bucket("b");
        db.map("m", MapKey.longs(), MapValue.longs());
        SplittableRandom random = Seed.of("TransactionTest", 9);
        for (int round = 0; round < 60; round++) {
            int closeAfterCalls = random.nextInt(1, 30);
            Transaction tx = db.begin();
            CountDownLatch calls = new CountDownLatch(closeAfterCalls);
            OrderedMap<Long, Long> map = tx.map("m", MapKey.longs(), MapValue.longs());
            Bucket<byte[]> bucket = tx.bucket("b");
            together(
                    4,
                    thread -> {
                        if (thread == 3) {
                            calls.await();
                            tx.close();
                            return null;
                        }
                        try {
                            for (int i = 0; ; i++) {
                                switch (thread) {
                                    case 0 ->
                                            in(
                                                    tx,
                                                    "INSERT INTO account SELECT MAX(id) + 1, 1 FROM account");
                                    case 1 -> bucket.increment("n", 1, 1);
                                    default -> map.put((long) i, 1L);
                                }
                                calls.countDown();
                            }
                        } catch (ClosedException _) {
                            return null;
                        } catch (SQLException e) {
                            assertTrue(
                                    List.of("57014", "08003").contains(e.getSQLState()),
                                    e.toString());
                            return null;
                        }
                    });
        }
        assertEquals(200, outsideNumber("SELECT SUM(balance) FROM account"));
        assertNull(db.bucket("b").get("n"));
        assertEquals(0, db.map("m", MapKey.longs(), MapValue.longs()).count(MapRange.all()));
    }

    private static void increment(OrderedMap<Long, Long> map) {
        Long before = map.get(1L);
        while (!map.compareAndSet(1L, before, before == null ? 1 : before + 1)) {
            before = map.get(1L);
        }
    }

    private interface Work {
        @Nullable Object run(int thread) throws Exception;
    }

    /// Runs `work` in so many threads at once, and throws what any of them throws.
    private static void together(int threads, Work work) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                all.add(pool.submit(() -> work.run(thread)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    @Test
    void wrongUsesAreRefused() throws SQLException {
        db.bucket("b").upsert("there", new byte[0]);
        db.map("m").put(new byte[0], new byte[0]); // who makes tables waits for all who write
        assertThrows(
                UsageException.class,
                () -> db.transact(tx -> db.transact(inner -> inner.savepoint())));
        try (Transaction tx = db.begin();
                Transaction other = db.begin()) {
            Bucket<byte[]> bucket = tx.bucket("b");
            bucket.upsert("k", new byte[0]);
            WriteOptions sync = WriteOptions.none().withDurability(Durability.SYNC);
            assertThrows(UsageException.class, () -> bucket.upsert("k", new byte[0], sync));
            assertThrows(UsageException.class, () -> bucket.getAndLock("k", Duration.ofSeconds(1)));
            Transaction.Savepoint foreign = other.savepoint();
            assertThrows(UsageException.class, () -> tx.rollbackTo(foreign));
            assertThrows(
                    UsageException.class,
                    () ->
                            tx.map("m")
                                    .load(
                                            List.<java.util.Map.Entry<byte[], byte[]>>of()
                                                    .iterator()));
        }
        assertThrows(
                UsageException.class,
                () -> TransactionOptions.defaults().withTimeout(Duration.ZERO));
    }

    @Test
    void whatAHookThrowsComesAfterTheCommit() {
        OrderedMap<Long, Long> map = db.map("m", MapKey.longs(), MapValue.longs());
        List<String> told = new ArrayList<>();
        IllegalStateException thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                db.transact(tx -> {
                                    tx.onCommit(() -> {
                                        throw new IllegalStateException("hook");
                                    });
                                    tx.onCommit(() -> told.add("second"));
                                    return tx.map("m", MapKey.longs(), MapValue.longs())
                                            .put(1L, 1L);
                                }));
        assertEquals("hook", thrown.getMessage());
        assertEquals(List.of("second"), told);
        assertEquals(1L, map.get(1L));
    }

    @Test
    void aTransactionOutlivesTheHandleThatBeganIt() throws SQLException {
        Database handle = Database.inMemory("outlived");
        try (Database other = Database.inMemory("outlived")) {
            Transaction tx = handle.begin();
            tx.map("m", MapKey.longs(), MapValue.longs()).put(1L, 1L);
            handle.close();
            tx.commit();
            assertEquals(1L, other.map("m", MapKey.longs(), MapValue.longs()).get(1L));
        }
    }

    /// Moves amounts between accounts that are rows, entries of a map and entries of a bucket; every snapshot of
    /// any face has the same sum.
    @Test
    void theSumOfAllAccountsStaysTheSameInEveryFace() throws Exception {
        outside("CREATE TABLE purse (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL)");
        OrderedMap<Long, Long> map = db.map("purse", MapKey.longs(), MapValue.longs());
        Bucket<String> bucket = db.bucket("purse", Codec.text());
        for (long i = 0; i < 4; i++) {
            outside("INSERT INTO purse VALUES (" + i + ", 1000)");
            map.put(i, 1000L);
            bucket.upsert("p" + i, "1000");
        }
        SplittableRandom seeds = Seed.of("TransactionTest", 8);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                SplittableRandom random = seeds.split();
                all.add(
                        threads.submit(() -> {
                            for (int n = 0; n < 100; n++) {
                                transfer(random);
                            }
                            return null;
                        }));
            }
            for (int n = 0; n < 50; n++) {
                assertEquals(12_000, total());
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertEquals(12_000, total());
    }

    private void transfer(SplittableRandom random) throws SQLException {
        Isolation[] levels = Isolation.values();
        Isolation isolation = levels[random.nextInt(levels.length)];
        long amount = random.nextLong(50);
        int from = random.nextInt(12);
        int to = random.nextInt(12);
        db.<Boolean, SQLException>transact(
                TransactionOptions.defaults()
                        .withIsolation(isolation)
                        .withTimeout(Duration.ofMinutes(2)),
                tx -> {
                    add(tx, from, -amount);
                    add(tx, to, amount);
                    return true;
                });
    }

    private static void add(Transaction tx, int purse, long amount) throws SQLException {
        long id = purse % 4;
        switch (purse / 4) {
            case 0 -> in(tx, "UPDATE purse SET amount = amount + " + amount + " WHERE id = " + id);
            case 1 -> {
                OrderedMap<Long, Long> map = tx.map("purse", MapKey.longs(), MapValue.longs());
                long there = Objects.requireNonNull(map.get(id));
                while (!map.compareAndSet(id, there, there + amount)) {
                    there = Objects.requireNonNull(map.get(id));
                }
            }
            default -> tx.bucket("purse").increment("p" + id, amount, 0);
        }
    }

    private long total() throws SQLException {
        try (Transaction tx = db.begin(TransactionOptions.defaults().withReadOnly(true))) {
            long sum = number(tx.connection(), "SELECT SUM(amount) FROM purse");
            OrderedMap<Long, Long> map = tx.map("purse", MapKey.longs(), MapValue.longs());
            Bucket<String> bucket = tx.bucket("purse", Codec.text());
            for (long i = 0; i < 4; i++) {
                sum += Objects.requireNonNull(map.get(i));
                sum += Long.parseLong(Objects.requireNonNull(bucket.get("p" + i)));
            }
            return sum;
        }
    }
}
