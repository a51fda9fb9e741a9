package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A transaction with many key locks in a tree locks the tree: compatible with other holders of keys there, and
/// in the way of all later ones.
@Timeout(60)
final class TreeLocksTest {
    private static final int KEYS_MAX = 10;
    private static final Wait NOWAIT = new Wait(Wait.Kind.NOWAIT, 0);
    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);
    private static final Wait SHORT = new Wait(Wait.Kind.WAIT, 50);

    private final Store store =
            Store.inMemory(
                    StoreOptions.defaults()
                            .withWriteTimeoutMillis(10_000)
                            .withKeyLocksMax(KEYS_MAX));
    private final ExecutorService others = Executors.newCachedThreadPool();
    private Tree tree = new Tree("", 0);
    private Tree other = new Tree("", 0);

    @BeforeEach
    void create() {
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            other = transaction.createTree("other");
            transaction.commit();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        others.shutdownNow();
        assertEquals(0, locks());
        assertEquals(List.of(), store.check());
        store.close();
    }

    private int locks() {
        return store.transactions().writers().locks().count();
    }

    private static Slice key(int number) {
        return Slice.of("key" + number);
    }

    private void put(Transaction transaction, int from, int to, String value) {
        for (int i = from; i < to; i++) {
            transaction.put(tree, key(i), Slice.of(value));
        }
    }

    private static Reason refusal(Runnable action) {
        return assertThrows(ConflictException.class, action::run).reason();
    }

    /// Waits until its thread waits for a lock: no other thread does in these tests.
    private void letItWait(Future<?> task) {
        while (store.lockWaits().isEmpty()) {
            assertFalse(task.isDone());
            Thread.onSpinWait();
        }
    }

    private String read(int number) {
        try (Transaction transaction = store.beginRead()) {
            Slice value = new Slice();
            return transaction.get(tree, key(number), value) ? value.toText() : "none";
        }
    }

    @Test
    void whoIsAloneLocksTheTreeAndNoMoreKeys() {
        try (Transaction many = store.beginWrite()) {
            put(many, 0, 1000, "1");
            assertTrue(locks() <= KEYS_MAX + 3, () -> locks() + " locks");
            try (Transaction late = store.beginWrite()) {
                assertEquals(
                        Reason.LOCKED,
                        refusal(() -> late.lock(tree, key(5000), LockMode.SHARED, SHORT)));
                assertEquals(
                        Reason.LOCKED,
                        refusal(() -> late.lock(tree, key(5000), LockMode.EXCLUSIVE, NOWAIT)));
                assertFalse(late.lock(tree, key(5000), LockMode.EXCLUSIVE, SKIP));
                late.put(other, key(1), Slice.of("another tree"));
                late.commit();
            }
            many.commit();
        }
        assertEquals("1", read(999));
    }

    @Test
    void whoWaitsForTheTreeSeesWhatWasChangedThere() throws Exception {
        Transaction many = store.beginWrite();
        put(many, 0, 100, "1");
        Future<?> late;
        try (Transaction waiting = store.beginWrite()) {
            late = others.submit(() -> waiting.put(tree, key(70), Slice.of("2")));
            letItWait(late);
            assertEquals(1, store.lockWaits().size());
            many.commit();
            ExecutionException e = assertThrows(ExecutionException.class, late::get);
            ConflictException cause = (ConflictException) Objects.requireNonNull(e.getCause());
            assertEquals(Reason.CHANGED, cause.reason());
        }
        assertEquals("1", read(70));
    }

    @Test
    void whoHoldsKeysIsNotInTheWayOfOthersAndWaitedForInTheEnd() throws Exception {
        try (Transaction few = store.beginWrite();
                Transaction many = store.beginWrite()) {
            few.put(tree, key(100_000), Slice.of("few"));
            put(many, 0, 4 * KEYS_MAX, "many"); // key by key: another transaction is there
            few.put(tree, key(100_001), Slice.of("few"));
            Future<?> on = others.submit(() -> put(many, 4 * KEYS_MAX, 500, "many"));
            letItWait(on);
            few.commit();
            on.get();
            assertTrue(locks() <= 4 * KEYS_MAX + 4, () -> locks() + " locks");
            many.commit();
        }
        assertEquals("few", read(100_001));
        assertEquals("many", read(499));
    }

    @Test
    void twoThatWaitForEachOthersTreeAreADeadlock() throws Exception {
        try (Transaction two = store.beginWrite()) {
            Future<?> many;
            try (Transaction one = store.beginWrite()) {
                one.put(tree, key(100_000), Slice.of("one"));
                many = others.submit(() -> put(two, 0, 1000, "two"));
                letItWait(many);
                assertEquals(Reason.DEADLOCK, refusal(() -> put(one, 0, 1, "one")));
            }
            many.get();
            two.commit();
        }
        assertEquals("two", read(0));
    }

    @Test
    void newestEntryIsReadUnderTheLockOfTheTree() {
        try (Transaction many = store.beginWrite(Isolation.READ_COMMITTED)) {
            put(many, 0, 100, "1");
            Slice value = new Slice();
            assertTrue(many.getLatest(tree, key(3), value));
            assertEquals("1", value.toText());
            assertFalse(many.getLatest(tree, key(2000), value));
            assertTrue(many.lock(tree, key(3000), LockMode.EXCLUSIVE, SKIP));
        }
    }

    /// Money moves from account to account, with such a low limit that trees are locked all the time.
    @Test
    void nothingIsLostBetweenLocksOfKeysAndOfTrees() throws Exception {
        int accounts = 60;
        int threads = 4;
        try (Transaction transaction = store.beginWrite()) {
            put(transaction, 0, accounts, "1000");
            transaction.commit();
        }
        SplittableRandom seeds = Seed.of("TreeLocksTest", 1);
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = seeds.split();
            work.add(
                    others.submit(() -> {
                        for (int n = 0; n < 150; n++) {
                            transfer(random, accounts);
                        }
                    }));
        }
        for (Future<?> one : work) {
            one.get();
        }
        long sum = 0;
        for (int i = 0; i < accounts; i++) {
            sum += Long.parseLong(read(i));
        }
        assertEquals(1000L * accounts, sum);
    }

    private void transfer(SplittableRandom random, int accounts) {
        int pairs = random.nextInt(5) == 0 ? 3 * KEYS_MAX : 1;
        Isolation isolation = random.nextBoolean() ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE;
        while (true) {
            try (Transaction transaction = store.beginWrite(isolation)) {
                for (int i = 0; i < pairs; i++) {
                    int from = random.nextInt(accounts);
                    add(transaction, from, -7);
                    add(transaction, (from + 1 + random.nextInt(accounts - 1)) % accounts, 7);
                }
                transaction.commit();
                return;
            } catch (ConflictException e) {
                assertTrue(e.mayPass(), e::getMessage);
            }
        }
    }

    private void add(Transaction transaction, int account, int amount) {
        Slice value = new Slice();
        assertTrue(transaction.get(tree, key(account), value));
        long balance = Long.parseLong(value.toText()) + amount;
        transaction.put(tree, key(account), Slice.of("" + balance));
    }
}
