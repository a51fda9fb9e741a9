package dev.oriel.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// What the command says to what it cannot use.
final class BenchCommandTest {
    private static final String TRY = "Try 'oriel bench --help'.";
    private final StringWriter err = new StringWriter();
    @TempDir private Path folder;

    @Test
    void namesThatDoNotExistAreAnsweredWithThoseThatDo() {
        assertEquals(2, run("no-such"));
        assertStarts("oriel: There is no workload 'no-such'; there are ");
        assertEquals(2, run("axion", "--peers", "h3", "--list"));
        assertStarts("oriel: There is no peer 'h3'; there are ");
    }

    @Test
    void theListSaysHowLongAllOfItTakes() {
        StringWriter out = new StringWriter();
        CommandLine command = BenchCommand.commandLine(new BenchCommand());
        assertEquals(0, command.setOut(new PrintWriter(out)).execute("voron", "--quick", "--list"));
        String said = out.toString();
        assertTrue(said.contains("  article, about 3 s each, at most 44: oriel-table, "), said);
        assertTrue(
                said.contains(
                        "\n5 scenarios, 20 JVMs a round. A first round takes about 1 min; 19 min at most"),
                said);
    }

    @Test
    void numbersMustMakeSense() {
        assertEquals(2, run("axion", "--rounds", "0"));
        assertEquals(lines("oriel: --rounds must be at least 1, not 0", TRY), said());
        assertEquals(2, run("axion", "--minutes", "-1"));
        assertEquals(lines("oriel: --minutes must be at least 1, not -1", TRY), said());
    }

    @Test
    void aPatternThatIsNoneOrFindsNothingIsRefused() {
        assertEquals(2, run("axion", "--case", "("));
        assertStarts("oriel: --case is no regular expression: ");
        assertEquals(2, run("axion", "--case", "no such", "--dir", folder.toString()));
        assertEquals(lines("oriel: No case has 'no such' in its name; see --list", TRY), said());
    }

    @Test
    void resultsThatCannotBeWrittenAreRefusedBeforeAnythingRuns() {
        Path file = folder.resolve("absent/run.json");
        assertEquals(2, run("axion", "--json", file.toString()));
        assertEquals(
                lines(
                        "oriel: --json %s: nothing can be written to the folder %s"
                                .formatted(file, file.getParent()),
                        TRY),
                said());
    }

    @Test
    void aRunIsGoneOnWithInItsFile() {
        assertEquals(2, run("axion", "--resume", "--dir", folder.toString()));
        assertEquals(
                lines("oriel: --resume needs --json FILE: the run to go on with", TRY), said());
    }

    @Test
    void filesThatAreNoResultsAreASentence() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "no JSON");
        assertEquals(1, run("report", text.toString()));
        assertStarts("oriel: " + text + ": is not JSON in line 1: ");
        Path absent = folder.resolve("absent.json");
        assertEquals(1, run("agree", absent.toString(), absent.toString()));
        assertEquals(
                lines(
                        "oriel: "
                                + absent
                                + ": there is no such file. Name a file that `oriel bench --json FILE`"
                                + " wrote."),
                said());
    }

    private int run(String... words) {
        err.getBuffer().setLength(0);
        CommandLine command = BenchCommand.commandLine(new BenchCommand());
        return command.setErr(new PrintWriter(err)).execute(words);
    }

    private String said() {
        return err.toString();
    }

    private void assertStarts(String expected) {
        assertTrue(said().startsWith(expected), said());
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
