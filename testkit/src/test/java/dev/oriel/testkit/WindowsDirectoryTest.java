package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What [SimDirectory#asOnWindows] refuses.
class WindowsDirectoryTest {
    private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[100]);

    private final SimDirectory directory = new SimDirectory().asOnWindows();

    @Test
    void openFileIsNotDeleted() throws IOException {
        StorageFile file = directory.open("a");
        StorageFile second = directory.openReadOnly("A");
        file.close();
        assertThrows(FileSystemException.class, () -> directory.delete("a"));
        second.close();
        second.close();
        directory.delete("a");
        assertEquals(List.of(), directory.list());
    }

    @Test
    void mappedFileIsNeitherDeletedNorMadeShorter() throws IOException {
        StorageFile file = directory.open("a");
        file.write(0, BYTES);
        file.resize(50);
        file.map(0, 50);
        file.resize(60);
        assertThrows(FileSystemException.class, () -> file.resize(59));
        file.close();
        assertThrows(FileSystemException.class, () -> directory.delete("a"));
        assertTrue(file.isHeldByMaps());
        directory.copy().delete("a"); // after the process has ended
    }

    @Test
    void namesDifferNotByCaseAlone() throws IOException {
        directory.open("Data").close();
        directory.open("dATA").close();
        assertEquals(List.of("Data"), directory.list());
        directory.delete("DATA");
        assertEquals(List.of(), directory.list());
    }

    @Test
    void someNamesAreRefused() throws IOException {
        for (String name :
                List.of("nul", "Con.txt", "COM1", "lpt9.x.y", "a.", "a ", "a:b", "a?", "a/b", "")) {
            assertThrows(InvalidPathException.class, () -> directory.open(name), name);
        }
        for (String name : List.of(".oriel-backup", "console", "com", "spill-1", "a.b c")) {
            directory.open(name).close();
        }
    }

    @Test
    void syncOfAnyFileMakesAllNamesDurable() throws IOException {
        directory.open("a").close();
        StorageFile b = directory.open("b");
        directory.sync();
        assertTrue(canBeLost("a"));
        b.sync();
        assertTrue(!canBeLost("a"));
        b.close();
    }

    private boolean canBeLost(String name) {
        SplittableRandom random = new SplittableRandom(1);
        boolean lost = false;
        for (int i = 0; i < 50; i++) {
            lost |= !directory.crash(random, CrashProfile.ATOMIC_SECTOR).list().contains(name);
        }
        return lost;
    }
}
