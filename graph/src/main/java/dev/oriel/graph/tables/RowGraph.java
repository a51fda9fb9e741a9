package dev.oriel.graph.tables;

import dev.oriel.Database;
import dev.oriel.graph.element.OrielElement;
import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.value.ColumnValues;
import dev.oriel.internal.Layers;
import dev.oriel.kv.Joined;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A graph whose elements are rows of ordinary tables, as seen by these elements and its traversals: the tables,
/// and the transaction of the thread. Users open it as a `TableGraph`.
public abstract class RowGraph implements Graph {
    private final Tables tables;
    private final String name;
    private final Configuration configuration;
    private final TableGraphFeatures features;
    private final TableTransactions transaction;

    @SuppressWarnings("this-escape") // to a transaction that does not use it before a thread does
    protected RowGraph(Database database, String name, Configuration configuration) {
        this.tables = Layers.tables(database);
        this.name = name;
        this.configuration = configuration;
        this.features = new TableGraphFeatures();
        this.transaction = new TableGraphTransaction(this, () -> Layers.tables(database));
    }

    /// A view of the graph within a transaction over several faces.
    @SuppressWarnings("this-escape") // to a transaction that does not use it before a call
    protected RowGraph(String name, Configuration configuration, Joined joined) {
        this.tables = joined.tables();
        this.name = name;
        this.configuration = configuration;
        this.features = new TableGraphFeatures();
        this.transaction = new TableFace(this, new TableWork(joined, name));
    }

    /// The names of the vertex labels.
    public List<String> vertexLabels() {
        return List.copyOf(work().graphTables().vertices().keySet());
    }

    /// The names of the edge labels.
    public List<String> edgeLabels() {
        return List.copyOf(work().graphTables().edges().keySet());
    }

    /// The names of all properties.
    public List<String> propertyKeys() {
        Set<String> keys = new TreeSet<>();
        GraphTables of = work().graphTables();
        of.vertices().values().forEach(table -> keys.addAll(table.properties().keySet()));
        of.edges().values().forEach(ends -> keys.addAll(ends.edges().properties().keySet()));
        return List.copyOf(keys);
    }

    /// The name of the graph in SQL.
    public String name() {
        return name;
    }

    public TableWork work() {
        transaction.readWrite();
        return transaction.work();
    }

    public boolean isOf(RowGraph other) {
        return other.tables == tables && other.name.equalsIgnoreCase(name);
    }

    public Collection<ElementTable> vertexTables() {
        return work().graphTables().vertices().values();
    }

    public Collection<EdgeEnds> edgeTables() {
        return work().graphTables().edges().values();
    }

    /// @throws IllegalArgumentException if there is none
    EdgeEnds edgeTable(String label) {
        EdgeEnds found = work().graphTables().edges().get(label);
        if (found == null) {
            throw new IllegalArgumentException(
                    "The property graph %s has no edge label %s; it has %s"
                            .formatted(name, label, work().graphTables().edges().keySet()));
        }
        return found;
    }

    /// @throws IllegalArgumentException if there is none
    ElementTable vertexTable(String label) {
        ElementTable found = work().graphTables().vertices().get(label);
        if (found == null) {
            throw new IllegalArgumentException(
                    "The property graph %s has no vertex label %s; it has %s"
                            .formatted(name, label, work().graphTables().vertices().keySet()));
        }
        return found;
    }

