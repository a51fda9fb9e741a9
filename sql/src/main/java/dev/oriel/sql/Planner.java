package dev.oriel.sql;

import dev.oriel.table.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns a bound query into a plan.
final class Planner {
    private Planner() {}

    /// A plan for `select`.
    static Plan plan(BoundSelect select) {
        Plan plan = new Plan.OneRow();
        boolean ordered = select.order().isEmpty();
        Table table = select.table();
        if (table != null) {
            List<Plan.SortKey> order = tableOrder(select);
            AccessPlanner.Access access =
                    AccessPlanner.choose(table, select.where(), order == null ? List.of() : order);
            plan = filtered(access.scan(), access.filter());
            ordered |= order != null && access.ordered();
        } else if (select.from() instanceof BoundFrom.Join join) {
            plan = JoinPlanner.plan(join, select.where(), used(select));
        } else if (select.from() instanceof BoundFrom.Leaf leaf && leaf.plan() != null) {
            plan = filtered(leaf.plan(), select.where());
        } else {
            plan = filtered(plan, select.where());
        }
        BoundSelect.Grouping grouping = select.grouping();
        if (grouping != null) {
            Plan extreme = extreme(table, select.where(), grouping);
            plan = extreme == null ? plan : extreme;
            plan = new Plan.Aggregate(plan, grouping.keys(), grouping.aggregates());
            plan = filtered(plan, grouping.having());
        }
        plan = projected(plan, select, ordered ? select.visible() : select.outputs().size());
        if (select.distinct()) {
            plan = new Plan.Distinct(plan);
        }
        if (!ordered) {
            plan = new Plan.Sort(plan, select.order());
        }
        if (select.limit() != null || select.offset() != null) {
            plan = new Plan.Limit(plan, select.limit(), select.offset());
        }
        return plan;
    }

    /// Positions of the columns that are read of what is joined.
    private static BitSet used(BoundSelect select) {
        BitSet used = new BitSet();
        BoundSelect.Grouping grouping = select.grouping();
        if (grouping == null) {
            select.outputs().forEach(output -> JoinPlanner.columns(output.scalar(), used));
            return used;
        }
        grouping.keys().forEach(key -> JoinPlanner.columns(key, used));
        for (AggregateCall call : grouping.aggregates()) {
            if (call.argument() != null) {
                JoinPlanner.columns(call.argument(), used);
            }
        }
        return used;
    }

    private static Plan filtered(Plan input, @Nullable Scalar condition) {
        return condition == null ? input : new Plan.Filter(input, condition);
    }

    /// The one row that MIN or MAX of a column needs, where a key has the rows in its order; else
    /// null.
    private static @Nullable Plan extreme(
            @Nullable Table table, @Nullable Scalar where, BoundSelect.Grouping grouping) {
        if (table == null || !grouping.keys().isEmpty() || grouping.aggregates().size() != 1) {
            return null;
        }
        AggregateCall call = grouping.aggregates().getFirst();
        boolean max = call.kind() == AggregateCall.Kind.MAX;
        if ((!max && call.kind() != AggregateCall.Kind.MIN)
                || !(call.argument() instanceof Scalar.ColumnRef column)) {
            return null;
        }
        List<Scalar> conditions = new ArrayList<>();
        if (where != null) {
            conditions.add(where);
        }
        if (column.nullable()) {
            conditions.add(new Condition.IsNull(column, true));
        }
        Scalar condition =
                conditions.isEmpty() ? null : new Condition.Logical(true, List.copyOf(conditions));
        List<Plan.SortKey> order = List.of(new Plan.SortKey(column.column(), max, max));
        AccessPlanner.Access access = AccessPlanner.choose(table, condition, order);
        if (!access.ordered()) {
            return null;
        }
        Plan.Count one = new Plan.Count(Scalar.Constant.of(Typing.BIGINT, 1L), call.place());
        return new Plan.Limit(filtered(access.scan(), access.filter()), one, null);
    }

    /// The order in terms of the table's columns, or null where it is another one.
    private static @Nullable List<Plan.SortKey> tableOrder(BoundSelect select) {
        if (select.grouping() != null) {
            return null;
        }
        List<Plan.SortKey> keys = new ArrayList<>();
        for (Plan.SortKey key : select.order()) {
            Scalar scalar = select.outputs().get(key.column()).scalar();
            if (!(scalar instanceof Scalar.ColumnRef column)) {
                return null;
            }
            keys.add(new Plan.SortKey(column.column(), key.descending(), key.nullsFirst()));
        }
        return keys;
    }

    /// The first `count` outputs, unless they are the input's columns as they are.
    private static Plan projected(Plan input, BoundSelect select, int count) {
        List<Scalar> columns = new ArrayList<>();
        boolean same = count == input.types().size();
        for (int i = 0; i < count; i++) {
            Scalar scalar = select.outputs().get(i).scalar();
            same &= scalar instanceof Scalar.ColumnRef ref && ref.column() == i;
            columns.add(scalar);
        }
        return same ? input : new Plan.Project(input, List.copyOf(columns));
    }
}
