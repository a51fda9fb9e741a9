package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.SimDirectory;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a prepared statement does over and over allocates nothing.
final class AllocationTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private Store inMemory() {
        Store store = check.closing(Store.inMemory(StoreOptions.defaults()));
        check.also("store", store::check);
        return store;
    }

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 10_000;

    private final Slice key = new Slice();
    private final Slice value = new Slice();
    private Tree tree = StoreTransaction.CATALOG;

    @Test
    void lookupsAndStepsOverTheDataFileAllocateNothing() {
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, StoreOptions.defaults())) {
            fill(store);
        }
        try (Store store = Store.open(directory, StoreOptions.defaults())) {
            assertNothingAllocated(store);
        }
    }

    @Test
    void lookupsAndStepsOverScratchMemoryAllocateNothing() {
        Store store = inMemory();
        fill(store);
        assertNothingAllocated(store);
    }

    private void fill(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            for (int i = 0; i < 5000; i++) {
                transaction.put(tree, Slice.of("key " + i), Slice.of("value " + i));
            }
            transaction.commit();
        }
    }

    private void assertNothingAllocated(Store store) {
        key.set(Slice.of("key 777").segment(), 0, 7);
        Transaction reader = store.beginRead();
        Cursor cursor = reader.cursor(tree);
        assertAllocatesNothing("get", () -> assertTrue(reader.get(tree, key, value)));
        assertAllocatesNothing(
                "seek",
                () -> {
                    assertTrue(cursor.seek(key));
                    cursor.key(value);
                    cursor.value(value);
                });
        assertAllocatesNothing(
                "next",
                () -> {
                    if (!cursor.next()) {
                        cursor.first();
                    }
                });
        assertAllocatesNothing(
                "previous",
                () -> {
                    if (!cursor.previous()) {
                        cursor.last();
                    }
                });
        assertAllocatesNothing(
                "renew",
                () -> {
                    reader.close();
                    store.renew(reader);
                    cursor.reset(reader, tree);
                    assertTrue(cursor.seekBefore(key));
                });
        reader.close();
        Transaction writer = store.beginWrite();
        Cursor own = writer.cursor(tree);
        Slice next = Slice.of("value 888");
        assertAllocatesNothing("put", () -> writer.put(tree, key, next));
        assertAllocatesNothing(
                "seek after put",
                () -> {
                    assertTrue(own.seek(key));
                    writer.put(tree, key, next);
                    assertTrue(own.next());
                });
        writer.close();
    }

    /// To ask allocates some itself, as does whatever is compiled meanwhile: the least of some rounds
    /// counts, and less than a byte a call is none.
    private static void assertAllocatesNothing(String what, Runnable call) {
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20 && least >= CALLS; round++) {
            long before = allocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, allocatedBytes() - before);
        }
        assertEquals(0, least / CALLS, what + ": bytes a call, of " + least + " in all");
    }

    /// What this thread has allocated so far. (Asked by name: the interface that knows it belongs to
    /// a module that the store does not read.)
    private static long allocatedBytes() {
        try {
            ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
            return (long)
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(threads, "CurrentThreadAllocatedBytes");
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
