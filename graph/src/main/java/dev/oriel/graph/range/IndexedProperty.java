package dev.oriel.graph.range;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.graph.value.DataType;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Tuple;
import java.time.temporal.Temporal;
import org.jspecify.annotations.Nullable;

/// A property stored in a column of a table, for turning conditions into index ranges.
public interface IndexedProperty {
    String name();

    /// `wanted` in the column's type: an index finds exactly the values that equal it in Gremlin. Null if there is no
    /// such value, or it is not equal to itself.
    @Nullable Object value(@Nullable Object wanted);

    /// Writes a result of [#value] into a bound.
    void put(Tuple to, int place, Object value);

    /// Whether an index has its values in Gremlin's order.
    boolean isOrdered();

    boolean isText();

    /// Whether its values may be NaN, which an index orders last.
    boolean hasFractions();

    /// The properties of a table.
    interface OfTable {
        /// The property in `column`, or null.
        @Nullable IndexedProperty at(int column);
    }

    /// The properties of `table`, whose columns have the names of property keys.
    static OfTable of(Table table, PropertyKeys keys) {
        return column -> {
            PropertyKey key = keys.byName(table.columns().get(column).name());
            DataType type = key == null ? null : key.type();
            return key == null || type == null ? null : new OfKey(key.name(), type);
        };
    }

    /// A property of the graph's own tables.
    record OfKey(String name, DataType type) implements IndexedProperty {
        @Override
        public @Nullable Object value(@Nullable Object wanted) {
            return wanted == null
                            || wanted instanceof byte[]
                            || wanted instanceof Temporal // Gremlin: equal to no date
                            || isOdd(wanted)
                    ? null
                    : type.convert(wanted);
        }

        /// Whether Gremlin and an index disagree about its equality: NaN and -0.0.
        private static boolean isOdd(Object value) {
            if (!(value instanceof Double || value instanceof Float)) {
                return false;
            }
            double number = ((Number) value).doubleValue();
            return Double.isNaN(number) || Double.compare(number, -0.0) == 0;
        }

        @Override
        public void put(Tuple to, int place, Object value) {
            type.put(to, place, value);
        }

        @Override
        public boolean isOrdered() {
            return type != DataType.UUID
                    && type != DataType.BLOB; // Gremlin compares them differently
        }

        @Override
        public boolean isText() {
            return type == DataType.TEXT;
        }

        @Override
        public boolean hasFractions() {
            return type == DataType.DOUBLE || type == DataType.FLOAT;
        }
    }
}
