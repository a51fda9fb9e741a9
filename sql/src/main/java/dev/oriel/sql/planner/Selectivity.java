package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Distribution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SelectivityGuard;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.value.LikePattern;
import dev.oriel.table.statistics.ColumnStatistics;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Estimates the selectivity of predicates: by column distributions for comparisons with constants, else by the
/// kind of predicate.
final class Selectivity {
    private static final double EQUAL = 0.01;
    private static final double RANGE = 0.3;
    private static final double BETWEEN = 0.1;
    private static final double LIKE = 0.1;
    private static final double TRUTH = 0.5;
    private static final double UNKNOWN = 0.3;

    /// Lower bound of a selectivity, so that the remaining predicates still affect the order.
    private static final double LEAST = 1e-7;

    private final Distribution.Finder columns;

    Selectivity(Distribution.Finder columns) {
        this.columns = columns;
    }

    /// Selectivity of `condition`.
    double of(Scalar condition) {
        return Math.clamp(share(condition), LEAST, 1);
    }

    private double share(Scalar condition) {
        return switch (condition) {
            case Scalar.Constant constant -> constant.isNull() || constant.primitive() == 0 ? 0 : 1;
            case Condition.Comparison c -> comparison(c);
            case Condition.Between c -> between(c);
            case Condition.Logical c -> logical(c);
            case Condition.Not c -> 1 - of(c.operand());
            case Condition.IsNull c -> {
                Distribution column = column(c.operand());
                double nulls = column == null ? EQUAL : column.nulls();
                yield c.negated() ? 1 - nulls : nulls;
            }
            case Condition.IsTruth c -> {
                double share = c.truth() == 1 ? of(c.operand()) : 1 - of(c.operand());
                yield c.negated() ? 1 - share : share;
            }
            case Condition.Same c -> equal(c.left(), c.right());
            case Condition.In c -> {
                double share = 0;
                for (Scalar value : c.list()) {
                    share += equal(c.operand(), value);
                }
                yield share;
            }
            case Condition.Like c -> like(c);
            case Subquery.Exists c -> TRUTH;
            case Subquery.Any c -> c.operator() == Operator.EQUAL ? TRUTH : UNKNOWN;
            case Subquery.RowAny c -> TRUTH;
            case Subquery.Member c -> TRUTH;
            case Scalar.ColumnRef c -> TRUTH;
            default -> UNKNOWN;
        };
    }

    /// Combined selectivity of several conditions on columns of one key. Such conditions are seldom independent:
    /// the most selective counts in full, each further one with half the exponent of the one before.
    static double all(double... shares) {
        double[] sorted = shares.clone();
        Arrays.sort(sorted);
        double all = 1;
        double weight = 1;
        for (double share : sorted) {
            all *= Math.pow(share, weight);
            weight /= 2;
        }
        return all;
    }

    private double logical(Condition.Logical condition) {
        double share = 1;
        Map<Integer, Sides> ranges = new LinkedHashMap<>(4);
        for (Scalar term : condition.terms()) {
            Sides side = condition.and() ? side(term) : null;
            if (side == null) {
                share *= condition.and() ? of(term) : 1 - of(term);
            } else {
                ranges.merge(side.column, side, Sides::and);
            }
        }
        for (Sides range : ranges.values()) {
            share *= range.share();
        }
        return condition.and() ? share : 1 - share;
    }

    /// Selectivities of the lower and the upper bound of a column. They are not independent: together they select
    /// the intersection.
    ///
    /// @param filled fraction of the rows that are not NULL
    /// @param least minimum selectivity of a range with two bounds
    private record Sides(int column, double above, double below, double filled, double least) {
        Sides and(Sides other) {
            return new Sides(
                    column,
                    Math.min(above, other.above),
                    Math.min(below, other.below),
                    filled,
                    least);
        }

        double share() {
            boolean both = above < filled && below < filled;
            return both ? Math.max(above + below - filled, least) : Math.min(above, below);
        }
    }

