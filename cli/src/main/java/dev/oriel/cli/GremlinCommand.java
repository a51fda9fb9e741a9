package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import java.io.IOException;
import java.nio.file.Files;
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
                "Folder of the database; traversals that write create it.",
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
            names = "--create",
            description =
                    "Create the database and the graph if there is none, though nothing is written yet:"
                            + " typed in on a terminal, or read.")
    private boolean create;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "table",
            description = "Show results as table, blocks, csv, json or markdown.")
    private String format = "table";

    @ArgGroup(exclusive = true)
    private @Nullable Source source;

    private @Nullable GremlinShell shell;

    /// Options for the source of statements other than standard input.
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
    @SuppressWarnings("try") // our graphs throw nothing else when they are closed
    public Integer call() throws IOException, Failure {
        StatementSource statements =
                new StatementSource(
                        main.environment(),
                        source == null ? null : source.text,
                        source == null ? null : source.file);
        OutputFormat shown = OutputFormat.of(format);
        boolean isNew = path != null && !Files.exists(path);
        boolean creates = create || path == null || statements.writes(Existence::gremlinWrites);
        if (path != null && !creates) {
            Existence.checkDatabase(path);
        }
        try (Database database = path == null ? Database.inMemory() : Database.open(path)) {
            if (!creates) {
                Existence.checkGraph(database, name);
            }
            try (Graph graph = open(database)) {
                String what = path == null ? "in memory" : (isNew ? "new " : "") + path;
                GremlinShell.Place place = new GremlinShell.Place(database, graph, name);
                try {
                    statements.run(
                            screens -> opened(new GremlinShell(place, shown, screens)), what);
                } finally {
                    if (shell != null) {
                        shell.close();
                    }
                }
            }
        } catch (IOException | Failure | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Failure(Failures.message(e), e);
        }
        return 0;
    }

    /// Opens the graph `name`: one declared by CREATE PROPERTY GRAPH, or else a stored one.
    private Graph open(Database database) {
        return TableGraph.exists(database, name)
                ? TableGraph.open(database, name)
                : OrielGraph.open(database, name);
    }

    private GremlinShell opened(GremlinShell made) {
        shell = made;
        return made;
    }
}
