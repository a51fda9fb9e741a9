package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.TriggerPlan;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Trigger.Timing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The triggers of one table in one statement, by name. Changed rows are kept for those AFTER them, within the memory
/// of the statement and beyond it in a file.
final class TableTriggers implements Triggering.OfTable {
    /// The codes of kept rows are the places in this list.
    private static final List<Event> EVENTS = List.of(Event.INSERT, Event.UPDATE, Event.DELETE);

    private final Table table;
    private final Execution execution;
    private final List<TriggerRun> triggers = new ArrayList<>();
    private final Type.Shape[] shapes;

    /// Kind of change and both versions of each changed row; null if no trigger reads them.
    private @Nullable RowSpool changed;

    /// Kinds of changes whose rows are kept.
    private final Set<Event> kept = EnumSet.noneOf(Event.class);

    private final Set<Event> begun = EnumSet.noneOf(Event.class);

    /// Names of the columns that the statement sets, in lower case.
    private final Set<String> set = new HashSet<>();

    TableTriggers(Table table, List<TriggerPlan> plans, Execution execution) {
        this.table = table;
        this.execution = execution;
        this.shapes =
                table.columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
        for (TriggerPlan plan : plans) {
            triggers.add(new TriggerRun(plan, table, execution));
            Trigger trigger = plan.trigger();
            if (trigger.timing() == Timing.AFTER && (trigger.perRow() || trigger.readsTables())) {
                kept.addAll(trigger.events());
            }
        }
    }

    /// The code of `event` in kept rows.
    static long code(Event event) {
        return EVENTS.indexOf(event);
    }

    @Override
    public void begin(Event event, int... columns) {
        for (int column : columns) {
            set.add(table.columns().get(column).name().toLowerCase(Locale.ROOT));
        }
        if (begun.add(event)) {
            fire(Timing.BEFORE, event, null);
        }
    }

    private boolean fires(Trigger trigger, Timing timing, Event event, boolean perRow) {
        return trigger.timing() == timing
                && trigger.perRow() == perRow
                && trigger.events().contains(event)
                && (event != Event.UPDATE
                        || trigger.columns().isEmpty()
                        || trigger.columns().stream()
                                .anyMatch(name -> set.contains(name.toLowerCase(Locale.ROOT))));
    }

    /// Fires the triggers for the whole statement.
    private void fire(Timing timing, Event event, @Nullable RowSpool rows) {
        for (TriggerRun each : triggers) {
            if (fires(each.trigger(), timing, event, false)) {
                each.run(timing == Timing.BEFORE, event, rows);
            }
        }
    }

    @Override
    public void before(Event event, @Nullable Row old, @Nullable Tuple now) {
        for (TriggerRun each : triggers) {
            if (fires(each.trigger(), Timing.BEFORE, event, true)) {
                each.rows(old, now, shapes);
                if (now != null) {
                    hideGenerated(each);
                }
                each.run(true, event, null);
                if (now != null) {
                    each.newRow(now, shapes);
                }
            }
        }
    }

    @Override
    public void instead(Event event, @Nullable Row old, @Nullable Row now) {
        for (TriggerRun each : triggers) {
            if (fires(each.trigger(), Timing.INSTEAD, event, true)) {
                each.rows(old, now, shapes);
                each.run(false, event, null);
            }
        }
    }

    /// Generated columns are made later, of the row that the triggers leave.
    private void hideGenerated(TriggerRun run) {
        for (int i = 0; i < shapes.length; i++) {
            Column column = table.columns().get(i);
            if (column.generated()) {
                run.hide(shapes.length + i);
            }
        }
    }

    @Override
    public void after(Event event, @Nullable Row old, @Nullable Row now) {
        if (!kept.contains(event)) {
            return;
        }
        RowSpool rows = changed;
        if (rows == null) {
            Type.Shape[] all = new Type.Shape[1 + 2 * shapes.length];
            all[0] = Type.Shape.LONG;
            System.arraycopy(shapes, 0, all, 1, shapes.length);
            System.arraycopy(shapes, 0, all, 1 + shapes.length, shapes.length);
            rows = new RowSpool(execution.cancellation(), execution.memory().share(), all);
            changed = rows;
        }
        Tuple row = new Tuple(1 + 2 * shapes.length);
        row.setLong(0, code(event));
        for (int i = 0; i < shapes.length; i++) {
            TriggerRun.copy(row, 1 + i, old, i, shapes[i]);
            TriggerRun.copy(row, 1 + shapes.length + i, now, i, shapes[i]);
        }
        rows.take(row);
    }

    /// Fires the triggers after the rows, then those after the statement.
    void finish() {
        RowSpool rows = changed;
        if (rows != null && hasRowTriggers()) {
            RowSpool.Reader reader = rows.reader();
            for (Tuple row = reader.next(); row != null; row = reader.next()) {
                execution.poll();
                finish(EVENTS.get((int) row.longAt(0)), row, rows);
            }
            reader.close();
        }
        for (Event event : EVENTS) {
            if (begun.contains(event)) {
                fire(Timing.AFTER, event, rows);
            }
        }
    }

    private boolean hasRowTriggers() {
        for (TriggerRun each : triggers) {
            if (each.trigger().timing() == Timing.AFTER && each.trigger().perRow()) {
                return true;
            }
        }
        return false;
    }

    private void finish(Event event, Tuple row, RowSpool rows) {
        for (TriggerRun each : triggers) {
            if (fires(each.trigger(), Timing.AFTER, event, true)) {
                each.rows(row, shapes);
                each.run(false, event, rows);
            }
        }
    }

    /// Whether its triggers have their newest plans.
    @SuppressWarnings("ReferenceEquality") // a plan that was made again
    boolean isCurrent(Catalog catalog) {
        for (TriggerRun each : triggers) {
            if (execution.bodies().trigger(each.trigger(), catalog) != each.plan()) {
                return false;
            }
        }
        return true;
    }

    /// Forgets the last run.
    void clear() {
        begun.clear();
        set.clear();
        if (changed != null) {
            changed.clear();
            changed = null;
        }
    }
}
