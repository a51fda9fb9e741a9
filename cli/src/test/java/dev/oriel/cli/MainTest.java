package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /// Commands need words; their help needs none.
    @Test
    void eachCommandOfACommandHasHelp() {
        int seen = 0;
        for (String group : new String[] {"admin", "user", "profile"}) {
            String help = Run.oriel(folder, "", group, "--help").out();
            Matcher commands =
                    Pattern.compile("(?m)^  ([a-z-]+) +\\S")
                            .matcher(help.substring(Math.max(0, help.indexOf("Commands:"))));
            while (commands.find()) {
                String name = commands.group(1);
                if (name.equals("oriel")) { // an example
                    break;
                }
                Run run = Run.oriel(folder, "", group, name, "--help");
                assertEquals(0, run.exitCode(), group + " " + name + ": " + run.err());
                assertTrue(run.out().contains("Usage: oriel " + group + " " + name), run.out());
                seen++;
            }
        }
        assertTrue(seen > 12, seen + " commands were seen");
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
