package dev.oriel.sql.run;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.RowList;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Reads a [ComputedTable]: requests its rows when it is opened.
final class ComputedOperator implements Operator, ComputedTable.Reading {
    private final ComputedTable table;
    private final Scalar[] values;
    private final Tuple arguments;
    private final Execution execution;
    private final Frame frame;
    private final CurrentRow row = new CurrentRow();
    private final QueryMemory.Share share;
    private final RowSpool rows;
    private RowSpool.@Nullable Reader reader;

    ComputedOperator(Plan.Computed plan, Execution execution) {
        this.table = plan.table();
        this.values = plan.arguments().toArray(Scalar[]::new);
        this.arguments = new Tuple(table.parameters().size());
        this.execution = execution;
        this.frame = new Frame(execution, new Tuple(0));
        this.share = execution.memory().share();
        Type.Shape[] shapes = plan.types().stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.rows = new RowSpool(execution.cancellation(), share, shapes);
    }

    @Override
    public void open() {
        clear();
        share.begin();
        for (int i = 0; i < values.length; i++) {
            values[i].store(arguments, i, frame);
        }
        RowList computed = new RowList(table.columns().size(), this::take);
        table.source().fill(this, computed);
        computed.end();
        reader = rows.reader();
    }

    private void take(Tuple computed) {
        execution.poll();
        rows.take(computed);
    }

    @Override
    public boolean next() {
        execution.poll();
        Tuple next = reader == null ? null : reader.next();
        if (next == null) {
            return false;
        }
        row.set(next);
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public long memoryBytes() {
        return share.most();
    }

    @Override
    public long putAsideBytes() {
        return share.putAside();
    }

    private void clear() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
        rows.clear();
    }

    @Override
    public void close() {
        clear();
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
