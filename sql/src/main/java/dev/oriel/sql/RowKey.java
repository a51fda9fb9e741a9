package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;

/// Values by which rows are told apart in a hash table; NULL equals NULL here. One key is filled
/// again and again to look up with, and copied where it is to stay.
final class RowKey {
    private final Type.Shape[] shapes;
    private final Tuple values;
    private int hash;

    RowKey(List<Type> types) {
        this(types.stream().map(Type::shape).toArray(Type.Shape[]::new));
    }

    private RowKey(Type.Shape[] shapes) {
        this.shapes = shapes;
        this.values = new Tuple(shapes.length);
    }

    Tuple values() {
        return values;
    }

    /// Fills it with the columns of `row`.
    void set(Row row) {
        for (int i = 0; i < shapes.length; i++) {
            values.copy(i, row, i, shapes[i]);
        }
        rehash();
    }

    /// To be called after the values have been changed.
    void rehash() {
        int mixed = 1;
        for (int i = 0; i < shapes.length; i++) {
            mixed = 31 * mixed + Order.hash(shapes[i], values, i);
        }
        hash = mixed;
    }

    RowKey copy() {
        RowKey copy = new RowKey(shapes);
        copy.set(values);
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof RowKey key) || key.hash != hash) {
            return false;
        }
        for (int i = 0; i < shapes.length; i++) {
            boolean isNull = values.isNull(i);
            if (isNull != key.values.isNull(i)
                    || (!isNull && Order.compare(shapes[i], values, i, key.values, i) != 0)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
