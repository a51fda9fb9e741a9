package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The rows that a statement has changed by one kind of change, as tables of a trigger.
///
/// @param changed null if there are none
record TransitionRows(@Nullable RowSpool changed, @Nullable Table table, @Nullable Event event) {
    static final TransitionRows NONE = new TransitionRows(null, null, null);

    /// Keeps them for a statement of the trigger.
    ///
    /// @param old number of the rows before the change
    /// @param fresh number of those after it
    void keep(Execution execution, int old, int fresh) {
        RowSpool from = changed;
        if (from == null || table == null || event == null) {
            return;
        }
        Type.Shape[] shapes =
                table.columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
        RowSpool before = spool(execution, shapes);
        RowSpool after = spool(execution, shapes);
        RowSpool.Reader reader = from.reader();
        for (Tuple row = reader.next(); row != null; row = reader.next()) {
            execution.poll();
            if (row.longAt(0) == TableTriggers.code(event)) {
                if (event != Event.INSERT) {
                    before.take(part(row, 1, shapes));
                }
                if (event != Event.DELETE) {
                    after.take(part(row, 1 + shapes.length, shapes));
                }
            }
        }
        reader.close();
        execution.kept(old).replace(before);
        execution.kept(fresh).replace(after);
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
