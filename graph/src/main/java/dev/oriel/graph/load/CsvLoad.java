package dev.oriel.graph.load;

import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.value.DataType;
import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Loads vertices and edges from CSV files, each with a header, past the log.
///
/// ```java
/// graph.loadCsv()
///         .vertices("airport", Path.of("airports.csv"))
///         .edges("route", Path.of("routes.csv"))
///         .idColumn("id").sourceColumn("source").targetColumn("target")
///         .type("runways", DataType.INT)
///         .rejects(Path.of("rejects.csv"), 100)
///         .run();
/// ```
/// Titles: `~id`, `~label`, `~from`, `~to` as Amazon Neptune has them, `:ID`, `:LABEL`, `:TYPE`, `:START_ID`,
/// `:END_ID` as Neo4j has them, or those that are named here; all others are properties, `name` or
/// `name:type`, with `[]` where a field holds several values parted by semicolons. A field with nothing in
/// it is no property.
///
/// - Ids that are whole numbers of up to 18 digits become numbers, all others texts, unless the label says what
///   its ids are. A label whose ids the graph allots has those of the file for its edges alone.
/// - Labels that do not exist are made, with a column for each property of which the file or the schema knows
///   the type.
/// - All is one transaction, or one for each [#commitEvery] rows: nobody else can write meanwhile, readers
///   go on, and a crash finds whole transactions. Edges may lead to vertices of the same load and to those
///   that there were.
/// - Input is sorted where it is not; rows in the order of their sources, and vertices in any order, need
///   not be.
/// - The ids of the vertices that are loaded are kept in memory, see [#memoryBytesMax].
///
/// Belongs to one thread, and is used once.
public final class CsvLoad {
    private final StoredGraph graph;
    private final List<Input> inputs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final Set<String> labels = new HashSet<>();
    private final Set<String> sources = new HashSet<>();
    private final Set<String> targets = new HashSet<>();
    private final Map<String, DataType> types = new HashMap<>();
    private char delimiter = ',';
    private @Nullable Path rejects;
    private long rejectsMax;
    private long commitRows = Long.MAX_VALUE;
    private long memoryBytesMax = Budget.usualBytesMax();
    private LoadProgress progress = LoadProgress.NONE;

    /// A file.
    ///
    /// @param label empty where each row says its own
    record Input(Path file, boolean ofEdges, String label) {}

    /// What it is to keep to.
    record Limits(long commitRows, long memoryBytesMax, @Nullable Path rejects, long rejectsMax) {}

    public CsvLoad(StoredGraph graph) {
        this.graph = graph;
    }

    /// Vertices with a column for their labels.
    public CsvLoad vertices(Path file) {
        return vertices("", file);
    }

    /// Vertices of one label.
    public CsvLoad vertices(String label, Path file) {
        inputs.add(new Input(file, false, label));
        return this;
    }

    /// Edges with a column for their labels.
    public CsvLoad edges(Path file) {
        return edges("", file);
    }

    /// Edges of one label.
    public CsvLoad edges(String label, Path file) {
        inputs.add(new Input(file, true, label));
        return this;
    }

    /// Titles of columns of ids, in whatever file.
    public CsvLoad idColumn(String... titles) {
        ids.addAll(Arrays.asList(titles));
        return this;
    }

    /// Titles of columns of labels.
    public CsvLoad labelColumn(String... titles) {
        labels.addAll(Arrays.asList(titles));
        return this;
    }

    /// Titles of columns of the vertices that edges begin at.
    public CsvLoad sourceColumn(String... titles) {
        sources.addAll(Arrays.asList(titles));
        return this;
    }

    /// Titles of columns of the vertices that edges end at.
    public CsvLoad targetColumn(String... titles) {
        targets.addAll(Arrays.asList(titles));
        return this;
    }

    /// Says what values the property `name` has, where the header does not.
    public CsvLoad type(String name, DataType type) {
        types.put(name, type);
        return this;
    }

    /// What parts fields; a comma, unless said otherwise. ASCII.
    public CsvLoad delimiter(char wanted) {
        if (wanted >= 0x80 || wanted == '"' || wanted == '\n' || wanted == '\r') {
            throw new UsageException(
                    "Fields are parted by one ASCII character, no quote and no end of a line",
                    "delimiter=" + (int) wanted);
        }
        delimiter = wanted;
        return this;
    }

    /// Writes rows that cannot be loaded to `file`, with their numbers and the reasons, and goes on, up to
    /// `most` of them. Without it the first such row ends the load.
    public CsvLoad rejects(Path file, long most) {
        rejects = file;
        rejectsMax = most;
        return this;
    }

    /// Commits whenever so many rows have been taken, 1 or more. Without it all is one transaction.
    public CsvLoad commitEvery(long rows) {
        commitRows = Math.max(1, rows);
        return this;
    }

    /// How much of the heap ids may take; half of what the JVM has, unless said otherwise.
    public CsvLoad memoryBytesMax(long bytes) {
        memoryBytesMax = bytes;
        return this;
    }

    public CsvLoad progress(LoadProgress wanted) {
        progress = wanted;
        return this;
    }

    /// Loads: files of vertices first, then those of edges, each in the order in which they were named.
    ///
    /// @throws IOException if a file cannot be read
    /// @throws UsageException if a header lacks a column, or a row is refused and no file of rejects is
    ///     named
    /// @throws dev.oriel.store.LimitException if too many rows are refused, or ids need more memory
    /// @throws dev.oriel.table.ConstraintException if the rows do not keep to a unique index; nothing of
    ///     their transaction is loaded then
    public LoadResult run() throws IOException {
        LoadRun.checkIdle(graph);
        long bytes = 0;
        for (Input input : inputs) {
            bytes += Files.size(input.file);
        }
        CsvHeader.Titles titles = new CsvHeader.Titles(ids, labels, sources, targets, types);
        Limits limits = new Limits(commitRows, memoryBytesMax, rejects, rejectsMax);
        List<LoadFile> files = new ArrayList<>();
        for (boolean ofEdges : new boolean[] {false, true}) {
            for (Input input : inputs) {
                if (input.ofEdges == ofEdges) {
                    files.add(LoadFile.of(input, titles, delimiter, graph));
                }
            }
        }
        try (LoadRun run = new LoadRun(graph.catalog(), limits, progress, bytes)) {
            return run.load(files);
        }
    }
}
