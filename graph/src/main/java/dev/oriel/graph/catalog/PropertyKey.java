package dev.oriel.graph.catalog;

import dev.oriel.graph.value.DataType;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// A name of properties, and its number in rows. A declared key also has a type of values and a cardinality.
///
/// @param type null for an undeclared key: its values are of any type
/// @param cardinality null for an undeclared key: the graph's default, or the call's
public record PropertyKey(
        int number, String name, @Nullable DataType type, @Nullable Cardinality cardinality) {
    public boolean isDeclared() {
        return type != null;
    }

    /// Whether its values may have a column: single-valued, and of a type that tables support.
    public boolean fitsColumn() {
        return type != null && type.hasColumn() && cardinality == Cardinality.single;
    }

    /// `value`, converted to the key's type.
    ///
    /// @throws IllegalArgumentException if the key does not accept it
    public Object checked(Object value) {
        DataType wanted = type;
        if (wanted == null) {
            return value;
        }
        Object converted = wanted.convert(value);
        if (converted == null) {
            throw new IllegalArgumentException(
                    "The property key %s takes %s, not %s of %s"
                            .formatted(name, wanted, value, value.getClass().getSimpleName()));
        }
        return converted;
    }
}
