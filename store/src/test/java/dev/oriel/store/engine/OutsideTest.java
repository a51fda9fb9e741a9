package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.ReadTransaction;
import dev.oriel.store.tree.TreePath;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Another process changes files of an open database. That is not allowed (docs/durability.md); it is noticed if
/// possible.
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
            TreePath path = new TreePath(false);
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

    /// Another user may write to the folder: its writer must not overwrite the pages that this one reads.
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
            assertTrue(e.toString().contains("is in use"), e::toString);
            get(writer, 1_000);
        }
        try (Store reader = Store.open(unwritable, reading)) {
            assertThrows(LimitException.class, this::open);
            get(reader, 1_000);
        }
        Files.delete(folder.resolve("lock"));
        StorageException e =
                assertThrows(StorageException.class, () -> Store.open(unwritable, reading));
        assertTrue(e.toString().contains("empty file named lock"), e::toString);
    }

    /// Bytes behind the new end are not touched through the map: that would end the JVM.
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

    /// Its records are lost with the process; a close does not need them, and a check of the memory finds no error.
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
                    if (file.getFileName().toString().startsWith(LogFiles.PREFIX)) {
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

    private static void change(Store store, int i, String value) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.put(tree(transaction), key(i), Slice.of(value));
            transaction.commit();
        }
    }

    private static String told(Store store) {
        return String.join(" ", store.check());
    }

    /// The files that a kill at this moment would leave.
    private Path killed() throws IOException {
        Path copy = Files.createDirectory(folder.resolve("killed"));
        try (var files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    /// Position of `text` in the log's first record that holds it.
    private long find(String name, String text) throws IOException {
        String all = Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1);
        int at = all.indexOf(text);
        assertTrue(at >= 0, () -> text + " is not in " + name);
        return at;
    }

    /// The store goes on from memory. The check reports the damage, and an opening after a kill is refused instead
    /// of losing acknowledged commits.
    @Test
    void logThatWasChangedIsNoticedByTheCheckAndByTheNextOpening() throws IOException {
        fill();
        Path left;
        try (Store store = open()) {
            for (int i = 0; i < 3; i++) {
                change(store, 1_000 + i, "changed " + i);
            }
            assertEquals("", told(store));
            flip("log-1", find("log-1", "changed 1"));
            assertTrue(told(store).contains("log file log-1 is damaged"), told(store));
            left = killed();
        }
        CorruptionException e =
                assertThrows(
                        CorruptionException.class,
                        () -> Store.open(DiskDirectory.open(left), StoreOptions.defaults()));
        assertTrue(e.context().contains("log-1"), e::toString);
        try (Store store = open()) { // the close needed none of it
            assertEquals("", told(store));
        }
    }

    /// A reader keeps pages from their places, so their newest copies lie in the shadow alone.
    @Test
    void shadowThatWasChangedIsNoticedByTheCheckAndByTheNextOpening() throws IOException {
        fill();
        Path left;
        try (Store store = open();
                Transaction reader = store.beginRead()) {
            change(store, 1_000, "changed");
            store.checkpoint();
            assertTrue(store.stats().shadowPages() > 0);
            assertEquals("", told(store));
            flip("shadow", find("shadow", "changed"));
            assertTrue(told(store).contains("in the shadow file is damaged"), told(store));
            get(store, 999);
            left = killed();
            assertEquals(0, reader.lockWaits());
        }
        try (Store store = Store.open(DiskDirectory.open(left), StoreOptions.defaults())) {
            assertThrows(CorruptionException.class, () -> get(store, 1_000));
            get(store, 0);
            assertThrows(CorruptionException.class, () -> change(store, 0, "x"));
        }
    }

    /// An opening begins from the place of a page that the log changes, whatever is in memory.
    @Test
    void placeOfAPageThatIsInMemoryIsPartOfTheCheck() throws IOException {
        fill();
        try (Store store = open()) {
            change(store, 1_000, "changed");
            long leaf = leafOf(store, 1_000);
            assertEquals("", told(store));
            flip("data", leaf * Page.BYTES + 6_000);
            assertTrue(told(store).contains("The place of page " + leaf), told(store));
            store.checkpoint(); // writes it anew
            assertEquals("", told(store));
        }
    }

    @Test
    void headersArePartOfTheCheck() throws IOException {
        fill();
        try (Store store = open()) {
            change(store, 1_000, "changed");
            flip("data", 40);
            flip("data", Page.BYTES + 40L);
            assertTrue(told(store).contains("The file header on page"), told(store));
            store.checkpoint();
            assertEquals("", told(store));
        }
    }

    /// In a process of its own: the operating system may end it.
    @Test
    void readerOfAFileThatWasCutShortSeesNothingWrong() throws Exception {
        fill();
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:-CreateCoredumpOnCrash",
                                "-Doriel.reads=" + System.getProperty("oriel.reads", ""),
                                "-cp",
                                System.getProperty("jdk.module.path", "")
                                        + File.pathSeparator
                                        + System.getProperty("java.class.path", "")
                                        + File.pathSeparator
                                        + classesOf(CutWhileOpen.class),
                                CutWhileOpen.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        System.out.println(
                "OutsideTest: exit " + process.exitValue() + ", " + said.lines().limit(9).toList());
        assertTrue(said.contains("opened"), said);
        assertFalse(said.contains("wrong"), said);
        assertTrue(said.contains("failed") || process.exitValue() != 0, said);
    }

    private static Path classesOf(Class<?> type) throws Exception {
        Path file = Path.of(type.getResource(type.getSimpleName() + ".class").toURI());
        return file.resolve("../../../..").normalize();
    }
}
