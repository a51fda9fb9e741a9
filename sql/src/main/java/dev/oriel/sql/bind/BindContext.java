package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Catalog;
import org.jspecify.annotations.Nullable;

/// What a query is bound in: its statement, the queries that WITH has named around it, and the
/// query that it is a part of.
///
/// @param commons the innermost name; null where there is none
/// @param correlation null where the query stands for itself
public record BindContext(
        Binding binding, @Nullable CommonTable commons, @Nullable Correlation correlation) {
    /// What all queries of a statement share.
    ///
    /// @param numbers of subqueries and of whatever else keeps rows between two calls
    /// @param levels which query an aggregate belongs to
    /// @param depth how many views around it is bound for
    /// @param estimate what it costs to read tables
    /// @param views plans of the views that the statement reads
    /// @param spelled takes what stars of the statement stand for; null where nobody asks
    record Binding(
            SqlText source,
            Catalog catalog,
            ComputedTables computed,
            ParameterTypes parameters,
            Numbers numbers,
            AggregateLevels levels,
            int depth,
            Estimate estimate,
            ViewReads views,
            @Nullable ViewDeparser spelled) {}

    /// Counts from 0.
    static final class Numbers {
        private int next;

        int next() {
            return next++;
        }
    }

    /// Of what a definition keeps, which reads no computed tables.
    public static BindContext of(SqlText source, Catalog catalog, ParameterTypes parameters) {
        return of(
                source,
                catalog,
                new ComputedTables(),
                parameters,
                TableExpressions.estimate(table -> null));
    }

    /// Of a statement that is not part of another.
    public static BindContext of(
            SqlText source,
            Catalog catalog,
            ComputedTables computed,
            ParameterTypes parameters,
            Estimate estimate) {
        Binding binding =
                new Binding(
                        source,
                        catalog,
                        computed,
                        parameters,
                        new Numbers(),
                        new AggregateLevels(),
                        0,
                        estimate,
                        ViewReads.ofStatement(),
                        null);
        return new BindContext(binding, null, null);
    }

    /// The same, where `spelled` takes what stars stand for.
    BindContext spelling(@Nullable ViewDeparser spelled) {
        return with(binding.views, spelled);
    }

    /// The same, where views are read as `views` says.
    BindContext reading(ViewReads views) {
        return with(views, binding.spelled);
    }

    private BindContext with(ViewReads views, @Nullable ViewDeparser spelled) {
        return new BindContext(
                new Binding(
                        binding.source,
                        binding.catalog,
                        binding.computed,
                        binding.parameters,
                        binding.numbers,
                        binding.levels,
                        binding.depth,
                        binding.estimate,
                        views,
                        spelled),
                commons,
                correlation);
    }

    SqlText source() {
        return binding.source();
    }

    Estimate estimate() {
        return binding.estimate();
    }

    int nextNumber() {
        return binding.numbers().next();
    }

    /// The same, with one more name.
    BindContext with(CommonTable common) {
        return new BindContext(binding, common, correlation);
    }

    /// The same for a query whose free names mean what `inner` finds.
    BindContext within(Correlation inner) {
        return new BindContext(binding, commons, inner);
    }

    /// The query that WITH has named `name`, or null.
    @Nullable CommonTable common(String name) {
        CommonTable common = commons;
        while (common != null && !common.name().equalsIgnoreCase(name)) {
            common = common.next();
        }
        return common;
    }
}
