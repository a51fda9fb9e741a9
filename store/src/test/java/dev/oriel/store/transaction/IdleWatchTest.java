package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An exclusive transaction that does nothing is ended, so that others can write; one that works is not.
@Timeout(120)
final class IdleWatchTest {
    private static final long LIMIT_MILLIS = 400;
    private static final int ATTEMPTS = 10;

    private final Store store =
            Store.inMemory(
                    StoreOptions.defaults()
                            .withWriteTimeoutMillis(60_000)
                            .withExclusiveIdleMillisMax(LIMIT_MILLIS));

    @AfterEach
    void close() {
        assertEquals(List.of(), store.check());
        store.close();
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Test
    void idleOneIsRolledBackForThoseWhoWait() {
        AtomicInteger told = new AtomicInteger();
        Transaction idle = store.beginExclusive();
        Tree tree = idle.createTree("lost");
        idle.put(tree, Slice.of("key"), Slice.of("value"));
        Cursor cursor = idle.cursor(tree);
        assertTrue(cursor.first());
        idle.beforePublish(
                new Transaction.CommitHook() {
                    @Override
                    public void beforePublish(long txid) {
                        throw new AssertionError("published");
                    }

                    @Override
                    public void rolledBack() {
                        told.incrementAndGet();
                    }
                });
        try (Transaction other = store.beginWrite()) { // waits for it
            assertNull(other.tree("lost"));
            other.createTree("kept");
            other.commit();
        }
        for (Runnable call :
                List.<Runnable>of(
                        () -> idle.put(tree, Slice.of("more"), Slice.of("value")),
                        () -> cursor.seek(Slice.of("key")),
                        idle::commit)) {
            ConflictException e = assertThrows(ConflictException.class, call::run);
            assertEquals(ConflictException.Reason.IDLE, e.reason());
            assertFalse(e.mayPass());
        }
        idle.close();
        idle.close();
        assertEquals(1, told.get());
        try (Transaction reader = store.beginRead()) {
            assertNull(reader.tree("lost"));
            assertNotNull(reader.tree("kept"));
        }
    }

    @Test
    void oneThatBecameExclusiveIsEndedToo() {
        Transaction idle = store.beginWrite(Isolation.READ_COMMITTED);
        idle.exclusive();
        try (Transaction other = store.beginExclusive()) {
            other.createTree("t");
            other.commit();
        }
        assertThrows(ConflictException.class, () -> idle.createTree("u"));
        idle.close();
    }

    @Test
    void oneThatWorksStays() {
        int attempts = 1;
        while (!staysWhereItWorks("t" + attempts)) {
            assertTrue(++attempts <= ATTEMPTS, "the machine leaves this thread no time");
        }
        try (Transaction reader = store.beginRead()) {
            Tree tree = Objects.requireNonNull(reader.tree("t" + attempts));
            assertEquals(42, reader.count(tree, new Slice(), null));
        }
    }

    /// False if it really was idle for too long, because the machine gave this thread no time between two calls:
    /// that proves nothing.
    private boolean staysWhereItWorks(String name) {
        long[] idleSince = {System.nanoTime()};
        try (Transaction busy = store.beginExclusive()) {
            Tree tree = busy.createTree(name);
            Slice value = new Slice();
            for (int i = 0; i < 40; i++) {
                busy.put(tree, Slice.of("key" + i), Slice.of("value"));
                idleSince[0] = System.nanoTime();
                pause(LIMIT_MILLIS / 20);
                assertTrue(busy.get(tree, Slice.of("key" + i), value));
                idleSince[0] = System.nanoTime();
            }
            // A single call may take as long as it wants.
            AtomicInteger left = new AtomicInteger(2);
            busy.load(
                    tree,
                    (key, content) -> {
                        idleSince[0] = Long.MAX_VALUE;
                        pause(LIMIT_MILLIS * 3 / 2);
                        key.setCopy(Slice.of("late" + left.get()));
                        content.setCopy(Slice.of("value"));
                        return left.getAndDecrement() > 0;
                    });
            idleSince[0] = System.nanoTime();
            busy.commit();
            return true;
        } catch (ConflictException e) {
            assertEquals(ConflictException.Reason.IDLE, e.reason());
            assertTrue(idleSince[0] != Long.MAX_VALUE, "ended in a call");
            long idle = System.nanoTime() - idleSince[0];
            assertTrue(idle >= LIMIT_MILLIS * 1_000_000, () -> "ended after " + idle + " ns");
            return false;
        }
    }
}
