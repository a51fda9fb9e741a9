package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// Variances and standard deviations: of integers and decimals from exact sums; of doubles by the method of Youngs
/// and Cramer, which does not lose the small differences of large values.
sealed interface MomentAccumulator extends Accumulator {
    static MomentAccumulator of(AggregateCall call, Scalar argument) {
        return argument.type().shape() == Type.Shape.DOUBLE
                ? new OfDoubles(call, argument)
                : new OfDecimals(call.kind(), argument);
    }

    private static boolean sample(AggregateFunction kind) {
        return kind == AggregateFunction.VAR_SAMP || kind == AggregateFunction.STDDEV_SAMP;
    }

    private static boolean root(AggregateFunction kind) {
        return kind == AggregateFunction.STDDEV_SAMP || kind == AggregateFunction.STDDEV_POP;
    }

    /// Exact sums of values and squares.
    final class OfDecimals implements MomentAccumulator {
        private final AggregateFunction kind;
        private final Scalar argument;
        private final boolean longs;
        private long count;
        private BigDecimal sum = BigDecimal.ZERO;
        private BigDecimal squares = BigDecimal.ZERO;
        private boolean finite = true;

        private OfDecimals(AggregateFunction kind, Scalar argument) {
            this.kind = kind;
            this.argument = argument;
            this.longs = argument.type().shape() == Type.Shape.LONG;
        }

        @Override
        public void add(Frame frame) {
            BigDecimal value;
            if (longs) {
                long one = argument.evalLong(frame);
                value = frame.isNull ? null : BigDecimal.valueOf(one);
            } else {
                value = argument.evalDecimal(frame);
            }
            if (value != null && NonFinite.is(value)) {
                count++;
                finite = false;
            } else if (value != null) {
                count++;
                sum = sum.add(value);
                squares = squares.add(value.multiply(value));
            }
        }

        @Override
        public void result(Tuple out, int column) {
            long divisor = sample(kind) ? count - 1 : count;
            if (divisor <= 0) {
                out.setNull(column);
                return;
            }
            if (!finite) {
                out.setDecimal(column, NonFinite.NAN);
                return;
            }
            BigDecimal rows = BigDecimal.valueOf(count);
            BigDecimal above = squares.multiply(rows).subtract(sum.multiply(sum));
            if (above.signum() == 0) {
                out.setDecimal(column, BigDecimal.ZERO);
                return;
            }
            BigDecimal below = rows.multiply(BigDecimal.valueOf(divisor));
            BigDecimal variance = Decimals.divide(above, below);
            if (!root(kind)) {
                out.setDecimal(column, variance);
                return;
            }
            out.setDecimal(column, root(variance));
        }
    }

    /// The root of `variance`, with as many digits after the point.
    private static BigDecimal root(BigDecimal variance) {
        int digits = variance.precision() + variance.scale() + 2;
        MathContext cut = new MathContext(Math.max(digits, 1), RoundingMode.DOWN);
        return variance.sqrt(cut).setScale(variance.scale(), RoundingMode.HALF_UP);
    }

    /// Sum, and sum of squared distances from the mean, both updated with each value. Overflow is an error, unless
    /// a value is infinite or NaN.
    final class OfDoubles implements MomentAccumulator {
        private final AggregateCall call;
        private final Scalar argument;
        private long count;
        private double sum;
        private double distances;
        private boolean finite = true;

        private OfDoubles(AggregateCall call, Scalar argument) {
            this.call = call;
            this.argument = argument;
        }

        @Override
        public void add(Frame frame) {
            double value = argument.evalDouble(frame);
            if (!frame.isNull) {
                finite &= Double.isFinite(value);
                count++;
                sum += value;
                if (count > 1) {
                    double difference = value * count - sum;
                    distances += difference * difference / ((double) count * (count - 1));
                } else if (!finite) {
                    distances = Double.NaN;
                }
            }
        }

        @Override
        public void result(Tuple out, int column) {
            long divisor = sample(call.kind()) ? count - 1 : count;
            if (divisor <= 0) {
                out.setNull(column);
                return;
            }
            double variance = distances / divisor;
            if (finite && !Double.isFinite(variance)) {
                throw Integers.outOfRange(call.type(), call.place());
            }
            out.setDouble(column, root(call.kind()) ? Math.sqrt(variance) : variance);
        }
    }
}
