package dev.oriel.sql;

import java.util.List;

/// About how many rows a plan has. There are no statistics: a table counts as a thousand rows, and
/// what a key or a condition leaves of them goes by its kind. Only for the order of joins.
final class Estimate {
    /// The part of the rows for which a condition holds.
    static final double KEPT = 0.3;

    private static final double TABLE = 1_000;
    private static final double EQUAL = 10;
    private static final double RANGE = 0.25;

    private Estimate() {}

    static double rows(Plan plan) {
        return switch (plan) {
            case Plan.Scan scan -> scan(scan);
            case Plan.OneRow row -> 1;
            case Plan.Computed computed -> TABLE / 10;
            case Plan.Rows rows -> rows.rows().size();
            case Plan.Working working -> TABLE / 10;
            case Plan.Filter filter -> rows(filter.input()) * KEPT;
            case Plan.Aggregate aggregate ->
                    aggregate.keys().isEmpty() ? 1 : rows(aggregate.input()) / 2;
            case Plan.Project project -> rows(project.input());
            case Plan.Window window -> rows(window.input());
            case Plan.Series series -> TABLE;
            case Plan.Distinct distinct -> rows(distinct.input());
            case Plan.Sort sort -> rows(sort.input());
            case Plan.Limit limit ->
                    limit.limit() != null
                                    && limit.limit().value() instanceof Scalar.Constant constant
                            ? Math.min((double) constant.primitive(), rows(limit.input()))
                            : rows(limit.input());
            case Plan.Kept kept -> rows(kept.input());
            case Plan.Append append -> rows(append.first()) + rows(append.second());
            case Plan.Match match -> rows(match.first());
            case Plan.Recursive recursive -> rows(recursive.first()) * 10;
            case Plan.Joined joined -> TABLE;
        };
    }

    private static double scan(Plan.Scan scan) {
        double rows = 0;
        for (Plan.Bounds part : scan.parts()) {
            rows += part(scan, part);
        }
        return Math.min(rows, TABLE);
    }

    private static double part(Plan.Scan scan, Plan.Bounds bounds) {
        List<Integer> key = scan.keyColumns();
        int equal = bounds.equal().size();
        boolean unique =
                scan.index() == null ? !scan.table().primaryKey().isEmpty() : scan.index().unique();
        if (unique && equal == key.size()) {
            return 1;
        }
        double rows = equal == 0 ? TABLE : EQUAL;
        return bounds.ranged() ? rows * RANGE : rows;
    }
}
