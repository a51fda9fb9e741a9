package dev.oriel.sql.run;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;

/// Passes on the rows that it could lock.
public final class LockOperator implements Operator {
    private final Command.LockingQuery query;
    private final Operator input;
    private final Execution execution;
    private final CurrentRow row = new CurrentRow();
    private final Type.Shape[] shapes;

    public LockOperator(Command.LockingQuery query, Operator input, Execution execution) {
        this.query = query;
        this.input = input;
        this.execution = execution;
        this.shapes = query.plan().types().stream().map(Type::shape).toArray(Type.Shape[]::new);
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
        Wait wait = new Wait(query.waiting(), patience.timeoutMillis());
        for (int i = 0; i < query.locked().size(); i++) {
            byte[] key = found.bytesAt(query.visible() + i);
            if (key != null
                    && !execution
                            .transaction()
                            .lock(query.locked().get(i), Slice.copyOf(key), query.mode(), wait)) {
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
