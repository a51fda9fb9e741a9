package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.Columns;
import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.EdgeIterator;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.element.VertexIterator;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// Carries out declarations. Additions are committed concurrently with other transactions; changes to an existing
/// table are exclusive.
final class GraphDefinitions {
    /// Maximum attempts to remove a label to which other transactions add elements.
    private static final int REMOVALS_MAX = 10;

    private final StoredGraph graph;
    private final GraphCatalog catalog;

    GraphDefinitions(StoredGraph graph) {
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
        keepSwept(rules);
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
        checkExpiry(name, rules, link);
        catalog.addEdgeLabel(name, rules, link, single, columns(rules), null);
        keepSwept(rules);
    }

    private void keepSwept(LabelRules rules) {
        if (rules.ttlMillis() > 0) {
            graph.database().keepSwept();
        }
    }

    /// Edges must not outlive their ends.
    private void checkExpiry(String name, LabelRules rules, EdgeLabel.Link link) {
        for (String end : List.of(link.source(), link.target())) {
            VertexLabel label = catalog.vertexLabels().byName().get(end);
            if (rules.ttlMillis() == 0 && label != null && label.columns().expires()) {
                throw new IllegalArgumentException(
                        "The edge label %s leads to %s, whose vertices expire: it needs a ttl too"
                                .formatted(name, end));
            }
        }
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
                        "The key %s of the label %s is no property with one value that is never null; declare it so"
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
        changeVertices(
                name, label -> appending(appended(name, label.rules(), properties, nullable)));
    }

    void appendToEdgeLabel(String name, List<String> properties, List<String> nullable) {
        changeEdges(name, label -> appending(appended(name, label.rules(), properties, nullable)));
    }

    private Change appending(LabelRules rules) {
        return new Change(rules, columns(rules), null);
    }

    private LabelRules appended(
            String name, LabelRules rules, List<String> properties, List<String> nullable) {
        List<String> all = new ArrayList<>(rules.properties());
        List<String> allNullable = new ArrayList<>(rules.nullable());
        for (String property : properties) {
            declared(property);
            if (!all.contains(property)) {
                if (!nullable.contains(property)) {
                    throw new IllegalArgumentException(
                            "The new property %s of the existing label %s must be nullable"
                                    .formatted(property, name));
                }
                all.add(property);
            }
        }
        nullable.stream().filter(each -> !allNullable.contains(each)).forEach(allNullable::add);
        return rules.with(all, allNullable);
    }

    void eliminateFromVertexLabel(String name, List<String> properties, List<String> nullable) {
        changeVertices(
                name,
                label ->
                        eliminating(
                                new Elimination(
                                        catalog,
                                        VertexLabel.BAG,
                                        name,
                                        label.rules(),
                                        label.table(),
                                        properties,
                                        nullable)));
    }

    void eliminateFromEdgeLabel(String name, List<String> properties, List<String> nullable) {
        changeEdges(
                name,
                label ->
                        eliminating(
                                new Elimination(
                                        catalog,
                                        EdgeLabel.BAG,
                                        name,
                                        label.rules(),
                                        label.table(),
                                        properties,
                                        nullable)));
    }

    private static Change eliminating(Elimination elimination) {
        return new Change(elimination.rules(), List.of(), elimination);
    }

    private EdgeLabel edgeLabel(String name) {
        EdgeLabel label = catalog.edgeLabels().byName().get(name);
        if (label == null) {
            throw absent("edge label", name);
        }
        return label;
    }

    void createVertexIndex(String of, Wanted wanted, boolean ifNotExist) {
        changeVertices(of, label -> indexing(label.rules(), wanted, ifNotExist));
    }

    void createEdgeIndex(String of, Wanted wanted, boolean ifNotExist) {
        changeEdges(of, label -> indexing(label.rules(), wanted, ifNotExist));
    }

