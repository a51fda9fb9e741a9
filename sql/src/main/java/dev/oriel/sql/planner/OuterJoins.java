package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Arithmetic;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Scalar;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Simplifies outer joins whose NULL-extended rows cannot survive. If a predicate above a join is never TRUE for a
/// row whose columns of one side are all NULL, a LEFT join becomes an inner join. A FULL join then preserves one
/// side, or none. Inner joins can be reordered, and predicates can be tested before them.
final class OuterJoins {
    private final Estimate estimate;

    private OuterJoins(Estimate estimate) {
        this.estimate = estimate;
    }

    /// `from` with its outer joins simplified under `conditions`, all of which hold for each result row.
    static BoundFrom reduced(BoundFrom from, List<Scalar> conditions, Estimate estimate) {
        return new OuterJoins(estimate).reduced(from, conditions);
    }

    private BoundFrom reduced(BoundFrom from, List<Scalar> conditions) {
        if (!(from instanceof BoundFrom.Join join)) {
            return from;
        }
        boolean wantsLeft = join.kind() == BoundFrom.Kind.FULL && !rejects(conditions, join.left());
        boolean wantsRight =
                join.kind() != BoundFrom.Kind.INNER && !rejects(conditions, join.right());
        return switch (join.kind()) {
            case INNER -> inner(join, conditions);
            case LEFT -> {
                if (wantsRight) {
                    yield oneSided(join.left(), join.right(), join.on(), conditions);
                }
                say(join.right(), "an inner join");
                yield inner(join, conditions);
            }
            case FULL -> {
                if (wantsLeft && wantsRight) {
                    yield new BoundFrom.Join(
                            join.kind(),
                            reduced(join.left(), List.of()),
                            reduced(join.right(), List.of()),
                            join.on());
                }
                if (wantsRight) {
                    say(join.left(), "a LEFT join");
                    yield oneSided(join.left(), join.right(), join.on(), conditions);
                }
                if (wantsLeft) {
                    say(join.right(), "a RIGHT join");
                    yield oneSided(join.right(), join.left(), join.on(), conditions);
                }
                say(join.right(), "an inner join");
                yield inner(join, conditions);
            }
        };
    }

    private BoundFrom inner(BoundFrom.Join join, List<Scalar> conditions) {
        List<Scalar> all = new ArrayList<>(conditions);
        all.addAll(join.on());
        return new BoundFrom.Join(
                BoundFrom.Kind.INNER,
                reduced(join.left(), all),
                reduced(join.right(), all),
                join.on());
    }

    /// Only rows of the nullable side that meet `on` are ever visible.
    private BoundFrom oneSided(
            BoundFrom kept, BoundFrom other, List<Scalar> on, List<Scalar> conditions) {
        return new BoundFrom.Join(
                BoundFrom.Kind.LEFT, reduced(kept, conditions), reduced(other, on), on);
    }

    private void say(BoundFrom side, String kind) {
        BoundFrom.Leaf leaf = first(side);
        estimate.note(() -> kind + ": a condition takes no row that lacks those of " + leaf.name());
    }

    private static BoundFrom.Leaf first(BoundFrom from) {
        return switch (from) {
            case BoundFrom.Leaf leaf -> leaf;
            case BoundFrom.Join join -> first(join.left());
        };
    }

    /// Whether one of `conditions` is never TRUE if all columns of `side` are NULL.
    private static boolean rejects(List<Scalar> conditions, BoundFrom side) {
        BitSet columns = new BitSet();
        addColumns(side, columns);
        return conditions.stream().anyMatch(condition -> isNeverTrue(condition, columns));
    }

    private static void addColumns(BoundFrom from, BitSet into) {
        switch (from) {
            case BoundFrom.Leaf leaf ->
                    into.set(leaf.firstColumn(), leaf.firstColumn() + leaf.width());
            case BoundFrom.Join join -> {
                addColumns(join.left(), into);
                addColumns(join.right(), into);
            }
        }
    }

    /// Whether `condition` is FALSE or NULL if all of `columns` are NULL, whatever the other columns are.
    private static boolean isNeverTrue(Scalar condition, BitSet columns) {
        return switch (condition) {
            case Condition.Logical(boolean and, List<Scalar> terms) ->
                    and
                            ? terms.stream().anyMatch(term -> isNeverTrue(term, columns))
                            : terms.stream().allMatch(term -> isNeverTrue(term, columns));
            case Condition.IsNull(Scalar operand, boolean negated) ->
                    negated && isNull(operand, columns);
            case Condition.IsTruth(Scalar operand, int truth, boolean negated) ->
                    isNull(operand, columns) && (truth == Scalar.UNKNOWN) == negated;
            case Condition.Between between ->
                    isNull(between.operand(), columns)
                            || isNull(between.low(), columns)
                            || isNull(between.high(), columns);
            default -> isNull(condition, columns);
        };
    }

    /// Whether `scalar` is NULL if all of `columns` are; false if unknown.
    private static boolean isNull(Scalar scalar, BitSet columns) {
        return switch (scalar) {
            case Scalar.ColumnRef ref -> columns.get(ref.column());
            case Condition.Comparison comparison ->
                    isNull(comparison.left(), columns) || isNull(comparison.right(), columns);
            case Condition.Between between -> isNull(between.operand(), columns);
            case Condition.In in -> !in.list().isEmpty() && isNull(in.operand(), columns);
            case Condition.Like like -> isNull(like.operand(), columns);
            case Condition.Not not -> isNull(not.operand(), columns);
            case Conversion conversion -> isNull(conversion.operand(), columns);
            case Arithmetic arithmetic ->
                    Scalar.operands(arithmetic).stream()
                            .anyMatch(operand -> isNull(operand, columns));
            default -> false;
        };
    }
}
