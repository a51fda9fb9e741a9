package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Row;
import org.jspecify.annotations.Nullable;

/// A comparison of a column with constants as a range test: the most frequent predicate on many rows. The column
/// has whole numbers, or decimals of one scale.
///
/// @param scale of the decimals; [Scalar#NO_SCALE] for whole numbers
/// @param least of the range; above `most` if the range is empty
/// @param outside whether the test is true outside of the range
record ColumnTest(int column, int scale, long least, long most, boolean outside) {
    /// Result of [#eval] for a value of another scale.
    static final int UNDECIDED = 2;

    /// `left operator right` as a test of a column; null if it is none.
    static @Nullable ColumnTest of(Operator operator, Scalar left, Scalar right) {
        if (left instanceof Scalar.Constant && right instanceof Scalar.ColumnRef) {
            return operator.isComparison() ? of(operator.mirrored(), right, left) : null;
        }
        if (!(left instanceof Scalar.ColumnRef column)
                || !(right instanceof Scalar.Constant constant)
                || !isKnown(column, constant)) {
            return null;
        }
        int scale = column.digitsScale();
        long value = value(constant, scale);
        return value == Row.NO_DIGITS ? null : of(operator, column.column(), scale, value);
    }

    private static @Nullable ColumnTest of(Operator operator, int column, int scale, long value) {
        long first = Long.MIN_VALUE;
        long last = Long.MAX_VALUE;
        return switch (operator) {
            case EQUAL -> new ColumnTest(column, scale, value, value, false);
            case NOT_EQUAL -> new ColumnTest(column, scale, value, value, true);
            case LESS -> new ColumnTest(column, scale, value, last, true);
            case LESS_OR_EQUAL -> new ColumnTest(column, scale, first, value, false);
            case GREATER -> new ColumnTest(column, scale, first, value, true);
            case GREATER_OR_EQUAL -> new ColumnTest(column, scale, value, last, false);
            case CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO -> null;
        };
    }

    /// `operand BETWEEN low AND high`.
    static @Nullable ColumnTest of(Scalar operand, Scalar low, Scalar high) {
        if (!(operand instanceof Scalar.ColumnRef column)
                || !(low instanceof Scalar.Constant least)
                || !(high instanceof Scalar.Constant most)
                || !isKnown(column, least)
                || !isKnown(column, most)) {
            return null;
        }
        int scale = column.digitsScale();
        long from = value(least, scale);
        long to = value(most, scale);
        return from == Row.NO_DIGITS || to == Row.NO_DIGITS
                ? null
                : new ColumnTest(column.column(), scale, from, to, false);
    }

    private static boolean isKnown(Scalar.ColumnRef column, Scalar.Constant constant) {
        if (constant.isNull()) {
            return false;
        }
        return column.type().shape() == Type.Shape.LONG
                ? constant.type().shape() == Type.Shape.LONG
                : column.digitsScale() != Scalar.NO_SCALE
                        && constant.digitsScale() != Scalar.NO_SCALE;
    }

    /// The constant in units of the column; [Row#NO_DIGITS] if it cannot be represented.
    private static long value(Scalar.Constant constant, int scale) {
        if (scale == Scalar.NO_SCALE) {
            return constant.primitive();
        }
        int more = scale - constant.digitsScale();
        return more < 0 ? Row.NO_DIGITS : DecimalDigits.widened(constant.primitive(), more);
    }

    /// The truth value for the current row of `frame`.
    int eval(Frame frame) {
        Row row = frame.row();
        if (row.isNull(column)) {
            return Scalar.UNKNOWN;
        }
        long value;
        if (scale == Scalar.NO_SCALE) {
            value = row.longAt(column);
        } else {
            value = row.digitsAt(column, scale);
            if (value == Row.NO_DIGITS) {
                return UNDECIDED;
            }
        }
        return (value >= least && value <= most) != outside ? 1 : 0;
    }
}
