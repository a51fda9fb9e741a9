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
import java.util.function.Function;
import java.util.function.Supplier;
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

    private @Nullable BufferedReader input;
    private @Nullable GremlinShell shell;

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
        boolean creates = create || path == null || writes();
        if (path != null && !creates) {
            Existence.checkDatabase(path);
        }
        try (Database database = path == null ? Database.inMemory() : Database.open(path)) {
            if (!creates) {
                Existence.checkGraph(database, name);
            }
            try (Graph graph = open(database)) {
                String what = path == null ? "in memory" : (isNew ? "new " : "") + path;
                talk(new GremlinShell.Place(database, graph, name), shown, what);
            }
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

    /// Whether the traversals that are given write, as far as can be seen beforehand.
    private boolean writes() throws IOException {
        if (source != null && source.text != null) {
            return Existence.gremlinWrites(source.text);
        }
        if (source != null && source.file != null) {
            try (BufferedReader in = Files.newBufferedReader(source.file)) {
                return Existence.gremlinWrites(Existence.peek(in));
            }
        }
        return !main.environment().terminal() && Existence.gremlinWrites(Existence.peek(input()));
    }

    /// Standard input, which refuses bytes that are not UTF-8.
    private BufferedReader input() {
        BufferedReader known = input;
        if (known == null) {
            known =
                    new BufferedReader(
                            new InputStreamReader(
                                    main.environment().in(), StandardCharsets.UTF_8.newDecoder()));
            input = known;
        }
        return known;
    }

    private void talk(GremlinShell.Place graph, OutputFormat shown, String what)
            throws IOException, Failure {
        try {
            talkTo(screens -> opened(new GremlinShell(graph, shown, screens)), what);
        } finally {
            if (shell != null) {
                shell.close();
            }
        }
    }

    private GremlinShell opened(GremlinShell made) {
        shell = made;
        return made;
    }

    private void talkTo(Function<Supplier<Screen>, GremlinShell> shells, String what)
            throws IOException, Failure {
        Environment environment = main.environment();
        Screen screen = environment.screen();
        if (source != null && source.text != null) {
            try (BufferedReader in = new BufferedReader(new StringReader(source.text))) {
                boolean _ = shells.apply(() -> screen).script(in, "");
            }
        } else if (source != null && source.file != null) {
            try (BufferedReader in = Files.newBufferedReader(source.file)) {
                boolean _ = shells.apply(() -> screen).script(in, source.file.toString());
            }
        } else if (environment.terminal()) {
            Repl.hold(shells::apply, what, environment);
        } else {
            boolean _ = shells.apply(() -> screen).script(input(), "standard input");
        }
    }
}
