package dev.oriel.sql.planner;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query, resolved and typed: what is wanted, not yet how.
///
/// Where the query is grouped, `having` and the outputs are evaluated on rows of keys and aggregates,
/// else on rows of what is read.
///
/// @param from null where there is no FROM
/// @param visible how many of the outputs the query returns; those after them are only sorted by
/// @param windows functions with OVER; the outputs have them as columns from
///     [WindowBinder#FIRST] on
/// @param qualify what must hold after them; null where nothing must
/// @param order keys over the outputs
public record BoundSelect(
        @Nullable BoundFrom from,
        @Nullable Scalar where,
        @Nullable Grouping grouping,
        List<WindowCall> windows,
        @Nullable Scalar qualify,
        List<Output> outputs,
        int visible,
        boolean distinct,
        List<SortKey> order,
        Limits limits) {
    /// GROUP BY and what goes with it.
    ///
    /// @param sets for each of GROUPING SETS the keys in it; empty where all are in one
    public record Grouping(
            List<Scalar> keys,
            List<List<Integer>> sets,
            List<AggregateCall> aggregates,
            @Nullable Scalar having) {}

    /// LIMIT, OFFSET and FETCH.
    public record Limits(Plan.@Nullable Count limit, Plan.@Nullable Count offset, boolean ties) {
        public static final Limits NONE = new Limits(null, null, false);

        /// `plan` with them above it.
        ///
        /// @param order by which rows are equal, for WITH TIES
        public Plan above(Plan plan, List<SortKey> order) {
            if (limit == null && offset == null) {
                return plan;
            }
            return ties || !isSorted(plan)
                    ? new Plan.Limit(plan, limit, offset, ties ? order : List.of())
                    : aboveSort(plan);
        }

        /// Whether there is nothing but projections above a sort.
        private static boolean isSorted(Plan plan) {
            return plan instanceof Plan.Sort
                    || (plan instanceof Plan.Project project && isSorted(project.input()));
        }

        /// A sort that knows how many rows are wanted keeps no more of them.
        private Plan aboveSort(Plan plan) {
            return plan instanceof Plan.Project project
                    ? new Plan.Project(aboveSort(project.input()), project.columns())
                    : new Plan.Limit(plan, limit, offset, List.of());
        }
    }

    /// A column of what the query returns.
    ///
    /// @param table name of the table that a plain column belongs to, else empty
    /// @param untyped whether nothing has given it a type
    /// @param asked whether anybody reads it; its value does not matter where nobody does
    public record Output(Scalar scalar, String name, String table, boolean untyped, boolean asked) {
        public Output(Scalar scalar, String name, String table, boolean untyped) {
            this(scalar, name, table, untyped, true);
        }
    }

    /// The same of those rows that meet `conditions` too.
    BoundSelect with(List<Scalar> conditions) {
        List<Scalar> all = new ArrayList<>();
        if (where != null) {
            all.add(where);
        }
        all.addAll(conditions);
        return new BoundSelect(
                from,
                AccessPlanner.all(all),
                grouping,
                windows,
                qualify,
                outputs,
                visible,
                distinct,
                order,
                limits);
    }

    /// The columns that it returns.
    public List<Prepared.OutputColumn> columns() {
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        for (Output output : outputs.subList(0, visible)) {
            Scalar scalar = output.scalar();
            columns.add(
                    new Prepared.OutputColumn(
                            output.name(), scalar.type(), scalar.nullable(), output.table()));
        }
        return List.copyOf(columns);
    }

    /// The table, where one is all that is read.
    @Nullable Table table() {
        return from instanceof BoundFrom.Leaf leaf ? leaf.table() : null;
    }
}
