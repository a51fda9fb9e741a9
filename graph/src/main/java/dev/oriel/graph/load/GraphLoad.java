package dev.oriel.graph.load;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.RowFiller;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.table.value.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// Bulk load of vertices and edges made by the program, without logging; [CsvLoad] does the same for files:
///
/// ```java
/// try (GraphLoad load = graph.load()) {
///     long marko = load.vertex("person", "name", "marko");
///     long vadas = load.vertex("person", T.id, "v", "name", "vadas");
///     load.edge("knows", marko, vadas, "weight", 0.5);
///     load.commit();
/// }
/// ```
/// - All is one transaction: other writers wait until it is committed or closed, readers are not blocked, and a
///   crash leaves all of it or nothing.
/// - Labels and property keys must exist before, declared or by use.
/// - Edges may come in any order. If they come label by label in the order of source and target, they need no sort
///   for the table; their reverse index always does.
/// - A call refused with an exception has added nothing, and the load may continue. Violations of a unique index
///   are found at commit.
/// - The ids given to vertices are kept in memory until it ends.
///
/// Belongs to one thread.
public final class GraphLoad implements AutoCloseable {
    private final GraphCatalog catalog;
    private final LoadRun run;
    private final RowFiller filler;
    private final Map<String, VertexTarget> vertexTargets = new HashMap<>();
    private final Map<String, EdgeRow> edgeRows = new HashMap<>();
    private @Nullable EdgeRow lastEdgeRow;
    private long vertices;
    private long edges;
    private boolean done;

    /// A vertex label and its row.
    private record VertexTarget(VertexLabel label, Tuple row) {}

