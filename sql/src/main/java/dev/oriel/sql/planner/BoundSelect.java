package dev.oriel.sql.planner;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query, resolved and typed, but without an execution strategy.
///
/// If the query is grouped, `having` and the outputs are evaluated on rows of keys and aggregates, else on input
/// rows.
///
/// @param from null without FROM
/// @param visible number of outputs that the query returns; later outputs are only sort keys
/// @param windows functions with OVER; the outputs have them as columns from [WindowBinder#FIRST] on
/// @param qualify predicate on the rows with window results; null if there is none
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
    /// GROUP BY with its grouping sets.
    ///
    /// @param sets the keys in each of GROUPING SETS; empty if a single set has all keys
    public record Grouping(
            List<Scalar> keys,
            List<List<Integer>> sets,
            List<AggregateCall> aggregates,
            @Nullable Scalar having) {}

    /// LIMIT, OFFSET and FETCH.
    public record Limits(Plan.@Nullable Count limit, Plan.@Nullable Count offset, boolean ties) {
        public static final Limits NONE = new Limits(null, null, false);

        /// `plan` with these limits above it.
        ///
        /// @param order the keys by which rows are ties, for WITH TIES
        public Plan above(Plan plan, List<SortKey> order) {
            if (limit == null && offset == null) {
                return plan;
            }
            return ties || !isSorted(plan)
                    ? new Plan.Limit(plan, limit, offset, ties ? order : List.of())
                    : aboveSort(plan);
        }

        /// Whether only projections are above a sort.
        private static boolean isSorted(Plan plan) {
            return plan instanceof Plan.Sort
                    || (plan instanceof Plan.Project project && isSorted(project.input()));
        }

        /// A sort with a limit above it keeps no more rows than needed.
        private Plan aboveSort(Plan plan) {
            return plan instanceof Plan.Project project
                    ? new Plan.Project(aboveSort(project.input()), project.columns())
                    : new Plan.Limit(plan, limit, offset, List.of());
        }
    }

    /// An output column of the query.
    ///
    /// @param table name of the table that a plain column belongs to, else empty
    /// @param untyped whether nothing has given it a type
    /// @param asked whether it is read; its value does not matter if not
    public record Output(Scalar scalar, String name, String table, boolean untyped, boolean asked) {
        public Output(Scalar scalar, String name, String table, boolean untyped) {
            this(scalar, name, table, untyped, true);
        }
    }

    /// This query with `conditions` added.
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

    /// The rows of FROM for which both WHERE and `condition` hold, in any order.
    public BoundSelect filtered(Scalar condition) {
        return new BoundSelect(
                from,
                where == null ? condition : AccessPlanner.all(List.of(where, condition)),
                null,
                List.of(),
                null,
                outputs.subList(0, visible),
                visible,
                false,
                List.of(),
                Limits.NONE);
    }

    /// The visible output columns.
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

    /// The table, if the query reads a single one.
    @Nullable Table table() {
        return from instanceof BoundFrom.Leaf leaf ? leaf.table() : null;
    }
}
