package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.ExtractedLiterals;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.value.Order;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The key expressions and the predicate of an expression index or partial index, over the columns of its table.
///
/// A key that is a plain column has that column's position. Other keys have positions from [Plan.Scan#FIRST_TERM]
/// on, which no column of a table has.
public final class BoundTerms {
    private final List<Scalar> terms;
    private final List<String> identities = new ArrayList<>();
    private final List<Integer> columns = new ArrayList<>();
    private final List<Scalar> conditions = new ArrayList<>();
    private final Set<String> conditionIdentities = new HashSet<>();

    /// Binds the terms of an index.
    @FunctionalInterface
    public interface Binder {
        /// The bound form of `terms`.
        ///
        /// @param firstColumn position of the table's first column
        BoundTerms bind(Table table, Index.Terms terms, int firstColumn);
    }

    /// Whether the predicate depends on a time zone.
    private boolean zoned;

    /// @param condition predicate of a partial index; null if all rows are indexed
    public BoundTerms(List<Scalar> terms, @Nullable Scalar condition, int firstColumn) {
        this.terms = terms;
        for (Scalar term : terms) {
            int next = columns.size();
            boolean plain = term instanceof Scalar.ColumnRef;
            columns.add(
                    term instanceof Scalar.ColumnRef ref
                            ? ref.column() - firstColumn
                            : Plan.Scan.FIRST_TERM + next);
            // Entries that depended on a time zone are in UTC, and the statement may be in another.
            boolean found = !plain && !Folding.dependsOnZone(term);
            identities.add(found ? ScalarText.identity(term) : "");
        }
        if (condition != null) {
            AccessPlanner.split(condition, conditions);
            conditions.forEach(part -> conditionIdentities.add(ScalarText.identity(part)));
            zoned = Folding.dependsOnZone(condition);
        }
    }

    /// Whether a key or the predicate reads column `column`.
    public boolean reads(int column) {
        BitSet read = new BitSet();
        terms.forEach(term -> PlanParts.columns(term, read));
        conditions.forEach(condition -> PlanParts.columns(condition, read));
        return read.get(column);
    }

    /// Positions of the keys.
    List<Integer> columns() {
        return columns;
    }

    /// Predicate of a partial index; null if all rows are indexed.
    @Nullable Scalar condition() {
        return AccessPlanner.all(conditions);
    }

    boolean isPartial() {
        return !conditions.isEmpty();
    }

    /// Whether the key at `position` is an expression, equal to `scalar`.
    boolean is(int position, Scalar scalar) {
        return ScalarText.identity(scalar).equals(identities.get(position - Plan.Scan.FIRST_TERM));
    }

    /// Marks literals of `others` on whose values the use of the index may depend. They are in conditions on
    /// columns of its predicate, or in expressions on columns of its key expressions.
    void needLiterals(List<Scalar> others) {
        for (Scalar other : others) {
            BitSet read = PushDown.columns(other);
            for (Scalar condition : conditions) {
                if (PushDown.columns(condition).intersects(read)) {
                    ExtractedLiterals.need(other);
                }
            }
            for (Scalar term : terms) {
                if (!(term instanceof Scalar.ColumnRef)
                        && PushDown.columns(term).intersects(read)) {
                    needWithin(other, term instanceof Condition);
                }
            }
        }
    }

    private static void needWithin(Scalar condition, boolean whole) {
        if (whole) {
            ExtractedLiterals.need(condition);
            return;
        }
        for (Scalar operand : Scalar.operands(condition)) {
            if (operand instanceof Condition) {
                needWithin(operand, false);
            } else if (!(operand instanceof Scalar.ParameterRef)) {
                ExtractedLiterals.need(operand);
            }
        }
    }

