package dev.oriel.sql.run;

import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.table.value.Row;

/// A running operator: a pull cursor over rows. It is built once for a prepared statement, and opened for every
/// run; [#row] is the same object for as long as the operator lives.
///
/// Neither `open` nor `next` allocates, except in operators that keep rows.
public sealed interface Operator
        permits ScanOperator,
                FilterOperator,
                ProjectOperator,
                LimitOperator,
                CountedRows,
                SortOperator,
                DistinctOperator,
                AggregateOperator,
                WindowOperator,
                SeriesOperator,
                RowsFunctionOperator,
                ListOperator,
                SpoolOperator,
                MeasuredOperator,
                ComputedOperator,
                FileOperator,
                RowsOperator,
                AppendOperator,
                MatchOperator,
                MatchAllOperator,
                KeptLookUpOperator,
                KeptOperator,
                RecursiveOperator,
                JoinInputOperator,
                NestedLoopJoinOperator,
                HashOperator,
                LockOperator {
    /// Starts over, in the execution's transaction.
    void open();

    /// Goes to the next row; false at the end.
    boolean next();

    /// The current row.
    Row row();

    /// Releases the memory of this run.
    void close();

    /// Approximate maximum of bytes held in this run; 0 for operators that keep no rows.
    default long memoryBytes() {
        return 0;
    }

    /// Bytes of rows spilled to files in this run.
    default long putAsideBytes() {
        return 0;
    }

    /// The operator itself, without its measuring wrapper.
    static Operator unwrapped(Operator operator) {
        return operator instanceof MeasuredOperator wrapper ? wrapper.measured() : operator;
    }

    /// `operator`, wrapped for measuring under `key` if the run is measured.
    static Operator measured(Execution execution, Object key, Operator operator) {
        Analysis measuring = execution.analysis();
        return measuring == null || key instanceof Plan.Joined
                ? operator
                : new MeasuredOperator(operator, measuring, key);
    }

    /// The operators of `plan`, for `execution`, which has started.
    static Operator of(Plan plan, Execution execution) {
        return measured(execution, plan, made(plan, execution));
    }

    /// The operators of a whole query, which may be so deep that building them takes a large stack.
    static Operator ofWhole(Plan plan, Execution execution) {
        return LargeStack.call(false, () -> of(plan, execution));
    }

    private static Operator made(Plan plan, Execution execution) {
        return switch (plan) {
            case Plan.Scan scan -> new ScanOperator(scan, execution);
            case Plan.OneRow row -> ListOperator.oneRow();
            case Plan.Computed computed -> new ComputedOperator(computed, execution);
            case Plan.FileScan scan -> new FileOperator(scan, execution);
            case Plan.Rows rows -> new RowsOperator(rows, execution);
            case Plan.Joined joined -> JoinInputOperator.joined(joined, execution);
            case Plan.Append append ->
                    new AppendOperator(
                            append.inputs().stream()
                                    .map(input -> of(input, execution))
                                    .toArray(Operator[]::new));
            case Plan.Match match ->
                    MatchOperator.of(
                            of(match.first(), execution),
                            of(match.second(), execution),
                            match,
                            execution);
            case Plan.Kept kept -> new KeptOperator(kept, execution);
            case Plan.Recursive recursive ->
                    new RecursiveOperator(
                            of(recursive.first(), execution),
                            of(recursive.step(), execution),
                            recursive,
                            execution);
            case Plan.Working working -> new KeptOperator(working.number(), execution);
            case Plan.Filter filter ->
                    filter.input() instanceof Plan.Scan scan
                            ? FilterOperator.of(scan, filter.condition(), execution)
                            : new FilterOperator(
                                    of(filter.input(), execution), filter.condition(), execution);
            case Plan.Aggregate aggregate ->
                    new AggregateOperator(of(aggregate.input(), execution), aggregate, execution);
            case Plan.Window window ->
                    new WindowOperator(of(window.input(), execution), window, execution);
            case Plan.Series series -> new SeriesOperator(series, execution);
            case Plan.RowsOf rows -> new RowsFunctionOperator(rows, execution);
            case Plan.Project project ->
                    ProjectOperator.of(
                            of(project.input(), execution), project.columns(), execution);
            case Plan.Distinct distinct ->
                    new DistinctOperator(
                            of(distinct.input(), execution), distinct.types(), execution);
            case Plan.Sort sort ->
                    new SortOperator(
                            of(sort.input(), execution), sort.types(), sort.keys(), execution);
            case Plan.Limit limit ->
                    new LimitOperator(of(limit.input(), execution), limit, execution);
            case Plan.Lock lock -> new LockOperator(of(lock.input(), execution), lock, execution);
            case Plan.Returned returned -> new KeptOperator(returned.number(), execution);
        };
    }
}
