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

/// Bulk load of vertices and edges from CSV files, each with a header, without logging.
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
/// Titles are Amazon Neptune's `~id`, `~label`, `~from`, `~to`, Neo4j's `:ID`, `:LABEL`, `:TYPE`, `:START_ID`,
/// `:END_ID`, or titles named here. All other columns are properties, `name` or `name:type`, with `[]` if a field
/// holds several values separated by semicolons. An empty field is no property.
///
/// - Ids that are integers of up to 18 digits become numbers, all others texts, unless the label declares its kind
///   of ids. If the graph allots the label's ids, the file's ids only serve to resolve the edges of the load.
/// - Missing labels are created, with a column for each property whose type is given by the file or the schema.
/// - All is one transaction, or one for each [#commitEvery] rows. Other writers wait meanwhile, readers are not
///   blocked, and a crash leaves whole transactions. Edges may lead to vertices of the same load and to existing
///   ones.
/// - Unsorted input is sorted. Edges in the order of their sources, and vertices in any order, need no sort.
/// - The ids of the loaded vertices are kept in memory, see [#memoryBytesMax].
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

    /// An input file.
    ///
    /// @param label empty if each row gives its own
    record Input(Path file, boolean ofEdges, String label) {}

    /// Limits of a load.
    record Limits(long commitRows, long memoryBytesMax, @Nullable Path rejects, long rejectsMax) {}

    public CsvLoad(StoredGraph graph) {
        this.graph = graph;
    }

    /// Adds a file of vertices with a column for their labels.
    public CsvLoad vertices(Path file) {
        return vertices("", file);
    }

    /// Adds a file of vertices of one label.
    public CsvLoad vertices(String label, Path file) {
        inputs.add(new Input(file, false, label));
        return this;
    }

    /// Adds a file of edges with a column for their labels.
    public CsvLoad edges(Path file) {
        return edges("", file);
    }

    /// Adds a file of edges of one label.
    public CsvLoad edges(String label, Path file) {
        inputs.add(new Input(file, true, label));
        return this;
    }

    /// Titles of id columns, in any file.
    public CsvLoad idColumn(String... titles) {
        ids.addAll(Arrays.asList(titles));
        return this;
    }

    /// Titles of label columns.
    public CsvLoad labelColumn(String... titles) {
        labels.addAll(Arrays.asList(titles));
        return this;
    }

    /// Titles of columns of the edges' source vertices.
    public CsvLoad sourceColumn(String... titles) {
        sources.addAll(Arrays.asList(titles));
        return this;
    }

    /// Titles of columns of the edges' target vertices.
    public CsvLoad targetColumn(String... titles) {
        targets.addAll(Arrays.asList(titles));
        return this;
    }

    /// Sets the type of the property `name`, if the header does not give one.
    public CsvLoad type(String name, DataType type) {
        types.put(name, type);
        return this;
    }

    /// The separator of fields; by default a comma. ASCII.
    public CsvLoad delimiter(char wanted) {
        if (wanted >= 0x80 || wanted == '"' || wanted == '\n' || wanted == '\r') {
            throw new UsageException(
                    "The delimiter of fields must be an ASCII character, and not a quote or the"
                            + " end of a line",
                    "delimiter=" + (int) wanted);
        }
        delimiter = wanted;
        return this;
    }

    /// Writes rows that cannot be loaded to `file`, with their numbers and the reasons, and continues, up to
    /// `most` of them. Without it the first such row ends the load.
    public CsvLoad rejects(Path file, long most) {
        rejects = file;
        rejectsMax = most;
        return this;
    }

    /// Commits after every `rows` rows, 1 or more. Without it all is one transaction.
    public CsvLoad commitEvery(long rows) {
        commitRows = Math.max(1, rows);
        return this;
    }

    /// Limit on the heap used for ids; by default half of the JVM's maximum.
    public CsvLoad memoryBytesMax(long bytes) {
        memoryBytesMax = bytes;
        return this;
    }

    public CsvLoad progress(LoadProgress wanted) {
        progress = wanted;
        return this;
    }

    /// Runs the load: vertex files first, then edge files, each in the order in which they were added.
    ///
    /// @throws IOException if a file cannot be read
    /// @throws UsageException if a header lacks a column, or a row is refused and no file of rejects is named
    /// @throws dev.oriel.store.LimitException if too many rows are refused, or ids need more memory
    /// @throws dev.oriel.table.definition.ConstraintException if the rows violate a unique index; nothing of their
    ///     transaction is loaded then
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
