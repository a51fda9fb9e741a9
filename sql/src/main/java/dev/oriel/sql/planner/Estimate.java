package dev.oriel.sql.planner;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Distribution;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.statistics.TableStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The cost model: estimates the cardinality of a plan and the cost of a scan.
///
/// A cost of 1 is one row read in the order of its table; the other figures are relative to that.
public final class Estimate {
    /// Cost of a seek in a tree.
    static final double SEEK = 8;

    /// Cost of fetching the row of an index entry.
    static final double FETCH = 9;

    /// Cost of adding a row to a hash table.
    static final double KEEP = 8;

    /// Cost of probing a hash table.
    static final double PROBE = 1;

    /// Cost of testing a condition.
    static final double TEST = 0.1;

    /// Number of rows assumed for a table without statistics.
    private static final double TABLE = 1_000;

    /// Minimum number of rows assumed for a table, since it may grow before it is planned again.
    private static final double ROWS_LEAST = 5;

    /// Number of rows assumed for each value of a key without statistics.
    private static final double ROWS_A_KEY = 10;

    private static final double GROUPED = 0.1;

    /// Maximum number of conditions pushed into nested queries, and of plans remade for them, while one statement
    /// is planned. Each of n nested queries is planned again for each query around it, so there may be n * n.
    private static final int REPLANS_MAX = 150_000;

    private final Function<Table, @Nullable TableStatistics> source;
    private final BoundTerms.Binder termBinder;
    private final Map<Long, TableStatistics> found = new HashMap<>();

    /// Memoized cardinalities of plans whose estimate visits an input more than once.
    private @Nullable IdentityHashMap<Plan, Double> counted;

    /// Distributions of columns of queries that WITH has named.
    private @Nullable Map<KeptColumn, Distribution> keptColumns;

    private int replans;

    /// Notes on the rules that the planner has applied; null unless they were requested.
    private @Nullable Set<String> notes;

    /// Reasons for the form of plan parts, discarded ones included; null unless notes were requested.
    private @Nullable IdentityHashMap<Object, Supplier<String>> reasons;

    /// @param source supplies the statistics of a table; null for none
    public Estimate(
            Function<Table, @Nullable TableStatistics> source, BoundTerms.Binder termBinder) {
        this.source = source;
        this.termBinder = termBinder;
    }

    /// This estimate without notes.
    Estimate silent() {
        return new Estimate(source, termBinder);
    }

    /// The bound terms of an index.
    ///
    /// @param firstColumn position of the table's first column
    BoundTerms terms(Table table, Index.Terms terms, int firstColumn) {
        return termBinder.bind(table, terms, firstColumn);
    }

    private @Nullable TableStatistics statistics(Table table) {
        TableStatistics known = found.get(table.id());
        if (known == null) {
            known = source.apply(table);
            if (known != null) {
                found.put(table.id(), known);
            }
        }
        return known;
    }

    /// Number of rows of `table`.
    public double rows(Table table) {
        TableStatistics known = statistics(table);
        return known == null ? TABLE : Math.max(ROWS_LEAST, (double) known.rows());
    }

    /// The distribution of column `column` of `table`.
    Distribution distribution(Table table, int column) {
        TableStatistics known = statistics(table);
        double rows = rows(table);
        boolean unique = table.primaryKey().equals(List.of(column));
        for (var index : table.indexes()) {
            unique |= index.unique() && index.columns().equals(List.of(column));
        }
        if (unique) {
            return new Distribution(known == null ? null : known.column(column), rows, rows);
        }
        return known == null
                ? Distribution.UNKNOWN
                : new Distribution(known.column(column), known.distinct(column), rows).among(rows);
    }

    /// Estimated number of rows of `plan`. Counts are memoized, since the visits of a plan would double with each
    /// name of WITH or each GROUP BY above it.
    public double rows(Plan plan) {
        boolean branches =
                plan instanceof Plan.Kept
                        || plan instanceof Plan.Joined
                        || plan instanceof Plan.Aggregate
                        || plan instanceof Plan.Distinct;
        if (!branches) {
            return count(plan);
        }
        IdentityHashMap<Plan, Double> known = counted;
        if (known == null) {
            known = new IdentityHashMap<>(4);
            counted = known;
        }
        Double rows = known.get(plan);
        if (rows == null) {
            rows = count(plan);
            known.put(plan, rows);
        }
        return rows;
    }

