package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.load.CsvLoad;
import dev.oriel.graph.load.LoadResult;
import dev.oriel.graph.value.DataType;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel graph load`: loads vertices and edges from CSV files.
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Load vertices and edges from CSV files.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Each file has a header. Titles are ~id, ~label, ~from and ~to, or :ID, :LABEL, :TYPE,"
                    + " :START_ID and :END_ID, or those that options name; all others are properties:"
                    + " NAME, NAME:TYPE, or NAME:TYPE[] for several values parted by semicolons. Types are"
                    + " boolean, byte, short, int, long, float, double, text, blob, date, uuid.",
            "All is one transaction, past the log; no other transaction can write meanwhile."
        })
final class GraphLoadCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private GraphCommand parent;

    @Parameters(
            paramLabel = "PATH",
            description = "Folder of the database; created if there is none.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Option(
            names = {"-g", "--graph"},
            paramLabel = "NAME",
            description = "Which graph of the database; without it the one without a name.")
    private String graph = "";

    @Option(
            names = "--vertices",
            paramLabel = "[LABEL=]FILE",
            description =
                    "A file of vertices, of one label or with a column of labels. Repeatable.")
    private List<String> vertices = List.of();

    @Option(
            names = "--edges",
            paramLabel = "[LABEL=]FILE",
            description = "A file of edges, of one label or with a column of labels. Repeatable.")
    private List<String> edges = List.of();

    @Option(names = "--id", split = ",", paramLabel = "TITLE", description = "Columns of ids.")
    private List<String> ids = List.of();

    @Option(
            names = "--label",
            split = ",",
            paramLabel = "TITLE",
            description = "Columns of labels.")
    private List<String> labels = List.of();

    @Option(
            names = "--from",
            split = ",",
            paramLabel = "TITLE",
            description = "Columns of the vertices that edges begin at.")
    private List<String> sources = List.of();

    @Option(
            names = "--to",
            split = ",",
            paramLabel = "TITLE",
            description = "Columns of the vertices that edges end at.")
    private List<String> targets = List.of();

    @Option(
            names = "--type",
            split = ",",
            paramLabel = "NAME=TYPE",
            description = "Type of a property, if the header does not give it.")
    private List<String> types = List.of();

    @Option(
            names = "--delimiter",
            paramLabel = "C",
            defaultValue = ",",
            description = "What parts fields; a comma, unless said otherwise.")
    private char delimiter = ',';

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            description =
                    "Write rows that cannot be loaded here, with their numbers and the reasons, and go"
                            + " on. Without it the first one ends the load.")
    private @Nullable Path rejects;

    @Option(
            names = "--rejects-max",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Give up after more rejected rows (${DEFAULT-VALUE}).")
    private long rejectsMax = 1_000;

    @Option(
            names = "--commit-every",
            paramLabel = "ROWS",
            description = "Commit after so many rows each. Without it all is one transaction.")
    private @Nullable Long commitRows;

    @Override
    public Integer call() throws IOException, Failure {
        if (vertices.isEmpty() && edges.isEmpty()) {
            throw new Failure("there is nothing to load: name files by --vertices and --edges");
        }
        List<Named> vertexFiles = named(vertices);
        List<Named> edgeFiles = named(edges);
        long bytes = 0;
        for (List<Named> files : List.of(vertexFiles, edgeFiles)) {
            for (Named file : files) {
                if (!Files.exists(file.path)) {
                    throw new NoSuchFileException(file.path.toString()); // before one is created
                }
                bytes += Files.size(file.path);
            }
        }
        long started = System.nanoTime();
        Screen screen = parent.environment().screen();
        LoadResult result;
        try (Database database = Database.open(path);
                OrielGraph into = OrielGraph.open(database, graph);
                Progress progress = new Progress(screen, "bytes of CSV", bytes, System::nanoTime)) {
            CsvLoad load = into.loadCsv().delimiter(delimiter);
            vertexFiles.forEach(file -> load.vertices(file.label, file.path));
            edgeFiles.forEach(file -> load.edges(file.label, file.path));
            configure(load);
            result = load.progress((_, _, done, _) -> progress.at(done)).run();
        }
        report(result, System.nanoTime() - started, screen);
        return 0;
    }

    private void configure(CsvLoad load) throws Failure {
        load.idColumn(ids.toArray(String[]::new))
                .labelColumn(labels.toArray(String[]::new))
                .sourceColumn(sources.toArray(String[]::new))
                .targetColumn(targets.toArray(String[]::new));
        for (String word : types) {
            int equals = word.lastIndexOf('=');
            if (equals <= 0) {
                throw new Failure("a type is NAME=TYPE, and not " + word);
            }
            load.type(
                    word.substring(0, equals),
                    DataType.ofWord(word.substring(equals + 1).toLowerCase(Locale.ROOT)));
        }
        if (rejects != null) {
            load.rejects(rejects, rejectsMax);
        }
        if (commitRows != null) {
            load.commitEvery(commitRows);
        }
    }

    /// A file, and the label of its rows; empty if each row has its own.
    private record Named(String label, Path path) {}

    private static List<Named> named(List<String> words) {
        List<Named> named = new ArrayList<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            boolean labelled = equals > 0 && !word.substring(0, equals).contains(File.separator);
            named.add(
                    labelled
                            ? new Named(
                                    word.substring(0, equals), Path.of(word.substring(equals + 1)))
                            : new Named("", Path.of(word)));
        }
        return named;
    }

    private void report(LoadResult result, long nanos, Screen screen) {
        screen.out()
                .println(
                        "%s and %s in %s, %s a second."
                                .formatted(
                                        counted(result.vertices(), "vertex", "vertices"),
                                        counted(result.edges(), "edge", "edges"),
                                        Figures.time(nanos),
                                        Figures.rate(result.vertices() + result.edges(), nanos)));
        if (result.rejected() > 0) {
            screen.out()
                    .println(
                            "%s rejected: see %s."
                                    .formatted(
                                            counted(result.rejected(), "row was", "rows were"),
                                            rejects));
        }
        screen.out().flush();
    }

    private static String counted(long count, String one, String more) {
        return Figures.count(count) + " " + (count == 1 ? one : more);
    }
}
