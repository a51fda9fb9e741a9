package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoFolderTest {
    @TempDir private Path temporary;

    @Test
    void missingFolderIsCreated() throws Exception {
        DemoFolder folder = DemoFolder.fresh(temporary.resolve("a").resolve("b"));
        assertTrue(Files.isDirectory(folder.path()));
        assertFalse(Files.exists(folder.database()));
    }

    @Test
    void formerDemoIsReplaced() throws Exception {
        DemoFolder former = DemoFolder.fresh(temporary);
        fill(former.database());
        fill(former.profiledDatabase());
        Files.writeString(former.report(), "old");
        DemoFolder folder = DemoFolder.fresh(temporary);
        assertFalse(Files.exists(folder.database()));
        assertFalse(Files.exists(folder.profiledDatabase()));
        assertFalse(Files.exists(folder.report()));
    }

    @Test
    void formerDemoThatIsNoDatabaseIsReplacedToo() throws Exception {
        DemoFolder former = DemoFolder.fresh(temporary);
        fill(former.database());
        assertFalse(Files.exists(DemoFolder.fresh(temporary).database()));
    }

    @Test
    void folderOfOthersIsLeftAlone() throws IOException {
        Path file = Files.writeString(temporary.resolve("thesis.txt"), "ten years of work");
        Failure failure = assertThrows(Failure.class, () -> DemoFolder.fresh(temporary));
        assertTrue(failure.toString().contains(temporary.toString()), failure::toString);
        assertEquals("ten years of work", Files.readString(file));
    }

    @Test
    void filesOfOthersInAFormerDemoStay() throws Exception {
        DemoFolder.fresh(temporary);
        Path file = Files.writeString(temporary.resolve("notes.txt"), "mine");
        DemoFolder.fresh(temporary);
        assertEquals("mine", Files.readString(file));
    }

    @Test
    void linksAreNotFollowed() throws Exception {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path file = Files.writeString(elsewhere.resolve("thesis.txt"), "ten years of work");
        DemoFolder former = DemoFolder.fresh(temporary.resolve("demo"));
        Files.createSymbolicLink(former.database(), elsewhere);
        DemoFolder.fresh(former.path());
        assertFalse(Files.isSymbolicLink(former.database()));
        assertEquals("ten years of work", Files.readString(file));
    }

    @Test
    void fileInTheWayIsNamed() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        Failure failure = assertThrows(Failure.class, () -> DemoFolder.fresh(file));
        assertTrue(failure.toString().contains("--dir"), failure::toString);
    }

    private static void fill(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("below"));
        Files.writeString(folder.resolve("below").resolve("file"), "x");
    }
}
