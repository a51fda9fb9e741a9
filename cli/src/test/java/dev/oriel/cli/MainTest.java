package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir private Path folder;

    @Test
    void helpNamesEveryCommand() {
        Run run = Run.oriel(folder, "", "--help");
        assertEquals(0, run.exitCode());
        for (String command :
                new String[] {
                    "demo", "sql", "check", "backup", "restore", "compact", "serve", "compare"
                }) {
            assertTrue(run.out().contains("\n  " + command + " "), run.out());
        }
        assertEquals("", run.err());
    }

    @Test
    void withoutCommandTheHelpIsShown() {
        assertEquals(Run.oriel(folder, "", "--help").out(), Run.oriel(folder, "").out());
    }

    @Test
    void versionNamesOrielTheMachineAndNoPlaceholder() {
        Run run = Run.oriel(folder, "", "--version");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().startsWith("Oriel "), run.out());
        assertTrue(run.out().contains(System.getProperty("java.vm.version")), run.out());
        assertFalse(run.out().contains("${"), run.out());
    }

    @Test
    void unknownCommandIsWrongUsage() {
        Run run = Run.oriel(folder, "", "sqll");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("sqll"), run.err());
        assertTrue(run.err().contains("oriel sql"), run.err());
        assertTrue(run.err().contains("Try 'oriel --help'."), run.err());
    }

    @Test
    void unknownOptionIsWrongUsage() {
        Run run = Run.oriel(folder, "", "sql", "--comand", "x");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--command"), run.err());
        assertTrue(run.err().contains("Try 'oriel sql --help'."), run.err());
    }

    @Test
    void commandAndFileExcludeEachOther() {
        assertEquals(2, Run.oriel(folder, "", "sql", "-c", "SELECT 1", "-f", "x").exitCode());
    }

    @Test
    void missingFileIsNamed() {
        Run run = Run.oriel(folder, "", "sql", "-f", "nowhere.sql");
        assertEquals(1, run.exitCode());
        assertEquals("oriel: no such file: nowhere.sql\n", run.err());
    }

    @Test
    void checkOfNoDatabaseFailsAndCreatesNone() {
        Path nowhere = folder.resolve("nowhere");
        Run run = Run.oriel(folder, "", "check", nowhere.toString());
        assertEquals(1, run.exitCode());
        assertEquals("oriel: there is no database in " + nowhere + "\n", run.err());
        assertFalse(Files.exists(nowhere));
    }

    @Test
    void stackTraceIsShownOnlyWhenAskedFor() {
        assertFalse(Run.oriel(folder, "", "sql", "-f", "nowhere").err().contains("\tat "));
        assertTrue(Run.oriel(folder, "", "sql", "-v", "-f", "nowhere").err().contains("\tat "));
    }
}