    private @Nullable Change indexing(LabelRules rules, Wanted wanted, boolean ifNotExist) {
        if (find(wanted.name) != null) {
            checkMayExist("index", wanted.name, ifNotExist);
            return null;
        }
        return new Change(
                rules,
                fields(wanted.fields),
                (transaction, table) -> withIndex(transaction, table, wanted));
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

    /// An index to be created.
    record Wanted(String name, List<String> fields, Index.Kind kind, boolean unique) {}

    /// A further change to the table of a label.
    interface TableChange {
        /// Makes the change, and returns the changed table.
        Table apply(TableTransaction transaction, Table table);
    }

    /// The planned change of a label.
    ///
    /// @param keys keys that get columns, if they have none
    private record Change(LabelRules rules, List<PropertyKey> keys, @Nullable TableChange more) {}

    /// Computes the change of a label from its current state; null if nothing is to be done. It is called twice:
    /// before waiting for writers, to report errors early, and when no other transaction can change the label.
    private interface Planned<L> {
        @Nullable Change of(L label);
    }

    private void changeVertices(String name, Planned<VertexLabel> planned) {
        if (planned.of(vertexLabel(name)) == null) {
            return;
        }
        checkNoWriter();
        try (TableTransaction transaction = catalog.tables().beginExclusive()) {
            synchronized (catalog) {
                VertexLabel label = vertexLabel(name);
                Change change = planned.of(label);
                if (change != null) {
                    Table table = changed(transaction, label.table(), VertexLabel.BAG, change);
                    long version = transaction.catalog().version();
                    VertexLabel changed = catalog.changed(label, table, version, change.rules);
                    catalog.write(transaction, changed);
                    transaction.commit();
                    catalog.put(changed);
                }
            }
        }
    }

    private void changeEdges(String name, Planned<EdgeLabel> planned) {
        if (planned.of(edgeLabel(name)) == null) {
            return;
        }
        checkNoWriter();
        try (TableTransaction transaction = catalog.tables().beginExclusive()) {
            synchronized (catalog) {
                EdgeLabel label = edgeLabel(name);
                Change change = planned.of(label);
                if (change != null) {
                    Table table = changed(transaction, label.table(), EdgeLabel.BAG, change);
                    long version = transaction.catalog().version();
                    EdgeLabel changed = catalog.changed(label, table, version, change.rules);
                    catalog.write(transaction, changed);
                    transaction.commit();
                    catalog.put(changed);
                }
            }
        }
    }

    private Table changed(TableTransaction transaction, Table before, int bag, Change change) {
        Table table = withColumns(transaction, before, bag, change.keys);
        Columns columns = new Columns(table, bag, catalog.keys().byName());
        move(transaction, table, columns, change.keys);
        return change.more == null ? table : change.more.apply(transaction, table);
    }

    private void checkNoWriter() {
        if (graph.tx().isOpen() && graph.work().isWriting()) {
            throw new IllegalStateException(
                    "The transaction of this thread has changed the graph; commit it or roll it back"
                            + " before a table is changed");
        }
    }

    /// Refuses a key with the name of another column: names of columns are case-insensitive.
    private static void checkName(Table table, int bag, PropertyKey key) {
        int column = table.column(key.name());
        if (column >= 0
                && (column <= bag
                        || table.columns().get(column).role() != Column.Role.PLAIN
                        || !table.columns().get(column).name().equals(key.name()))) {
            throw new IllegalArgumentException(
                    "The property %s can have no column in %s, which has the column %s"
                            .formatted(
                                    key.name(), table.name(), table.columns().get(column).name()));
        }
    }

    private static Table withColumns(
            TableTransaction transaction, Table before, int bag, List<PropertyKey> keys) {
        Table table = before;
        for (PropertyKey key : keys) {
            checkName(table, bag, key); // against the earlier keys too
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
        Index index = new Index(catalog.inGraph(wanted.name), wanted.kind, wanted.unique, columns);
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
                int values = properties.count(key);
                if (values > 1) {
                    throw new IllegalArgumentException(
                            "The property %s cannot have a column in %s: an element has several values of it; remove all but one, or declare it as list"
                                    .formatted(key.name(), table.name()));
                }
                moves |= values > 0;
            }
            if (moves) {
                for (int i = 0; i < columns.bag(); i++) {
                    row.copy(i, cursor, i, table.columns().get(i).type().shape());
                }
                columns.put(properties, row, bag);
                columns.keepExpiry(cursor, row);
                cursor.rowKey(rowKey);
                transaction.update(table, rowKey, row);
            }
        }
    }

    /// The names of all indexes over properties.
    List<String> indexes() {
        List<String> names = new ArrayList<>();
        for (VertexLabel label : catalog.vertexLabels().byName().values()) {
            label.table().indexes().forEach(index -> names.add(catalog.named(index.name())));
        }
        for (EdgeLabel label : catalog.edgeLabels().byName().values()) {
            for (Index index : label.table().indexes()) {
                if (!index.equals(label.incoming())) {
                    names.add(catalog.named(index.name()));
                }
            }
        }
        return names;
    }

    /// The table that has the index `name`, or null.
    private @Nullable Table find(String name) {
        for (Table table : catalog.tables().catalog().tablesOfPublic()) {
            if (table.index(catalog.inGraph(name)) != null) {
                return table;
            }
        }
        return null;
    }

    void removeIndex(String name) {
        if (find(name) == null) {
            throw absent("index", name);
        }
        checkNoWriter();
        try (TableTransaction transaction = catalog.tables().beginExclusive()) {
            synchronized (catalog) {
                Table table = find(name);
                Index index = table == null ? null : table.index(catalog.inGraph(name));
                if (table == null || index == null) {
                    throw absent("index", name);
                }
                Table changed = transaction.dropIndex(table, index);
                long version = transaction.catalog().version();
                transaction.commit();
                catalog.replace(changed, version);
            }
        }
    }

