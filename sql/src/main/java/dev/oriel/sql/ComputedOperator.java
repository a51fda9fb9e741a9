package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import java.util.List;

/// Reads a [ComputedTable]: asks for its rows when it is opened.
final class ComputedOperator implements Operator, ComputedTable.Reading {
    private final ComputedTable table;
    private final Scalar[] values;
    private final Tuple arguments;
    private final Execution execution;
    private final Frame frame;
    private final CurrentRow row = new CurrentRow();
    private List<? extends Row> rows = List.of();
    private int next;

    ComputedOperator(Plan.Computed plan, Execution execution) {
        this.table = plan.table();
        this.values = plan.arguments().toArray(Scalar[]::new);
        this.arguments = new Tuple(table.parameters().size());
        this.execution = execution;
        this.frame = new Frame(execution, new Tuple(0));
    }

    @Override
    public void open() {
        for (int i = 0; i < values.length; i++) {
            values[i].store(arguments, i, frame);
        }
        RowList computed = new RowList(table.columns().size());
        table.source().fill(this, computed);
        rows = computed.rows();
        next = 0;
    }

    @Override
    public boolean next() {
        execution.poll();
        if (next == rows.size()) {
            return false;
        }
        row.set(rows.get(next++));
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        rows = List.of();
        next = 0;
    }

    @Override
    public Row arguments() {
        return arguments;
    }

    @Override
    public TableTransaction transaction() {
        return execution.transaction();
    }
}
