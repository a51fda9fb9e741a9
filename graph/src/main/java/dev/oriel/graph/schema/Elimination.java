package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.Columns;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.value.Bytes;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Removes properties from a label and all its elements, or makes nullable properties required.
final class Elimination implements GraphDefinitions.TableChange {
    private final GraphCatalog catalog;
    private final int bag;
    private final String label;
    private final LabelRules rules;
    private final List<String> gone;
    private final List<String> required = new ArrayList<>();

    /// @param properties the properties to be removed
    /// @param nullable properties of which the remaining ones become required
    Elimination(
            GraphCatalog catalog,
            int bag,
            String label,
            LabelRules before,
            Table table,
            List<String> properties,
            List<String> nullable) {
        this.catalog = catalog;
        this.bag = bag;
        this.label = label;
        this.gone = List.copyOf(properties);
        for (String property : properties) {
            check(before, table, property);
        }
        List<String> kept = new ArrayList<>(before.properties());
        kept.removeAll(properties);
        List<String> keptNullable = new ArrayList<>(before.nullable());
        keptNullable.removeAll(properties);
        for (String property : nullable) {
            if (!properties.contains(property)) {
                if (!keptNullable.remove(property) || !kept.contains(property)) {
                    throw refused(property, "is not one of its nullable ones");
                }
                required.add(property);
            }
        }
        this.rules = before.with(kept, keptNullable);
    }

    private void check(LabelRules before, Table table, String property) {
        if (!before.properties().contains(property)) {
            throw refused(property, "is none of its properties");
        }
        if (!before.nullable().contains(property)) {
            throw refused(property, "is one that its elements must have");
        }
        int column = table.column(property);
        for (Index index : table.indexes()) {
            if (column >= 0 && index.columns().contains(column)) {
                throw refused(property, "is of the index " + catalog.named(index.name()));
            }
        }
    }

    private IllegalArgumentException refused(String property, String why) {
        return new IllegalArgumentException(
                "The property %s cannot be eliminated from the label %s: it %s"
                        .formatted(property, label, why));
    }

    /// The new rules of the label.
    LabelRules rules() {
        return rules;
    }

    @Override
    public Table apply(TableTransaction transaction, Table table) {
        Columns columns = new Columns(table, bag, catalog.keys().byName());
        RowCursor cursor = transaction.cursor(table, null);
        cursor.open(transaction, new KeyRange(table.primaryKey().size()), false);
        Tuple row = new Tuple(table.columns().size());
        Bytes bagBytes = new Bytes();
        Slice rowKey = new Slice();
        while (cursor.next()) {
            Properties properties = columns.read(cursor, catalog.keys());
            for (String property : required) {
                if (find(properties, property) == null) {
                    throw refused(property, "is lacked by an element, and would have to be there");
                }
            }
            boolean changes = false;
            for (String property : gone) {
                Properties.Entry first = find(properties, property);
                changes |= first != null && properties.removeAll(first.key());
            }
            if (changes) {
                for (int i = 0; i < columns.bag(); i++) {
                    row.copy(i, cursor, i, table.columns().get(i).type().shape());
                }
                columns.put(properties, row, bagBytes);
                columns.keepExpiry(cursor, row);
                cursor.rowKey(rowKey);
                transaction.update(table, rowKey, row);
            }
        }
        return withoutColumns(transaction, table);
    }

    /// Drops the emptied columns; if SQL has added constraints they stay, empty.
    private Table withoutColumns(TableTransaction transaction, Table table) {
        int[] places = new int[table.columns().size()];
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            Column column = table.columns().get(i);
            boolean goes =
                    i > bag && column.role() == Column.Role.PLAIN && gone.contains(column.name());
            places[i] = goes ? -1 : columns.size();
            if (!goes) {
                columns.add(column);
            }
        }
        boolean free =
                table.constraints().checks().isEmpty()
                        && table.constraints().foreignKeys().isEmpty()
                        && table.indexes().stream().allMatch(index -> index.terms() == null);
        if (columns.size() == places.length || !free) {
            return table;
        }
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            indexes.add(index.withColumns(moved(index.columns(), places)));
        }
        Table wanted =
                table.withColumns(columns)
                        .withPrimaryKey(moved(table.primaryKey(), places))
                        .withIndexes(indexes);
        TableTransaction.RowChange change =
                (old, out) -> {
                    for (int i = 0; i < places.length; i++) {
                        if (places[i] >= 0) {
                            Type.Shape shape = table.columns().get(i).type().shape();
                            out.copy(places[i], old, i, shape);
                        }
                    }
                };
        return transaction.redefine(wanted, new TableTransaction.Rewrite(change, false, places));
    }

    private static List<Integer> moved(List<Integer> columns, int[] places) {
        return columns.stream().map(column -> places[column]).toList();
    }

    private Properties.@Nullable Entry find(Properties properties, String name) {
        PropertyKey key = catalog.keys().byName(name);
        return key == null ? null : properties.first(key);
    }
}
