package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.value.Typing;
import java.util.List;

/// Tells whether an expression may differ for texts that are equal without case. Such a condition depends on the text
/// chosen for a group, a partition or a set, so it must be tested after the choice.
final class CaseSight {
    private CaseSight() {}

    /// Whether `scalar` reads a column that compares without case in another way than by comparing it.
    static boolean has(Scalar scalar) {
        return switch (scalar) {
            case Scalar.ColumnRef column -> Typing.isFolded(column.type());
            case Condition.Comparison c -> within(List.of(c.left(), c.right()));
            case Condition.Same c -> within(List.of(c.left(), c.right()));
            case Condition.Between c -> within(List.of(c.operand(), c.low(), c.high()));
            case Condition.IsNull c -> within(List.of(c.operand()));
            case Condition.In c -> within(List.of(c.operand())) || within(c.list());
            case Condition.Like c when c.ignoreCase() ->
                    within(List.of(c.operand())) || any(Scalar.operands(c), 1);
            default -> any(Scalar.operands(scalar), 0);
        };
    }

    /// Whether any of the compared `operands` has sight of case within itself.
    private static boolean within(List<Scalar> operands) {
        for (Scalar operand : operands) {
            if (!(operand instanceof Scalar.ColumnRef) && has(operand)) {
                return true;
            }
        }
        return false;
    }

    private static boolean any(List<Scalar> operands, int from) {
        for (Scalar operand : operands.subList(from, operands.size())) {
            if (has(operand)) {
                return true;
            }
        }
        return false;
    }
}
