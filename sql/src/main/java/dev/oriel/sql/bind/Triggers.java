package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.TriggerPlan;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Trigger.Timing;
import dev.oriel.table.definition.View;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Plans triggers, from the texts in the catalog.
public final class Triggers {
    private Triggers() {}

    /// Plans `trigger`.
    ///
    /// @throws SqlException if it is not valid in the catalog of `known`
    public static Planned<TriggerPlan> plan(Trigger trigger, Compiler.Known known) {
        SqlText source = new SqlText(trigger.body(), trigger.name(), "trigger");
        return LargeStack.call(Nesting.isDeep(source), () -> planned(source, trigger, known));
    }

    private static Planned<TriggerPlan> planned(
            SqlText source, Trigger trigger, Compiler.Known known) {
        Catalog seen = known.catalog().seenBy(trigger.searched());
        List<Column> columns = columns(known.catalog(), trigger.of());
        checkColumns(source, trigger, columns);
        BodyValues values = new BodyValues("");
        if (trigger.perRow()) {
            boolean writable =
                    trigger.timing() == Timing.BEFORE
                            && !trigger.events().equals(Set.of(Event.DELETE));
            values.add(trigger.oldRow(), columns, false);
            values.add(trigger.newRow(), columns, writable);
        }
        return Planned.of(
                known,
                estimate -> {
                    BodyBinder binder =
                            new BodyBinder(source, seen, known.computed(), estimate, values);
                    binder.tables(trigger.names().oldTable(), trigger.names().newTable(), columns);
                    return new TriggerPlan(
                            trigger, binder.condition(trigger.when()), binder.body());
                });
    }

    private static void checkColumns(SqlText source, Trigger trigger, List<Column> columns) {
        for (String name : trigger.columns()) {
            if (columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(name))) {
                throw source.error(
                        Kind.UNKNOWN_COLUMN, 0, "The table has no column \"" + name + "\"");
            }
        }
    }

    /// The columns of the table or view of number `of`.
    public static List<Column> columns(Catalog catalog, long of) {
        Table table = catalog.table(of);
        if (table != null) {
            return table.columns();
        }
        View view = catalog.view(of);
        if (view == null) {
            throw new IllegalStateException("triggers of nothing: " + of);
        }
        return Views.columns(catalog, view);
    }

    /// Whether `trigger` is valid without functions that are registered from Java.
    public static boolean isOfCatalog(Catalog catalog, Trigger trigger) {
        SqlException lost = lost(catalog, trigger);
        return lost == null || lost.kind() != Kind.UNKNOWN_FUNCTION;
    }

    /// The error that makes `trigger` invalid in `catalog`; null if it is valid, or calls functions that are not in
    /// the catalog.
    static @Nullable SqlException lost(Catalog catalog, Trigger trigger) {
        if (trigger.calls()) {
            return null;
        }
        try {
            var _ = plan(trigger, new Compiler.Known(catalog, new ComputedTables(), null));
            return null;
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED || lost.kind() == Kind.TOO_COMPLEX) {
                throw lost;
            }
            return lost;
        }
    }
}
