package dev.oriel.sql.rows;

import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;

/// Values by which rows are told apart in a hash table; NULL equals NULL here. One key is filled
/// again and again to look up with, and copied where it is to stay.
public final class RowKey {
    private final Type.Shape[] shapes;
    private final Tuple values;
    private int hash;

    public RowKey(List<Type> types) {
        this(Typing.shapes(types));
    }

    private RowKey(Type.Shape[] shapes) {
        this.shapes = shapes;
        this.values = new Tuple(shapes.length);
    }

    public Tuple values() {
        return values;
    }

    public Type.Shape[] shapes() {
        return shapes;
    }

    /// Fills it with the columns of `row`.
    public void set(Row row) {
        for (int i = 0; i < shapes.length; i++) {
            values.copy(i, row, i, shapes[i]);
        }
        rehash();
    }

    /// To be called after the values have been changed.
    public void rehash() {
        int mixed = 1;
        for (int i = 0; i < shapes.length; i++) {
            mixed = 31 * mixed + Order.hash(shapes[i], values, i);
        }
        hash = mixed;
    }

    public RowKey copy() {
        RowKey copy = new RowKey(shapes);
        copy.set(values);
        return copy;
    }

    /// Whether the first columns of `row` are its values.
    public boolean isOf(Tuple row) {
        return isOf(row, 0);
    }

    /// The same of the columns from `first` on.
    public boolean isOf(Tuple row, int first) {
        for (int i = 0; i < shapes.length; i++) {
            boolean isNull = values.isNull(i);
            if (isNull != row.isNull(first + i)
                    || (!isNull && !Order.same(shapes[i], values, i, row, first + i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey key && key.hash == hash && isOf(key.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