    /// Changes the columns of an index: appends `fields`, or removes them.
    void changeIndex(String name, List<String> fields, boolean append) {
        Table table = find(name);
        Index index = table == null ? null : table.index(catalog.inGraph(name));
        if (table == null || index == null) {
            throw absent("index", name);
        }
        List<Integer> columns = new ArrayList<>(index.columns());
        for (String field : fields) {
            Integer column = table.column(field);
            if (column < 0 || columns.contains(column) == append) {
                throw new IllegalArgumentException(
                        append
                                ? "The property %s has no column, or is of the index %s already; index it alone first"
                                        .formatted(field, name)
                                : "The index %s is not over the property %s"
                                        .formatted(name, field));
            }
            if (append) {
                columns.add(column);
            } else {
                columns.removeIf(column::equals);
            }
        }
        if (columns.isEmpty()) {
            throw new IllegalArgumentException(
                    "The index %s would have no property left; remove it".formatted(name));
        }
        replaceIndex(index, index.withColumns(columns), _ -> {});
    }

    /// Rebuilds `index` as `wanted`.
    ///
    /// @param rows receives the number of rows processed so far
    void replaceIndex(Index index, Index wanted, LongConsumer rows) {
        checkNoWriter();
        try (TableTransaction transaction = catalog.tables().beginExclusive()) {
            synchronized (catalog) {
                for (Table table : transaction.catalog().tablesOfPublic()) {
                    if (table.indexes().contains(index)) {
                        Table without = transaction.dropIndex(table, index);
                        Table changed = transaction.createIndex(without, wanted, rows);
                        long version = transaction.catalog().version();
                        transaction.commit();
                        catalog.replace(changed, version);
                        return;
                    }
                }
            }
        }
        throw absent("index", catalog.named(index.name()));
    }

    /// Rebuilds an index in a thread of its own.
    IndexRebuild rebuild(String name) {
        Table table = find(name);
        Index index = table == null ? null : table.index(catalog.inGraph(name));
        if (table == null || index == null) {
            throw absent("index", name);
        }
        checkNoWriter();
        return new IndexRebuild(this, catalog, table, index);
    }

    /// Revokes a declaration, if no label uses the key.
    void undeclare(String name) {
        PropertyKey key = declared(name);
        checkUnused(key);
        catalog.declare(name, null, null);
    }

    private void checkUnused(PropertyKey key) {
        for (VertexLabel label : catalog.vertexLabels().byName().values()) {
            checkUnused(key, label.name(), label.rules(), label.columns());
        }
        for (EdgeLabel label : catalog.edgeLabels().byName().values()) {
            checkUnused(key, label.name(), label.rules(), label.columns());
        }
    }

    private static void checkUnused(
            PropertyKey key, String label, LabelRules rules, Columns columns) {
        if (rules.properties().contains(key.name()) || columns.of(key) >= 0) {
            throw new IllegalArgumentException(
                    "The label %s has the property %s; eliminate it there first"
                            .formatted(label, key.name()));
        }
    }

    /// Widens a key of cardinality single to several values.
    void widen(String name, DataType type, Cardinality cardinality) {
        PropertyKey key = declared(name);
        if (key.type() != type
                || key.cardinality() != Cardinality.single
                || cardinality == Cardinality.single) {
            throw new IllegalArgumentException(
                    "The property key %s can only be changed from one value to several"
                            .formatted(name));
        }
        for (VertexLabel label : catalog.vertexLabels().byName().values()) {
            checkNoColumn(key, label.name(), label.columns());
        }
        for (EdgeLabel label : catalog.edgeLabels().byName().values()) {
            checkNoColumn(key, label.name(), label.columns());
        }
        catalog.declare(name, type, cardinality);
    }

    private static void checkNoColumn(PropertyKey key, String label, Columns columns) {
        if (columns.of(key) >= 0) {
            throw new IllegalArgumentException(
                    "The property %s has a column in %s, which takes one value"
                            .formatted(key.name(), label));
        }
    }

    void removeVertexLabel(String name) {
        VertexLabel label = vertexLabel(name);
        checkNoWriter();
        remove(
                () -> {
                    Iterator<Vertex> vertices = new VertexIterator(graph, List.of(label));
                    vertices.forEachRemaining(Vertex::remove);
                },
                () -> catalog.remove(label));
    }

    void removeEdgeLabel(String name) {
        EdgeLabel label = edgeLabel(name);
        checkNoWriter();
        remove(
                () -> {
                    Iterator<Edge> edges = EdgeIterator.all(graph, List.of(label));
                    edges.forEachRemaining(Edge::remove);
                },
                () -> catalog.remove(label));
    }

    /// Removes all elements of a label and then the label, and retries if other transactions have added some
    /// meanwhile.
    private void remove(Runnable elements, Runnable emptied) {
        for (int attempt = 1; ; attempt++) {
            elements.run();
            graph.tx().commit();
            try {
                emptied.run();
                return;
            } catch (ConflictException e) {
                if (e.reason() != ConflictException.Reason.CHANGED || attempt == REMOVALS_MAX) {
                    throw e;
                }
            }
        }
    }
}
