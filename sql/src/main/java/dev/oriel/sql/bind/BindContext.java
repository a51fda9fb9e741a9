package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/// Context in which a query is bound: its statement, the WITH names around it, and the enclosing query.
///
/// @param commons innermost WITH name; null if there is none
/// @param correlation link to the enclosing query; null if there is none
public record BindContext(
        Binding binding, @Nullable CommonTable commons, @Nullable Correlation correlation) {
    /// Context that all queries of a statement share.
    ///
    /// @param numbers numbers of subqueries and of other state kept between two calls
    /// @param levels finds the query that an aggregate belongs to
    /// @param depth number of nested views around the query
    /// @param estimate cost estimates of reading tables
    /// @param views plans of the views that the statement reads
    /// @param spelled takes the expansions of stars; null if they are not needed
    /// @param earlier reads of tables that the statement has changed by then; null if there are none
    /// @param changed by identity, the items of a FROM whose rows are changed or locked in a table behind views
    /// @param inlined function of SQL whose body is bound; null outside of one
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
            @Nullable ViewDeparser spelled,
            @Nullable EarlierRows earlier,
            IdentityHashMap<From.Named, ChangedRelation> changed,
            @Nullable InlinedCall inlined) {
        /// The binding of a stored definition that this one uses.
        ///
        /// @param inner the function that is bound, or that reads the view around it; null if there is none
        Binding inside(SqlText text, Catalog seen, @Nullable InlinedCall inner) {
            return new Binding(
                    text,
                    seen,
                    computed,
                    new ParameterTypes(0),
                    numbers,
                    levels,
                    depth + 1,
                    estimate,
                    views,
                    null,
                    earlier,
                    new IdentityHashMap<>(1),
                    inner);
        }

        /// The same with other reads of changed tables, and of changed or locked rows.
        Binding reading(
                @Nullable EarlierRows before, IdentityHashMap<From.Named, ChangedRelation> rows) {
            return new Binding(
                    source,
                    catalog,
                    computed,
                    parameters,
                    numbers,
                    levels,
                    depth,
                    estimate,
                    views,
                    spelled,
                    before,
                    rows,
                    inlined);
        }

        /// Whether it is a stored definition that is bound, and not a statement of the session.
        boolean isStored() {
            return depth > 0 || catalog.version() == 0 || spelled != null;
        }
    }

    /// Where a statement may call functions that run statements.
    enum Running {
        NONE,
        /// In the select list of a query without FROM.
        QUERY,
        /// In the rows of an INSERT.
        CHANGE
    }

    /// Counts from 0 within a statement, and its first unreadable table.
    static final class Numbers {
        private Running running = Running.NONE;
        private boolean runs;

        Running running() {
            return running;
        }

        /// Lets the statement call functions that run statements.
        void running(Running where) {
            running = where;
        }

        /// Notes a call of a function that runs statements.
        void runs() {
            runs = true;
        }

        /// Whether the statement calls a function that runs statements.
        boolean hasRun() {
            return runs;
        }

        private int next;
        private int inlined;
        private @Nullable SqlException unreadable;

        /// Notes that the statement reads a table that has not been filled. It may be bound, but not run.
        void unreadable(SqlException why) {
            if (unreadable == null) {
                unreadable = why;
            }
        }

        /// Counts calls of functions of SQL; returns their number so far.
        int inlined() {
            return ++inlined;
        }

        int next() {
            return next++;
        }
    }

    /// Context of a stored definition, which reads no computed tables.
    public static BindContext of(SqlText source, Catalog catalog, ParameterTypes parameters) {
        return of(
                source,
                catalog,
                new ComputedTables(),
                parameters,
                TableExpressions.estimate(table -> null));
    }

    /// Context of a top-level statement.
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
                        null,
                        null,
                        new IdentityHashMap<>(1),
                        null);
        return new BindContext(binding, null, null);
    }

    /// This context with `spelled` to take the expansions of stars.
    BindContext spelling(@Nullable ViewDeparser spelled) {
        return with(binding.views, spelled);
    }

    /// The column of `scope` that `name` refers to; null if there is none.
    @Nullable Scalar find(Scope scope, Expression.Name name) {
        Scalar found = scope.find(binding.source, name);
        ViewDeparser spelled = binding.spelled;
        if (spelled != null && found != null) {
            spelled.column(name, scope);
        } else if (spelled != null) {
            spelled.absent(name, scope);
        }
        return found;
    }

    /// This context with `views` for reading views.
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
                        spelled,
                        binding.earlier,
                        binding.changed,
                        binding.inlined),
                commons,
                correlation);
    }

    /// This context for the FROM with the item `from`, which stands for `relation`.
    BindContext changing(From.Named from, ChangedRelation relation) {
        IdentityHashMap<From.Named, ChangedRelation> changed = only(from, relation);
        return new BindContext(binding.reading(binding.earlier, changed), commons, correlation);
    }

    /// This context with the tables of `earlier` read in advance.
    BindContext before(EarlierRows earlier) {
        return new BindContext(binding.reading(earlier, binding.changed), commons, correlation)
                .reading(ViewReads.ofStatement()); // other plans read the tables themselves
    }

    static IdentityHashMap<From.Named, ChangedRelation> only(
            From.Named from, ChangedRelation relation) {
        IdentityHashMap<From.Named, ChangedRelation> only = new IdentityHashMap<>(1);
        only.put(from, relation);
        return only;
    }

    SqlText source() {
        return binding.source();
    }

    Estimate estimate() {
        return binding.estimate();
    }

    /// Checks that all tables that the statement reads have been filled.
    public void checkRead() {
        SqlException unreadable = binding.numbers().unreadable;
        if (unreadable != null) {
            throw unreadable;
        }
    }

    int nextNumber() {
        return binding.numbers().next();
    }

    /// This context with one more WITH name.
    BindContext with(CommonTable common) {
        return new BindContext(binding, common, correlation);
    }

    /// This context for a query whose free names `inner` resolves.
    BindContext within(Correlation inner) {
        return new BindContext(binding, commons, inner);
    }

    /// The WITH query called `name`, or null.
    @Nullable CommonTable common(String name) {
        CommonTable common = commons;
        while (common != null && !common.name().equalsIgnoreCase(name)) {
            common = common.next();
        }
        return common;
    }
}
