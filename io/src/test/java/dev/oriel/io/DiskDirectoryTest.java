package dev.oriel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskDirectoryTest {
    @TempDir Path folder;

    @Test
    void listIsSortedAndHoldsFilesOnly() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        assertEquals(List.of(), directory.list());
        directory.open("b").close();
        directory.open("a").close();
        directory.open("c").close();
        Files.createDirectory(folder.resolve("aa"));
        try (AutoCloseable _ = directory.lock()) {
            assertEquals(List.of("a", "b", "c"), directory.list());
        }
    }

    @Test
    void openKeepsWhatIsThere() throws IOException {
        DiskDirectory directory = DiskDirectory.open(folder);
        try (StorageFile file = directory.open("data")) {
            file.write(0, MemorySegment.ofArray(new byte[] {7}));
        }
        byte[] read = new byte[1];
        try (StorageFile file = directory.open("data")) {
            file.read(0, MemorySegment.ofArray(read));
        }
        assertEquals(7, read[0]);
    }

    /// So a process without a free descriptor can sync a locked folder.
    @Test
    void aLockedFolderIsOpenUntilItIsUnlocked() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no list of descriptors");
        DiskDirectory directory = DiskDirectory.open(folder);
        assertEquals(0, opened());
        try (AutoCloseable _ = directory.lock()) {
            assertEquals(1, opened());
            directory.sync();
            assertThrows(IOException.class, directory::lock); // which changes nothing
            assertEquals(1, opened());
            directory.sync();
        }
        assertEquals(0, opened());
        directory.sync();
    }

    private long opened() throws IOException {
        Path real = folder.toRealPath();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(one -> isLinkTo(one, real)).count();
        }
    }

    private static boolean isLinkTo(Path link, Path to) {
        try {
            return Files.readSymbolicLink(link).equals(to);
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void deleteRemovesAndForgivesWhatIsMissing() throws IOException {
        DiskDirectory directory = DiskDirectory.open(folder);
        directory.open("data").close();
        directory.delete("data");
        directory.delete("data");
        assertEquals(List.of(), directory.list());
    }

    @Test
    void interruptedThreadMaySync() throws IOException {
        DiskDirectory directory = DiskDirectory.open(folder);
        directory.open("data").close();
        Thread.currentThread().interrupt();
        try {
            directory.sync();
        } finally {
            assertTrue(Thread.interrupted());
        }
        directory.sync();
    }

    @Test
    void createMakesTheFoldersAboveToo() throws IOException {
        Path deep = folder.resolve("x/y/z");
        assertEquals(deep.toString(), DiskDirectory.create(deep).toString());
        assertTrue(Files.isDirectory(deep));
        assertEquals(List.of(), DiskDirectory.create(deep).list());
    }

    @Test
    void fileInPlaceOfTheFolderIsAnError() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThrows(NotDirectoryException.class, () -> DiskDirectory.open(file));
        assertThrows(NotDirectoryException.class, () -> DiskDirectory.create(file));
        assertThrows(NotDirectoryException.class, () -> DiskDirectory.open(folder.resolve("no")));
    }

    @Test
    void folderThatWasDeletedIsAnErrorOnceItIsUsed() throws IOException {
        Path gone = folder.resolve("gone");
        DiskDirectory directory = DiskDirectory.create(gone);
        Files.delete(gone);
        assertThrows(IOException.class, directory::list);
        assertThrows(IOException.class, directory::sync);
        assertThrows(IOException.class, () -> directory.open("data"));
    }
}
