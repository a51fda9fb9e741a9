package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.LikePattern;
import dev.oriel.sql.value.Order;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Expressions of type BOOLEAN, in three-valued logic. The binder has converted compared operands to one type.
public sealed interface Condition extends Scalar {
    @Override
    default Type type() {
        return Type.of(Type.Name.BOOLEAN);
    }

    @Override
    int evalTruth(Frame frame);

    private static int truth(boolean value) {
        return value ? 1 : 0;
    }

    /// A comparison such as `left = right`.
    ///
    /// @param test equivalent test of a column with a constant; null if there is none
    record Comparison(Operator operator, Scalar left, Scalar right, @Nullable ColumnTest test)
            implements Condition {
        public Comparison(Operator operator, Scalar left, Scalar right) {
            this(operator, left, right, ColumnTest.of(operator, left, right));
        }

        @Override
        public boolean nullable() {
            return left.nullable() || right.nullable();
        }

        @Override
        public int evalTruth(Frame frame) {
            int truth = test == null ? ColumnTest.UNDECIDED : test.eval(frame);
            return truth == ColumnTest.UNDECIDED ? compared(frame) : truth;
        }

        private int compared(Frame frame) {
            return switch (left.type().shape()) {
                case LONG -> longs(frame);
                case DOUBLE -> doubles(frame);
                case DECIMAL -> decimals(frame);
                case TEXT -> {
                    String a = left.evalSymbol(frame);
                    String b = a == null ? null : right.evalSymbol(frame);
                    yield a == null || b == null ? UNKNOWN : texts(a, b);
                }
                case FOLDED -> {
                    String a = left.evalText(frame);
                    String b = a == null ? null : right.evalText(frame);
                    yield a == null || b == null ? UNKNOWN : holds(Order.compareFolded(a, b));
                }
                case BYTES -> {
                    byte[] a = left.evalBytes(frame);
                    byte[] b = a == null ? null : right.evalBytes(frame);
                    yield a == null || b == null ? UNKNOWN : holds(Order.compare(a, b));
                }
            };
        }

        private int longs(Frame frame) {
            long a = left.evalLong(frame);
            if (frame.isNull) {
                return UNKNOWN;
            }
            long b = right.evalLong(frame);
            return frame.isNull ? UNKNOWN : holds(Long.compare(a, b));
        }

        private int doubles(Frame frame) {
            double a = left.evalDouble(frame);
            if (frame.isNull) {
                return UNKNOWN;
            }
            double b = right.evalDouble(frame);
            return frame.isNull ? UNKNOWN : holds(Order.compare(a, b));
        }

        private int decimals(Frame frame) {
            if (FixedDecimal.areComparable(left, right)) {
                long digits = left.evalDigits(frame);
                if (frame.isNull) {
                    return UNKNOWN;
                }
                int order =
                        digits == Row.NO_DIGITS
                                ? FixedDecimal.UNDECIDED
                                : FixedDecimal.compare(digits, left.digitsScale(), right, frame);
                if (order != FixedDecimal.UNDECIDED) {
                    return holds(order);
                }
            }
            BigDecimal a = left.evalDecimal(frame);
            BigDecimal b = a == null ? null : right.evalDecimal(frame);
            return a == null || b == null ? UNKNOWN : holds(a.compareTo(b));
        }

        private int texts(String a, String b) {
            return switch (operator) {
                case EQUAL -> truth(a.equals(b));
                case NOT_EQUAL -> truth(!a.equals(b));
                case LESS,
                        LESS_OR_EQUAL,
                        GREATER,
                        GREATER_OR_EQUAL,
                        CONCAT,
                        ADD,
                        SUBTRACT,
                        MULTIPLY,
                        DIVIDE,
                        MODULO ->
                        holds(Order.compare(a, b));
            };
        }

        private int holds(int order) {
            return holds(operator, order);
        }

        /// Whether `operator` holds for two values of this order.
        public static int holds(Operator operator, int order) {
            return truth(operator.holds(order));
        }
    }

