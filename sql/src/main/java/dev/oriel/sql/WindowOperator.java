package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;

/// Computes functions with OVER: keeps all rows of its input in memory, sorts them once for each
/// different order that the windows need, and returns them in the order in which they came.
final class WindowOperator implements Operator {
    private final Operator input;
    private final Execution execution;
    private final Type.Shape[] shapes;
    private final int width;
    private final List<WindowSort> sorts = new ArrayList<>();
    private final CurrentRow row = new CurrentRow();
    private List<Tuple> rows = new ArrayList<>();
    private boolean computed;
    private int next;

    WindowOperator(Operator input, Plan.Window plan, Execution execution) {
        this.input = input;
        this.execution = execution;
        List<Type> types = plan.input().types();
        this.shapes = types.stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.width = shapes.length + plan.calls().size();
        for (int i = 0; i < plan.calls().size(); i++) {
            WindowCall call = plan.calls().get(i);
            sort(call, execution).add(call, shapes.length + i);
        }
    }

    private WindowSort sort(WindowCall call, Execution execution) {
        for (WindowSort sort : sorts) {
            if (sort.window().sortsLike(call.window())) {
                return sort;
            }
        }
        WindowSort sort = new WindowSort(call.window(), execution);
        sorts.add(sort);
        return sort;
    }

    @Override
    public void open() {
        rows = new ArrayList<>();
        computed = false;
        next = 0;
        input.open();
    }

    @Override
    public boolean next() {
        execution.poll();
        if (!computed) {
            collect();
            for (WindowSort sort : sorts) {
                sort.compute(rows);
            }
            computed = true;
        }
        if (next == rows.size()) {
            return false;
        }
        row.set(rows.get(next++));
        return true;
    }

    private void collect() {
        while (input.next()) {
            Tuple copy = new Tuple(width);
            for (int i = 0; i < shapes.length; i++) {
                copy.copy(i, input.row(), i, shapes[i]);
            }
            rows.add(copy);
        }
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public long memoryBytes() {
        return Operator.rowBytes(rows.size(), width);
    }

    @Override
    public void close() {
        rows = new ArrayList<>();
        input.close();
    }
}
