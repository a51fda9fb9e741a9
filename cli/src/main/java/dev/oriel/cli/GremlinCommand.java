package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel gremlin`: traversals from a person, a script or the command line.
@Command(
        name = "gremlin",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Run Gremlin over a graph: typed in, from a file, or from the command line.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "On a terminal this is a shell: :help lists its own commands, Ctrl-C cancels a statement,"
                    + " Ctrl-D leaves. Otherwise statements are read from standard input, up to the"
                    + " first error. Each statement commits by itself.",
            "Statements are traversals of g, read by TinkerPop's grammar: they cannot run code."
        })
final class GremlinCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description = {
                "Folder of the database; created if there is none.",
                "Without it: a new graph in memory, gone at the end."
            })
    private @Nullable Path path;

    @Option(
            names = {"-g", "--graph"},
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "Which graph of the database, or which property graph; without it the graph without a"
                            + " name.")
    private String name = "";

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "table",
            description = "Show results as table, blocks, csv, json or markdown.")
    private String format = "table";

    @ArgGroup(exclusive = true)
    private @Nullable Source source;

    /// Where statements come from, if not from standard input.
    static final class Source {
        @Option(
                names = {"-c", "--command"},
                paramLabel = "GREMLIN",
                description = "Run these statements, or this command of the shell.")
        private @Nullable String text;

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "Run the statements in this file, up to the first error.")
        private @Nullable Path file;
    }

    @Override
    @SuppressWarnings("try") // graphs of ours throw nothing else when they are closed
    public Integer call() throws IOException, Failure {
        if (source != null && source.file != null && !Files.exists(source.file)) {
            throw new NoSuchFileException(source.file.toString()); // before a database is created
        }
        if (source != null && source.file != null && Files.isDirectory(source.file)) {
            throw new Failure(source.file + " is a folder; -f takes a file");
        }
        OutputFormat shown = OutputFormat.of(format);
        boolean isNew = path != null && !Files.exists(path);
        try (Database database = path == null ? Database.inMemory() : Database.open(path);
                Graph graph = open(database)) {
            talk(graph, shown, path == null ? "in memory" : (isNew ? "new " : "") + path);
        } catch (IOException | Failure | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Failure(Failures.message(e), e);
        }
        return 0;
    }

    /// One that CREATE PROPERTY GRAPH has declared, or the graph of this name.
    private Graph open(Database database) {
        return TableGraph.exists(database, name)
                ? TableGraph.open(database, name)
                : OrielGraph.open(database, name);
    }

    private void talk(Graph graph, OutputFormat shown, String what) throws IOException, Failure {
        Environment surroundings = main.surroundings();
        Screen screen = surroundings.screen();
        if (source != null && source.text != null) {
            try (BufferedReader in = new BufferedReader(new StringReader(source.text))) {
                new GremlinShell(graph, shown, () -> screen).script(in, "");
            }
        } else if (source != null && source.file != null) {
            try (BufferedReader in = Files.newBufferedReader(source.file)) {
                new GremlinShell(graph, shown, () -> screen).script(in, source.file.toString());
            }
        } else if (surroundings.terminal()) {
            Repl.hold(screens -> new GremlinShell(graph, shown, screens), what, surroundings);
        } else {
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    surroundings.in(),
                                    StandardCharsets.UTF_8.newDecoder())); // refuses other bytes
            new GremlinShell(graph, shown, () -> screen).script(in, "standard input");
        }
    }
}
