package dev.oriel.sql.rows;

import dev.oriel.sql.value.Order;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Comparator;
import java.util.List;

/// The order of kept rows by some of their columns.
public final class RowOrder implements Comparator<Tuple> {
    private final int[] columns;
    private final boolean[] descending;
    private final boolean[] nullsFirst;
    private final Type.Shape[] shapes;

    /// @param types of all columns of the rows
    public RowOrder(List<SortKey> keys, List<Type> types) {
        this.columns = keys.stream().mapToInt(SortKey::column).toArray();
        this.descending = new boolean[columns.length];
        this.nullsFirst = new boolean[columns.length];
        this.shapes = new Type.Shape[columns.length];
        for (int i = 0; i < columns.length; i++) {
            descending[i] = keys.get(i).descending();
            nullsFirst[i] = keys.get(i).nullsFirst();
            shapes[i] = types.get(columns[i]).shape();
        }
    }

    @Override
    public int compare(Tuple a, Tuple b) {
        return compareRows(a, b);
    }

    /// Compares rows of any class.
    public int compareRows(Row a, Row b) {
        for (int i = 0; i < columns.length; i++) {
            int difference = compare(i, a, b);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private int compare(int key, Row a, Row b) {
        int column = columns[key];
        boolean nullA = a.isNull(column);
        boolean nullB = b.isNull(column);
        if (nullA || nullB) {
            int nullsLast = Boolean.compare(nullA, nullB);
            return nullsFirst[key] ? -nullsLast : nullsLast;
        }
        int difference = Order.compare(shapes[key], a, column, b, column);
        return descending[key] ? -difference : difference;
    }
}
