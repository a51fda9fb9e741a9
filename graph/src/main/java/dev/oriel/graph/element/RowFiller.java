package dev.oriel.graph.element;

import dev.oriel.graph.catalog.Columns;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.value.Bytes;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.value.Tuple;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// Builds rows from the keys and values of new elements. Belongs to one [GraphTransaction].
public final class RowFiller {
    private final GraphCatalog catalog;
    private final Bytes bag;

    /// Transaction in which the row is written.
    private @Nullable TableTransaction own;

    /// Whether keys must be declared before their first use.
    private boolean strict;

    public RowFiller(GraphCatalog catalog, Bytes bag) {
        this.catalog = catalog;
        this.bag = bag;
    }

    /// Switches to `transaction`.
    void use(TableTransaction transaction, boolean toBeStrict) {
        own = transaction;
        strict = toBeStrict;
    }

    /// Writes properties to `row`, directly if no key is repeated.
    public void fill(
            Columns columns,
            LabelRules rules,
            String label,
            Tuple row,
            Cardinality usual,
            Object[] keyValues) {
        for (int i = columns.bag(); i < columns.count(); i++) {
            row.setNull(i);
        }
        columns.expire(row, rules, nowMicros(columns));
        bag.clear();
        boolean several = false;
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String name && keyValues[i + 1] != null) {
                PropertyKey key = catalog.key(name, strict, own);
                several |= isRepeated(keyValues, i);
                if (columns.of(key) < 0) {
                    rules.accept(label, name);
                }
                if (!several) {
                    columns.put(key, keyValues[i + 1], row, bag);
                }
            }
        }
        if (several) {
            columns.put(properties(usual, keyValues), row, bag);
        } else if (!bag.isEmpty()) {
            row.setBytes(columns.bag(), bag.copy());
        }
        if (rules.declared()) {
            checkComplete(columns, rules, label, row);
        }
    }

    private long nowMicros(Columns columns) {
        return columns.expires() ? catalog.tables().nowMicros() : 0;
    }

    private static boolean isRepeated(Object[] keyValues, int at) {
        for (int i = 0; i < at; i += 2) {
            if (keyValues[at].equals(keyValues[i])) {
                return true;
            }
        }
        return false;
    }

    /// The properties in `keyValues`, in their stored form.
    Properties properties(Cardinality usual, Object... keyValues) {
        Properties properties = new Properties();
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String name && keyValues[i + 1] != null) {
                PropertyKey key = catalog.key(name, strict, own);
                if (key.cardinality() == Cardinality.single && properties.first(key) != null) {
                    throw new IllegalArgumentException(
                            "The property key %s takes one value, and an element was given several"
                                    .formatted(name));
                }
                set(properties, cardinality(key, usual), key, keyValues[i + 1]);
            }
        }
        return properties;
    }

    private static Cardinality cardinality(PropertyKey key, Cardinality usual) {
        Cardinality declared = key.cardinality();
        return declared == null ? usual : declared;
    }

    /// Refuses an element without a property that its label requires.
    private static void checkComplete(Columns columns, LabelRules rules, String label, Tuple row) {
        for (PropertyKey key : columns.keys()) {
            if (row.isNull(columns.of(key)) && rules.requires(key.name())) {
                throw lacks(label, key);
            }
        }
    }

    private static IllegalArgumentException lacks(String label, PropertyKey key) {
        return new IllegalArgumentException(
                "An element of %s must have the property %s, which is not nullable"
                        .formatted(label, key.name()));
    }

    /// Refuses the removal of a property that the label requires.
    static void checkMayGo(Columns columns, LabelRules rules, String label, PropertyKey key) {
        if (columns.of(key) >= 0 && rules.requires(key.name())) {
            throw lacks(label, key);
        }
    }

    /// Adds a value of `key`, according to `cardinality`.
    public static Properties.Entry set(
            Properties properties, Cardinality cardinality, PropertyKey key, Object value) {
        Object checked = key.checked(value);
        return switch (cardinality) {
            case single -> properties.set(key, checked);
            case list -> properties.append(key, checked);
            case set -> {
                for (Properties.Entry entry : properties.entries()) {
                    if (entry.key().number() == key.number() && entry.value().equals(checked)) {
                        yield entry;
                    }
                }
                yield properties.append(key, checked);
            }
        };
    }
}
