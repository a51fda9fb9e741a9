package dev.oriel.sql.plan;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Visits the parts of plans and of expressions.
public final class PlanParts {
    private PlanParts() {}

    /// The types of the columns of `leaf`.
    public static List<Type> types(BoundFrom.Leaf leaf) {
        if (leaf.table() != null) {
            List<Type> types = new ArrayList<>();
            for (Column column : leaf.table().columns()) {
                types.add(column.type());
            }
            return types;
        }
        return leaf.plan() == null ? List.of() : leaf.plan().types();
    }

    /// The plans that `plan` reads directly, without plans in its expressions.
    public static List<Plan> inputs(Plan plan) {
        return switch (plan) {
            case Plan.Scan scan -> List.of();
            case Plan.OneRow row -> List.of();
            case Plan.Computed computed -> List.of();
            case Plan.Rows rows -> List.of();
            case Plan.FileScan scan -> List.of();
            case Plan.Series series -> List.of();
            case Plan.RowsOf rows -> List.of();
            case Plan.Window window -> List.of(window.input());
            case Plan.Working working -> List.of();
            case Plan.Filter filter -> List.of(filter.input());
            case Plan.Aggregate aggregate -> List.of(aggregate.input());
            case Plan.Project project -> List.of(project.input());
            case Plan.Distinct distinct -> List.of(distinct.input());
            case Plan.Sort sort -> List.of(sort.input());
            case Plan.Limit limit -> List.of(limit.input());
            case Plan.Lock lock -> List.of(lock.input());
            case Plan.Kept kept -> List.of(kept.input());
            case Plan.Append append -> append.inputs();
            case Plan.Match match -> List.of(match.first(), match.second());
            case Plan.Recursive recursive -> List.of(recursive.first(), recursive.step());
            case Plan.Joined joined -> {
                List<Plan> sources = new ArrayList<>();
                sources(joined.join(), sources);
                yield sources;
            }
            case Plan.Returned returned -> List.of();
        };
    }

    private static void sources(Join join, List<Plan> into) {
        switch (join) {
            case Join.Source source -> into.add(source.plan());
            case Join.Filtered filtered -> sources(filtered.input(), into);
            case Join.Loop loop -> {
                sources(loop.outer(), into);
                sources(loop.inner(), into);
            }
            case Join.Hash hash -> {
                sources(hash.probe(), into);
                sources(hash.build(), into);
            }
        }
    }

    /// The expressions that `plan` evaluates itself.
    public static List<Scalar> scalars(Plan plan) {
        List<Scalar> scalars = new ArrayList<>();
        switch (plan) {
            case Plan.Scan scan -> {
                for (Plan.Bounds part : scan.parts()) {
                    scalars.addAll(part.scalars());
                }
            }
            case Plan.Filter filter -> scalars.add(filter.condition());
            case Plan.Project project -> scalars.addAll(project.columns());
            case Plan.Window window -> {
                for (WindowCall call : window.calls()) {
                    scalars.addAll(call.scalars());
                }
            }
            case Plan.Series series -> {
                scalars.add(series.first());
                scalars.add(series.last());
                scalars.add(series.step());
            }
            case Plan.Rows rows -> rows.rows().forEach(scalars::addAll);
            case Plan.RowsOf rows -> scalars.add(rows.source());
            case Plan.Aggregate aggregate -> {
                scalars.addAll(aggregate.keys());
                for (AggregateCall call : aggregate.calls()) {
                    scalars.addAll(call.scalars());
                }
            }
            case Plan.Limit limit -> {
                add(limit.limit() == null ? null : limit.limit().value(), scalars);
                add(limit.offset() == null ? null : limit.offset().value(), scalars);
            }
            case Plan.Joined joined -> scalars(joined.join(), scalars);
            case Plan.Computed computed -> scalars.addAll(computed.arguments());
            case Plan.FileScan scan -> {}
            case Plan.OneRow row -> {}
            case Plan.Working working -> {}
            case Plan.Distinct distinct -> {}
            case Plan.Sort sort -> {}
            case Plan.Lock lock -> {}
            case Plan.Kept kept -> {}
            case Plan.Append append -> {}
            case Plan.Match match -> {}
            case Plan.Recursive recursive -> {}
            case Plan.Returned returned -> {}
        }
        return scalars;
    }

    private static void scalars(Join join, List<Scalar> into) {
        switch (join) {
            case Join.Source source -> {
                if (source.lateral() != null) {
                    into.addAll(source.lateral().arguments());
                }
            }
            case Join.Filtered filtered -> {
                into.add(filtered.condition());
                scalars(filtered.input(), into);
            }
            case Join.Loop loop -> {
                scalars(loop.outer(), into);
                scalars(loop.inner(), into);
            }
            case Join.Hash hash -> {
                into.addAll(hash.probeKeys());
                into.addAll(hash.buildKeys());
                add(hash.rest(), into);
                scalars(hash.probe(), into);
                scalars(hash.build(), into);
            }
        }
    }

