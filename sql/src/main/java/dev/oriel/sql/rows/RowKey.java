package dev.oriel.sql.rows;

import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A hash table key with the values of a row; NULL equals NULL here. One key is filled again and again for look-ups,
/// and copied to be stored.
public final class RowKey {
    private final Type.Shape[] shapes;

    /// Positions of the values that determine the others: only these are compared.
    private final int[] telling;

    private final Tuple values;
    private int hash;

    public RowKey(List<Type> types) {
        this(Typing.shapes(types), all(types.size()));
    }

    /// A key of which only the values at the positions `telling` are compared.
    public RowKey(List<Type> types, int[] telling) {
        this(Typing.shapes(types), telling);
    }

    private RowKey(Type.Shape[] shapes, int[] telling) {
        this.shapes = shapes;
        this.telling = telling;
        this.values = new Tuple(shapes.length);
    }

    private static int[] all(int count) {
        int[] all = new int[count];
        for (int i = 0; i < count; i++) {
            all[i] = i;
        }
        return all;
    }

    /// A new, empty key for the same columns.
    public RowKey another() {
        return new RowKey(shapes, telling);
    }

    public Tuple values() {
        return values;
    }

    public Type.Shape[] shapes() {
        return shapes;
    }

    /// Fills the key with the columns of `row`.
    public void set(Row row) {
        for (int i = 0; i < shapes.length; i++) {
            values.copy(i, row, i, shapes[i]);
        }
        rehash();
    }

    /// Recomputes the hash; to be called after the values have been changed.
    public void rehash() {
        int mixed = 1;
        for (int i : telling) {
            mixed = 31 * mixed + Order.hash(shapes[i], values, i);
        }
        hash = mixed;
    }

    public RowKey copy() {
        RowKey copy = another();
        for (int i = 0; i < shapes.length; i++) {
            copy.values.copy(i, values, i, shapes[i]);
        }
        copy.hash = hash;
        return copy;
    }

    /// Whether the first columns of `row` are its values.
    public boolean isOf(Tuple row) {
        return isOf(row, 0);
    }

    /// Whether the columns of `row` from `first` on are its values.
    public boolean isOf(Tuple row, int first) {
        for (int i : telling) {
            boolean isNull = values.isNull(i);
            if (isNull != row.isNull(first + i)
                    || (!isNull && !Order.same(shapes[i], values, i, row, first + i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RowKey key && key.hash == hash && isOf(key.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
