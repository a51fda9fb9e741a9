package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.planner.AccessPlanner.Access;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An uncorrelated `column IN (SELECT ...)`: the query's rows are looked up by a key of the table, instead of
/// testing every row of the table. The number of rows is known only after the query has run, so the choice is made
/// then ([Plan.Among]).
final class QueryLookUp {
    /// Maximum number of rows that are looked up one by one: their ranges are in memory.
    private static final int ROWS_MAX = 20_000;

    /// Cost of a seek, in rows read in order.
    private static final double SEEK_ROWS = 8;

    private final Estimate estimate;
    private final Table table;
    private final int firstColumn;
    private final List<Scalar> conditions;
    private final List<SortKey> order;

    /// See [AccessPlanner].
    QueryLookUp(
            Estimate estimate,
            Table table,
            int firstColumn,
            List<Scalar> conditions,
            List<SortKey> order) {
        this.estimate = estimate;
        this.table = table;
        this.firstColumn = firstColumn;
        this.conditions = conditions;
        this.order = order;
    }

    /// The query whose rows restrict a column of the table.
    private record Values(Subquery.Nested query, int column) {}

    /// `access`, or a look-up by the subquery's rows that is used if they are few at run time.
    Access of(Access access) {
        Index read = access.scan().index();
        boolean all =
                AccessPlanner.isWhole(access.scan()) && (read == null || read.terms() == null);
        if (!all || estimate.rows(table) < AccessPlanner.COMPARED_ROWS_LEAST) {
            return access;
        }
        for (Scalar condition : conditions) {
            Values values = values(condition);
            Access found = values == null ? null : lookedUp(values, access);
            if (values != null && found != null) {
                String column = table.columns().get(values.column).name();
                estimate.note(() ->
                        "look up: "
                                + table.name()
                                + "."
                                + column
                                + " is among the rows of a query, if these are few");
                return found;
            }
        }
        return access;
    }

    private @Nullable Values values(Scalar condition) {
        Scalar operand =
                switch (condition) {
                    case Subquery.Any any when any.operator() == Operator.EQUAL -> any.operand();
                    case Subquery.Member member when member.operands().size() == 1 ->
                            member.operands().getFirst();
                    default -> null;
                };
        if (!(operand instanceof Scalar.ColumnRef column)
                || !(condition instanceof Subquery subquery)
                || !subquery.query().arguments().isEmpty()) {
            return null;
        }
        int position = column.column() - firstColumn;
        return position >= 0 && position < table.columns().size()
                ? new Values(subquery.query(), position)
                : null;
    }

    /// A look-up by the row key, which is scanned if there are many rows; or by an index if few rows are expected.
    private @Nullable Access lookedUp(Values values, Access access) {
        double rows = estimate.rows(table);
        double distinct = estimate.distribution(table, values.column).distinct();
        double each = distinct < 1 ? 1 : rows / distinct;
        int most = (int) Math.clamp(rows / (SEEK_ROWS * Math.max(1, each)), 1, ROWS_MAX);
        boolean anyOrder = order.isEmpty() || !access.ordered();
        if (begins(table.primaryKey(), values.column)
                && (anyOrder || access.scan().index() == null)) {
            return by(null, table.primaryKey(), new Plan.Among(values.query, most), access);
        }
        if (estimate.rows(values.query.plan()) * (1 + Estimate.FETCH) >= most) {
            return null;
        }
        for (Index index : table.indexes()) {
            boolean usable =
                    index.kind() != Index.Kind.SEARCH
                            && index.terms() == null
                            && begins(index.columns(), values.column);
            if (usable && (anyOrder || index.equals(access.scan().index()))) {
                Plan.Among among = new Plan.Among(values.query, ROWS_MAX);
                return by(index, index.columns(), among, access);
            }
        }
        return null;
    }

    private static boolean begins(List<Integer> key, int column) {
        return !key.isEmpty() && key.getFirst() == column;
    }

    /// `access` with that key.
    private Access by(
            @Nullable Index index, List<Integer> columns, Plan.Among among, Access access) {
        boolean same = Objects.equals(index, access.scan().index());
        Plan.Scan scan =
                new Plan.Scan(
                        table,
                        index,
                        columns,
                        Plan.Bounds.NONE,
                        List.of(),
                        among,
                        same && access.scan().descending());
        return new Access(scan, access.filter(), same && access.ordered(), access.worth());
    }
}