    private double count(Plan plan) {
        Cancellation.pollRunning();
        return switch (plan) {
            case Plan.Scan scan -> scan(scan);
            case Plan.OneRow row -> 1;
            case Plan.Computed computed -> TABLE / 10;
            case Plan.FileScan scan -> TABLE;
            case Plan.Rows rows -> rows.rows().size();
            case Plan.Working working -> TABLE / 10;
            case Plan.Filter filter ->
                    rows(filter.input()) * kept(filter.input(), filter.condition());
            case Plan.Aggregate aggregate -> groups(aggregate);
            case Plan.Project project -> rows(project.input());
            case Plan.Window window -> rows(window.input());
            case Plan.Series series -> series(series);
            case Plan.RowsOf rows -> 10;
            case Plan.Distinct distinct -> distinct(distinct.input());
            case Plan.Sort sort -> rows(sort.input());
            case Plan.Limit limit ->
                    limit.limit() != null
                                    && !limit.limit().percent()
                                    && limit.limit().value() instanceof Scalar.Constant constant
                            ? Math.min((double) constant.primitive(), rows(limit.input()))
                            : rows(limit.input());
            case Plan.Lock lock -> rows(lock.input());
            case Plan.Kept kept -> rows(kept.input());
            case Plan.Append append -> append.inputs().stream().mapToDouble(this::rows).sum();
            case Plan.Match match -> rows(match.first());
            case Plan.Recursive recursive -> rows(recursive.first()) * 10;
            case Plan.Joined joined -> new JoinEstimate(this, joined).of(joined.join()).rows();
            case Plan.Returned returned -> TABLE / 10;
        };
    }

    private static double series(Plan.Series series) {
        if (series.first() instanceof Scalar.Constant first
                && series.last() instanceof Scalar.Constant last
                && series.step() instanceof Scalar.Constant step
                && series.span() == null
                && series.type().shape() == Type.Shape.LONG
                && step.primitive() != 0) {
            double rows = ((double) last.primitive() - first.primitive()) / step.primitive();
            return Math.max(0, rows + 1);
        }
        return TABLE;
    }

    /// Selectivity of `condition` on the rows of `input`.
    double kept(Plan input, Scalar condition) {
        return new Selectivity(column -> distribution(input, column)).of(condition);
    }

    /// The distribution of column `column` in the rows of `plan`.
    Distribution distribution(Plan plan, int column) {
        return switch (plan) {
            case Plan.Scan scan ->
                    column < scan.table().columns().size()
                            ? distribution(scan.table(), column)
                            : Distribution.UNKNOWN;
            case Plan.Filter filter -> distribution(filter.input(), column);
            case Plan.Sort sort -> distribution(sort.input(), column);
            case Plan.Distinct distinct -> distribution(distinct.input(), column);
            case Plan.Limit limit -> distribution(limit.input(), column);
            case Plan.Lock lock -> distribution(lock.input(), column);
            case Plan.Kept kept -> kept(kept, column);
            case Plan.Match match -> distribution(match.first(), column);
            case Plan.Window window ->
                    column < window.input().types().size()
                            ? distribution(window.input(), column)
                            : Distribution.UNKNOWN;
            case Plan.Project project ->
                    project.columns().get(column) instanceof Scalar.ColumnRef ref
                            ? distribution(project.input(), ref.column())
                            : Distribution.UNKNOWN;
            case Plan.Aggregate aggregate -> key(aggregate, column);
            case Plan.Joined joined -> new JoinEstimate(this, joined).distribution(column);
            case Plan.OneRow row -> new Distribution(null, 1);
            case Plan.Series series -> new Distribution(null, series(series));
            case Plan.Computed computed -> Distribution.UNKNOWN;
            case Plan.RowsOf rows -> Distribution.UNKNOWN;
            case Plan.FileScan scan -> Distribution.UNKNOWN;
            case Plan.Rows rows -> Distribution.UNKNOWN;
            case Plan.Working working -> Distribution.UNKNOWN;
            case Plan.Append append -> Distribution.UNKNOWN;
            case Plan.Recursive recursive -> Distribution.UNKNOWN;
            case Plan.Returned returned -> Distribution.UNKNOWN;
        };
    }

