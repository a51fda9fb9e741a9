package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.TriggerPlan;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.TriggerCalls;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The triggers of one statement: of its tables, and of tables whose rows follow a foreign key.
///
/// Triggers BEFORE the statement fire first. Then follow the rows, each with its triggers BEFORE it and its change,
/// and then constraints and actions of foreign keys. The triggers AFTER each row and those AFTER the statement come
/// last, table by table.
///
/// A statement of a trigger is a statement of its own, with triggers of its own. A statement that runs before the outer
/// one has changed all of its rows leaves constraints to the outer one.
public final class StatementTriggers implements Triggering {
    /// Nesting from which compiled triggers are not kept: a recursive trigger would keep some for each path of its
    /// recursion.
    private static final int KEPT_DEPTH_MAX = 2;

    /// Limit of the nesting of statements that triggers and routines run.
    static final int DEPTH_MAX = 100;

    private final Execution execution;
    private long version;
    private final Map<Long, TableTriggers> tables = new LinkedHashMap<>();

    private StatementTriggers(Execution execution) {
        this.execution = execution;
    }

    /// Runs `change`, which `execution` has started, with its triggers, and settles it.
    ///
    /// @return number of rows changed by itself
    public static long run(Change change, Execution execution) {
        TableTransaction transaction = execution.transaction();
        if (!transaction.catalog().hasTriggers()) {
            return change.runAlone(execution);
        }
        StatementTriggers own =
                execution.triggering() instanceof StatementTriggers kept
                        ? kept
                        : new StatementTriggers(execution);
        return own.run(change);
    }

    /// Runs `truncation`, which removes all rows of `tables`, with the triggers of TRUNCATE, and settles it.
    public static void truncate(
            Collection<Table> tables, Execution execution, Runnable truncation) {
        TableTransaction transaction = execution.transaction();
        StatementTriggers own = new StatementTriggers(execution);
        execution.triggering(own);
        TriggerCalls around = transaction.triggers(own);
        try {
            for (Table table : tables) {
                TableTriggers triggers = own.of(table);
                if (triggers != null) {
                    triggers.begin(Event.TRUNCATE);
                }
            }
            truncation.run();
            transaction.settle();
            for (TableTriggers table : List.copyOf(own.tables.values())) {
                table.finish();
            }
        } finally {
            own.tables.values().forEach(TableTriggers::clear);
            transaction.triggers(around);
        }
    }

    private long run(Change change) {
        TableTransaction transaction = execution.transaction();
        clear();
        execution.triggering(this);
        TriggerCalls around = transaction.triggers(this);
        try {
            Unsettled.Place from = Change.begun(execution);
            long count = change.run();
            Change.settle(execution, from);
            for (TableTriggers table : List.copyOf(tables.values())) {
                table.finish();
            }
            return count;
        } finally {
            clear();
            if (execution.depth() > KEPT_DEPTH_MAX) {
                tables.clear();
            }
            transaction.triggers(around);
        }
    }

    /// Forgets the last run. The compiled triggers stay while the definitions and their plans do.
    private void clear() {
        tables.values().forEach(TableTriggers::clear);
        Catalog catalog = execution.transaction().catalog();
        if (version != catalog.version()) {
            tables.clear();
            version = catalog.version();
        }
        tables.values().removeIf(table -> !table.isCurrent(catalog));
    }

    /// Refuses a statement of a body if it is nested too deep.
    static void checkDepth(Execution around) {
        if (around.depth() >= DEPTH_MAX) {
            throw new LimitException(
                    "Triggers and routines run one another too deep; end the recursion by a"
                            + " condition",
                    "depthMax=" + DEPTH_MAX);
        }
    }

    @Override
    public boolean any(Table table) {
        return of(table) != null;
    }

    @Override
    public @Nullable TableTriggers of(Table table) {
        TableTriggers known = tables.get(table.id());
        if (known != null) {
            return known;
        }
        List<TriggerPlan> plans = new ArrayList<>(0);
        Catalog catalog = execution.transaction().catalog();
        for (Trigger trigger : catalog.triggers(table.id())) {
            if (trigger.enabled()) {
                plans.add(execution.bodies().trigger(trigger, catalog));
            }
        }
        if (plans.isEmpty()) {
            return null;
        }
        TableTriggers made = new TableTriggers(table, plans, execution);
        tables.put(table.id(), made);
        return made;
    }

    @Override
    public void before(Table table, Slice key, int[] columns, Row old, @Nullable Tuple now) {
        TableTriggers triggers = of(table);
        if (triggers != null) {
            Event event = now == null ? Event.DELETE : Event.UPDATE;
            long changes = execution.transaction().changes();
            triggers.begin(event, columns);
            triggers.before(event, old, now, columns);
            if (execution.transaction().changes() != changes) {
                new SameRow(table, execution).check(key, old);
            }
        }
    }

    @Override
    public void after(Table table, int[] columns, Row old, @Nullable Row now) {
        TableTriggers triggers = of(table);
        if (triggers != null) {
            triggers.after(now == null ? Event.DELETE : Event.UPDATE, old, now, columns);
        }
    }
}
