package dev.oriel.graph;

import dev.oriel.graph.load.CsvHeader;
import dev.oriel.graph.load.CsvLoad;
import dev.oriel.graph.load.CsvSource;
import dev.oriel.graph.load.LoadResult;
import dev.oriel.graph.load.RejectedRow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.io.GraphReader;
import org.apache.tinkerpop.gremlin.structure.util.Attachable;

/// Reads a CSV file for Gremlin's `io()`:
///
/// ```
/// g.io("people.csv").with(IO.reader, "dev.oriel.graph.CsvGraphReader").read().iterate()
/// ```
/// A file with the columns `~from` and `~to` contains edges, any other one vertices; each row gives its label. The
/// load is done by [CsvLoad], as a transaction of its own.
public final class CsvGraphReader implements GraphReader {
    private CsvGraphReader() {}

    /// The builder required by `io()`.
    public static Builder build() {
        return new Builder();
    }

    /// A builder without settings.
    public static final class Builder implements ReaderBuilder<CsvGraphReader> {
        private Builder() {}

        @Override
        public CsvGraphReader create() {
            return new CsvGraphReader();
        }
    }

    @Override
    public void readGraph(InputStream in, Graph graphToWriteTo) throws IOException {
        if (!(graphToWriteTo instanceof OrielGraph graph)) {
            throw new IllegalArgumentException("CSV is loaded into Oriel's own graphs alone");
        }
        Path file = Files.createTempFile("oriel", ".csv"); // it is read twice
        try {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            CsvLoad load = graph.loadCsv();
            LoadResult _ = (isOfEdges(file) ? load.edges(file) : load.vertices(file)).run();
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static boolean isOfEdges(Path file) throws IOException {
        try (CsvSource in = new CsvSource(Files.newInputStream(file), ',')) {
            List<String> titles = new ArrayList<>();
            if (in.next()) {
                for (int i = 0; i < in.count(); i++) {
                    titles.add(in.text(i));
                }
            }
            CsvHeader.Titles none =
                    new CsvHeader.Titles(Set.of(), Set.of(), Set.of(), Set.of(), Map.of());
            return CsvHeader.parse(titles, none).isOfEdges();
        } catch (RejectedRow e) {
            throw new IOException("The header cannot be read: " + e.reason(), e);
        }
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException(
                "CSV files hold whole graphs, not single elements");
    }

    @Override
    public Vertex readVertex(InputStream in, Function<Attachable<Vertex>, Vertex> method) {
        throw unsupported();
    }

    @Override
    public Vertex readVertex(
            InputStream in,
            Function<Attachable<Vertex>, Vertex> vertexMethod,
            Function<Attachable<Edge>, Edge> edgeMethod,
            Direction direction) {
        throw unsupported();
    }

    @Override
    public Iterator<Vertex> readVertices(
            InputStream in,
            Function<Attachable<Vertex>, Vertex> vertexMethod,
            Function<Attachable<Edge>, Edge> edgeMethod,
            Direction direction) {
        throw unsupported();
    }

    @Override
    public Edge readEdge(InputStream in, Function<Attachable<Edge>, Edge> method) {
        throw unsupported();
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public VertexProperty readVertexProperty(
            InputStream in, Function<Attachable<VertexProperty>, VertexProperty> method) {
        throw unsupported();
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public Property readProperty(InputStream in, Function<Attachable<Property>, Property> method) {
        throw unsupported();
    }

    @Override
    public <C> C readObject(InputStream in, Class<? extends C> type) {
        throw unsupported();
    }
}
