package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.delta.Found;
import dev.oriel.store.engine.Store;
import dev.oriel.store.lock.LockOwner;
import dev.oriel.store.lock.Locks;
import dev.oriel.store.records.Records;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.SimDirectory;
import java.lang.management.ManagementFactory;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The repeated operations of a prepared statement allocate nothing.
public final class AllocationTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private Store inMemory() {
        Store store = check.closing(Store.inMemory(StoreOptions.defaults()));
        check.also("store", store::check);
        return store;
    }

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 10_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

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

    @Test
    void fetchingRecordsAndWritingThemOverAllocatesNothing() {
        SimDirectory directory = new SimDirectory();
        long last = 0;
        try (Store store = Store.open(directory, StoreOptions.defaults())) {
            Records records = Records.open(store, "r");
            try (Transaction transaction = store.beginWrite()) {
                for (int i = 0; i < 5000; i++) {
                    last = records.insert(transaction, Slice.of("record " + i), i % 1000);
                }
                transaction.commit();
            }
        }
        long id = last / 2;
        try (Store store = Store.open(directory, StoreOptions.defaults())) {
            Records records = Records.open(store, "r");
            try (Transaction reader = store.beginRead()) {
                assertAllocatesNothing("fetch", () -> assertTrue(records.fetch(reader, id, value)));
                assertEquals("record " + (id - 1), value.toText());
            }
            try (Transaction writer = store.beginWrite()) {
                Slice next = Slice.of("another");
                assertAllocatesNothing("update", () -> records.update(writer, id, next));
                assertAllocatesNothing("length", () -> records.length(writer, id));
            }
        }
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

    @Test
    void locksInNobodysWayAllocateNothing() {
        Locks locks = new Locks(() -> 0);
        LockOwner owner = new LockOwner();
        Transaction.Wait wait = new Transaction.Wait(Transaction.Wait.Kind.WAIT, 1000);
        Slice name = Slice.of("a key of some length");
        assertAllocatesNothing(
                "lock and release",
                () -> {
                    for (int root = 0; root < 5; root++) {
                        long hash = Locks.hash(root, name);
                        locks.lock(owner, hash, Transaction.LockMode.SHARED, wait);
                        locks.lock(owner, hash, Transaction.LockMode.EXCLUSIVE, wait);
                    }
                    locks.release(owner);
                });
        LockOwner other = new LockOwner();
        assertAllocatesNothing(
                "shared by two",
                () -> {
                    locks.lock(owner, 7, Transaction.LockMode.SHARED, wait);
                    locks.lock(other, 7, Transaction.LockMode.SHARED, wait);
                    locks.release(owner);
                    locks.release(other);
                });
    }

    @Test
    void ownWritesAndCursorsOverThemAllocateNothing() {
        LayeredModel model = new LayeredModel(1);
        LayeredModel.Layers layers = model.trees.getFirst();
        NavigableMap<String, Optional<String>> committed = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            committed.put("key " + i, Optional.of("value " + i));
        }
        model.commit(layers, committed);
        for (int i = 0; i < 5000; i += 3) {
            model.put(layers, "key " + i, "other");
            model.remove(layers, "key " + (i + 1));
        }
        long root = layers.root;
        WriteSet writeSet = model.writeSet;
        MergedCursor cursor = new MergedCursor(model, root);
        key.set(Slice.of("key 777").segment(), 0, 7);
        Slice next = Slice.of("value 888");
        assertAllocatesNothing(
                "find",
                () -> {
                    writeSet.put(root, key, next);
                    assertEquals(Found.VALUE, writeSet.find(root, key, value));
                });
        assertAllocatesNothing(
                "merged next",
                () -> {
                    if (!cursor.next()) {
                        cursor.first();
                    }
                    cursor.key(value);
                    cursor.value(value);
                });
        assertAllocatesNothing(
                "merged previous",
                () -> {
                    if (!cursor.previous()) {
                        cursor.last();
                    }
                });
        assertAllocatesNothing(
                "next after put",
                () -> {
                    assertTrue(cursor.seek(key));
                    cursor.saveKey(root);
                    writeSet.put(root, key, next);
                    assertTrue(cursor.next());
                });
    }

    /// The measurement allocates some itself, and so does a call that is not compiled yet, which takes long on a
    /// busy machine. So the least of many rounds counts, and less than a byte a call is none.
    private static void assertAllocatesNothing(String what, Runnable call) {
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        long least = Long.MAX_VALUE;
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (least >= CALLS && System.nanoTime() < end) {
            long before = allocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, allocatedBytes() - before);
        }
        assertEquals(0, least / CALLS, what + ": bytes a call, of " + least + " in all");
    }

    /// Bytes allocated by this thread so far. (Read by name: the interface for it belongs to a module that the
    /// store does not read.)
    public static long allocatedBytes() {
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