    @Override
    public Vertex addVertex(Object... keyValues) {
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        if (ElementHelper.getIdValue(keyValues).isPresent()) {
            throw Vertex.Exceptions.userSuppliedIdsNotSupported();
        }
        String label = Vertex.DEFAULT_LABEL;
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] == T.label) {
                if (keyValues[i + 1] == null) {
                    throw Element.Exceptions.labelCanNotBeNull();
                }
                label = keyValues[i + 1].toString();
            }
        }
        ElementTable of = vertexTable(label);
        Tuple row = new Tuple(of.table().columns().size());
        BitSet given = new BitSet();
        fill(of, row, given, keyValues);
        Tuple written = work().insert(of, row, given);
        return new TableVertex(this, of, of.key(written), written);
    }

    private static void fill(ElementTable of, Tuple row, BitSet given, Object... keyValues) {
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String property) {
                ElementHelper.validateProperty(property, keyValues[i + 1]);
                int column = of.column(property);
                given.set(column);
                if (keyValues[i + 1] == null) {
                    row.setNull(column);
                } else {
                    ColumnValues.put(row, column, of.type(column), keyValues[i + 1]);
                }
            }
        }
    }

    TableEdge addEdge(String label, TableVertex source, TableVertex target, Object... keyValues) {
        EdgeEnds ends = edgeTable(label);
        ElementTable of = ends.edges();
        Tuple row = new Tuple(of.table().columns().size());
        BitSet given = new BitSet();
        fill(of, row, given, keyValues);
        put(ends.source(), of, source, row, given);
        put(ends.target(), of, target, row, given);
        if (!work().hold(source.table(), source.key())) {
            throw OrielElement.removed(Vertex.class, source.id());
        }
        if (!work().hold(target.table(), target.key())) {
            throw OrielElement.removed(Vertex.class, target.id());
        }
        Tuple written = work().insert(of, row, given);
        return new TableEdge(this, of, written, source, target);
    }

    private static void put(
            EdgeEnds.End end, ElementTable of, TableVertex vertex, Tuple row, BitSet given) {
        if (!end.vertices().label().equals(vertex.label())) {
            throw new IllegalArgumentException(
                    "An edge of %s needs a vertex of %s at that end, not of %s"
                            .formatted(of.label(), end.vertices().label(), vertex.label()));
        }
        for (int i = 0; i < end.columns().size(); i++) {
            int column = end.columns().get(i);
            Tuple before = new Tuple(1);
            before.copy(0, vertex.key(), i, of.type(column).shape());
            Object wanted = ColumnValues.take(before, 0, of.type(column));
            if (given.get(column) && !Objects.deepEquals(wanted, of.value(row, column))) {
                throw new IllegalArgumentException(
                        "An edge of %s ends at another vertex than its property %s names; leave the property out"
                                .formatted(of.label(), of.table().columns().get(column).name()));
            }
            row.copy(column, before, 0, of.type(column).shape());
            given.set(column);
        }
    }

    /// The edge in `row`; null if one of its ends is NULL or does not exist.
    @Nullable TableEdge edge(EdgeEnds ends, Tuple row) {
        TableVertex source = end(ends, ends.source(), row);
        TableVertex target = source == null ? null : end(ends, ends.target(), row);
        return source == null || target == null
                ? null
                : new TableEdge(this, ends.edges(), row, source, target);
    }

    private @Nullable TableVertex end(EdgeEnds ends, EdgeEnds.End end, Tuple row) {
        for (int column : end.columns()) {
            if (row.isNull(column)) {
                return null;
            }
        }
        Tuple key = ends.edges().pick(row, end.columns());
        return end.sure() || work().exists(end.vertices(), key)
                ? new TableVertex(this, end.vertices(), key, null)
                : null;
    }

    @Override
    public Iterator<Vertex> vertices(Object... ids) {
        if (ids.length == 0) {
            List<Iterator<Vertex>> parts = new ArrayList<>();
            vertexTables().forEach(of -> parts.add(vertices(of, of.all())));
            return Conditions.concat(parts);
        }
        List<Vertex> found = new ArrayList<>();
        for (Object given : ids) {
            Object id = given instanceof Vertex vertex ? vertex.id() : given;
            for (ElementTable of : work().graphTables().vertices().values()) {
                Tuple key = id instanceof String text ? of.parse(text) : null;
                Tuple row = key == null ? null : work().row(of, key);
                if (row != null) {
                    found.add(new TableVertex(this, of, of.key(row), row));
                }
            }
        }
        return found.iterator();
    }

    @Override
    public Iterator<Edge> edges(Object... ids) {
        if (ids.length == 0) {
            List<Iterator<Edge>> parts = new ArrayList<>();
            edgeTables().forEach(ends -> parts.add(edges(ends, ends.edges().all())));
            return Conditions.concat(parts);
        }
        List<Edge> found = new ArrayList<>();
        for (Object given : ids) {
            Object id = given instanceof Edge edge ? edge.id() : given;
            for (EdgeEnds ends : edgeTables()) {
                Tuple key = id instanceof String text ? ends.edges().parse(text) : null;
                Tuple row = key == null ? null : work().row(ends.edges(), key);
                Edge edge = row == null ? null : edge(ends, row);
                if (edge != null) {
                    found.add(edge);
                }
            }
        }
        return found.iterator();
    }

    private CloseableIterator<Vertex> vertices(ElementTable of, IndexChoice choice) {
        return new TableRows<>(
                this, of, choice, row -> new TableVertex(this, of, of.key(row), row));
    }

    private CloseableIterator<Edge> edges(EdgeEnds ends, IndexChoice choice) {
        return new TableRows<>(
                this, ends.edges(), choice, row -> edge(edgeTable(ends.edges().label()), row));
    }

    /// The elements of a table in the ranges of `choice`.
    @SuppressWarnings("unchecked") // of elements of either kind, which are only read
    public CloseableIterator<Element> elements(
            ElementTable of, IndexChoice choice, boolean vertices) {
        return (CloseableIterator<Element>)
                (CloseableIterator<?>)
                        (vertices ? vertices(of, choice) : edges(edgeTable(of.label()), choice));
    }

    /// Whether each row of the table is an element: for edges, both ends must be known to exist.
    public boolean areElements(ElementTable of, boolean vertices) {
        if (vertices) {
            return true;
        }
        EdgeEnds ends = edgeTable(of.label());
        return ends.leads(false) && ends.leads(true);
    }

    @Override
    public Transaction tx() {
        return transaction;
    }

    @Override
    public Variables variables() {
        throw Graph.Exceptions.variablesNotSupported();
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Features features() {
        return features;
    }

    @Override
    public <C extends GraphComputer> C compute(Class<C> type) {
        throw Graph.Exceptions.graphComputerNotSupported();
    }

    @Override
    public GraphComputer compute() {
        throw Graph.Exceptions.graphComputerNotSupported();
    }

    @Override
    public void close() {
        tx().close();
    }

    @Override
    public String toString() {
        return StringFactory.graphString(this, "tables:" + name);
    }
}
