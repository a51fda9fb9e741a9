package dev.oriel.graph.catalog;

import dev.oriel.graph.value.DataType;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// A name that properties have, and the number that stands for it in rows. A key that was declared also
/// says what values it takes and how many of them a vertex has.
///
/// @param type null of a key that was not declared: its values are of any type
/// @param cardinality null of a key that was not declared: the graph's own, or what each call says
public record PropertyKey(
        int number, String name, @Nullable DataType type, @Nullable Cardinality cardinality) {
    public boolean isDeclared() {
        return type != null;
    }

    /// Whether its values may have a column: each vertex has one at most, of a type that tables know.
    public boolean fitsColumn() {
        return type != null && type.hasColumn() && cardinality == Cardinality.single;
    }

    /// `value` as this key keeps it.
    ///
    /// @throws IllegalArgumentException if it takes no such value
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
