package dev.oriel.sql.planner;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Turns a bound query into a plan.
public final class Planner {
    private Planner() {}

    /// A plan for `select`.
    public static Plan plan(BoundSelect select, Estimate estimate) {
        Plan plan = new Plan.OneRow();
        boolean ordered = select.order().isEmpty();
        boolean never =
                select.from() != null && (isNever(select.where()) || isNever(select.from()));
        Table table = never ? null : select.table();
        if (never) {
            estimate.note(() -> "never: a condition holds for no row");
            plan = new Plan.Rows(List.of(), types(select.from()));
        } else if (table != null) {
            List<SortKey> order = tableOrder(select);
            AccessPlanner.Access access =
                    AccessPlanner.choose(
                            estimate, table, select.where(), order == null ? List.of() : order);
            Plan kept = KeptLookUp.of(access, used(select));
            plan = kept == null ? filtered(access.scan(), access.filter()) : kept;
            boolean byKey = kept == null && order != null && access.ordered();
            if (!ordered && byKey) {
                estimate.note(() -> "no sort: " + table.name() + " is read in the order of a key");
            }
            ordered |= byKey;
        } else if (select.from() instanceof BoundFrom.Join join) {
            plan = JoinPlanner.plan(estimate, join, select.where(), used(select));
            plan = plan instanceof Plan.Joined joined ? KeptLookUp.within(joined) : plan;
        } else if (select.from() instanceof BoundFrom.Leaf leaf && leaf.plan() != null) {
            List<Scalar> conditions = new ArrayList<>();
            if (select.where() != null) {
                AccessPlanner.split(select.where(), conditions);
            }
            BitSet asked = leaf.replan() == null ? null : used(select);
            boolean all = asked == null || asked.cardinality() == leaf.width();
            plan = PushDown.filtered(leaf.plan(), leaf.replan(), conditions, all ? null : asked);
        } else {
            plan = filtered(plan, select.where());
        }
        BoundSelect.Grouping grouping = select.grouping();
        if (grouping != null) {
            Plan extreme = extreme(estimate, table, select.where(), grouping);
            plan = extreme == null ? plan : extreme;
            plan =
                    new Plan.Aggregate(
                            plan, grouping.keys(), grouping.sets(), grouping.aggregates());
            plan = filtered(plan, grouping.having());
        }
        List<Scalar> outputs = scalars(select);
        if (!select.windows().isEmpty() || select.qualify() != null) {
            WindowPlanner windows = new WindowPlanner(plan, select, outputs);
            plan = windows.plan();
            outputs = windows.outputs();
            ordered = select.order().isEmpty();
        }
        boolean all = !ordered || select.limits().ties();
        int count = all ? outputs.size() : select.visible();
        List<Scalar> computed = outputs.subList(0, count);
        Plan late =
                ordered || select.distinct()
                        ? null
                        : LateOutputs.sorted(plan, computed, select.order());
        if (late != null) {
            plan = late;
        } else {
            plan = projected(plan, computed, select.outputs());
            plan = select.distinct() ? new Plan.Distinct(plan) : plan;
            plan = ordered ? plan : new Plan.Sort(plan, select.order());
        }
        plan = select.limits().above(plan, select.order());
        return count == select.visible() ? plan : visible(select, plan);
    }

    /// Whether one of the conditions is FALSE or NULL for every row.
    private static boolean isNever(@Nullable Scalar where) {
        if (where == null) {
            return false;
        }
        List<Scalar> conditions = new ArrayList<>();
        AccessPlanner.split(where, conditions);
        return isNever(conditions);
    }

    /// Whether joins leave no row, since a condition of an inner join never holds.
    private static boolean isNever(@Nullable BoundFrom from) {
        return from instanceof BoundFrom.Join join
                && switch (join.kind()) {
                    case INNER ->
                            isNever(join.on()) || isNever(join.left()) || isNever(join.right());
                    case LEFT -> isNever(join.left());
                    case FULL -> isNever(join.left()) && isNever(join.right());
                };
    }

    private static boolean isNever(List<Scalar> conditions) {
        for (Scalar condition : conditions) {
            if (condition instanceof Scalar.Constant constant
                    && (constant.isNull() || constant.primitive() == 0)) {
                return true;
            }
        }
        return false;
    }

    /// The types of the input columns.
    private static List<Type> types(@Nullable BoundFrom from) {
        return switch (from) {
            case BoundFrom.Leaf leaf -> PlanParts.types(leaf);
            case BoundFrom.Join join -> {
                // The sides of an outer join may be exchanged: columns are ordered by their
                // positions.
                SortedMap<Integer, List<Type>> byPlace = new TreeMap<>();
                addTypes(join, byPlace);
                yield byPlace.values().stream().flatMap(List::stream).toList();
            }
            case null -> List.of();
        };
    }

