package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `+ - * / %` and the sign, as PostgreSQL computes them: integers truncate and their overflow is
/// an error, decimals are exact, division by zero is an error for all of them.
public sealed interface Arithmetic extends Scalar {
    /// Integers; also days (DATE plus INTEGER, DATE minus DATE).
    ///
    /// @param days whether an operand is a DATE
    record OfLongs(
            Operator operator, Scalar left, Scalar right, Type type, Place place, boolean days)
            implements Arithmetic {
        public OfLongs(Operator operator, Scalar left, Scalar right, Type type, Place place) {
            this(
                    operator,
                    left,
                    right,
                    type,
                    place,
                    left.type().name() == Type.Name.DATE || right.type().name() == Type.Name.DATE);
        }

        @Override
        public boolean nullable() {
            return left.nullable() || right.nullable();
        }

        @Override
        public long evalLong(Frame frame) {
            long a = left.evalLong(frame);
            if (frame.isNull) {
                return 0;
            }
            long b = right.evalLong(frame);
            if (frame.isNull) {
                return 0;
            }
            return days ? ofDays(a, b) : Integers.checked(compute(a, b), type, place);
        }

        /// An infinite day stays where it is, and no other becomes infinite.
        private long ofDays(long a, long b) {
            if (type.name() != Type.Name.DATE) {
                if (NonFinite.isDay(a) || NonFinite.isDay(b)) {
                    throw place.error(
                            Kind.DATETIME_RANGE,
                            "There is no number of days between infinite dates; test with"
                                    + " ISFINITE first");
                }
                return Integers.checked(compute(a, b), type, place);
            }
            long day = left.type().name() == Type.Name.DATE ? a : b;
            if (NonFinite.isDay(day)) {
                return day;
            }
            long result = compute(a, b);
            if (NonFinite.isDay(result)) {
                throw Integers.outOfRange(type, place);
            }
            return Integers.checked(result, type, place);
        }

        private long compute(long a, long b) {
            try {
                return switch (operator) {
                    case ADD -> Math.addExact(a, b);
                    case SUBTRACT -> Math.subtractExact(a, b);
                    case MULTIPLY -> Math.multiplyExact(a, b);
                    case DIVIDE -> Math.divideExact(a, nonZero(b));
                    case MODULO -> a % nonZero(b);
                    case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, CONCAT ->
                            throw noArithmetic(operator);
                };
            } catch (ArithmeticException overflow) {
                throw Integers.outOfRange(type, place);
            }
        }

        private long nonZero(long divisor) {
            if (divisor == 0) {
                throw divisionByZero(place);
            }
            return divisor;
        }
    }

    /// REAL and DOUBLE. An infinite result of finite operands is an error.
    record OfDoubles(Operator operator, Scalar left, Scalar right, Type type, Place place)
            implements Arithmetic {
        @Override
        public boolean nullable() {
            return left.nullable() || right.nullable();
        }

        @Override
        public double evalDouble(Frame frame) {
            double a = left.evalDouble(frame);
            if (frame.isNull) {
                return 0;
            }
            double b = right.evalDouble(frame);
            if (frame.isNull) {
                return 0;
            }
            double exact = compute(a, b);
            double result = type.name() == Type.Name.REAL ? (float) exact : exact;
            if (Double.isInfinite(result) && Double.isFinite(a) && Double.isFinite(b)) {
                throw Integers.outOfRange(type, place);
            }
            return result;
        }

        private double compute(double a, double b) {
            return switch (operator) {
                case ADD -> a + b;
                case SUBTRACT -> a - b;
                case MULTIPLY -> a * b;
                case DIVIDE, MODULO -> {
                    if (b == 0 && !Double.isNaN(a)) {
                        throw divisionByZero(place);
                    }
                    yield operator == Operator.DIVIDE ? a / b : a % b;
                }
                case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, CONCAT ->
                        throw noArithmetic(operator);
            };
        }
    }

