package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;

/// WITH RECURSIVE. Rows are passed on as they are found, and kept as working rows for the next round of the step.
/// The query ends with the first empty round. An endless query is ended by a LIMIT above it or by a cancel, which
/// is polled for each row.
final class RecursiveOperator implements Operator {
    private final Operator first;
    private final Operator step;
    private final Execution execution;
    private final int number;
    private final KeptRows working;
    private final Type.Shape[] shapes;
    private final boolean all;
    private final RowKey probe;
    private final QueryMemory.Share share;
    private final KeySet seen;
    private final CurrentRow row = new CurrentRow();
    private RowSpool found;
    private boolean inStep;

    RecursiveOperator(Operator first, Operator step, Plan.Recursive plan, Execution execution) {
        this.first = first;
        this.step = step;
        this.execution = execution;
        this.number = plan.number();
        this.working = execution.kept(number);
        this.shapes = Typing.shapes(plan.types());
        this.all = plan.all();
        this.probe = new RowKey(plan.types());
        this.share = execution.memory().share();
        this.seen = new KeySet(execution.cancellation(), share, plan.types());
        this.found = new RowSpool(execution.cancellation(), share, shapes);
    }

    @Override
    public void open() {
        seen.clear();
        found.clear();
        share.begin();
        inStep = false;
        first.open();
    }

    @Override
    public boolean next() {
        while (true) {
            execution.poll();
            Operator current = inStep ? step : first;
            if (current.next()) {
                if (all || isNew(current.row())) {
                    Tuple copy = KeptRows.copy(current.row(), shapes);
                    found.take(copy);
                    row.set(copy);
                    return true;
                }
            } else if (found.isEmpty()) {
                return false;
            } else {
                current.close();
                working.replace(found);
                execution.changed(number);
                found = new RowSpool(execution.cancellation(), share, shapes);
                inStep = true;
                step.open();
            }
        }
    }

    private boolean isNew(Row candidate) {
        probe.set(candidate);
        return seen.add(probe);
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
        seen.clear();
        found.clear();
        working.clear();
        first.close();
        step.close();
    }
}
