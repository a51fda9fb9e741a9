package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.TriggerPlan;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A trigger in one statement. It is built once and runs for any number of rows.
final class TriggerRun {
    private final TriggerPlan plan;
    private final Table table;
    private final Execution around;
    private final Tuple values;
    private final Execution asking;

    /// Positions of the columns of UPDATE OF; none for all.
    private final int[] columns;

    private @Nullable BodyRun body;

    TriggerRun(TriggerPlan plan, Table table, Execution around) {
        this.plan = plan;
        this.table = table;
        this.around = around;
        this.values = new Tuple(plan.trigger().perRow() ? 2 * table.columns().size() : 0);
        this.asking = around.nested(values, true);
        this.columns = columns(plan.trigger(), table);
    }

    private static int[] columns(Trigger trigger, Table table) {
        return IntStream.range(0, table.columns().size())
                .filter(i ->
                        trigger.columns().stream()
                                .anyMatch(table.columns().get(i).name()::equalsIgnoreCase))
                .toArray();
    }

    TriggerPlan plan() {
        return plan;
    }

    Trigger trigger() {
        return plan.trigger();
    }

    /// Whether the trigger fires for changes of this kind.
    ///
    /// @param set positions of the columns that an UPDATE sets
    boolean fires(Event event, int[] set) {
        if (!trigger().events().contains(event)) {
            return false;
        } else if (event != Event.UPDATE || columns.length == 0) {
            return true;
        }
        for (int column : columns) {
            for (int each : set) {
                if (each == column) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Copies a value, or NULL if there is no row.
    static void copy(Tuple into, int at, @Nullable Row from, int column, Type.Shape shape) {
        if (from == null) {
            into.setNull(at);
        } else {
            into.copy(at, from, column, shape);
        }
    }

    /// Takes the versions of a row.
    void rows(@Nullable Row old, @Nullable Row now, Type.Shape[] shapes) {
        for (int i = 0; i < shapes.length; i++) {
            copy(values, i, old, i, shapes[i]);
            copy(values, shapes.length + i, now, i, shapes[i]);
        }
    }

    /// Takes the versions of a row that was kept.
    void rows(Tuple both, Type.Shape[] shapes) {
        for (int i = 0; i < shapes.length; i++) {
            values.copy(i, both, 1 + i, shapes[i]);
            values.copy(shapes.length + i, both, 1 + shapes.length + i, shapes[i]);
        }
    }

    void hide(int value) {
        values.setNull(value);
    }

    /// Copies the new row to `now`.
    void newRow(Tuple now, Type.Shape[] shapes) {
        for (int i = 0; i < shapes.length; i++) {
            if (!table.columns().get(i).generated()) {
                now.copy(i, values, shapes.length + i, shapes[i]);
            }
        }
    }

    /// Runs it, if its condition holds.
    ///
    /// @param unfinished whether the statement has not yet changed all of its rows
    /// @param rows the rows that the statement has changed; null if it reads none
    void run(boolean unfinished, @Nullable TransitionRows rows) {
        StatementTriggers.checkDepth(around);
        if (!holds()) {
            return;
        }
        BodyRun running = body;
        if (running == null) {
            running = new BodyRun(plan.body(), values, around, unfinished);
            body = running;
        }
        running.run(rows);
    }

    private boolean holds() {
        Scalar when = plan.when();
        if (when == null) {
            return true;
        }
        Unsettled unsettled = around.transaction().unsettled();
        if (unsettled.hidesRows()) {
            HiddenRows.check(when, unsettled);
        }
        asking.start(around.transaction());
        asking.parameters(values);
        try {
            return when.evalTruth(new Frame(asking, new Tuple(0))) == 1;
        } finally {
            asking.release();
        }
    }
}
