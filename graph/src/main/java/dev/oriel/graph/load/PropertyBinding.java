package dev.oriel.graph.load;

import dev.oriel.graph.catalog.Columns;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.element.RowFiller;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import dev.oriel.table.value.Tuple;
import java.util.Arrays;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// Binding of a file's columns to the rows of one label.
final class PropertyBinding {
    private final CsvHeader header;
    private final Columns columns;
    private final LabelRules rules;
    private final String label;
    private final long nowMicros;
    private final Bytes bag = new Bytes();

    /// Keys by column of the file; null for a column that is no property.
    private final @Nullable PropertyKey[] keys;

    /// Columns of the table, by column of the file, that take integers directly; -1 for others.
    private final int[] whole;

    private final boolean[] refused;
    private final boolean several;

    /// Columns of the table that must not be NULL.
    private final int[] required;

    PropertyBinding(
            CsvHeader header,
            Columns columns,
            LabelRules rules,
            String label,
            GraphCatalog catalog) {
        this.header = header;
        this.columns = columns;
        this.rules = rules;
        this.label = label;
        this.nowMicros = catalog.tables().nowMicros();
        int count = header.columns().size();
        this.keys = new PropertyKey[count];
        this.whole = new int[count];
        this.refused = new boolean[count];
        boolean any = false;
        for (int i = 0; i < count; i++) {
            CsvColumn column = header.columns().get(i);
            whole[i] = -1;
            if (column.role() != CsvColumn.Role.PROPERTY) {
                continue;
            }
            PropertyKey key = catalog.key(column.name(), null);
            keys[i] = key;
            refused[i] =
                    rules.declared()
                            && columns.of(key) < 0
                            && !rules.properties().contains(column.name());
            any |= column.several();
            if (key.type() == DataType.INT || key.type() == DataType.LONG) {
                whole[i] = columns.of(key);
            }
        }
        this.several = any;
        this.required = required(columns, rules);
    }

    private static int[] required(Columns columns, LabelRules rules) {
        return Arrays.stream(columns.keys())
                .filter(key -> rules.requires(key.name()))
                .mapToInt(columns::of)
                .toArray();
    }

    /// Writes the properties of a record to `row`.
    void fill(CsvSource in, Tuple row) throws RejectedRow {
        for (int i = columns.bag(); i < columns.count(); i++) {
            row.setNull(i);
        }
        columns.expire(row, rules, nowMicros);
        bag.clear();
        if (several) {
            columns.put(properties(in), row, bag);
        } else {
            for (int i = 0; i < keys.length; i++) {
                PropertyKey key = keys[i];
                if (key != null && !in.isAbsent(i)) {
                    put(in, i, key, row);
                }
            }
            if (!bag.isEmpty()) {
                row.setBytes(columns.bag(), bag.copy());
            }
        }
        for (int column : required) {
            if (row.isNull(column)) {
                throw new RejectedRow(
                        "an element of " + label + " lacks a property that is not nullable");
            }
        }
    }

    private void put(CsvSource in, int at, PropertyKey key, Tuple row) throws RejectedRow {
        if (whole[at] >= 0 && in.isWhole(at)) {
            long number = in.whole(at);
            if (key.type() == DataType.LONG || number == (int) number) {
                row.setLong(whole[at], number);
                return;
            }
        }
        checkTaken(at, key);
        columns.put(key, value(at, key, in.text(at)), row, bag);
    }

    private void checkTaken(int at, PropertyKey key) throws RejectedRow {
        if (refused[at]) {
            throw new RejectedRow("the label " + label + " has no property " + key.name());
        }
    }

    private Object value(int at, PropertyKey key, String text) throws RejectedRow {
        DataType declared = key.type();
        DataType ofFile = header.columns().get(at).type();
        DataType type = declared != null ? declared : ofFile != null ? ofFile : DataType.TEXT;
        return CsvColumn.value(key.name(), type, text);
    }

    private Properties properties(CsvSource in) throws RejectedRow {
        Properties properties = new Properties();
        for (int i = 0; i < keys.length; i++) {
            PropertyKey key = keys[i];
            if (key == null || in.isAbsent(i)) {
                continue;
            }
            checkTaken(i, key);
            String text = in.text(i);
            if (!header.columns().get(i).several()) {
                RowFiller.set(properties, Cardinality.single, key, value(i, key, text));
                continue;
            }
            Cardinality declared = key.cardinality();
            String[] parts = text.split(";", -1);
            if (declared == Cardinality.single && parts.length > 1) {
                throw new RejectedRow(
                        "the property %s takes one value, and the row has %d"
                                .formatted(key.name(), parts.length));
            }
            for (String part : parts) {
                RowFiller.set(
                        properties,
                        declared == null ? Cardinality.list : declared,
                        key,
                        value(i, key, part));
            }
        }
        return properties;
    }
}
