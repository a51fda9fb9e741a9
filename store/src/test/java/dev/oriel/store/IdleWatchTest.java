package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An exclusive transaction that does nothing is ended, so that others can write; one that works is not.
@Timeout(60)
final class IdleWatchTest {
    private static final long LIMIT_MILLIS = 200;

    private final Store store =
            Store.inMemory(
                    StoreOptions.defaults()
                            .withWriteTimeoutMillis(30_000)
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
        try (Transaction busy = store.beginExclusive()) {
            Tree tree = busy.createTree("t");
            Slice value = new Slice();
            for (int i = 0; i < 40; i++) {
                busy.put(tree, Slice.of("key" + i), Slice.of("value"));
                pause(LIMIT_MILLIS / 20);
                assertTrue(busy.get(tree, Slice.of("key" + i), value));
            }
            // A single call may take as long as it wants.
            AtomicInteger left = new AtomicInteger(3);
            busy.load(
                    tree,
                    (key, content) -> {
                        pause(LIMIT_MILLIS * 3 / 2);
                        key.setCopy(Slice.of("late" + left.get()));
                        content.setCopy(Slice.of("value"));
                        return left.getAndDecrement() > 0;
                    });
            busy.commit();
        }
        try (Transaction reader = store.beginRead()) {
            assertEquals(
                    43, reader.count(Objects.requireNonNull(reader.tree("t")), new Slice(), null));
        }
    }
}
