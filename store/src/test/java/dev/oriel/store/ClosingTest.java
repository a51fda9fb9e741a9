package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ClosingTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withDurability(Durability.WRITTEN);

    private static Tree fill(Store store, String name, int entries) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree(name);
            for (int i = 0; i < entries; i++) {
                transaction.put(tree, Slice.of("key " + i), Slice.of("x".repeat(900)));
            }
            transaction.commit();
            return tree;
        }
    }

    @Test
    void commitsThatAReaderKeepsOutOfTheDataFileAreSyncedWhenTheStoreCloses() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        Transaction reader = store.beginRead();
        fill(store, "t", 10);
        store.close();
        reader.close();
        for (int i = 0; i < 20; i++) {
            SimDirectory left =
                    directory.crash(new SplittableRandom(i), CrashProfile.ATOMIC_SECTOR);
            try (Store again = Store.open(left, OPTIONS);
                    Transaction transaction = again.beginRead()) {
                assertEquals(1, transaction.snapshot());
            }
        }
    }

    @Test
    void fullDiskKeepsNobodyFromClosing() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        Tree tree = fill(store, "t", 200);
        directory.spaceBytesMax(1); // as many bytes as there are, and none more
        store.close();
        directory.spaceBytesMax(Long.MAX_VALUE);
        try (Store again = Store.open(directory, OPTIONS);
                Transaction transaction = again.beginRead()) {
            assertTrue(transaction.get(tree, Slice.of("key 199"), new Slice()));
            assertEquals(List.of(), again.check());
        }
    }

    @Test
    void readerThatIsLeftOpenIsToldThatTheStoreIsClosed() {
        SimDirectory directory = new SimDirectory();
        Store first = Store.open(directory, OPTIONS);
        Tree tree = fill(first, "t", 100);
        first.close();
        Store store = Store.open(directory, OPTIONS);
        Transaction reader = store.beginRead();
        Transaction writer = store.beginWrite();
        store.close();
        store.close();
        Slice value = new Slice();
        assertThrows(ClosedException.class, () -> reader.get(tree, Slice.of("key 5"), value));
        assertThrows(ClosedException.class, () -> writer.createTree("u"));
        assertThrows(ClosedException.class, writer::commit);
        writer.close();
        reader.close();
        assertThrows(ClosedException.class, store::beginRead);
        assertThrows(ClosedException.class, store::beginWrite);
        assertThrows(ClosedException.class, store::checkpoint);
        try (Store again = Store.open(directory, OPTIONS);
                Transaction transaction = again.beginRead()) {
            assertTrue(transaction.get(tree, Slice.of("key 5"), value));
        }
    }
}