    /// `operand BETWEEN low AND high`; the operand is evaluated once.
    ///
    /// @param test equivalent test of a column with constants; null if there is none
    record Between(Scalar operand, Scalar low, Scalar high, @Nullable ColumnTest test)
            implements Condition {
        public Between(Scalar operand, Scalar low, Scalar high) {
            this(operand, low, high, ColumnTest.of(operand, low, high));
        }

        @Override
        public boolean nullable() {
            return operand.nullable() || low.nullable() || high.nullable();
        }

        @Override
        public int evalTruth(Frame frame) {
            int truth = test == null ? ColumnTest.UNDECIDED : test.eval(frame);
            return truth == ColumnTest.UNDECIDED ? compared(frame) : truth;
        }

        private int compared(Frame frame) {
            return switch (operand.type().shape()) {
                case LONG -> longs(frame);
                case DOUBLE -> doubles(frame);
                case DECIMAL -> decimals(frame);
                case TEXT, FOLDED -> {
                    Type.Shape shape = operand.type().shape();
                    String value = operand.evalText(frame);
                    if (value == null) {
                        yield UNKNOWN;
                    }
                    String least = low.evalText(frame);
                    String most = high.evalText(frame);
                    yield both(
                            least == null
                                    ? UNKNOWN
                                    : truth(Order.compare(shape, value, least) >= 0),
                            most == null ? UNKNOWN : truth(Order.compare(shape, value, most) <= 0));
                }
                case BYTES -> {
                    byte[] value = operand.evalBytes(frame);
                    if (value == null) {
                        yield UNKNOWN;
                    }
                    byte[] least = low.evalBytes(frame);
                    byte[] most = high.evalBytes(frame);
                    yield both(
                            least == null ? UNKNOWN : truth(Order.compare(value, least) >= 0),
                            most == null ? UNKNOWN : truth(Order.compare(value, most) <= 0));
                }
            };
        }

        private int longs(Frame frame) {
            long value = operand.evalLong(frame);
            if (frame.isNull) {
                return UNKNOWN;
            }
            long least = low.evalLong(frame);
            int above = frame.isNull ? UNKNOWN : truth(value >= least);
            long most = high.evalLong(frame);
            return both(above, frame.isNull ? UNKNOWN : truth(value <= most));
        }

        private int doubles(Frame frame) {
            double value = operand.evalDouble(frame);
            if (frame.isNull) {
                return UNKNOWN;
            }
            double least = low.evalDouble(frame);
            int above = frame.isNull ? UNKNOWN : truth(Order.compare(value, least) >= 0);
            double most = high.evalDouble(frame);
            return both(above, frame.isNull ? UNKNOWN : truth(Order.compare(value, most) <= 0));
        }

        private int decimals(Frame frame) {
            if (FixedDecimal.areComparable(operand, low)
                    && FixedDecimal.areComparable(operand, high)) {
                long digits = operand.evalDigits(frame);
                if (frame.isNull) {
                    return UNKNOWN;
                }
                if (digits != Row.NO_DIGITS) {
                    int scale = operand.digitsScale();
                    int toLow = FixedDecimal.compare(digits, scale, low, frame);
                    int toHigh = FixedDecimal.compare(digits, scale, high, frame);
                    if (toLow != FixedDecimal.UNDECIDED && toHigh != FixedDecimal.UNDECIDED) {
                        return truth(toLow >= 0 && toHigh <= 0);
                    }
                }
            }
            BigDecimal value = operand.evalDecimal(frame);
            if (value == null) {
                return UNKNOWN;
            }
            BigDecimal least = low.evalDecimal(frame);
            BigDecimal most = high.evalDecimal(frame);
            return both(
                    least == null ? UNKNOWN : truth(value.compareTo(least) >= 0),
                    most == null ? UNKNOWN : truth(value.compareTo(most) <= 0));
        }

        private static int both(int a, int b) {
            return a == 0 || b == 0 ? 0 : Math.min(a, b);
        }
    }