    /// The selectivity of `term`, if it bounds one side of a column with a known distribution; else null.
    private @Nullable Sides side(Scalar term) {
        if (!(term instanceof Condition.Comparison c)) {
            return null;
        }
        boolean less = c.operator() == Operator.LESS || c.operator() == Operator.LESS_OR_EQUAL;
        boolean greater =
                c.operator() == Operator.GREATER || c.operator() == Operator.GREATER_OR_EQUAL;
        boolean first = column(c.left()) != null;
        Scalar operand = first ? c.left() : c.right();
        Distribution column = column(operand);
        if ((!less && !greater)
                || !(operand instanceof Scalar.ColumnRef ref)
                || column == null
                || column.known() == null
                || constant(first ? c.right() : c.left(), operand) == null) {
            return null;
        }
        double filled = 1 - column.nulls();
        double share = of(term);
        return less == first
                ? new Sides(ref.column(), filled, share, filled, column.known().equal())
                : new Sides(ref.column(), share, filled, filled, column.known().equal());
    }

    private double comparison(Condition.Comparison c) {
        return switch (c.operator()) {
            case EQUAL -> equal(c.left(), c.right());
            case NOT_EQUAL -> 1 - equal(c.left(), c.right());
            case LESS, LESS_OR_EQUAL -> ordered(c, true);
            case GREATER, GREATER_OR_EQUAL -> ordered(c, false);
            case CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO -> UNKNOWN;
        };
    }

    /// Selectivity of equality of two expressions.
    double equal(Scalar left, Scalar right) {
        Distribution a = column(left);
        Distribution b = column(right);
        if (a == null && b == null) {
            return EQUAL;
        }
        if (a != null && b != null) {
            double most = Math.max(a.distinct(), b.distinct());
            return most < 1 ? EQUAL : (1 - a.nulls()) * (1 - b.nulls()) / most;
        }
        Distribution column = a != null ? a : b;
        Scalar value = a != null ? right : left;
        if (column == null) {
            return EQUAL;
        }
        ColumnStatistics known = column.known();
        Row constant = constant(value, a != null ? left : right);
        if (known != null && constant != null) {
            SelectivityGuard.note(SelectivityGuard.Kind.EQUAL, column, value, value);
            return known.equal(constant, 0);
        }
        return column.distinct() < 1 ? EQUAL : (1 - column.nulls()) / column.distinct();
    }

    private double ordered(Condition.Comparison c, boolean less) {
        boolean columnFirst = column(c.left()) != null;
        Scalar operand = columnFirst ? c.left() : c.right();
        Distribution column = column(operand);
        Scalar edge = columnFirst ? c.right() : c.left();
        Row value = constant(edge, operand);
        if (column == null || column.known() == null || value == null) {
            return RANGE;
        }
        SelectivityGuard.note(SelectivityGuard.Kind.BELOW, column, edge, edge);
        double below = column.known().below(value, 0);
        return less == columnFirst ? below : Math.max(0, 1 - column.nulls() - below);
    }

    private double between(Condition.Between c) {
        Distribution column = column(c.operand());
        Row low = constant(c.low(), c.operand());
        Row high = constant(c.high(), c.operand());
        if (column == null || column.known() == null || low == null || high == null) {
            return BETWEEN;
        }
        SelectivityGuard.note(SelectivityGuard.Kind.BETWEEN, column, c.low(), c.high());
        double share = column.known().below(high, 0) - column.known().below(low, 0);
        return Math.max(0, share) + column.known().equal(high, 0);
    }

    private double like(Condition.Like c) {
        Distribution column = column(c.operand());
        if (column == null
                || column.known() == null
                || c.ignoreCase()
                || c.escape() != null
                || !(c.pattern() instanceof Scalar.Constant pattern)
                || !(pattern.reference() instanceof String text)) {
            return LIKE;
        }
        String prefix = LikePattern.prefix(text, LikePattern.USUAL_ESCAPE);
        String after = prefix.isEmpty() ? null : LikePattern.after(prefix);
        if (after == null) {
            return LIKE;
        }
        Tuple edges = new Tuple(2);
        edges.setText(0, prefix);
        edges.setText(1, after);
        double share = column.known().below(edges, 1) - column.known().below(edges, 0);
        return Math.max(share, column.known().equal());
    }

    private @Nullable Distribution column(Scalar scalar) {
        return scalar instanceof Scalar.ColumnRef ref ? columns.of(ref.column()) : null;
    }

    /// The value of a constant that `operand` is compared with; null for NULL or any other expression.
    private static @Nullable Row constant(Scalar scalar, Scalar operand) {
        Scalar.Constant constant = Scalar.foreseen(scalar);
        if (constant == null || constant.type().shape() != operand.type().shape()) {
            return null;
        }
        Tuple value = new Tuple(1);
        return constant.store(value, 0, Frame.alone(value)) ? value : null;
    }
}
