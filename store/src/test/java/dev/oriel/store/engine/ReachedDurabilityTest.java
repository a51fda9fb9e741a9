package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A commit reports its durability, and is never acknowledged before the commits it has seen are as durable.
final class ReachedDurabilityTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
    private static final Slice KEY = Slice.of("key");

    private final SimDirectory directory = new SimDirectory();
    private Tree tree = new Tree("", 0);

    private Store open(StoreOptions options) {
        Store store =
                new Opening(directory, options, new SplittableRandom(1), () -> 0)
                        .withoutThreads()
                        .open();
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.durability(Durability.SYNC);
            assertEquals(Durability.SYNC, transaction.commit().durability());
        }
        return store;
    }

    private Durability put(Store store, String value, Durability wanted) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(wanted);
            transaction.put(tree, KEY, Slice.of(value));
            return transaction.commit().durability();
        }
    }

    private static Durability readOnly(Store store) {
        try (Transaction transaction = store.beginRead()) {
            return transaction.commit().durability();
        }
    }

    private String leftByAPowerCut() {
        SimDirectory left = directory.crash(new SplittableRandom(2), CrashProfile.ATOMIC_SECTOR);
        try (Store store = Store.open(left, OPTIONS);
                Transaction transaction = store.beginRead()) {
            Slice value = new Slice();
            return transaction.get(tree, KEY, value) ? value.toText() : "";
        }
    }

    @Test
    void aReaderIsToldHowDurableItsSnapshotIs() {
        try (Store store = open(OPTIONS)) {
            assertEquals(Durability.SYNC, readOnly(store));
            assertEquals(Durability.ASYNC, put(store, "1", Durability.ASYNC));
            assertEquals(Durability.ASYNC, readOnly(store), "it waits for nothing");
            assertEquals(Durability.WRITTEN, put(store, "2", Durability.WRITTEN));
            assertEquals(Durability.WRITTEN, readOnly(store));
            assertEquals(Durability.SYNC, put(store, "3", Durability.SYNC));
            assertEquals(Durability.SYNC, readOnly(store));
            put(store, "4", Durability.ASYNC);
            store.checkpoint();
            assertEquals(Durability.SYNC, readOnly(store));
        }
    }

    @Test
    void whoWroteNothingIsToldWhatWasReachedForWhatItSaw() {
        try (Store store = open(OPTIONS)) {
            put(store, "1", Durability.ASYNC);
            for (Durability wanted : new Durability[] {Durability.ASYNC, Durability.SYNC}) {
                try (Transaction transaction = store.beginWrite()) {
                    transaction.durability(wanted);
                    assertEquals(wanted, transaction.commit().durability());
                }
            }
            assertEquals("1", leftByAPowerCut());
        }
    }

    /// The entry read under a lock is newer than the snapshot.
    @Test
    void whoLookedAtTheNewestEntryWaitsForItsCommit() {
        try (Store store = open(OPTIONS)) {
            put(store, "1", Durability.SYNC);
            Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED);
            transaction.durability(Durability.SYNC);
            put(store, "2", Durability.ASYNC);
            Slice value = new Slice();
            assertTrue(transaction.getLatest(tree, KEY, value));
            assertEquals("2", value.toText());
            transaction.commit();
            assertEquals("2", leftByAPowerCut());
        }
    }

    @Test
    void memoryDatabaseIsNeverDurable() {
        try (Store store = Store.inMemory(OPTIONS)) {
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("t");
                transaction.commit();
            }
            assertEquals(Durability.ASYNC, put(store, "1", Durability.SYNC));
            assertEquals(Durability.ASYNC, readOnly(store));
        }
    }

    @Test
    void whatIsOpenedForReadingMayBeThereForTheSystemAlone() {
        Store store = open(OPTIONS);
        put(store, "1", Durability.WRITTEN);
        SimDirectory left = directory.crash(new SplittableRandom(3), CrashProfile.PROCESS_KILL);
        store.close();
        try (Store reader = Store.open(left, OPTIONS.withReadOnly(true))) {
            assertEquals(Durability.WRITTEN, readOnly(reader));
        }
    }
}
