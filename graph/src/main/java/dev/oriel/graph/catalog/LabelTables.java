package dev.oriel.graph.catalog;

import dev.oriel.graph.value.DataType;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;

/// The tables of labels, see docs/graph-layout.md.
final class LabelTables {
    private static final Type BIGINT = Type.of(Type.Name.BIGINT);
    private static final Type BLOB = Type.of(Type.Name.BLOB);

    private LabelTables() {}

    /// The table of a vertex label.
    ///
    /// @param columns keys of properties that get columns
    static Table ofVertices(String name, LabelRules rules, List<PropertyKey> columns) {
        List<Column> all = new ArrayList<>();
        all.add(new Column("_id", BIGINT, false));
        all.add(new Column("_key", BLOB, true));
        all.add(new Column("_properties", BLOB, true));
        addExpiry(all, rules);
        addColumns(all, columns);
        return new Table(0, name, all, List.of(VertexLabel.ID), List.of());
    }

    /// The table of an edge label, and its index from targets to sources.
    ///
    /// @param columns keys of properties that get columns
    static Table ofEdges(String name, LabelRules rules, List<PropertyKey> columns) {
        List<Column> all = new ArrayList<>();
        all.add(new Column("_source", BIGINT, false));
        all.add(new Column("_target", BIGINT, false));
        all.add(new Column("_number", BIGINT, false));
        all.add(new Column("_key", BLOB, true));
        all.add(new Column("_properties", BLOB, true));
        addExpiry(all, rules);
        addColumns(all, columns);
        List<Integer> outgoing = new ArrayList<>(List.of(EdgeLabel.SOURCE));
        List<Integer> incoming = new ArrayList<>(List.of(EdgeLabel.TARGET));
        for (int i = 0; i < rules.keys().size(); i++) {
            int column = indexOf(all, rules.keys().get(i));
            outgoing.add(column);
            incoming.add(column);
        }
        outgoing.addAll(List.of(EdgeLabel.TARGET, EdgeLabel.NUMBER));
        incoming.addAll(List.of(EdgeLabel.SOURCE, EdgeLabel.NUMBER));
        Index reverse = new Index(name + "~in", Index.Kind.BTREE, false, incoming);
        return new Table(0, name, all, outgoing, List.of(reverse));
    }

    private static void addExpiry(List<Column> all, LabelRules rules) {
        if (rules.ttlMillis() > 0) {
            Type moment = Type.of(Type.Name.TIMESTAMP_TZ);
            all.add(new Column("_expires", moment, true, Column.Role.EXPIRY));
        }
    }

    private static void addColumns(List<Column> all, List<PropertyKey> keys) {
        for (PropertyKey key : keys) {
            DataType type = key.type();
            if (type != null) {
                all.add(new Column(key.name(), type.columnType(), true));
            }
        }
    }

    private static int indexOf(List<Column> columns, String of) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(of)) {
                return i;
            }
        }
        throw new IllegalArgumentException("A sort key must be a property of its label: " + of);
    }
}