    /// Decimals of any scale.
    ///
    /// @param digits the computation with longs; null if it is not possible
    record OfDecimals(
            Operator operator,
            Scalar left,
            Scalar right,
            Type type,
            Place place,
            @Nullable FixedDecimal digits)
            implements Arithmetic {
        public OfDecimals(Operator operator, Scalar left, Scalar right, Type type, Place place) {
            this(operator, left, right, type, place, FixedDecimal.of(operator, left, right));
        }

        @Override
        public int digitsScale() {
            return digits == null ? NO_SCALE : digits.scale();
        }

        @Override
        public long evalDigits(Frame frame) {
            return Objects.requireNonNull(digits).eval(operator, left, right, frame);
        }

        @Override
        public boolean nullable() {
            return left.nullable() || right.nullable();
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            BigDecimal a = left.evalDecimal(frame);
            if (a == null) {
                return null;
            }
            BigDecimal b = right.evalDecimal(frame);
            if (b == null) {
                return null;
            }
            return Decimals.checked(compute(a, b), place);
        }

        private BigDecimal compute(BigDecimal a, BigDecimal b) {
            if (Decimals.areNonFinite(a, b)) {
                return ofNonFinite(a, b);
            }
            return switch (operator) {
                case ADD -> a.add(b);
                case SUBTRACT -> a.subtract(b);
                case MULTIPLY -> a.multiply(b);
                case DIVIDE -> Decimals.divide(a, nonZero(b));
                // Exact, since the remainder has no more places than both operands have.
                case MODULO -> a.remainder(nonZero(b)).setScale(Math.max(a.scale(), b.scale()));
                case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, CONCAT ->
                        throw noArithmetic(operator);
            };
        }

        /// As with doubles, but an infinity cannot be divided by 0.
        private BigDecimal ofNonFinite(BigDecimal a, BigDecimal b) {
            return switch (operator) {
                case ADD -> Decimals.sum(a, b);
                case SUBTRACT -> Decimals.difference(a, b);
                case MULTIPLY -> Decimals.product(a, b);
                case DIVIDE -> NonFinite.isNaN(a) ? a : Decimals.divide(a, nonZero(b));
                case MODULO -> {
                    double rest = NonFinite.sign(a) % NonFinite.sign(b);
                    if (!NonFinite.isNaN(a)) {
                        nonZero(b);
                    }
                    yield Double.isNaN(rest) ? NonFinite.NAN : a;
                }
                case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, CONCAT ->
                        throw noArithmetic(operator);
            };
        }

        private BigDecimal nonZero(BigDecimal divisor) {
            if (divisor.signum() == 0) {
                throw divisionByZero(place);
            }
            return divisor;
        }
    }

    /// The negated operand.
    record Negated(Scalar operand, Type type, Place place) implements Arithmetic {
        public Negated(Scalar operand, Place place) {
            this(operand, Typing.plain(operand.type()), place);
        }

        @Override
        public boolean nullable() {
            return operand.nullable();
        }

        @Override
        public long evalLong(Frame frame) {
            long value = operand.evalLong(frame);
            if (value == Long.MIN_VALUE) {
                throw Integers.outOfRange(type(), place);
            }
            return Integers.checked(-value, type(), place);
        }

        @Override
        public double evalDouble(Frame frame) {
            return -operand.evalDouble(frame);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            BigDecimal value = operand.evalDecimal(frame);
            return value == null || NonFinite.isNaN(value) ? value : value.negate();
        }

        @Override
        public int digitsScale() {
            return operand.digitsScale();
        }

        @Override
        public long evalDigits(Frame frame) {
            return -operand.evalDigits(frame); // NO_DIGITS is its own negation
        }
    }

    private static SqlException divisionByZero(Place place) {
        return place.error(Kind.DIVISION_BY_ZERO, "Division by zero");
    }

    private static IllegalStateException noArithmetic(Operator operator) {
        return new IllegalStateException(operator + " is no arithmetic operator");
    }
}