    /// `left IS NOT DISTINCT FROM right`: equality that treats NULL as a value.
    record Same(Scalar left, Scalar right) implements Condition {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int evalTruth(Frame frame) {
            return switch (left.type().shape()) {
                case LONG -> {
                    long a = left.evalLong(frame);
                    boolean nullA = frame.isNull;
                    long b = right.evalLong(frame);
                    yield truth((nullA || frame.isNull) ? (nullA && frame.isNull) : a == b);
                }
                case DOUBLE -> {
                    double a = left.evalDouble(frame);
                    boolean nullA = frame.isNull;
                    double b = right.evalDouble(frame);
                    yield truth(
                            (nullA || frame.isNull)
                                    ? (nullA && frame.isNull)
                                    : Order.compare(a, b) == 0);
                }
                case DECIMAL -> {
                    BigDecimal a = left.evalDecimal(frame);
                    BigDecimal b = right.evalDecimal(frame);
                    yield truth(
                            (a == null || b == null)
                                    ? (a == null && b == null)
                                    : a.compareTo(b) == 0);
                }
                case TEXT -> {
                    String a = left.evalText(frame);
                    yield truth(Objects.equals(a, right.evalText(frame)));
                }
                case FOLDED -> {
                    String a = left.evalText(frame);
                    String b = right.evalText(frame);
                    yield truth(
                            (a == null || b == null)
                                    ? (a == null && b == null)
                                    : Order.compareFolded(a, b) == 0);
                }
                case BYTES -> {
                    byte[] a = left.evalBytes(frame);
                    yield truth(Arrays.equals(a, right.evalBytes(frame)));
                }
            };
        }
    }

    /// AND or OR of at least two terms.
    record Logical(boolean and, List<Scalar> terms) implements Condition {
        @Override
        public boolean nullable() {
            for (Scalar term : terms) {
                if (term.nullable()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public int evalTruth(Frame frame) {
            int decisive = and ? 0 : 1;
            int result = 1 - decisive;
            for (int i = 0; i < terms.size(); i++) {
                int truth = terms.get(i).evalTruth(frame);
                if (truth == decisive) {
                    return truth;
                }
                if (truth == UNKNOWN) {
                    result = UNKNOWN;
                }
            }
            return result;
        }
    }

    record Not(Scalar operand) implements Condition {
        @Override
        public boolean nullable() {
            return operand.nullable();
        }

        @Override
        public int evalTruth(Frame frame) {
            int truth = operand.evalTruth(frame);
            return truth == UNKNOWN ? UNKNOWN : 1 - truth;
        }
    }

    record IsNull(Scalar operand, boolean negated) implements Condition {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int evalTruth(Frame frame) {
            return truth(operand.evalIsNull(frame) != negated);
        }
    }

    /// `operand IS TRUE` and similar tests.
    record IsTruth(Scalar operand, int truth, boolean negated) implements Condition {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int evalTruth(Frame frame) {
            return Condition.truth((operand.evalTruth(frame) == truth) != negated);
        }
    }

    /// `operand IN (list)`; the operand is evaluated once.
    record In(Scalar operand, List<Scalar> list) implements Condition {
        @Override
        public boolean nullable() {
            return true;
        }

        @Override
        public int evalTruth(Frame frame) {
            int found = Search.indexOf(operand, list, frame);
            return found == Search.UNDECIDED ? UNKNOWN : truth(found >= 0);
        }
    }

    /// `operand LIKE pattern ESCAPE escape`.
    ///
    /// @param parts of a simple pattern; null for other patterns
    record Like(
            Scalar operand,
            Scalar pattern,
            @Nullable Scalar escape,
            boolean ignoreCase,
            Place place,
            @Nullable LikeParts parts)
            implements Condition {
        public Like(
                Scalar operand,
                Scalar pattern,
                @Nullable Scalar escape,
                boolean ignoreCase,
                Place place) {
            this(
                    operand,
                    pattern,
                    escape,
                    ignoreCase,
                    place,
                    LikeParts.of(pattern, escape, ignoreCase));
        }

        @Override
        public boolean nullable() {
            return true;
        }

        @Override
        public int evalTruth(Frame frame) {
            if (parts != null) {
                String known = operand.evalText(frame);
                return known == null ? UNKNOWN : truth(parts.match(known));
            }
            String text = operand.evalText(frame);
            String like = text == null ? null : pattern.evalText(frame);
            if (text == null || like == null) {
                return UNKNOWN;
            }
            int escapedBy = LikePattern.USUAL_ESCAPE;
            if (escape != null) {
                String given = escape.evalText(frame);
                if (given == null) {
                    return UNKNOWN;
                }
                if (given.codePointCount(0, given.length()) > 1) {
                    throw place.error(Kind.ESCAPE, "ESCAPE takes one character, or none");
                }
                escapedBy = given.isEmpty() ? LikePattern.NO_ESCAPE : given.codePointAt(0);
            }
            if (LikePattern.endsInEscape(like, escapedBy)) {
                throw place.error(Kind.ESCAPE, "The LIKE pattern ends with its escape character");
            }
            return truth(LikePattern.matches(text, like, escapedBy, ignoreCase));
        }
    }
}
