package dev.oriel.sql.plan;

import static dev.oriel.table.Row.NO_DIGITS;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.table.DecimalDigits;
import dev.oriel.table.Tuple;
import org.jspecify.annotations.Nullable;

/// Decimals of known scales, computed as longs: what columns of up to 18 digits and constants come to
/// by addition, subtraction and multiplication. The values are those of [java.math.BigDecimal], their
/// scales too; where a long does not hold one, that computes it.
///
/// @param scale of the result
/// @param left how many places the left operand gets first, for a sum
/// @param right the same of the right one
record FixedDecimal(int scale, int left, int right) {
    /// How to compute `left operator right`; null where it is not to be done with longs.
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

    /// Computes it; NULL by [Frame#isNull].
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

    /// What [#compare] says where it cannot tell.
    static final int UNDECIDED = 2;

    /// The order of `value`, whose scale is `scale`, and `other`; [#UNDECIDED] where `other` is NULL, as
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
