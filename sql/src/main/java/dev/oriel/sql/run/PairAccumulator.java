package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.value.Integers;
import dev.oriel.table.value.Tuple;

/// Covariance, correlation and regression of pairs (y, x), in doubles. A pair with a NULL is ignored; a pair with
/// NaN or an infinite value makes the result NaN.
final class PairAccumulator implements Accumulator {
    private final AggregateCall call;
    private final Scalar first;
    private final Scalar second;
    private long count;
    private double sumY;
    private double sumX;
    private double squaresY;
    private double squaresX;
    private double products;
    private boolean finite = true;

    PairAccumulator(AggregateCall call, Scalar first, Scalar second) {
        this.call = call;
        this.first = first;
        this.second = second;
    }

    @Override
    public void add(Frame frame) {
        double y = first.evalDouble(frame);
        if (frame.isNull) {
            return;
        }
        double x = second.evalDouble(frame);
        if (frame.isNull) {
            return;
        }
        finite &= Double.isFinite(y) && Double.isFinite(x);
        count++;
        sumY += y;
        sumX += x;
        if (count > 1) {
            double fromY = y * count - sumY;
            double fromX = x * count - sumX;
            double scale = 1 / ((double) count * (count - 1));
            squaresY += fromY * fromY * scale;
            squaresX += fromX * fromX * scale;
            products += fromX * fromY * scale;
        } else {
            squaresY = squaresOfOne(y);
            squaresX = squaresOfOne(x);
            products = squaresY + squaresX;
        }
    }

    /// The square of the distance of a single value from its own mean: 0, but NaN for an infinity.
    private static double squaresOfOne(double value) {
        return Double.isFinite(value) ? 0 : Double.NaN;
    }

    @Override
    public void result(Tuple out, int column) {
        if (!isDefined()) {
            out.setNull(column);
            return;
        }
        if (call.kind() == AggregateFunction.REGR_COUNT) {
            out.setLong(column, count);
            return;
        }
        double value = value();
        if (finite && !Double.isFinite(value)) {
            throw Integers.outOfRange(call.type(), call.place());
        }
        out.setDouble(column, value);
    }

    private boolean isDefined() {
        return switch (call.kind()) {
            case REGR_COUNT -> true;
            case COVAR_POP, REGR_SXX, REGR_SYY, REGR_SXY, REGR_AVGX, REGR_AVGY -> count > 0;
            case COVAR_SAMP -> count > 1;
            case CORR -> count > 0 && squaresX != 0 && squaresY != 0;
            default -> count > 0 && squaresX != 0;
        };
    }

    private double value() {
        return switch (call.kind()) {
            case COVAR_POP -> products / count;
            case COVAR_SAMP -> products / (count - 1);
            case CORR -> Math.clamp(products / root(), -1, 1);
            case REGR_SLOPE -> products / squaresX;
            case REGR_INTERCEPT -> (sumY - sumX * products / squaresX) / count;
            case REGR_SXX -> squaresX;
            case REGR_SYY -> squaresY;
            case REGR_SXY -> products;
            case REGR_AVGX -> sumX / count;
            case REGR_AVGY -> sumY / count;
            case REGR_R2 -> squaresY == 0 ? 1 : products * products / (squaresX * squaresY);
            default -> throw new IllegalStateException(call.kind() + " is of no pairs");
        };
    }

    /// The root of the product of both sums of squares, which may be too large or too small for a double.
    private double root() {
        double product = squaresX * squaresY;
        return Double.isFinite(product) && product >= Double.MIN_NORMAL
                ? Math.sqrt(product)
                : Math.sqrt(squaresX) * Math.sqrt(squaresY);
    }
}
