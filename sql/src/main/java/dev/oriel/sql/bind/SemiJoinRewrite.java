package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.planner.BoundSelect;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.Planner;
import dev.oriel.sql.syntax.Expression.Operator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decorrelates `EXISTS (SELECT ... WHERE inner = outer AND ...)`: the inner columns are read once, and tested for
/// the outer values. Applies if these equalities are the only correlation, and no key of the inner table answers
/// each test by a lookup.
final class SemiJoinRewrite {
    private final int query;
    private final List<Scalar> outer;
    private final List<Scalar> rest = new ArrayList<>();
    private final List<BoundSelect.Output> keys = new ArrayList<>();
    private final List<Scalar> operands = new ArrayList<>();

    private SemiJoinRewrite(Correlation correlation) {
        this.query = correlation.number();
        this.outer = correlation.arguments();
    }

    /// Rewrites EXISTS of `select` as a membership test; null if that does not apply.
    static Subquery.@Nullable Member of(
            BoundSelect select, Correlation correlation, int position, ScalarBinder around) {
        boolean simple =
                select.grouping() == null
                        && select.limits().equals(BoundSelect.Limits.NONE)
                        && select.qualify() == null
                        && select.where() != null
                        && select.from() != null
                        && !correlation.arguments().isEmpty();
        if (!simple) {
            return null;
        }
        SemiJoinRewrite membership = new SemiJoinRewrite(correlation);
        Estimate estimate = around.around().estimate();
        if (!membership.split(select) || PlanParts.looksUp(Planner.plan(select, estimate))) {
            return null;
        }
        Plan plan = Planner.plan(membership.inner(select), estimate);
        if (PlanParts.usesArguments(plan)) {
            return null;
        }
        estimate.note(() -> "decorrelate: EXISTS asks for members of rows that are read once");
        Subquery.Nested nested =
                new Subquery.Nested(around.around().nextNumber(), position, plan, List.of());
        return new Subquery.Member(nested, List.copyOf(membership.operands));
    }

    private boolean split(BoundSelect select) {
        List<Scalar> conditions = new ArrayList<>();
        if (select.where() != null) {
            AccessPlanner.split(select.where(), conditions);
        }
        for (Scalar condition : conditions) {
            if (!PlanParts.usesArguments(condition)) {
                rest.add(condition);
            } else if (!(condition instanceof Condition.Comparison comparison)
                    || comparison.operator() != Operator.EQUAL
                    || !(pair(comparison.left(), comparison.right())
                            || pair(comparison.right(), comparison.left()))) {
                return false;
            }
        }
        return !keys.isEmpty();
    }

    private boolean pair(Scalar inner, Scalar given) {
        Scalar operand = outside(given);
        if (operand == null || PlanParts.usesArguments(inner)) {
            return false;
        }
        keys.add(new BoundSelect.Output(inner, "", "", false));
        operands.add(operand);
        return true;
    }

    /// The outer expression of `given`, if it is an argument or a conversion of one.
    private @Nullable Scalar outside(Scalar given) {
        if (given instanceof Scalar.Argument argument && argument.query() == query) {
            return outer.get(argument.index());
        }
        if (given instanceof Conversion c) {
            Scalar operand = outside(c.operand());
            return operand == null
                    ? null
                    : new Conversion(operand, c.type(), c.explicit(), c.place());
        }
        return null;
    }

    private BoundSelect inner(BoundSelect select) {
        return new BoundSelect(
                select.from(),
                AccessPlanner.all(rest),
                null,
                List.of(),
                null,
                List.copyOf(keys),
                keys.size(),
                false,
                List.of(),
                BoundSelect.Limits.NONE);
    }
}
