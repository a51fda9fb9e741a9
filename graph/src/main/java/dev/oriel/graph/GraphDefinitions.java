package dev.oriel.graph;

import dev.oriel.store.Slice;
import dev.oriel.table.Column;
import dev.oriel.table.Index;
import dev.oriel.table.KeyRange;
import dev.oriel.table.RowCursor;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// Carries out what is declared. What adds is committed beside others; what changes a table that exists is
/// exclusive.
final class GraphDefinitions {
    private final OrielGraph graph;
    private final GraphCatalog catalog;

    GraphDefinitions(OrielGraph graph) {
        this.graph = graph;
        this.catalog = graph.catalog();
    }

    PropertyKey declare(String name, DataType type, Cardinality cardinality, boolean ifNotExist) {
        PropertyKey known = catalog.keys().byName(name);
        if (known != null && known.isDeclared()) {
            if (ifNotExist) {
                return known;
            }
            throw exists("property key", name);
        }
        return catalog.declare(name, type, cardinality);
    }

    void createVertexLabel(String name, LabelRules rules, boolean ifNotExist) {
        if (catalog.vertexLabels().byName().containsKey(name)) {
            checkMayExist("vertex label", name, ifNotExist);
            return;
        }
        check(name, rules);
        catalog.addVertexLabel(name, rules, columns(rules), null);
    }

    void createEdgeLabel(
            String name,
            LabelRules rules,
            EdgeLabel.Link link,
            boolean single,
            boolean ifNotExist) {
        if (catalog.edgeLabels().byName().containsKey(name)) {
            checkMayExist("edge label", name, ifNotExist);
            return;
        }
        check(name, rules);
        catalog.addEdgeLabel(name, rules, link, single, columns(rules), null);
    }

    private static void checkMayExist(String what, String name, boolean ifNotExist) {
        if (!ifNotExist) {
            throw exists(what, name);
        }
    }

    private static IllegalArgumentException exists(String what, String name) {
        return new IllegalArgumentException("There is a %s %s already".formatted(what, name));
    }

    private static IllegalArgumentException absent(String what, String name) {
        return new IllegalArgumentException(
                "There is no %s %s; create it first".formatted(what, name));
    }

    private void check(String label, LabelRules rules) {
        rules.properties().forEach(this::declared);
        for (String key : rules.keys()) {
            if (!rules.requires(key) || !declared(key).fitsColumn()) {
                throw new IllegalArgumentException(
                        "The key %s of the label %s must be one of its properties, with one value, and not nullable"
                                .formatted(key, label));
            }
        }
    }

    private PropertyKey declared(String name) {
        PropertyKey key = catalog.keys().byName(name);
        if (key == null || !key.isDeclared()) {
            throw absent("property key", name);
        }
        return key;
    }

    private List<PropertyKey> columns(LabelRules rules) {
        List<PropertyKey> columns = new ArrayList<>();
        for (String name : rules.properties()) {
            PropertyKey key = declared(name);
            if (key.fitsColumn()) {
                columns.add(key);
            }
        }
        return columns;
    }

    void appendToVertexLabel(String name, List<String> properties, List<String> nullable) {
        VertexLabel label = vertexLabel(name);
        LabelRules rules = label.rules();
        List<String> all = new ArrayList<>(rules.properties());
        List<String> allNullable = new ArrayList<>(rules.nullable());
        for (String property : properties) {
            declared(property);
            if (!all.contains(property)) {
                if (!nullable.contains(property)) {
                    throw new IllegalArgumentException(
                            "The property %s that is appended to %s must be nullable"
                                    .formatted(property, name));
                }
                all.add(property);
            }
        }
        allNullable.addAll(nullable);
        LabelRules changed =
                new LabelRules(rules.declared(), rules.ids(), rules.keys(), all, allNullable);
        change(label, changed, columns(changed), null);
    }

    void createVertexIndex(
            String name, String of, List<String> fields, boolean unique, boolean ifNotExist) {
        if (find(name) != null) {
            checkMayExist("index", name, ifNotExist);
            return;
        }
        VertexLabel label = vertexLabel(of);
        change(label, label.rules(), fields(fields), new Wanted(name, fields, unique));
    }

    void createEdgeIndex(
            String name, String of, List<String> fields, boolean unique, boolean ifNotExist) {
        if (find(name) != null) {
            checkMayExist("index", name, ifNotExist);
            return;
        }
        EdgeLabel label = catalog.edgeLabels().byName().get(of);
        if (label == null) {
            throw absent("edge label", of);
        }
        List<PropertyKey> keys = fields(fields);
        checkNoWriter();
        synchronized (catalog) {
            try (TableTransaction transaction = catalog.tables().beginExclusive()) {
                Table table = withColumns(transaction, label.table(), keys);
                Columns columns = new Columns(table, EdgeLabel.BAG, catalog.keys().byName());
                move(transaction, table, columns, keys);
                table = withIndex(transaction, table, new Wanted(name, fields, unique));
                long version = transaction.catalog().version();
                transaction.commit();
                catalog.replace(label, table, version);
            }
        }
    }

