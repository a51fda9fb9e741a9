package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Arithmetic;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.OperatorChain;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.List;

/// Tells whether an expression may differ for values that are equal. These are texts that compare without case, decimals
/// with more or fewer zeros at the end, and the two zeros of DOUBLE. Such a condition keeps or drops rows by the value that a
/// group, a partition or a set happens to have, so it must be tested after that is chosen.
///
/// Comparisons and most arithmetic treat equal values alike. Functions, `/`, `%` and casts to other types may not.
final class EqualValues {
    private EqualValues() {}

    /// Whether `scalar` may differ for equal values of its columns.
    static boolean areToldApart(Scalar scalar) {
        return switch (scalar) {
            case Condition.Like like when like.ignoreCase() ->
                    areToldApart(like.operand()) || isReadFrom(Scalar.operands(like), 1);
            case Condition.Like like -> isReadFrom(Scalar.operands(like), 0);
            case Condition condition -> any(Scalar.operands(condition));
            case Conditional conditional when conditional.type().shape() == Type.Shape.TEXT ->
                    isReadFrom(Scalar.operands(conditional), 0);
            case Conditional conditional -> any(Scalar.operands(conditional));
            case OperatorChain chain -> any(chain.links());
            case Arithmetic.OfDecimals a
                    when a.operator() == Operator.DIVIDE || a.operator() == Operator.MODULO ->
                    isReadFrom(Scalar.operands(a), 0);
            case Arithmetic arithmetic -> any(Scalar.operands(arithmetic));
            case Conversion c
                    when Typing.isNumber(c.type()) && Typing.isNumber(c.operand().type()) ->
                    areToldApart(c.operand());
            default -> isReadFrom(Scalar.operands(scalar), 0);
        };
    }

    private static boolean any(List<Scalar> operands) {
        for (Scalar operand : operands) {
            if (areToldApart(operand)) {
                return true;
            }
        }
        return false;
    }

    /// Whether any of the operands from the position `from` on has equal values that differ.
    private static boolean isReadFrom(List<Scalar> operands, int from) {
        for (Scalar operand : operands.subList(from, operands.size())) {
            boolean fixed = operand instanceof Scalar.Constant;
            if (!fixed && (differ(operand.type()) || areToldApart(operand))) {
                return true;
            }
        }
        return false;
    }

    /// Whether equal values of `type` may differ. A DECIMAL with a scale has as many zeros in each value.
    private static boolean differ(Type type) {
        return switch (type.shape()) {
            case FOLDED, DOUBLE -> true;
            case DECIMAL -> type.length() == 0;
            case LONG, TEXT, BYTES -> false;
        };
    }
}