    public GraphLoad(StoredGraph graph) {
        LoadRun.checkIdle(graph);
        this.catalog = graph.catalog();
        CsvLoad.Limits limits = new CsvLoad.Limits(Long.MAX_VALUE, Budget.usualBytesMax(), null, 0);
        try {
            this.run = new LoadRun(catalog, limits, LoadProgress.NONE, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // without a file of rejects there is nothing to open
        }
        this.filler = new RowFiller(catalog, new Bytes());
        boolean begun = false;
        try {
            run.begin();
            begun = true;
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    /// Adds a vertex, and returns its number, which identifies it to [#edge].
    ///
    /// @param keyValues properties, and its id under [T#id] if the label takes one
    /// @throws IllegalArgumentException if there is no such label or key, they do not accept it, or its id is
    ///     taken
    public long vertex(String label, Object... keyValues) {
        VertexTarget target = vertexTargets.computeIfAbsent(label, this::vertexTarget);
        VertexLabel of = target.label;
        Object id = of.rules().id(label, givenId(keyValues), catalog.keys(), keyValues);
        filler.fill(of.columns(), of.rules(), label, target.row, Cardinality.list, keyValues);
        byte[] key = id == null ? null : ValueCodec.idKey(id);
        if (id != null && key != null) {
            checkLength(key);
            if (run.vertices().get(key) != 0 || run.isTaken(id)) {
                throw Graph.Exceptions.vertexWithIdAlreadyExists(id);
            }
        }
        long number = id == null ? of.sequence().takeUnkept() : of.hidden().takeUnkept();
        long vertex = of.vertex(number, id != null);
        target.row.setLong(VertexLabel.ID, vertex);
        target.row.setBytes(VertexLabel.KEY, id == null ? null : ValueCodec.encode(id));
        run.insert(of, target.row, key, vertex);
        if (key != null) {
            run.vertices().putNew(key, vertex);
        }
        vertices++;
        return vertex;
    }

    private static void checkLength(byte[] idKey) {
        if (idKey.length > VertexRows.ID_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "An id is longer than %d bytes".formatted(VertexRows.ID_BYTES_MAX));
        }
    }

    private VertexTarget vertexTarget(String name) {
        VertexLabel label = catalog.vertexLabels().byName().get(name);
        if (label == null) {
            throw unknown("vertex label", name);
        }
        run.use(label);
        return new VertexTarget(label, new Tuple(label.columns().count()));
    }

    private static IllegalArgumentException unknown(String what, String name) {
        return new IllegalArgumentException(
                "There is no %s %s; a load adds none, so declare it before".formatted(what, name));
    }

    /// Checks the property keys and returns the id among the properties.
    private @Nullable Object givenId(Object... keyValues) {
        if ((keyValues.length & 1) != 0) {
            throw Element.Exceptions.providedKeyValuesMustBeAMultipleOfTwo();
        }
        Object id = null;
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] == T.id) {
                id = keyValues[i + 1];
                if (id == null || !ValueCodec.isId(id)) {
                    throw Vertex.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
                }
            } else if (!(keyValues[i] instanceof String key)) {
                throw Element.Exceptions.providedKeyValuesMustHaveALegalKeyOnEvenIndices();
            } else if (catalog.keys().byName(key) == null) {
                throw unknown("property key", key);
            }
        }
        return id;
    }

    /// The number of the vertex with this id, from this load or the graph before it; 0 if there is none.
    public long find(Object id) {
        long loaded = ValueCodec.isId(id) ? run.vertices().get(ValueCodec.idKey(id)) : 0;
        return loaded != 0 ? loaded : run.resolve(id);
    }

    /// Adds an edge between vertices with numbers from [#vertex] or [#find].
    ///
    /// @param keyValues properties, and its id under [T#id]
    /// @throws IllegalArgumentException if there is no such label, key or vertex, or the label does not accept it
    public void edge(String label, long source, long target, Object... keyValues) {
        EdgeRow edge = edgeRow(label);
        try {
            checkEnd(source, "source");
            checkEnd(target, "target");
            edge.checkLink(source, target);
            Object id = givenId(keyValues);
            EdgeLabel of = edge.label();
            byte[] key = id == null ? null : checkedId(of, id);
            filler.fill(of.columns(), of.rules(), label, edge.row(), Cardinality.single, keyValues);
            edge.insert(source, target, id);
            if (key != null) {
                run.edgeIds().putNew(key, 0, key.length, 1);
            }
        } catch (RejectedRow e) {
            throw refused(e);
        }
        edges++;
    }

    private void checkEnd(long vertex, String what) throws RejectedRow {
        if (!run.exists(vertex)) {
            throw new RejectedRow("there is no vertex %d, its %s".formatted(vertex, what));
        }
    }

    /// The bytes of an edge id, which must be free.
    private byte[] checkedId(EdgeLabel label, Object id) throws RejectedRow {
        if (label.single()) {
            throw new RejectedRow(
                    "an edge of the single-time label %s is known by its ends; it has no other id"
                            .formatted(label.name()));
        }
        byte[] key = ValueCodec.idKey(id);
        checkLength(key);
        if (run.hasEdge(id) || run.edgeIds().get(key, 0, key.length, 0) != 0) {
            throw new RejectedRow("there is an edge with this id already");
        }
        return key;
    }

    private EdgeRow edgeRow(String name) {
        EdgeRow last = lastEdgeRow;
        if (last != null && last.label().name().equals(name)) {
            return last;
        }
        EdgeRow row = edgeRows.computeIfAbsent(name, this::bind);
        lastEdgeRow = row;
        return row;
    }

    private EdgeRow bind(String name) {
        EdgeLabel label = catalog.edgeLabels().byName().get(name);
        if (label == null) {
            throw unknown("edge label", name);
        }
        return new EdgeRow(run, label);
    }

    private static IllegalArgumentException refused(RejectedRow reason) {
        return new IllegalArgumentException("An element cannot be loaded: " + reason.reason());
    }

    /// Commits the load. Nothing can be added after that.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if elements violate a unique index; nothing is loaded then
    public LoadResult commit() {
        if (done) {
            throw new IllegalStateException("The load has ended");
        }
        run.commit();
        close();
        return new LoadResult(vertices, edges, 0);
    }

    /// Rolls the load back, unless it was committed. A second call does nothing.
    @Override
    public void close() {
        if (done) {
            return;
        }
        done = true;
        try {
            run.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
