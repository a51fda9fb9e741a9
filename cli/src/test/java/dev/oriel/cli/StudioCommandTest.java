package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `oriel studio`: what it refuses. The studio itself is tested in its own module.
class StudioCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void aMissingDatabaseIsNamedAndNotCreated() throws IOException {
        Run run =
                Run.oriel(folder, "", "studio", folder.resolve("typo").toString(), "--no-browser");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("there is no database"), run.err());
        assertFalse(Files.exists(folder.resolve("typo")));
    }

    @Test
    void aPortOutOfRangeIsRefused() throws IOException {
        Run run = Run.oriel(folder, "", "studio", folder.toString(), "--port", "70000");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("port is 70000; it must be from 0 to 65535"), run.err());
    }
}
