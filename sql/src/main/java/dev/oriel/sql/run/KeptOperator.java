package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Shared materialized rows. The first reader collects the input's rows for all, once a run or whenever an outer
/// query has changed that they depend on. In a recursive query they are the working rows of its step, and for a change
/// in WITH the rows that it has returned.
final class KeptOperator implements Operator {
    /// Plan of the rows; null if another keeps them.
    private final @Nullable Plan source;

    /// Input operator, created only by the collecting reader: if each name reads the one before it twice, the places
    /// double with each name.
    private @Nullable Operator input;

    private final int[] needs;
    private final Type.Shape[] shapes;
    private final Execution execution;
    private final QueryMemory.Share share;
    private final KeptRows kept;
    private final CurrentRow row = new CurrentRow();
    private @Nullable RowSpool read;
    private RowSpool.@Nullable Reader reader;

    KeptOperator(Plan.Kept plan, Execution execution) {
        this.source = plan.input();
        this.needs = PlanParts.needs(plan.input());
        this.shapes = Typing.shapes(plan.types());
        this.execution = execution;
        this.share = execution.memory().share();
        this.kept = execution.kept(plan.number());
    }

    /// Reads the rows that another has kept under `number`.
    KeptOperator(int number, Execution execution) {
        this.source = null;
        this.needs = new int[0];
        this.shapes = new Type.Shape[0];
        this.execution = execution;
        this.share = execution.memory().share();
        this.kept = execution.kept(number);
    }

    @Override
    public void open() {
        if (source != null && !kept.isOf(execution.run(), execution.changes(needs))) {
            kept.clear();
            share.begin();
            RowSpool rows = new RowSpool(execution.cancellation(), share, shapes);
            kept.replace(rows);
            Operator from = input;
            if (from == null) {
                from = Operator.ofWhole(source, execution);
                input = from;
            }
            from.open();
            while (from.next()) {
                rows.add(from.row());
            }
            from.close();
            kept.complete(execution.run(), execution.changes(needs));
        }
        startReading(kept.rows());
    }

    @SuppressWarnings("ReferenceEquality") // identity: the rows it has read before
    private void startReading(@Nullable RowSpool rows) {
        if (reader != null && rows == read) {
            reader.restart();
            return;
        }
        stopReading();
        read = rows;
        reader = rows == null ? null : rows.reader();
    }

    private void stopReading() {
        if (reader != null) {
            reader.close();
        }
        reader = null;
        read = null;
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

    @Override
    public void close() {
        stopReading();
        if (input != null) {
            input.close();
        }
    }
}
