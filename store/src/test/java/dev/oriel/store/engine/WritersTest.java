package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.Cursor;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several concurrent writers: their views, waits and refusals. Well-known traps of stores have a test each.
@Timeout(120)
class WritersTest {
    private static final Wait NOWAIT = new Wait(Wait.Kind.NOWAIT, 0);
    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);

    private final Store store =
            Store.inMemory(StoreOptions.defaults().withWriteTimeoutMillis(60_000));
    private final ExecutorService others = Executors.newCachedThreadPool();
    private final List<Future<?>> waiters = new ArrayList<>();
    private Tree tree = new Tree("", 0);

    @BeforeEach
    void fill() {
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            for (String key : List.of("a", "b", "c", "d")) {
                put(transaction, key, "0");
            }
            transaction.commit();
        }
    }

    @AfterEach
    void close() {
        others.shutdownNow();
        assertEquals(List.of(), store.check());
        store.close();
    }

    private void put(Transaction transaction, String key, String value) {
        transaction.put(tree, Slice.of(key), Slice.of(value));
    }

    private String get(Transaction transaction, String key) {
        Slice value = new Slice();
        return transaction.get(tree, Slice.of(key), value) ? value.toText() : "none";
    }

    private String committed(String key) {
        try (Transaction transaction = store.beginRead()) {
            return get(transaction, key);
        }
    }

    private void commit(String key, String value) {
        try (Transaction transaction = store.beginWrite()) {
            put(transaction, key, value);
            transaction.commit();
        }
    }

    private static Reason refusal(Runnable action) {
        return assertThrows(ConflictException.class, action::run).reason();
    }

    private Future<?> inAnotherThread(Runnable action) {
        return others.submit(action);
    }

    /// Waits until the thread of `task` waits for a lock, as do the threads of all earlier unfinished tasks.
    private void letItWait(Future<?> task) {
        waiters.removeIf(Future::isDone);
        waiters.add(task);
        while (store.lockWaits().size() < waiters.size()) {
            assertFalse(task.isDone());
            Thread.onSpinWait();
        }
    }

    @Test
    void writersOfDifferentKeysDoNotWaitForEachOther() {
        try (Transaction one = store.beginWrite();
                Transaction two = store.beginWrite()) {
            put(one, "a", "1");
            put(two, "b", "2");
            assertEquals("0", get(one, "b"));
            assertEquals("2", get(two, "b"));
            two.commit();
            assertEquals("0", get(one, "b"));
            one.commit();
        }
        assertEquals("1", committed("a"));
        assertEquals("2", committed("b"));
    }

    @Test
    void anUpdateIsNotLostToOneThatCommittedBeforeTheLockWasAskedFor() {
        try (Transaction late = store.beginWrite()) {
            assertEquals("0", get(late, "a"));
            commit("a", "1");
            assertEquals(Reason.CHANGED, refusal(() -> put(late, "a", "2")));
        }
        assertEquals("1", committed("a"));
    }

    @Test
    void anUpdateIsNotLostToOneThatCommitsDuringTheWait() throws Exception {
        Transaction first = store.beginWrite();
        put(first, "a", "1");
        Future<?> waiting =
                inAnotherThread(() -> {
                    try (Transaction second = store.beginWrite()) {
                        put(second, "a", "2");
                        second.commit();
                    }
                });
        letItWait(waiting);
        first.commit();
        ExecutionException failure = assertThrows(ExecutionException.class, waiting::get);
        assertEquals(
                Reason.CHANGED,
                assertInstanceOf(ConflictException.class, failure.getCause()).reason());
        assertEquals("1", committed("a"));
    }

    @Test
    void aWaiterGoesOnWhereTheOtherRollsBack() throws Exception {
        Transaction first = store.beginWrite();
        put(first, "a", "1");
        Future<?> waiting = inAnotherThread(() -> commit("a", "2"));
        letItWait(waiting);
        first.close();
        waiting.get(60, TimeUnit.SECONDS);
        assertEquals("2", committed("a"));
    }

    @Test
    void readCommittedRunsTheStatementAgainOnTheNewestState() {
        try (Transaction late = store.beginWrite(Isolation.READ_COMMITTED)) {
            put(late, "b", "mine");
            Transaction.Savepoint statement = late.savepoint();
            commit("a", "1");
            assertEquals(Reason.CHANGED, refusal(() -> put(late, "a", "2")));
            late.rollbackTo(statement);
            late.refresh();
            assertEquals("1", get(late, "a"));
            assertEquals("mine", get(late, "b"));
            put(late, "a", "2"); // the lock was kept
            late.commit();
        }
        assertEquals("2", committed("a"));
        assertEquals("mine", committed("b"));
    }

    @Test
    void aRestartForgetsTheWritesAndKeepsTheLocks() {
        try (Transaction again = store.beginWrite()) {
            put(again, "a", "1");
            commit("b", "1");
            assertEquals(Reason.CHANGED, refusal(() -> put(again, "b", "2")));
            again.restart();
            assertEquals("0", get(again, "a"));
            assertEquals("1", get(again, "b"));
            try (Transaction other = store.beginWrite()) {
                assertEquals(
                        Reason.LOCKED,
                        refusal(() -> other.lock(tree, Slice.of("a"), LockMode.EXCLUSIVE, NOWAIT)));
            }
            put(again, "b", "2");
            again.commit();
        }
        assertEquals("0", committed("a"));
        assertEquals("2", committed("b"));
    }

    @Test
    void anInsertMeetsAKeyThatWasCommittedAfterItsSnapshot() {
        try (Transaction late = store.beginWrite()) {
            commit("new", "1");
            assertEquals("none", get(late, "new"));
            assertEquals(
                    Reason.CHANGED,
                    refusal(() -> late.insert(tree, Slice.of("new"), Slice.of("2"))));
        }
        assertEquals("1", committed("new"));
    }

    @Test
    void skipLockedHandsNoJobOutTwice() throws Exception {
        int jobs = 400;
        try (Transaction transaction = store.beginWrite()) {
            for (int i = 0; i < jobs; i++) {
                put(transaction, "job%04d".formatted(i), "");
            }
            transaction.commit();
        }
        List<String> taken = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(inAnotherThread(() -> takeJobs(taken)));
        }
        for (Future<?> worker : workers) {
            worker.get(60, TimeUnit.SECONDS);
        }
        assertEquals(jobs, taken.size());
        assertEquals(jobs, taken.stream().distinct().count());
    }

    private void takeJobs(List<String> taken) {
        boolean more = true;
        while (more) {
            try (Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
                String job = takeJob(transaction);
                more = !job.isEmpty();
                if (more) {
                    transaction.delete(tree, Slice.of(job));
                    transaction.commit();
                    taken.add(job);
                }
            } catch (ConflictException e) {
                assertEquals(Reason.CHANGED, e.reason()); // it was taken meanwhile: look again
            }
        }
    }

    private String takeJob(Transaction transaction) {
        Cursor cursor = transaction.cursor(tree);
        Slice key = new Slice();
        boolean more = cursor.seek(Slice.of("job"));
        while (more && cursor.keyStartsWith(Slice.of("job"))) {
            cursor.key(key);
            if (transaction.lock(tree, key, LockMode.EXCLUSIVE, SKIP)) {
                return key.toText();
            }
            more = cursor.next();
        }
        return "";
    }

    @Test
    void aChildDoesNotOutliveItsParent() throws Exception {
        // The child's transaction locks the parent SHARED and sees it; the parent's delete waits.
        Transaction child = store.beginWrite(Isolation.READ_COMMITTED);
        assertTrue(child.getLatest(tree, Slice.of("a"), new Slice()));
        Future<Boolean> delete =
                others.submit(() ->
                        store.transact(
                                Isolation.READ_COMMITTED,
                                transaction -> {
                                    Slice parent = Slice.of("a");
                                    transaction.lock(
                                            tree,
                                            parent,
                                            LockMode.EXCLUSIVE,
                                            transaction.patience());
                                    boolean children =
                                            transaction.getLatest(
                                                    tree, Slice.of("a/1"), new Slice());
                                    return !children && transaction.delete(tree, Slice.of("a"));
                                }));
        letItWait(delete);
        put(child, "a/1", "");
        child.commit();
        assertEquals(false, delete.get(60, TimeUnit.SECONDS));
        // The other way round: a deleted entry is seen as gone, whatever the snapshot says.
        try (Transaction late = store.beginWrite(Isolation.READ_COMMITTED)) {
            assertEquals("0", get(late, "b"));
            store.transact(
                    Isolation.READ_COMMITTED,
                    transaction -> transaction.delete(tree, Slice.of("b")));
            assertFalse(late.getLatest(tree, Slice.of("b"), new Slice()));
        }
    }

    /// The limit is one of time, not of attempts: an obstacle may last long. The clock is simulated, and moves
    /// only with attempts.
    @Test
    void transactTriesUntilItsTimeIsOver() {
        assertEquals(6, attemptsIn(300, 50));
        assertEquals(10, attemptsIn(300, 30));
        assertEquals(1, attemptsIn(0, 30));
        int[] attempts = {0};
        Transaction.Work<Boolean> locked =
                transaction -> {
                    attempts[0]++;
                    throw new ConflictException(Reason.LOCKED, "not again", "");
                };
        assertThrows(
                ConflictException.class, () -> store.transact(Isolation.SNAPSHOT, 300, locked));
        assertEquals(1, attempts[0]);
    }

    /// Returns the number of attempts of failing work that takes `attemptMillis` each time.
    private static int attemptsIn(long timeoutMillis, long attemptMillis) {
        AtomicLong nanos = new AtomicLong();
        int[] attempts = {0};
        SplittableRandom random = new SplittableRandom(1);
        StoreOptions options = StoreOptions.defaults();
        try (Store timed = new Opening(new SimDirectory(), options, random, nanos::get).open()) {
            Transaction.Work<Boolean> hopeless =
                    transaction -> {
                        attempts[0]++;
                        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(attemptMillis));
                        throw new ConflictException(Reason.CHANGED, "again", "");
                    };
            assertThrows(
                    ConflictException.class,
                    () -> timed.transact(Isolation.SNAPSHOT, timeoutMillis, hopeless));
        }
        return attempts[0];
    }

    @Test
    void twoThatWaitForEachOtherAreADeadlock() throws Exception {
        Transaction one = store.beginWrite();
        Transaction two = store.beginWrite();
        put(one, "a", "1");
        put(two, "b", "2");
        Future<?> waiting = inAnotherThread(() -> put(one, "b", "1"));
        letItWait(waiting);
        assertEquals(Reason.DEADLOCK, refusal(() -> put(two, "a", "2")));
        two.close();
        waiting.get(60, TimeUnit.SECONDS);
        one.commit();
        assertEquals("1", committed("a"));
        assertEquals("1", committed("b"));
    }

    @Test
    void snapshotAllowsWriteSkewAndSerializableDoesNot() {
        skew(Isolation.SNAPSHOT).commit();
        assertEquals("SNAPSHOT", committed("a"));
        assertEquals("SNAPSHOT", committed("b"));
        Transaction second = skew(Isolation.SERIALIZABLE);
        assertEquals(Reason.CHANGED, refusal(second::commit));
        second.close();
    }

    /// Two transactions each write an entry that the other has read; the first has committed.
    private Transaction skew(Isolation level) {
        Transaction one = store.beginWrite(level);
        Transaction two = store.beginWrite(level);
        get(one, "a");
        get(one, "b");
        get(two, "a");
        get(two, "b");
        put(one, "a", level.name());
        put(two, "b", level.name());
        one.commit();
        return two;
    }

    @Test
    void serializableSeesAPhantomAtCommit() {
        for (boolean backwards : new boolean[] {false, true}) {
            try (Transaction reader = store.beginWrite(Isolation.SERIALIZABLE)) {
                Cursor cursor = reader.cursor(tree);
                boolean more =
                        backwards ? cursor.seekBefore(Slice.of("c")) : cursor.seek(Slice.of("a"));
                int seen = 0;
                while (more && cursor.compareKeyTo(Slice.of("c")) < 0) {
                    seen++;
                    more = backwards ? cursor.previous() : cursor.next();
                }
                assertTrue(seen > 0);
                put(reader, "sum", "" + seen);
                commit(backwards ? "aa" : "bb", "phantom");
                assertEquals(Reason.CHANGED, refusal(reader::commit));
            }
        }
    }

    /// Keys that a cursor has passed stay in the read set when it turns round.
    @Test
    void serializableKnowsWhatACursorHasReadBeforeItTurned() {
        assertTurnForgetsNothing(true, "a");
        assertTurnForgetsNothing(false, "d");
    }

    private void assertTurnForgetsNothing(boolean ahead, String first) {
        try (Transaction reader = store.beginWrite(Isolation.SERIALIZABLE)) {
            Cursor cursor = reader.cursor(tree);
            assertTrue(
                    ahead
                            ? cursor.seek(Slice.of(first))
                            : cursor.seekBefore(Slice.of(first + "!")));
            assertEquals(0, cursor.compareKeyTo(Slice.of(first)));
            for (int i = 0; i < 2; i++) {
                assertTrue(ahead ? cursor.next() : cursor.previous());
            }
            assertTrue(ahead ? cursor.previous() : cursor.next());
            put(reader, "sum", "0");
            commit(first, "changed");
            assertEquals(Reason.CHANGED, refusal(reader::commit));
        }
    }

    /// Turning round reads nothing beyond.
    @Test
    void serializableLetsOthersWriteBeyondWhereACursorTurned() {
        try (Transaction reader = store.beginWrite(Isolation.SERIALIZABLE)) {
            Cursor cursor = reader.cursor(tree);
            assertTrue(cursor.seek(Slice.of("b")) && cursor.next() && cursor.previous());
            assertTrue(cursor.next());
            put(reader, "sum", "0");
            commit("a", "other");
            commit("d", "other");
            reader.commit();
        }
        assertEquals("0", committed("sum"));
    }

    @Test
    void serializableLetsOthersWriteWhatItDidNotRead() {
        try (Transaction reader = store.beginWrite(Isolation.SERIALIZABLE)) {
            Cursor cursor = reader.cursor(tree);
            assertTrue(cursor.seek(Slice.of("a")) && cursor.next());
            put(reader, "sum", "2");
            commit("d", "other");
            commit("e", "other");
            reader.commit();
        }
        assertEquals("2", committed("sum"));
    }

    @Test
    void anExclusiveOneWaitsForThoseThatWrite() throws Exception {
        Transaction writer = store.beginWrite();
        put(writer, "a", "1");
        Future<?> exclusive =
                inAnotherThread(() -> {
                    try (Transaction only = store.beginExclusive()) {
                        assertEquals("1", get(only, "a"));
                        put(only, "a", "2");
                        only.commit();
                    }
                });
        letItWait(exclusive);
        writer.commit();
        exclusive.get(60, TimeUnit.SECONDS);
        assertEquals("2", committed("a"));
    }

    @Test
    void twoThatBecomeExclusiveAreADeadlock() throws Exception {
        Transaction one = store.beginWrite();
        Transaction two = store.beginWrite();
        put(one, "a", "1");
        put(two, "b", "2");
        Future<?> waiting = inAnotherThread(one::exclusive);
        letItWait(waiting);
        assertEquals(Reason.DEADLOCK, refusal(two::exclusive));
        two.close();
        waiting.get(60, TimeUnit.SECONDS);
        one.close();
    }

    @Test
    void manyThatOnlyCreateSomethingWaitForOneAnother() throws Exception {
        List<Future<?>> creations = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "created " + i;
            creations.add(
                    inAnotherThread(() -> {
                        try (Transaction transaction = store.beginExclusive()) {
                            transaction.createTree(name);
                            transaction.commit();
                        }
                    }));
        }
        for (Future<?> creation : creations) {
            creation.get(60, TimeUnit.SECONDS);
        }
        try (Transaction transaction = store.beginRead()) {
            for (int i = 0; i < 8; i++) {
                assertNotNull(transaction.tree("created " + i));
            }
        }
    }

    @Test
    void becomingExclusiveKeepsWritesSavepointsAndCursors() {
        try (Transaction transaction = store.beginWrite()) {
            put(transaction, "a", "1");
            Transaction.Savepoint savepoint = transaction.savepoint();
            put(transaction, "b", "1");
            transaction.delete(tree, Slice.of("c"));
            Cursor cursor = transaction.cursor(tree);
            assertTrue(cursor.seek(Slice.of("b")));
            Tree second = transaction.createTree("second");
            transaction.put(second, Slice.of("x"), Slice.of("y"));
            assertTrue(cursor.next());
            assertEquals(0, cursor.compareKeyTo(Slice.of("d")));
            assertEquals("1", get(transaction, "b"));
            transaction.rollbackTo(savepoint);
            assertEquals("1", get(transaction, "a"));
            assertEquals("0", get(transaction, "b"));
            assertEquals("0", get(transaction, "c"));
            transaction.commit();
        }
        assertEquals("1", committed("a"));
        assertEquals("0", committed("c"));
    }

    @Test
    void whatIsRolledBackLeavesNothingBehind() {
        try (Transaction transaction = store.beginWrite()) {
            put(transaction, "a", "1");
            Transaction.Savepoint savepoint = transaction.savepoint();
            put(transaction, "a", "2");
            put(transaction, "x", "2");
            transaction.delete(tree, Slice.of("b"));
            transaction.rollbackTo(savepoint);
            assertEquals("1", get(transaction, "a"));
            assertEquals("none", get(transaction, "x"));
            assertEquals("0", get(transaction, "b"));
            assertEquals(4, transaction.count(tree, new Slice(), null));
        }
        assertEquals("0", committed("a"));
        try (Transaction next = store.beginWrite()) {
            next.lock(tree, Slice.of("a"), LockMode.EXCLUSIVE, NOWAIT);
        }
    }

    @Test
    void transactTriesAgainUntilItPasses() throws Exception {
        int threads = 4;
        int each = 200;
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(
                    inAnotherThread(() -> {
                        for (int n = 0; n < each; n++) {
                            store.transact(Isolation.SNAPSHOT, this::increment);
                        }
                    }));
        }
        for (Future<?> worker : workers) {
            worker.get(60, TimeUnit.SECONDS);
        }
        assertEquals("" + threads * each, committed("a"));
    }

    private String increment(Transaction transaction) {
        String next = "" + (Integer.parseInt(get(transaction, "a")) + 1);
        put(transaction, "a", next);
        return next;
    }
}
