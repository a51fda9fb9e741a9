package dev.oriel.graph.range;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.graph.value.DataType;
import dev.oriel.table.Table;
import dev.oriel.table.Tuple;
import java.time.temporal.Temporal;
import org.jspecify.annotations.Nullable;

/// A property whose values stand in a column of a table: what conditions on it become in ranges of indexes.
public interface IndexedProperty {
    String name();

    /// `wanted` as the column has it, so that exactly the values that Gremlin takes for equal to it are
    /// equal to it in an index; null where that cannot be said, or it is not equal to itself.
    @Nullable Object value(@Nullable Object wanted);

    /// Puts what [#value] has returned into a bound.
    void put(Tuple to, int place, Object value);

    /// Whether an index has its values in the order that Gremlin has them in.
    boolean isOrdered();

    boolean isText();

    /// Whether its values may be no number (NaN), which an index has behind all others.
    boolean hasFractions();

    /// The properties of a table.
    interface OfTable {
        /// That which stands in `column`, or null.
        @Nullable IndexedProperty at(int column);
    }

    /// The properties of `table`, whose columns are called as property keys are.
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
                            || wanted instanceof Temporal // equal to no date
                            || isOdd(wanted)
                    ? null
                    : type.convert(wanted);
        }

        /// Whether Gremlin tells it from what an index takes for the same: not a number, and -0.0. Arrays are equal
        /// to nothing but themselves there.
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
            return type != DataType.UUID && type != DataType.BLOB; // bytes are compared otherwise
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
