package dev.oriel.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.ResultsFile;
import dev.oriel.bench.results.SampleResults;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        String said = list();
        assertTrue(said.contains("  article, about 3 s each, at most 44: oriel-table, "), said);
        assertTrue(
                said.contains(
                        "\n5 scenarios, 20 JVMs a round. A first round takes about 1 min; 19 min at most"),
                said);
        assertTrue(said.contains("repeated until intervals are within 5 %"), said);
    }

    @Test
    void roundsThatAreAskedForAreNotExceeded() {
        String one = list("--rounds", "1");
        assertTrue(one.endsWith(" There is one round." + System.lineSeparator()), one);
        String four = list("--rounds=4");
        assertTrue(four.contains(" There are 4 rounds, if that time allows them."), four);
    }

    private static String list(String... options) {
        StringWriter out = new StringWriter();
        CommandLine command = BenchCommand.commandLine(new BenchCommand());
        List<String> words = new ArrayList<>(List.of("voron", "--quick", "--list"));
        words.addAll(List.of(options));
        assertEquals(0, command.setOut(new PrintWriter(out)).execute(words.toArray(String[]::new)));
        return out.toString();
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

    @Test
    void documentsGetTheirBlocksInOneGo() throws Exception {
        Path results = folder.resolve("run.json");
        ResultsFile.write(
                new SampleResults().time("cold/first-query", "oriel", 100e6).build(), results);
        Path readme = Files.writeString(folder.resolve("README.md"), block("figures"));
        Path targets = Files.writeString(folder.resolve("targets.md"), block("targets"));
        Path tables = Files.writeString(folder.resolve("tables.md"), "# A\n" + block("results"));
        List<Path> all = List.of(readme, targets, tables);
        List<String> words = new ArrayList<>(List.of("report", results.toString(), "--into"));
        all.forEach(file -> words.add(file.toString()));
        assertEquals(0, run(words.toArray(String[]::new)), said());
        assertTrue(
                Files.readString(readme).contains("| the first query of a fresh JVM | 100 ms |"));
        assertTrue(
                Files.readString(targets).contains("| cold | first query of a fresh JVM <= 0.6x"));
        assertTrue(Files.readString(tables).startsWith("# A\n<!-- results: begin -->\n```\n"));
        assertTrue(Files.readString(tables).contains("\n### cold/first-query\n"));
    }

    private static String block(String name) {
        return "<!-- %1$s: begin -->\n<!-- %1$s: end -->\n".formatted(name);
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
