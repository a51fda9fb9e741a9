package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody else changes files of a database that is open. That is not allowed (docs/durability.md);
/// it is noticed where it can be.
final class OutsideTest {
    private static final int ENTRIES = 2_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static Slice key(int i) {
        return Slice.of("key %06d".formatted(i));
    }

    private static Tree tree(Transaction transaction) {
        return Objects.requireNonNull(transaction.tree("t"));
    }

    private Store open() throws IOException {
        return Store.open(DiskDirectory.open(folder), StoreOptions.defaults());
    }

    private void fill() throws IOException {
        try (Store store = open();
                Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree("t");
            for (int i = 0; i < ENTRIES; i++) {
                transaction.put(tree, key(i), Slice.of("value " + i));
            }
            transaction.commit();
        }
    }

    private static long leafOf(Store store, int i) {
        try (Transaction transaction = store.beginRead()) {
            TreePath path = new TreePath();
            path.descend(((ReadTransaction) transaction).pages(), tree(transaction).root(), key(i));
            return path.leaf();
        }
    }

    private static void get(Store store, int i) {
        Slice value = new Slice();
        try (Transaction transaction = store.beginRead()) {
            assertTrue(transaction.get(tree(transaction), key(i), value));
            assertEquals("value " + i, value.toText());
        }
    }

    private void flip(String name, long at) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        folder.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 4)).rewind();
            file.write(one, at);
        }
    }

    @Test
    void pageThatNobodyHasReadYetIsNoticedWhenItIsRead() throws IOException {
        fill();
        long leaf;
        try (Store store = open()) {
            leaf = leafOf(store, 1_000);
        }
        try (Store store = open()) {
            flip("data", leaf * Page.BYTES + 6_000);
            CorruptionException e =
                    assertThrows(CorruptionException.class, () -> get(store, 1_000));
            assertTrue(e.context().contains("page=" + leaf), e::toString);
            get(store, 0);
        }
    }

    @Test
    void pageThatWasReadBeforeIsNoticedByTheNextCheckAndByReadersFromThenOn() throws IOException {
        fill();
        try (Store store = open()) {
            get(store, 1_000);
            get(store, 0);
            assertEquals(List.of(), store.check());
            long leaf = leafOf(store, 1_000);
            flip("data", leaf * Page.BYTES + 6_000);
            List<String> wrong = store.check();
            assertTrue(
                    wrong.stream().anyMatch(one -> one.contains("page=" + leaf)), wrong::toString);
            assertThrows(CorruptionException.class, () -> get(store, 1_000));
            get(store, 0);
        }
    }

    /// Another user may write to the folder: its writer must not write over what this one reads.
    @Test
    void readerWhoMayNotWriteIsLockedOutByAWriterAndLocksItOut() throws IOException {
        fill();
        StoreOptions reading = StoreOptions.defaults().withReadOnly(true);
        StepDirectory unwritable = new StepDirectory(DiskDirectory.open(folder));
        unwritable.onStep((verb, name) -> {
            if (verb.equals("lock")) {
                throw new AccessDeniedException(name);
            }
        });
        try (Store writer = open()) {
            LimitException e =
                    assertThrows(LimitException.class, () -> Store.open(unwritable, reading));
            assertTrue(e.getMessage().contains("is in use"), e::toString);
            get(writer, 1_000);
        }
        try (Store reader = Store.open(unwritable, reading)) {
            assertThrows(LimitException.class, this::open);
            get(reader, 1_000);
        }
        Files.delete(folder.resolve("lock"));
        StorageException e =
                assertThrows(StorageException.class, () -> Store.open(unwritable, reading));
        assertTrue(e.getMessage().contains("empty file named lock"), e::toString);
    }

    /// What is behind the new end is not touched through the map: to do so would end the JVM.
    @Test
    void dataFileThatWasCutShortIsNoticedByTheCheck() throws IOException {
        fill();
        try (Store store = open()) {
            get(store, 1_000);
            Path data = folder.resolve("data");
            byte[] all = Files.readAllBytes(data);
            try (FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
                file.truncate(5L * Page.BYTES);
            }
            List<String> wrong = store.check();
            assertTrue(
                    wrong.stream().anyMatch(one -> one.contains("cut it short")), wrong::toString);
            try (FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(all), 0);
            }
            assertEquals(List.of(), store.check());
        }
    }

    /// What was in it is lost with the process; a close does not need it, and a check of what is in
    /// memory finds nothing wrong.
    @Test
    void logThatWasDeletedUnderAnOpenStoreIsNotNeededByAClose() throws IOException {
        fill();
        try (Store store = open()) {
            try (Transaction transaction = store.beginWrite()) {
                transaction.put(tree(transaction), key(1_000), Slice.of("changed"));
                transaction.commit();
            }
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    if (file.getFileName().toString().startsWith(Log.PREFIX)) {
                        Files.delete(file);
                    }
                }
            }
            assertEquals(List.of(), store.check());
        }
        try (Store store = open();
                Transaction transaction = store.beginRead()) {
            Slice value = new Slice();
            assertTrue(transaction.get(tree(transaction), key(1_000), value));
            assertEquals("changed", value.toText());
            assertEquals(List.of(), store.check());
        }
    }
}