    private static void add(@Nullable Scalar scalar, List<Scalar> into) {
        if (scalar != null) {
            into.add(scalar);
        }
    }

    /// Adds the subqueries in `scalar` to `into`, without nested ones.
    public static void subqueries(Scalar scalar, List<Subquery> into) {
        if (scalar instanceof Subquery subquery) {
            into.add(subquery);
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            subqueries(operand, into);
        }
    }

    /// Whether `holds` for `plan` or a plan in it, subqueries included.
    public static boolean any(Plan plan, Predicate<Plan> holds) {
        return new Search(holds).any(plan);
    }

    /// Whether `holds` for a plan of a subquery in `scalar`.
    public static boolean any(Scalar scalar, Predicate<Plan> holds) {
        return new Search(holds).any(scalar);
    }

    /// A traversal of a plan. It enters a query that WITH has named once: if names read one another twice each,
    /// the number of references doubles with each name.
    private static final class Search {
        private final Predicate<Plan> holds;
        private @Nullable BitSet entered;

        Search(Predicate<Plan> holds) {
            this.holds = holds;
        }

        boolean any(Plan plan) {
            Cancellation.pollRunning();
            if (plan instanceof Plan.Kept kept && !enters(kept)) {
                return false;
            }
            if (holds.test(plan)) {
                return true;
            }
            for (Plan input : inputs(plan)) {
                if (any(input)) {
                    return true;
                }
            }
            for (Scalar scalar : scalars(plan)) {
                if (any(scalar)) {
                    return true;
                }
            }
            return false;
        }

        boolean any(Scalar scalar) {
            if (scalar instanceof Subquery subquery && any(subquery.query().plan())) {
                return true;
            }
            for (Scalar operand : Scalar.operands(scalar)) {
                if (any(operand)) {
                    return true;
                }
            }
            return false;
        }

        private boolean enters(Plan.Kept kept) {
            BitSet numbers = entered;
            if (numbers == null) {
                numbers = new BitSet();
                entered = numbers;
            }
            boolean first = !numbers.get(kept.number());
            numbers.set(kept.number());
            return first;
        }
    }

    /// Whether a run of `plan` reads, compares and sorts stored columns alone, and calls no function.
    public static boolean isPlain(Plan plan) {
        return !any(plan, PlanParts::computes);
    }

    private static boolean computes(Plan plan) {
        boolean reads =
                switch (plan) {
                    case Plan.Scan _,
                            Plan.Filter _,
                            Plan.Project _,
                            Plan.Limit _,
                            Plan.Sort _,
                            Plan.Distinct _ ->
                            true;
                    default -> false;
                };
        return !reads || !compareAlone(scalars(plan));
    }

    private static boolean compareAlone(List<Scalar> scalars) {
        for (Scalar scalar : scalars) {
            if (!comparesAlone(scalar)) {
                return false;
            }
        }
        return true;
    }

    private static boolean comparesAlone(Scalar scalar) {
        return switch (scalar) {
            case Scalar.Constant _, Scalar.ColumnRef _, Scalar.ParameterRef _ -> true;
            case Condition.Comparison _,
                    Condition.Between _,
                    Condition.Same _,
                    Condition.Logical _,
                    Condition.Not _,
                    Condition.IsNull _,
                    Condition.IsTruth _,
                    Condition.In _ ->
                    compareAlone(Scalar.operands(scalar));
            default -> false;
        };
    }

    /// Whether `scalar`, or a subquery in it, calls a volatile function.
    public static boolean isVolatile(Scalar scalar) {
        return calls(scalar, Function::isVolatile) || any(scalar, PlanParts::evaluatesVolatile);
    }

    /// Whether `plan` evaluates a volatile expression.
    public static boolean isVolatile(Plan plan) {
        return any(plan, PlanParts::evaluatesVolatile);
    }

    private static boolean evaluatesVolatile(Plan plan) {
        return scalars(plan).stream().anyMatch(scalar -> calls(scalar, Function::isVolatile));
    }

    /// Whether `scalar` itself, outside of its subqueries, calls a function for which `such` holds.
    public static boolean calls(Scalar scalar, Predicate<Function> such) {
        if (scalar instanceof FunctionCall call && such.test(call.function())) {
            return true;
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            if (calls(operand, such)) {
                return true;
            }
        }
        return false;
    }

    /// Whether `plan` reads the rows that a recursive query has kept under `number`.
    public static boolean reads(Plan plan, int number) {
        return any(
                plan, inner -> inner instanceof Plan.Working working && working.number() == number);
    }

