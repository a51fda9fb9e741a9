package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.value.Typing;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;

/// Passes on the rows that it could lock.
final class LockOperator implements Operator {
    private final Operator input;
    private final Plan.Lock plan;
    private final int visible;
    private final Execution execution;
    private final CurrentRow row = new CurrentRow();
    private final Type.Shape[] shapes;

    LockOperator(Operator input, Plan.Lock plan, Execution execution) {
        this.input = input;
        this.plan = plan;
        this.visible = plan.visible();
        this.execution = execution;
        this.shapes = Typing.shapes(plan.input().types());
    }

    @Override
    public void open() {
        input.open();
    }

    @Override
    public boolean next() {
        while (input.next()) {
            execution.poll();
            // A lock may wait, and a copy is read after it.
            Tuple copy = KeptRows.copy(input.row(), shapes);
            if (lock(copy)) {
                row.set(copy);
                return true;
            }
        }
        return false;
    }

    private boolean lock(Row found) {
        Wait patience = execution.transaction().patience();
        Wait wait = new Wait(plan.waiting(), patience.timeoutMillis());
        for (int i = 0; i < plan.locked().size(); i++) {
            byte[] key = found.bytesAt(visible + i);
            if (key != null
                    && !execution
                            .transaction()
                            .lock(plan.locked().get(i), Slice.copyOf(key), plan.mode(), wait)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        input.close();
    }
}