    private static void addTypes(BoundFrom from, Map<Integer, List<Type>> byPlace) {
        switch (from) {
            case BoundFrom.Leaf leaf -> byPlace.put(leaf.firstColumn(), PlanParts.types(leaf));
            case BoundFrom.Join join -> {
                addTypes(join.left(), byPlace);
                addTypes(join.right(), byPlace);
            }
        }
    }

    /// `plan` without the columns that are only sort keys. They are dropped above LIMIT, since WITH TIES needs
    /// them until then. A reader of the query (a join, a set operation, IN) relies on the declared number of
    /// columns.
    private static Plan visible(BoundSelect select, Plan plan) {
        List<Scalar> visible = new ArrayList<>();
        for (int i = 0; i < select.visible(); i++) {
            BoundSelect.Output output = select.outputs().get(i);
            Scalar scalar = output.scalar();
            visible.add(new Scalar.ColumnRef(i, scalar.type(), scalar.nullable(), output.name()));
        }
        return new Plan.Project(plan, List.copyOf(visible));
    }

    /// Positions of the columns that are read of the join's result.
    private static BitSet used(BoundSelect select) {
        BitSet used = new BitSet();
        BoundSelect.Grouping grouping = select.grouping();
        if (grouping == null) {
            PlanParts.columns(scalars(select), used);
            for (WindowCall call : select.windows()) {
                PlanParts.columns(call.scalars(), used);
            }
            if (select.qualify() != null) {
                PlanParts.columns(select.qualify(), used);
            }
            return used;
        }
        PlanParts.columns(grouping.keys(), used);
        for (AggregateCall call : grouping.aggregates()) {
            PlanParts.columns(call.scalars(), used);
        }
        return used;
    }

    private static List<Scalar> scalars(BoundSelect select) {
        List<Scalar> scalars = new ArrayList<>();
        for (BoundSelect.Output output : select.outputs()) {
            scalars.add(output.scalar());
        }
        return scalars;
    }

    private static Plan filtered(Plan input, @Nullable Scalar condition) {
        return condition == null ? input : new Plan.Filter(input, condition);
    }

    /// The one row that MIN or MAX of a column needs, if a key has the rows in its order; else null.
    private static @Nullable Plan extreme(
            Estimate estimate,
            @Nullable Table table,
            @Nullable Scalar where,
            BoundSelect.Grouping grouping) {
        if (table == null || !grouping.keys().isEmpty() || grouping.aggregates().size() != 1) {
            return null;
        }
        AggregateCall call = grouping.aggregates().getFirst();
        boolean max = call.kind() == AggregateFunction.MAX;
        if ((!max && call.kind() != AggregateFunction.MIN)
                || call.filter() != null
                || !grouping.sets().isEmpty()
                || !(call.arguments().getFirst() instanceof Scalar.ColumnRef column)) {
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
        List<SortKey> order = List.of(new SortKey(column.column(), max, max));
        AccessPlanner.Access access = AccessPlanner.choose(estimate, table, condition, order);
        if (!access.ordered()) {
            return null;
        }
        estimate.note(() -> "one row: " + call.text(false) + " is at an end of a key");
        Plan.Count one = new Plan.Count(Scalar.Constant.of(Typing.BIGINT, 1L), call.place());
        return new Plan.Limit(filtered(access.scan(), access.filter()), one, null, List.of());
    }

    /// The order in terms of the table's columns; null if it has other terms.
    private static @Nullable List<SortKey> tableOrder(BoundSelect select) {
        if (select.grouping() != null) {
            return null;
        }
        List<SortKey> keys = new ArrayList<>();
        for (SortKey key : select.order()) {
            Scalar scalar = select.outputs().get(key.column()).scalar();
            if (!(scalar instanceof Scalar.ColumnRef column)) {
                return null;
            }
            keys.add(new SortKey(column.column(), key.descending(), key.nullsFirst()));
        }
        return keys;
    }

    /// A projection to `outputs`, unless they are the input's columns unchanged. An output that is not read may be
    /// any column of its type, but of a join only a column that is kept.
    private static Plan projected(
            Plan input, List<Scalar> outputs, List<BoundSelect.Output> described) {
        List<Type> types = input.types();
        boolean same = outputs.size() == types.size();
        for (int i = 0; same && i < outputs.size(); i++) {
            boolean any = !described.get(i).asked() && !(input instanceof Plan.Joined);
            same =
                    (outputs.get(i) instanceof Scalar.ColumnRef ref && ref.column() == i)
                            || (any && outputs.get(i).type().equals(types.get(i)));
        }
        return same ? input : new Plan.Project(input, List.copyOf(outputs));
    }
}
