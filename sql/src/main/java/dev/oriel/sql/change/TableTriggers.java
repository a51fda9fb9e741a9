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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The triggers of one table in one statement, by name. Changed rows are kept for triggers AFTER them, within the memory
/// of the statement and beyond it in a file.
final class TableTriggers implements Triggering.OfTable {
    /// The codes of kept rows are the places in this list, plus its size for each place in `sets`.
    private static final List<Event> EVENTS =
            List.of(Event.INSERT, Event.UPDATE, Event.DELETE, Event.TRUNCATE);

    private final Table table;
    private final Execution execution;
    private final List<TriggerRun> triggers = new ArrayList<>();
    private final Type.Shape[] shapes;

    /// Kind of change and both versions of each changed row; null if no trigger reads them.
    private @Nullable RowSpool changed;

    /// Kinds of changes whose rows are kept.
    private final Set<Event> kept = EnumSet.noneOf(Event.class);

    /// Triggers for whole statements that have fired, or fire at the end.
    private final Set<Due> due = new HashSet<>();

    /// Positions of the columns that changes have set: the statement and actions of foreign keys set different ones.
    private final List<int[]> sets = new ArrayList<>();

    /// Tables of triggers, by kind of change.
    private final Map<Event, TransitionRows> transitions = new EnumMap<>(Event.class);

    private record Due(TriggerRun trigger, Event event) {}

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

    /// The kind of change of a kept row.
    static Event event(Tuple row) {
        return EVENTS.get((int) row.longAt(0) % EVENTS.size());
    }

    @Override
    public void begin(Event event, int... columns) {
        for (TriggerRun each : triggers) {
            if (!each.trigger().perRow()
                    && each.fires(event, columns)
                    && due.add(new Due(each, event))
                    && each.trigger().timing() == Timing.BEFORE) {
                each.run(true, null);
            }
        }
    }

    @Override
    public boolean early() {
        for (TriggerRun each : triggers) {
            if (each.trigger().timing() == Timing.BEFORE) {
                return true;
            }
        }
        return false;
    }

    /// Whether `each` fires for rows at this moment.
    private static boolean fires(TriggerRun each, Timing timing, Event event, int[] columns) {
        return each.trigger().perRow()
                && each.trigger().timing() == timing
                && each.fires(event, columns);
    }

    @Override
    public void before(Event event, @Nullable Row old, @Nullable Tuple now, int... columns) {
        for (TriggerRun each : triggers) {
            if (fires(each, Timing.BEFORE, event, columns)) {
                each.rows(old, now, shapes);
                if (now != null) {
                    hideGenerated(each);
                }
                each.run(true, null);
                if (now != null) {
                    each.newRow(now, shapes);
                }
            }
        }
    }

    @Override
    public void instead(Event event, @Nullable Row old, @Nullable Row now) {
        for (TriggerRun each : triggers) {
            if (fires(each, Timing.INSTEAD, event, new int[0])) {
                each.rows(old, now, shapes);
                each.run(false, null);
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
    public void after(Event event, @Nullable Row old, @Nullable Row now, int... columns) {
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
        row.setLong(0, EVENTS.indexOf(event) + (long) EVENTS.size() * place(columns));
        for (int i = 0; i < shapes.length; i++) {
            TriggerRun.copy(row, 1 + i, old, i, shapes[i]);
            TriggerRun.copy(row, 1 + shapes.length + i, now, i, shapes[i]);
        }
        rows.take(row);
    }

    /// The place of `columns` in `sets`.
    private int place(int[] columns) {
        for (int i = 0; i < sets.size(); i++) {
            if (Arrays.equals(sets.get(i), columns)) {
                return i;
            }
        }
        sets.add(columns);
        return sets.size() - 1;
    }

    /// Fires the triggers AFTER the rows, then the triggers AFTER the statement: those of an INSERT last, as PostgreSQL
    /// does for ON CONFLICT and MERGE.
    void finish() {
        RowSpool rows = changed;
        if (rows != null && hasRowTriggers()) {
            RowSpool.Reader reader = rows.reader();
            for (Tuple row = reader.next(); row != null; row = reader.next()) {
                execution.poll();
                finish(event(row), row, sets.get((int) row.longAt(0) / EVENTS.size()));
            }
            reader.close();
        }
        for (Event event : EVENTS.reversed()) {
            for (TriggerRun each : triggers) {
                if (each.trigger().timing() == Timing.AFTER && due.contains(new Due(each, event))) {
                    each.run(false, transition(each, event));
                }
            }
        }
    }

    /// The tables that `trigger` reads; null if there are none.
    private @Nullable TransitionRows transition(TriggerRun trigger, Event event) {
        RowSpool rows = changed;
        if (rows == null || !trigger.trigger().readsTables()) {
            return null;
        }
        TransitionRows known = transitions.get(event);
        if (known == null) {
            known = new TransitionRows(rows, event, shapes, execution);
            transitions.put(event, known);
        }
        return known;
    }

    private boolean hasRowTriggers() {
        for (TriggerRun each : triggers) {
            if (each.trigger().timing() == Timing.AFTER && each.trigger().perRow()) {
                return true;
            }
        }
        return false;
    }

    private void finish(Event event, Tuple row, int[] columns) {
        for (TriggerRun each : triggers) {
            if (fires(each, Timing.AFTER, event, columns)) {
                each.rows(row, shapes);
                each.run(false, transition(each, event));
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
        due.clear();
        sets.clear();
        transitions.values().forEach(TransitionRows::clear);
        transitions.clear();
        if (changed != null) {
            changed.clear();
            changed = null;
        }
    }
}
