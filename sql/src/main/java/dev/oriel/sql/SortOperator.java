package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;

/// Sorts its input in memory. Below a LIMIT it keeps at most twice the rows that are wanted: when
/// there are more, it sorts them and drops the greater half. Rows that are equal stay in their order.
final class SortOperator implements Operator {
    private final Operator input;
    private final Type.Shape[] shapes;
    private final RowOrder order;
    private final CurrentRow row = new CurrentRow();
    private final List<Tuple> rows = new ArrayList<>();
    private long keep = Long.MAX_VALUE;
    private boolean sorted;
    private int next;

    SortOperator(Operator input, List<Type> types, List<Plan.SortKey> keys) {
        this.input = input;
        this.shapes = types.stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.order = new RowOrder(keys, types);
    }

    /// Says, before `open`, that only so many rows will be asked for.
    void keep(long rowsWanted) {
        keep = rowsWanted;
    }

    @Override
    public void open() {
        rows.clear();
        sorted = false;
        next = 0;
        input.open();
    }

    @Override
    public boolean next() {
        if (!sorted) {
            sort();
        }
        if (next == rows.size()) {
            return false;
        }
        row.set(rows.get(next++));
        return true;
    }

    private void sort() {
        long most = keep > Integer.MAX_VALUE / 4 ? Long.MAX_VALUE : Math.max(keep * 2, 64);
        while (keep > 0 && input.next()) {
            Tuple copy = new Tuple(shapes.length);
            for (int i = 0; i < shapes.length; i++) {
                copy.copy(i, input.row(), i, shapes[i]);
            }
            rows.add(copy);
            if (rows.size() >= most) {
                rows.sort(order);
                rows.subList((int) keep, rows.size()).clear();
            }
        }
        rows.sort(order);
        sorted = true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public long memoryBytes() {
        return Operator.rowBytes(rows.size(), shapes.length);
    }

    @Override
    public void close() {
        rows.clear();
        input.close();
    }
}
