package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows that are kept: those of its input, which the first to ask in a run collects for all, or
/// those that a recursive query has left for its step.
final class KeptOperator implements Operator {
    private final @Nullable Operator input;
    private final boolean shared;
    private final Type.Shape[] shapes;
    private final Execution execution;
    private final KeptRows kept;
    private final CurrentRow row = new CurrentRow();
    private List<Tuple> rows = List.of();
    private int next;

    KeptOperator(Operator input, Plan.Kept plan, Execution execution) {
        this.input = input;
        this.shared = plan.shared();
        this.shapes = plan.types().stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.execution = execution;
        this.kept = shared ? execution.kept(plan.number()) : new KeptRows();
    }

    KeptOperator(Plan.Working plan, Execution execution) {
        this.input = null;
        this.shared = true;
        this.shapes = new Type.Shape[0];
        this.execution = execution;
        this.kept = execution.kept(plan.number());
    }

    @Override
    public void open() {
        if (input != null && !(shared && kept.isOf(execution.run()))) {
            kept.clear();
            input.open();
            while (input.next()) {
                kept.add(input.row(), shapes);
            }
            input.close();
            kept.complete(execution.run());
        }
        rows = kept.rows();
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
}
