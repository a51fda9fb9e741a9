package dev.oriel.sql.plan;

import static dev.oriel.table.value.Row.NO_DIGITS;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Decimal arithmetic of known scales on longs: additions, subtractions and multiplications of constants and of
/// columns of up to 18 digits. Values and scales are the same as with [java.math.BigDecimal], which is used on
/// overflow.
///
/// @param scale of the result
/// @param left number of places by which the left operand of a sum is scaled up first
/// @param right number of places by which the right operand is scaled up
record FixedDecimal(int scale, int left, int right) {
    /// The scales for `left operator right`; null if it is not computed with longs.
    static @Nullable FixedDecimal of(Expression.Operator operator, Scalar left, Scalar right) {
        int a = left.digitsScale();
        int b = right.digitsScale();
        if (a == Scalar.NO_SCALE || b == Scalar.NO_SCALE) {
            return null;
        }
        return switch (operator) {
            case ADD, SUBTRACT -> {
                int scale = Math.max(a, b);
                yield new FixedDecimal(scale, scale - a, scale - b);
            }
            case MULTIPLY ->
                    a + b <= DecimalDigits.DIGITS_MAX ? new FixedDecimal(a + b, 0, 0) : null;
            case DIVIDE,
                    MODULO,
                    EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    CONCAT ->
                    null;
        };
    }

    /// Computes the result; NULL by [Frame#isNull].
    long eval(Expression.Operator operator, Scalar first, Scalar second, Frame frame) {
        long a = first.evalDigits(frame);
        if (frame.isNull || a == NO_DIGITS) {
            return a;
        }
        long b = second.evalDigits(frame);
        if (frame.isNull || b == NO_DIGITS) {
            return b;
        }
        if (operator == Expression.Operator.MULTIPLY) {
            return DecimalDigits.product(a, b);
        }
        a = left == 0 ? a : DecimalDigits.widened(a, left);
        b = right == 0 ? b : DecimalDigits.widened(b, right);
        if (a == NO_DIGITS || b == NO_DIGITS) {
            return NO_DIGITS;
        }
        return DecimalDigits.sum(a, operator == Expression.Operator.ADD ? b : -b);
    }

    /// Writes the value of `scalar`, a DECIMAL, to `column` of `out`.
    static void store(Scalar scalar, Tuple out, int column, Frame frame) {
        int scale = scalar.digitsScale();
        if (scale != Scalar.NO_SCALE) {
            long digits = scalar.evalDigits(frame);
            if (frame.isNull) {
                out.setNull(column);
                return;
            }
            if (digits != NO_DIGITS) {
                out.setDigits(column, digits, scale);
                return;
            }
        }
        out.setDecimal(column, scalar.evalDecimal(frame));
    }

    /// Whether two decimals are compared as longs.
    static boolean areComparable(Scalar a, Scalar b) {
        return a.digitsScale() != Scalar.NO_SCALE && b.digitsScale() != Scalar.NO_SCALE;
    }

    /// Result of [#compare] if it cannot tell.
    static final int UNDECIDED = 2;

    /// The order of `value`, with the scale `scale`, and `other`; [#UNDECIDED] if `other` is NULL, as
    /// [Frame#isNull] says, or too long.
    static int compare(long value, int scale, Scalar other, Frame frame) {
        long b = other.evalDigits(frame);
        if (frame.isNull || b == NO_DIGITS) {
            return UNDECIDED;
        }
        long a = value;
        int more = other.digitsScale() - scale;
        if (more > 0) {
            a = DecimalDigits.widened(a, more);
        } else if (more < 0) {
            b = DecimalDigits.widened(b, -more);
        }
        return a == NO_DIGITS || b == NO_DIGITS ? UNDECIDED : Long.compare(a, b);
    }
}
