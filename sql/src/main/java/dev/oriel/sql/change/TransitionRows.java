package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;

/// The rows changed by a statement through one kind of change, as tables of its triggers. They are copied once.
final class TransitionRows {
    private final RowSpool before;
    private final RowSpool after;

    /// @param changed all rows that the statement has changed
    /// @param shapes of the columns of the table
    TransitionRows(RowSpool changed, Event event, Type.Shape[] shapes, Execution execution) {
        this.before = spool(execution, shapes);
        this.after = spool(execution, shapes);
        RowSpool.Reader reader = changed.reader();
        for (Tuple row = reader.next(); row != null; row = reader.next()) {
            execution.poll();
            if (TableTriggers.event(row) == event) {
                if (event != Event.INSERT) {
                    before.take(part(row, 1, shapes));
                }
                if (event != Event.DELETE) {
                    after.take(part(row, 1 + shapes.length, shapes));
                }
            }
        }
        reader.close();
    }

    /// Lends them to a statement of a trigger.
    ///
    /// @param old number of the rows before the change
    /// @param fresh number of the rows after it
    void lend(Execution execution, int old, int fresh) {
        execution.kept(old).lend(before);
        execution.kept(fresh).lend(after);
    }

    void clear() {
        before.clear();
        after.clear();
    }

    private static RowSpool spool(Execution execution, Type.Shape[] shapes) {
        return new RowSpool(execution.cancellation(), execution.memory().share(), shapes);
    }

    private static Tuple part(Tuple row, int from, Type.Shape[] shapes) {
        Tuple part = new Tuple(shapes.length);
        for (int i = 0; i < shapes.length; i++) {
            part.copy(i, row, from + i, shapes[i]);
        }
        return part;
    }
}
