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
        this(Typing.shapes(types));
    }

    private RowKey(Type.Shape[] shapes) {
        this.shapes = shapes;
        this.values = new Tuple(shapes.length);
    }

    Tuple values() {
        return values;
    }

    Type.Shape[] shapes() {
        return shapes;
    }

    /// Fills it with the columns of `row`.
    void set(Row row) {
        for (int i = 0; i < shapes.length; i++) {
            values.copy(i, row, i, shapes[i]);
        }
        rehash();
    }

    /// Sets value `i` to that of `scalar`, a text as a symbol; false where it is NULL.
    boolean fill(int i, Scalar scalar, Frame frame) {
        if (shapes[i] == Type.Shape.TEXT) {
            String text = scalar.evalSymbol(frame);
            values.setText(i, text);
            return text != null;
        }
        return scalar.store(values, i, frame);
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

    /// Whether the first columns of `row` are its values.
    boolean isOf(Tuple row) {
        return isOf(row, 0);
    }

    /// The same of the columns from `first` on.
    boolean isOf(Tuple row, int first) {
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
