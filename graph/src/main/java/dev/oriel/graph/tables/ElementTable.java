package dev.oriel.graph.tables;

import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexedProperty;
import dev.oriel.graph.value.ColumnValues;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// A table of a property graph, with the names of its definition resolved. Immutable; valid for one version of the
/// catalog.
public final class ElementTable {
    private final PropertyGraph.Element element;
    private final Table table;
    private final Map<String, Integer> properties = new LinkedHashMap<>();

    /// Properties by column, for conditions on them; null for a column that is none.
    private final @Nullable TableColumn[] indexed;

    /// Stands for the primary key as an index.
    private final Index primary;

    /// Access paths to rows: the primary key, then the indexes.
    private final List<Index> accesses = new ArrayList<>();

    private final byte[] labelBytes;

    ElementTable(PropertyGraph.Element element, Table table) {
        this.element = element;
        this.table = table;
        for (PropertyGraph.Property property : element.properties()) {
            properties.put(property.name(), table.column(property.column()));
        }
        this.indexed = new @Nullable TableColumn[table.columns().size()];
        properties.forEach((name, column) -> {
            if (indexed[column] == null) {
                indexed[column] = new TableColumn(name, type(column));
            }
        });
        this.primary = new Index("primary key", Index.Kind.BTREE, true, table.primaryKey());
        accesses.add(primary);
        accesses.addAll(table.indexes());
        this.labelBytes = (element.label() + '\0').getBytes(StandardCharsets.UTF_8);
    }

    /// The access paths: the primary key, and the indexes; [#index] resolves one.
    public List<Index> accesses() {
        return accesses;
    }

    /// The index used by `access`; null for the primary key.
    @SuppressWarnings("ReferenceEquality") // compared by identity
    @Nullable Index index(Index access) {
        return access == primary ? null : access;
    }

    /// All rows, in the order of the primary key.
    public IndexChoice all() {
        KeyRange range = new KeyRange(table.primaryKey().size());
        List<KeyRange> ranges = new ArrayList<>(List.of(range));
        return new IndexChoice(primary, ranges, List.of(), false, false);
    }

    public IndexedProperty.OfTable indexedProperties() {
        return column -> indexed[column];
    }

    /// The label as the prefix of a vertex's name.
    public byte[] labelBytes() {
        return labelBytes;
    }

    /// Whether none of `columns` can be NULL.
    boolean areFilled(List<Integer> columns) {
        return columns.stream()
                .allMatch(column -> isKey(column) || !table.columns().get(column).nullable());
    }

    /// A copy of a primary key.
    public Tuple copyKey(Tuple key) {
        Tuple copy = new Tuple(table.primaryKey().size());
        for (int i = 0; i < table.primaryKey().size(); i++) {
            copy.copy(i, key, i, type(table.primaryKey().get(i)).shape());
        }
        return copy;
    }

    PropertyGraph.Element element() {
        return element;
    }

    public Table table() {
        return table;
    }

    public String label() {
        return element.label();
    }

    /// Columns by names of properties.
    public Map<String, Integer> properties() {
        return properties;
    }

    Type type(int column) {
        return table.columns().get(column).type();
    }

    boolean isKey(int column) {
        return table.primaryKey().contains(column);
    }

    /// The column of a writable property.
    ///
    /// @throws IllegalArgumentException if there is none
    int column(String property) {
        Integer column = properties.get(property);
        if (column == null) {
            throw new IllegalArgumentException(
                    "The label %s has no property %s; it has %s"
                            .formatted(label(), property, properties.keySet()));
        }
        Column definition = table.columns().get(column);
        if (definition.generated()) {
            throw new IllegalArgumentException(
                    "The property %s of %s is computed from others, and cannot be set"
                            .formatted(property, label()));
        }
        return column;
    }

    @Nullable Object value(Row row, int column) {
        return ColumnValues.take(row, column, type(column));
    }

    /// A copy of `row`.
    Tuple copy(Row row) {
        Tuple copy = new Tuple(table.columns().size());
        for (int i = 0; i < table.columns().size(); i++) {
            copy.copy(i, row, i, type(i).shape());
        }
        return copy;
    }

    /// The values of the primary key in `row`.
    Tuple key(Row row) {
        return pick(row, table.primaryKey());
    }

    /// The values of some columns of `row`.
    Tuple pick(Row row, List<Integer> columns) {
        Tuple picked = new Tuple(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            picked.copy(i, row, columns.get(i), type(columns.get(i)).shape());
        }
        return picked;
    }

    /// The id `label:value!value`, with the values of the key.
    String id(Tuple key) {
        return id(label(), key);
    }

    /// Like [#id], with the table's number in place of the label, because a table may have several labels.
    String rowId(Tuple key) {
        return id(Long.toString(table.id()), key);
    }

    private String id(String prefix, Tuple key) {
        StringJoiner id = new StringJoiner("!", prefix + ":", "");
        for (int i = 0; i < table.primaryKey().size(); i++) {
            Object value = ColumnValues.take(key, i, type(table.primaryKey().get(i)));
            id.add(LabelRules.escaped(value == null ? "" : ColumnValues.print(value)));
        }
        return id.toString();
    }

    /// The key in `id`; null if it is not an id of this table.
    @Nullable Tuple parse(String id) {
        if (!id.startsWith(label() + ":")) {
            return null;
        }
        List<String> parts = parts(id.substring(label().length() + 1));
        List<Integer> columns = table.primaryKey();
        if (parts.size() != columns.size()) {
            return null;
        }
        Tuple key = new Tuple(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Type type = type(columns.get(i));
            Object value = ColumnValues.parse(parts.get(i), type);
            if (value == null) {
                return null;
            }
            ColumnValues.put(key, i, type, value);
        }
        return key;
    }

    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                part.append(text.charAt(++i));
            } else if (c == '!') {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }
}