    /// @param number of the kept query
    private record KeptColumn(int number, int column) {}

    private Distribution kept(Plan.Kept kept, int column) {
        Map<KeptColumn, Distribution> known = keptColumns;
        if (known == null) {
            known = new HashMap<>();
            keptColumns = known;
        }
        KeptColumn key = new KeptColumn(kept.number(), column);
        Distribution found = known.get(key);
        if (found == null) {
            found = distribution(kept.input(), column);
            known.put(key, found);
        }
        return found;
    }

    private Distribution key(Plan.Aggregate aggregate, int column) {
        if (column >= aggregate.keys().size() || !aggregate.sets().isEmpty()) {
            return Distribution.UNKNOWN;
        }
        if (aggregate.keys().size() == 1) {
            return new Distribution(null, groups(aggregate));
        }
        return aggregate.keys().get(column) instanceof Scalar.ColumnRef ref
                ? distribution(aggregate.input(), ref.column())
                : Distribution.UNKNOWN;
    }

    private double groups(Plan.Aggregate aggregate) {
        if (aggregate.keys().isEmpty()) {
            return Math.max(1, aggregate.sets().size());
        }
        double groups = combinations(aggregate.input(), aggregate.keys());
        return groups * Math.max(1, aggregate.sets().size());
    }

    private double distinct(Plan input) {
        List<Scalar> columns = new ArrayList<>();
        List<Type> types = input.types();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Scalar.ColumnRef(i, types.get(i), true, ""));
        }
        return combinations(input, columns);
    }

    /// Number of distinct combinations of `keys`.
    private double combinations(Plan input, List<Scalar> keys) {
        double rows = rows(input);
        double combinations = 1;
        for (Scalar key : keys) {
            double distinct =
                    key instanceof Scalar.ColumnRef ref
                            ? distribution(input, ref.column()).distinct()
                            : 0;
            combinations *= distinct < 1 ? Math.max(1, rows * GROUPED) : distinct;
        }
        return Math.min(rows, combinations);
    }

    private double scan(Plan.Scan scan) {
        Plan.Among among = scan.among();
        double asked = among == null ? 0 : rows(among.query().plan());
        if (among != null && asked <= among.most()) {
            double distinct = distribution(scan.table(), scan.keyColumns().getFirst()).distinct();
            double rows = rows(scan.table());
            return Math.min(rows, asked * (distinct < 1 ? ROWS_A_KEY : rows / distinct));
        }
        double rows = 0;
        for (Plan.Bounds part : scan.parts()) {
            rows += part(scan, part);
        }
        Index.Terms terms = scan.index() == null ? null : scan.index().terms();
        if (terms != null && terms.condition() != null) {
            Scalar within = terms(scan.table(), terms, 0).condition();
            rows *= within == null ? 1 : columns(scan.table()).of(within);
        }
        return Math.min(rows, rows(scan.table()));
    }

    private double part(Plan.Scan scan, Plan.Bounds bounds) {
        Table table = scan.table();
        List<Integer> key = scan.keyColumns();
        int equal = bounds.equal().size();
        boolean unique =
                scan.index() == null ? !table.primaryKey().isEmpty() : scan.index().unique();
        if (unique && equal == key.size()) {
            return 1;
        }
        double rows = rows(table);
        if (equal == 0 && !bounds.ranged()) {
            return rows;
        }
        boolean known = statistics(table) != null;
        Selectivity columns = columns(table);
        double share = known || equal == 0 ? 1 : Math.min(1, ROWS_A_KEY / rows);
        if (known) {
            double[] shares = new double[equal];
            for (int i = 0; i < equal; i++) {
                shares[i] = equal(columns, ref(scan, i), bounds.equal().get(i));
            }
            share = Selectivity.all(shares);
        }
        if (bounds.ranged()) {
            share *= range(columns, ref(scan, equal), bounds);
        }
        return rows * share;
    }

    private static double equal(Selectivity columns, Scalar column, @Nullable Scalar value) {
        return columns.of(
                value == null
                        ? new Condition.IsNull(column, false)
                        : new Condition.Comparison(
                                Expression.Operator.EQUAL, column, plain(value)));
    }

    private Selectivity columns(Table table) {
        return new Selectivity(column ->
                column < Plan.Scan.FIRST_TERM ? distribution(table, column) : Distribution.UNKNOWN);
    }

    private static Scalar ref(Plan.Scan scan, int i) {
        return new Scalar.ColumnRef(scan.keyColumns().get(i), scan.keyType(i), true, "");
    }

    /// `value` if it is a constant, else an opaque expression: columns in it belong to another table.
    private static Scalar plain(Scalar value) {
        return Scalar.foreseen(value) != null ? value : new Scalar.ParameterRef(0, value.type());
    }

    private static double range(Selectivity columns, Scalar column, Plan.Bounds bounds) {
        Plan.Edge lower = bounds.lower();
        Plan.Edge upper = bounds.upper();
        if (lower != null && upper != null) {
            return columns.of(
                    new Condition.Between(column, plain(lower.value()), plain(upper.value())));
        }
        if (lower != null) {
            return columns.of(
                    new Condition.Comparison(
                            Expression.Operator.GREATER_OR_EQUAL, column, plain(lower.value())));
        }
        return upper == null
                ? columns.of(new Condition.IsNull(column, true))
                : columns.of(
                        new Condition.Comparison(
                                Expression.Operator.LESS_OR_EQUAL, column, plain(upper.value())));
    }

    /// Cost of reading the rows of `scan`.
    double cost(Plan.Scan scan) {
        double each = scan.index() == null ? 1 : 1 + FETCH;
        double parts = scan.parts().size();
        if (scan.among() != null) {
            parts = Math.min(rows(scan.among().query().plan()), scan.among().most());
        }
        return SEEK * parts + scan(scan) * each;
    }

    /// Starts to collect notes on the planner's rules.
    public void takeNotes() {
        notes = new LinkedHashSet<>();
        reasons = new IdentityHashMap<>();
    }

    /// Whether a query may be replanned for conditions on it. Beyond a number of them conditions stay above the
    /// query, which bounds planning time.
    boolean takesReplan(int conditions) {
        replans += 1 + conditions;
        return replans <= REPLANS_MAX;
    }

    /// Notes an applied rule; the same text is noted once.
    public void note(Supplier<String> what) {
        if (notes != null) {
            notes.add(what.get());
        }
    }

    /// Gives the reason for the form of `part`, which is noted if `part` is in the final plan. An empty text is
    /// ignored.
    void because(Object part, Supplier<String> why) {
        if (reasons != null) {
            reasons.put(part, why);
        }
    }

    /// The notes in order, and the reasons for the parts of the plan in `lines`.
    public List<String> notes(List<PlanText.Line> lines) {
        if (notes == null || reasons == null) {
            return List.of();
        }
        Set<String> all = new LinkedHashSet<>(notes);
        for (PlanText.Line line : lines) {
            addReason(line.key(), all);
            if (line.key() instanceof Join.Source source) {
                addReason(source.plan(), all);
            }
        }
        return List.copyOf(all);
    }

    private void addReason(@Nullable Object part, Set<String> into) {
        Supplier<String> why = reasons == null || part == null ? null : reasons.get(part);
        String said = why == null ? "" : why.get();
        if (!said.isEmpty()) {
            into.add(said);
        }
    }

    /// The tables that were looked up, with their statistics.
    public Map<Long, TableStatistics> found() {
        return found;
    }
}