    /// Whether the conjunction of `others` implies that a row is in the index.
    public boolean isImpliedBy(List<Scalar> others) {
        if (zoned) {
            return false;
        }
        for (Scalar condition : conditions) {
            boolean implied = false;
            for (Scalar other : others) {
                implied |= implies(other, condition);
            }
            if (!implied) {
                return false;
            }
        }
        return true;
    }

    /// Whether `condition` holds for each row of the index.
    boolean ensures(Scalar condition) {
        return !conditions.isEmpty()
                && !zoned
                && conditionIdentities.contains(ScalarText.identity(condition));
    }

    private static boolean implies(Scalar known, Scalar wanted) {
        if (ScalarText.identity(known).equals(ScalarText.identity(wanted))) {
            return true;
        }
        if (wanted instanceof Condition.IsNull test && test.negated()) {
            return needsValue(known, ScalarText.identity(test.operand()));
        }
        if (wanted instanceof Condition.Comparison limit && known instanceof Condition.Between in) {
            return implies(compared(Operator.GREATER_OR_EQUAL, in.operand(), in.low()), limit)
                    || implies(compared(Operator.LESS_OR_EQUAL, in.operand(), in.high()), limit);
        }
        return wanted instanceof Condition.Comparison limit
                && known instanceof Condition.Comparison comparison
                && limit.right() instanceof Scalar.Constant bound
                && comparison.right() instanceof Scalar.Constant value
                && ScalarText.identity(limit.left()).equals(ScalarText.identity(comparison.left()))
                && implies(comparison.operator(), value, limit.operator(), bound);
    }

    private static Condition.Comparison compared(Operator operator, Scalar left, Scalar right) {
        return new Condition.Comparison(operator, left, right);
    }

    /// Whether `known` can hold only if the expression with that identity is not NULL.
    private static boolean needsValue(Scalar known, String identity) {
        return switch (known) {
            case Condition.Comparison c ->
                    ScalarText.identity(c.left()).equals(identity)
                            || ScalarText.identity(c.right()).equals(identity);
            case Condition.Between c -> ScalarText.identity(c.operand()).equals(identity);
            case Condition.In c -> ScalarText.identity(c.operand()).equals(identity);
            case Condition.Like c -> ScalarText.identity(c.operand()).equals(identity);
            default -> false;
        };
    }

    /// Whether `x known value` implies `x wanted bound` for every `x`.
    private static boolean implies(
            Operator known, Scalar.Constant value, Operator wanted, Scalar.Constant bound) {
        if (value.isNull() || bound.isNull() || value.type().shape() != bound.type().shape()) {
            return false;
        }
        Tuple both = new Tuple(2);
        Frame frame = Frame.alone(new Tuple(0));
        value.store(both, 0, frame);
        bound.store(both, 1, frame);
        int order = Order.compare(value.type().shape(), both, 0, both, 1);
        return switch (wanted) {
            case EQUAL -> known == Operator.EQUAL && order == 0;
            case NOT_EQUAL ->
                    switch (known) {
                        case EQUAL -> order != 0;
                        case GREATER -> order >= 0;
                        case GREATER_OR_EQUAL -> order > 0;
                        case LESS -> order <= 0;
                        case LESS_OR_EQUAL -> order < 0;
                        default -> false;
                    };
            case GREATER ->
                    switch (known) {
                        case EQUAL, GREATER_OR_EQUAL -> order > 0;
                        case GREATER -> order >= 0;
                        default -> false;
                    };
            case GREATER_OR_EQUAL ->
                    switch (known) {
                        case EQUAL, GREATER, GREATER_OR_EQUAL -> order >= 0;
                        default -> false;
                    };
            case LESS ->
                    switch (known) {
                        case EQUAL, LESS_OR_EQUAL -> order < 0;
                        case LESS -> order <= 0;
                        default -> false;
                    };
            case LESS_OR_EQUAL ->
                    switch (known) {
                        case EQUAL, LESS, LESS_OR_EQUAL -> order <= 0;
                        default -> false;
                    };
            default -> false;
        };
    }
}
