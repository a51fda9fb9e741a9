package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
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

    private static void change(Store store, String name, int entries) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree(name));
            for (int i = 0; i < entries; i++) {
                transaction.put(tree, Slice.of("key " + i), Slice.of("y".repeat(900)));
            }
            transaction.commit();
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

    /// However long it was open, and however much was written: a closed store is as large as its data.
    @Test
    void closedStoreIsAboutAsLargeAsItsData() throws IOException {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS.withCheckpointBytes(2 << 20));
        fill(store, "t", 6000);
        store.checkpoint();
        change(store, "t", 6000); // pages that are not new go through the shadow
        for (int i = 0; i < 40; i++) {
            fill(store, "u" + i, 100);
            StoreStats stats = store.stats();
            assertTrue(stats.dataBytes() <= stats.pages() * Page.BYTES * 13 / 10, stats::toString);
        }
        store.checkpoint(); // waits for one that is running
        StoreStats open = store.stats();
        assertEquals(directory.usedBytes("log-"), open.logBytes());
        assertEquals(directory.usedBytes("shadow"), open.shadowBytes());
        assertEquals(directory.usedBytes(), open.fileBytes());
        store.close();
        long data = open.pages() * Page.BYTES;
        System.out.printf(
                "open %s; closed: data %d, log %d, shadow %d%n",
                open,
                directory.usedBytes("data"),
                directory.usedBytes("log-"),
                directory.usedBytes("shadow"));
        assertTrue(directory.usedBytes("data") < data + (64 << 10));
        assertTrue(directory.usedBytes("log-") <= 1 << 20);
        assertTrue(directory.usedBytes("shadow") <= 1 << 20);
        assertTrue(
                open.logBytes() > 2 << 20 && open.shadowBytes() > 1 << 20, "a test of something");
        try (Store again = Store.open(directory, OPTIONS)) {
            assertEquals(List.of(), again.check());
            assertEquals(open.txid(), again.stats().txid());
            fill(again, "more", 10);
        }
        assertTrue(directory.usedBytes() < data + (3 << 20));
    }

    /// A checkpoint asked for just before the store was closed comes too late, and is refused.
    @Test
    void checkpointThatWaitedUntilTheStoreWasClosedIsRefused() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        fill(store, "t", 10);
        store.close();
        long operations = directory.operations();
        assertThrows(ClosedException.class, () -> store.checkpoint(CheckpointThrottle.NONE));
        assertEquals(operations, directory.operations());
    }

    /// Without a change nothing is written for it, and nothing grows and shrinks again.
    @Test
    void openingAndClosingChangesNoLength() throws IOException {
        SimDirectory directory = new SimDirectory();
        Store.open(directory, OPTIONS).close();
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store, "t", 500);
        }
        long bytes = directory.usedBytes();
        for (int i = 0; i < 3; i++) {
            Store.open(directory, OPTIONS).close();
            assertEquals(bytes, directory.usedBytes());
        }
    }

    /// A folder whose deletions were lost has log files of former lives again.
    @Test
    void logFileThatComesBackAfterItsDeletionCountsNoMore() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 30; round++) {
            SimDirectory directory = new SimDirectory();
            long txid = 0;
            for (int session = 0; session < 4; session++) {
                try (Store store = Store.open(directory, OPTIONS)) {
                    assertEquals(txid, store.stats().txid());
                    for (int i = 0; i < 6; i++) {
                        fill(store, session + " " + i, 60);
                        txid++;
                    }
                }
                directory = directory.crash(random, CrashProfile.GARBAGE_SECTOR);
            }
            try (Store store = Store.open(directory, OPTIONS)) {
                assertEquals(txid, store.stats().txid());
                assertEquals(List.of(), store.check());
            }
        }
    }

    /// A file that cannot be shrunk stays as it is; the close succeeds all the same.
    @Test
    void failureToShrinkAFileFailsNoClose() {
        SimDirectory whole = new SimDirectory();
        closeAfterWork(whole, null);
        int met = 0;
        for (long n = 1; n <= whole.operations(); n++) {
            boolean shrinks = whole.history().get((int) n - 1).matches("delete log.*|resize .*");
            if (!shrinks) {
                continue;
            }
            SimDirectory directory = new SimDirectory();
            if (closeAfterWork(directory, n)) {
                met++;
                try (Store store = Store.open(directory, OPTIONS)) {
                    assertEquals(4, store.stats().txid());
                    assertEquals(List.of(), store.check());
                }
            }
        }
        int times = met;
        assertTrue(times >= 3, () -> "met " + times);
    }

    /// Whether call `failing` came in the close, which then must not fail.
    private static boolean closeAfterWork(SimDirectory directory, @Nullable Long failing) {
        Store store = Store.open(directory, OPTIONS);
        fill(store, "t", 300);
        store.checkpoint();
        change(store, "t", 300);
        fill(store, "u", 200);
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            assertTrue(tree != null && transaction.deleteRange(tree, Slice.of(""), null) == 300);
            transaction.commit();
        }
        boolean inClose = failing != null && failing > directory.operations();
        if (failing != null && inClose) {
            directory.failAt(failing, Fault.IO_ERROR_ONCE);
        }
        store.close();
        return inClose;
    }

    /// Data that a writer without transactions cannot commit is lost, and reported; all else is as after any close.
    @Test
    void aWriterThatCannotCommitKeepsNothingOpen() {
        SimDirectory directory = new SimDirectory();
        StepDirectory steps = new StepDirectory(directory);
        Store store =
                new Opening(steps, OPTIONS, new SplittableRandom(1), () -> 0)
                        .withoutThreads()
                        .open();
        Tree tree = fill(store, "t", 200);
        PlainWriter writer = store.withoutTransactions(Durability.ASYNC);
        writer.put(tree, Slice.of("large"), Slice.of("x".repeat(3_000_000)));
        PlainWriter other = store.withoutTransactions(Durability.ASYNC);
        directory.spaceBytesMax(1);
        assertThrows(LimitException.class, store::close);
        assertEquals(0, steps.openFiles());
        assertThrows(ClosedException.class, writer::flush);
        assertThrows(ClosedException.class, other::flush);
        directory.spaceBytesMax(Long.MAX_VALUE);
        try (Store again = Store.open(directory, OPTIONS);
                Transaction transaction = again.beginRead()) {
            assertTrue(transaction.get(tree, Slice.of("key 199"), new Slice()));
            assertFalse(transaction.get(tree, Slice.of("large"), new Slice()));
            assertEquals(List.of(), again.check());
        }
    }

    @Test
    void aFileThatCannotBeClosedKeepsNoOtherOpen() {
        for (String failing : List.of(DoubleWriteBuffer.NAME, DataFile.NAME)) {
            SimDirectory directory = new SimDirectory();
            StepDirectory steps = new StepDirectory(directory);
            Store store = Store.open(steps, OPTIONS);
            fill(store, "t", 200);
            store.checkpoint();
            change(store, "t", 200); // through the shadow
            steps.onClose((verb, name) -> {
                if (name.equals(failing)) {
                    throw new IOException("planned");
                }
            });
            assertThrows(StorageException.class, store::close);
            assertEquals(0, steps.openFiles(), failing);
            Store.open(directory, OPTIONS).close();
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
