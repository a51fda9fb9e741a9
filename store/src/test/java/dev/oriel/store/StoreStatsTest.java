package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.engine.Store;
import dev.oriel.testkit.SimDirectory;
import org.junit.jupiter.api.Test;

final class StoreStatsTest {
    private static void put(Store store, String key, int bytes) {
        try (Transaction transaction = store.beginWrite()) {
            Tree known = transaction.tree("t");
            Tree tree = known == null ? transaction.createTree("t") : known;
            transaction.put(tree, Slice.of(key), Slice.of("x".repeat(bytes)));
            transaction.commit();
        }
    }

    @Test
    void readersAndWhatTheyKeepAreCounted() {
        try (Store store = Store.open(new SimDirectory(), StoreOptions.defaults())) {
            put(store, "a", 100);
            Transaction reader = store.beginRead();
            assertEquals(1, store.stats().openReaders());
            assertEquals(0, store.stats().snapshotAge());
            for (int i = 0; i < 5; i++) {
                put(store, "b" + i, 100);
            }
            assertEquals(5, store.stats().snapshotAge());
            store.checkpoint();
            assertTrue(
                    store.stats().shadowPages() > 0, "the reader looks at what is in their places");
            reader.close();
            assertEquals(0, store.stats().openReaders());
            assertEquals(0, store.stats().snapshotAge());
        }
    }

    @Test
    void logThatARecoveryWouldReadIsCountedFromTheLastCheckpoint() {
        try (Store store = Store.open(new SimDirectory(), StoreOptions.defaults())) {
            assertEquals(0, store.stats().logBytesBehind());
            put(store, "a", 20_000);
            StoreStats before = store.stats();
            assertEquals(before.logBytesWritten(), before.logBytesBehind());
            assertTrue(before.logBytesBehind() > 20_000);
            store.checkpoint();
            StoreStats after = store.stats();
            assertEquals(0, after.logBytesBehind());
            assertEquals(before.logBytesWritten(), after.logBytesWritten());
            assertEquals(before.checkpoints() + 1, after.checkpoints());
            put(store, "a", 10);
            assertEquals(3, store.stats().freePages(), "the value's pages");
        }
    }

    @Test
    void memoryStoreHasNoFiles() {
        try (Store store = Store.inMemory(StoreOptions.defaults())) {
            put(store, "a", 100);
            assertEquals(0, store.stats().fileBytes());
            assertTrue(store.stats().pages() > 4);
        }
    }
}
