package dev.oriel.sql.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.io.FileAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Links and rights that a rewritten file keeps.
@DisabledOnOs(OS.WINDOWS) // links need a privilege, and files have no mode
class FileOutputTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void aLinkStaysAndWhatItLeadsToIsWritten() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Path real = Files.writeString(other.resolve("real"), "old");
        Path link = Files.createSymbolicLink(other.resolve("link"), Path.of("real"));
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), link);
        write(linked, "new");
        assertTrue(Files.isSymbolicLink(linked));
        assertTrue(Files.isSymbolicLink(link));
        assertFalse(Files.isSymbolicLink(real));
        assertEquals("new", Files.readString(real));
        assertEquals(List.of("linked", "other"), names(folder));
        assertEquals(List.of("link", "real"), names(other));
    }

    @Test
    void whatALinkLeadsToIsMadeWhereItIsAbsent() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("real"));
        write(link, "new");
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(folder.resolve("real")));
    }

    @Test
    void linksInACircleAreRefused() throws IOException {
        Path one = folder.resolve("one");
        Files.createSymbolicLink(one, Path.of("two"));
        Files.createSymbolicLink(folder.resolve("two"), one);
        assertThrows(FileSystemException.class, () -> write(one, "new"));
        assertEquals(List.of("one", "two"), names(folder));
    }

    @Test
    void aFileKeepsItsMode() throws IOException {
        for (String mode : List.of("rw-------", "rw-rw-rw-", "r--r-----", "rwxr-x--x")) {
            Path file = Files.writeString(folder.resolve(mode), "old");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            try (FileOutput out = new FileOutput(file, StandardCharsets.UTF_8)) {
                Path part = folder.resolve("." + mode + ".part0");
                assertEquals(mode, mode(part), "before anything is in it");
                out.writer().write("new");
                out.complete();
            }
            assertEquals(mode, mode(file));
            assertEquals("new", Files.readString(file));
        }
    }

    @Test
    void aFileKeepsItsOwnerAndGroup() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "old");
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid")), "not root");
        Files.setAttribute(file, "unix:uid", 12_345);
        Files.setAttribute(file, "unix:gid", 12_346);
        write(file, "new");
        assertEquals(12_345, Files.getAttribute(file, "unix:uid"));
        assertEquals(12_346, Files.getAttribute(file, "unix:gid"));
        assertEquals("new", Files.readString(file));
    }

    @Test
    void whatIsGivenUpLeavesTheFileAsItWas() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "old");
        try (FileOutput out = new FileOutput(file, StandardCharsets.UTF_8)) {
            out.writer().write("new");
        }
        assertEquals("old", Files.readString(file));
        assertEquals(List.of("file"), names(folder));
    }

    private static void write(Path file, String text) throws IOException {
        Path located = FileAccess.ALL.locate(file);
        try (FileOutput out = new FileOutput(located, StandardCharsets.UTF_8)) {
            out.writer().write(text);
            out.complete();
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