    private List<PropertyKey> fields(List<String> names) {
        List<PropertyKey> keys = new ArrayList<>();
        for (String name : names) {
            PropertyKey key = declared(name);
            if (!key.fitsColumn()) {
                throw new IllegalArgumentException(
                        "The property %s has no column, so it cannot be indexed: it has several values or is an object"
                                .formatted(name));
            }
            keys.add(key);
        }
        return keys;
    }

    private VertexLabel vertexLabel(String name) {
        VertexLabel label = catalog.vertexLabels().byName().get(name);
        if (label == null) {
            throw absent("vertex label", name);
        }
        return label;
    }

    /// An index that is to be made.
    private record Wanted(String name, List<String> fields, boolean unique) {}

    private void change(
            VertexLabel label, LabelRules rules, List<PropertyKey> keys, @Nullable Wanted index) {
        checkNoWriter();
        synchronized (catalog) {
            try (TableTransaction transaction = catalog.tables().beginExclusive()) {
                Table table = withColumns(transaction, label.table(), keys);
                Columns columns = new Columns(table, VertexLabel.BAG, catalog.keys().byName());
                move(transaction, table, columns, keys);
                if (index != null) {
                    table = withIndex(transaction, table, index);
                }
                long version = transaction.catalog().version();
                VertexLabel changed = catalog.changed(label, table, version, rules);
                catalog.write(transaction, changed);
                transaction.commit();
                catalog.put(changed);
            }
        }
    }

    private void checkNoWriter() {
        if (graph.tx().isOpen() && graph.work().isWriting()) {
            throw new IllegalStateException(
                    "The transaction of this thread has changed the graph; commit it or roll it back"
                            + " before a table is changed");
        }
    }

    private static Table withColumns(
            TableTransaction transaction, Table before, List<PropertyKey> keys) {
        Table table = before;
        for (PropertyKey key : keys) {
            DataType type = key.type();
            if (type != null && table.column(key.name()) < 0) {
                Column column = new Column(key.name(), type.columnType(), true);
                table = transaction.addColumn(table, column);
            }
        }
        return table;
    }

    private Table withIndex(TableTransaction transaction, Table table, Wanted wanted) {
        List<Integer> columns = wanted.fields.stream().map(table::column).toList();
        Index index =
                new Index(catalog.inGraph(wanted.name), Index.Kind.BTREE, wanted.unique, columns);
        return transaction.createIndex(table, index);
    }

    /// Moves values of `keys` from the bag into their columns.
    private void move(
            TableTransaction transaction, Table table, Columns columns, List<PropertyKey> keys) {
        RowCursor cursor = transaction.cursor(table, null);
        cursor.open(transaction, new KeyRange(table.primaryKey().size()), false);
        Tuple row = new Tuple(table.columns().size());
        Bytes bag = new Bytes();
        Slice rowKey = new Slice();
        while (cursor.next()) {
            if (cursor.isNull(columns.bag())) {
                continue;
            }
            Properties properties = columns.read(cursor, catalog.keys());
            boolean moves = false;
            for (PropertyKey key : keys) {
                Properties.Entry entry = properties.first(key);
                moves |= entry != null && entry.number() == 0;
            }
            if (moves) {
                for (int i = 0; i < columns.bag(); i++) {
                    row.copy(i, cursor, i, table.columns().get(i).type().shape());
                }
                columns.put(properties, row, bag);
                cursor.rowKey(rowKey);
                transaction.update(table, rowKey, row);
            }
        }
    }

    /// The table that has the index `name`, or null.
    private @Nullable Table find(String name) {
        for (Table table : catalog.tables().catalog().tables()) {
            if (table.index(catalog.inGraph(name)) != null) {
                return table;
            }
        }
        return null;
    }

    void removeIndex(String name) {
        Table table = find(name);
        Index index = table == null ? null : table.index(catalog.inGraph(name));
        if (table == null || index == null) {
            throw absent("index", name);
        }
        checkNoWriter();
        synchronized (catalog) {
            try (TableTransaction transaction = catalog.tables().beginExclusive()) {
                Table changed = transaction.dropIndex(table, index);
                long version = transaction.catalog().version();
                transaction.commit();
                catalog.replace(changed, version);
            }
        }
    }

    void removeVertexLabel(String name) {
        VertexLabel label = vertexLabel(name);
        checkNoWriter();
        Iterator<Vertex> vertices = new VertexIterator(graph, List.of(label));
        vertices.forEachRemaining(Vertex::remove);
        graph.tx().commit();
        catalog.remove(label);
    }

    void removeEdgeLabel(String name) {
        EdgeLabel label = catalog.edgeLabels().byName().get(name);
        if (label == null) {
            throw absent("edge label", name);
        }
        checkNoWriter();
        Iterator<Edge> edges = EdgeIterator.all(graph, List.of(label));
        edges.forEachRemaining(Edge::remove);
        graph.tx().commit();
        catalog.remove(label);
    }
}
