package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.value.Temporals;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import org.jspecify.annotations.Nullable;

/// Rewrites a comparison of a date with a constant moment into a comparison with a day. So neither rows are
/// converted nor keys ignored: `day < TIMESTAMP '2024-02-29 12:00'` is `day <= DATE '2024-02-29'`.
/// `day + INTERVAL '1' MONTH` is such a moment.
public final class DayComparison {
    private DayComparison() {}

    /// `c`, or the equivalent comparison of days.
    public static Condition.Comparison of(Condition.Comparison c) {
        Scalar day = day(c.left());
        if (day != null && c.right() instanceof Scalar.Constant moment) {
            return of(c, c.operator(), day, moment);
        }
        Scalar right = day(c.right());
        if (right != null && c.left() instanceof Scalar.Constant moment) {
            return of(c, c.operator().mirrored(), right, moment);
        }
        if (day != null || right != null) {
            ExtractedLiterals.need(c);
        }
        return c;
    }

    private static Condition.Comparison of(
            Condition.Comparison c, Operator operator, Scalar day, Scalar.Constant moment) {
        boolean midnight = isMidnight(moment);
        Operator ofDays =
                switch (operator) {
                    case LESS -> midnight ? Operator.LESS : Operator.LESS_OR_EQUAL;
                    case GREATER_OR_EQUAL -> midnight ? operator : Operator.GREATER;
                    case LESS_OR_EQUAL, GREATER -> operator;
                    case EQUAL, NOT_EQUAL, CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO ->
                            midnight ? operator : null;
                };
        if (ofDays == null || moment.isNull()) {
            return c;
        }
        return new Condition.Comparison(ofDays, day, dayOf(moment, 0));
    }

    /// `c`, or the equivalent comparison of days.
    public static Condition.Between of(Condition.Between c) {
        Scalar day = day(c.operand());
        if (day != null) {
            ExtractedLiterals.need(c);
        }
        if (day == null
                || !(c.low() instanceof Scalar.Constant low)
                || !(c.high() instanceof Scalar.Constant high)
                || low.isNull()
                || high.isNull()) {
            return c;
        }
        return new Condition.Between(day, dayOf(low, isMidnight(low) ? 0 : 1), dayOf(high, 0));
    }

    /// The date operand of `scalar`, if this is an implicit conversion to a timestamp; else null.
    private static @Nullable Scalar day(Scalar scalar) {
        return scalar instanceof Conversion c
                        && !c.explicit()
                        && c.type().name() == Type.Name.TIMESTAMP
                        && c.operand().type().name() == Type.Name.DATE
                ? c.operand()
                : null;
    }

    private static boolean isMidnight(Scalar.Constant moment) {
        return NonFinite.isMoment(moment.primitive())
                || Math.floorMod(moment.primitive(), Temporals.MICROS_PER_DAY) == 0;
    }

    private static Scalar dayOf(Scalar.Constant moment, int later) {
        long day = Temporals.day(moment.primitive()) + later;
        return Scalar.Constant.of(Type.of(Type.Name.DATE), day);
    }
}