    /// Whether rows of `written` may be inserted while `plan` is read row by row. It must read no table, or only
    /// another one with operators whose sole position in it is their current row. A join keeps its outer row while
    /// it reads on, and sorted grouping keeps the first row of the next group; a change would invalidate them.
    public static boolean isApart(Plan plan, Table written) {
        return !any(plan, PlanParts::isStored) || readsPlainly(plan, written);
    }

    private static boolean isStored(Plan plan) {
        return plan instanceof Plan.Scan || plan instanceof Plan.Computed;
    }

    private static boolean readsPlainly(Plan plan, Table written) {
        if (scalars(plan).stream().anyMatch(PlanParts::hasSubquery)) {
            return false;
        }
        return switch (plan) {
            case Plan.Scan scan -> scan.among() == null && scan.table().id() != written.id();
            case Plan.Project project -> readsPlainly(project.input(), written);
            case Plan.Filter filter -> readsPlainly(filter.input(), written);
            case Plan.Sort sort -> readsPlainly(sort.input(), written);
            case Plan.Limit limit -> limit.ties().isEmpty() && readsPlainly(limit.input(), written);
            default -> false;
        };
    }

    /// Numbers of the outer queries on which the rows of `plan` depend. It uses their arguments, by itself or
    /// through a name of WITH, or reads the rows that a recursive query has kept. A query without such
    /// dependencies has the same rows wherever it is run.
    public static int[] needs(Plan plan) {
        BitSet needed = new BitSet();
        BitSet own = new BitSet();
        any(
                plan,
                part -> {
                    collect(part, needed, own);
                    return false;
                });
        needed.andNot(own);
        return needed.stream().toArray();
    }

    /// @param needed numbers of the queries that `plan` itself depends on
    /// @param own numbers of the queries whose arguments or kept rows it provides
    private static void collect(Plan plan, BitSet needed, BitSet own) {
        if (plan instanceof Plan.Working working) {
            needed.set(working.number());
        } else if (plan instanceof Plan.Recursive recursive) {
            own.set(recursive.number());
        } else if (plan instanceof Plan.Joined joined) {
            laterals(joined.join(), own);
        }
        for (Scalar scalar : scalars(plan)) {
            collect(scalar, needed, own);
        }
    }

    private static void collect(Scalar scalar, BitSet needed, BitSet own) {
        if (scalar instanceof Scalar.Argument argument) {
            needed.set(argument.query());
        } else if (scalar instanceof Subquery subquery) {
            own.set(subquery.query().number());
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            collect(operand, needed, own);
        }
    }

    private static void laterals(Join join, BitSet into) {
        switch (join) {
            case Join.Source source -> {
                if (source.lateral() != null) {
                    into.set(source.lateral().number());
                }
            }
            case Join.Filtered filtered -> laterals(filtered.input(), into);
            case Join.Loop loop -> {
                laterals(loop.outer(), into);
                laterals(loop.inner(), into);
            }
            case Join.Hash hash -> {
                laterals(hash.probe(), into);
                laterals(hash.build(), into);
            }
        }
    }

    /// Whether there is a subquery in `scalar`.
    public static boolean hasSubquery(Scalar scalar) {
        return any(scalar, plan -> true);
    }

    /// Whether `plan` uses arguments of an outer query. Arguments of its own subqueries and lateral tables count
    /// too, so the result may be a false positive, never a false negative.
    public static boolean usesArguments(Plan plan) {
        return any(plan, PlanParts::evaluatesArgument);
    }

    /// Whether `scalar` uses arguments of an outer query.
    public static boolean usesArguments(Scalar scalar) {
        return hasArgument(scalar) || any(scalar, PlanParts::evaluatesArgument);
    }

    private static boolean evaluatesArgument(Plan plan) {
        for (Scalar scalar : scalars(plan)) {
            if (hasArgument(scalar)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasArgument(Scalar scalar) {
        if (scalar instanceof Scalar.Argument) {
            return true;
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            if (hasArgument(operand)) {
                return true;
            }
        }
        return false;
    }

    /// Whether `plan` begins with a look-up by a key from its arguments.
    public static boolean looksUp(Plan plan) {
        return any(
                plan,
                inner ->
                        inner instanceof Plan.Scan scan
                                && scan.parts().stream().allMatch(PlanParts::looksUp));
    }

    private static boolean looksUp(Plan.Bounds bounds) {
        return bounds.equal().stream().anyMatch(value -> value != null && hasArgument(value));
    }

    /// Adds the positions of the columns that `scalars` read.
    public static void columns(Iterable<? extends Scalar> scalars, BitSet into) {
        for (Scalar scalar : scalars) {
            columns(scalar, into);
        }
    }

    /// Adds the positions of the columns that `scalar` reads.
    public static void columns(Scalar scalar, BitSet into) {
        if (scalar instanceof Scalar.ColumnRef ref && ref.column() < WindowCall.FIRST) {
            into.set(ref.column());
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            columns(operand, into);
        }
    }
}
