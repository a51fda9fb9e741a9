package dev.oriel.sql.plan;

import static dev.oriel.table.value.Row.NO_DIGITS;

import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Computes several decimals of each row as longs, and common subexpressions once. For
/// `SUM(a * (1 - b)), SUM(a * (1 - b) * (1 + c)), SUM(b)` each column is read once, and the product is computed
/// once. The values are the same as from [Scalar#evalDigits].
///
/// Each subexpression has a register, which later ones may use. Belongs to one operator.
public final class FixedDecimalProgram {
    private static final int CONSTANT = 0;
    private static final int COLUMN = 1;
    private static final int SUM = 2;
    private static final int DIFFERENCE = 3;
    private static final int PRODUCT = 4;
    private static final int OTHER = 5;

    private final Map<String, Integer> known = new HashMap<>();
    private final List<Step> added = new ArrayList<>();
    private Step[] steps = {};
    private long[] values = {};
    private boolean[] nulls = {};

    /// The step that computes a register.
    ///
    /// @param first a register, or the column
    /// @param second a register, or the scale of the column
    /// @param left number of places by which the first operand of a sum is scaled up
    /// @param right number of places by which the second operand is scaled up
    /// @param scalar the expression it computes
    private record Step(
            int register, int code, int first, int second, int left, int right, Scalar scalar) {}

    /// The register that holds `scalar`, which has a scale, after each [#run].
    public int register(Scalar scalar) {
        String identity = ScalarText.identity(scalar);
        Integer before = known.get(identity);
        if (before != null) {
            return before;
        }
        Step step = step(scalar);
        int register = added.size();
        added.add(step);
        known.put(identity, register);
        values = new long[register + 1];
        nulls = new boolean[register + 1];
        List<Step> each = new ArrayList<>();
        for (Step one : added) {
            if (one.code == CONSTANT) {
                values[one.register] = ((Scalar.Constant) one.scalar).primitive();
            } else {
                each.add(one);
            }
        }
        steps = each.toArray(Step[]::new);
        return register;
    }

    private Step step(Scalar scalar) {
        if (scalar instanceof Scalar.Constant constant && !constant.isNull()) {
            return new Step(added.size(), CONSTANT, 0, 0, 0, 0, scalar);
        }
        if (scalar instanceof Scalar.ColumnRef column) {
            return new Step(
                    added.size(), COLUMN, column.column(), column.digitsScale(), 0, 0, scalar);
        }
        FixedDecimal digits = scalar instanceof Arithmetic.OfDecimals sum ? sum.digits() : null;
        if (scalar instanceof Arithmetic.OfDecimals two && digits != null) {
            int first = register(two.left());
            int second = register(two.right());
            int code =
                    two.operator() == Operator.MULTIPLY
                            ? PRODUCT
                            : two.operator() == Operator.ADD ? SUM : DIFFERENCE;
            return new Step(
                    added.size(), code, first, second, digits.left(), digits.right(), scalar);
        }
        return new Step(added.size(), OTHER, 0, 0, 0, 0, scalar);
    }

    /// Computes all registers for the current row of `frame`.
    public void run(Frame frame) {
        long[] into = values;
        boolean[] missing = nulls;
        for (Step step : steps) {
            int to = step.register;
            if (step.code == COLUMN) {
                Row row = frame.row();
                missing[to] = row.isNull(step.first);
                into[to] = missing[to] ? 0 : row.digitsAt(step.first, step.second);
            } else if (step.code == OTHER) {
                into[to] = step.scalar.evalDigits(frame);
                missing[to] = frame.isNull;
            } else {
                missing[to] = missing[step.first] || missing[step.second];
                into[to] = missing[to] ? 0 : computed(step, into[step.first], into[step.second]);
            }
        }
    }

    private static long computed(Step step, long a, long b) {
        if (a == NO_DIGITS || b == NO_DIGITS) {
            return NO_DIGITS;
        }
        if (step.code == PRODUCT) {
            return DecimalDigits.product(a, b);
        }
        long first = step.left == 0 ? a : DecimalDigits.widened(a, step.left);
        long second = step.right == 0 ? b : DecimalDigits.widened(b, step.right);
        if (first == NO_DIGITS || second == NO_DIGITS) {
            return NO_DIGITS;
        }
        return DecimalDigits.sum(first, step.code == SUM ? second : -second);
    }

    public boolean isNull(int register) {
        return nulls[register];
    }

    /// The digits, at the scale of the register's expression; [Row#NO_DIGITS] if a long does not hold them.
    public long value(int register) {
        return values[register];
    }
}
