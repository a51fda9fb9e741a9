package dev.oriel.sql.run;

import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.table.Tuple;

/// Covariance, correlation and regression of pairs (y, x), in doubles; a pair with a NULL does not
/// count.
final class PairAccumulator implements Accumulator {
    private final AggregateFunction kind;
    private final Scalar first;
    private final Scalar second;
    private long count;
    private double meanY;
    private double meanX;
    private double squaresY;
    private double squaresX;
    private double products;

    PairAccumulator(AggregateFunction kind, Scalar first, Scalar second) {
        this.kind = kind;
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
        count++;
        double fromY = y - meanY;
        double fromX = x - meanX;
        meanY += fromY / count;
        meanX += fromX / count;
        squaresY += fromY * (y - meanY);
        squaresX += fromX * (x - meanX);
        products += fromX * (y - meanY);
    }

    @Override
    public void result(Tuple out, int column) {
        double value =
                switch (kind) {
                    case COVAR_POP -> count == 0 ? Double.NaN : products / count;
                    case COVAR_SAMP -> count < 2 ? Double.NaN : products / (count - 1);
                    case CORR ->
                            squaresX == 0 || squaresY == 0
                                    ? Double.NaN
                                    : products / Math.sqrt(squaresX * squaresY);
                    case REGR_SLOPE -> squaresX == 0 ? Double.NaN : products / squaresX;
                    case REGR_INTERCEPT ->
                            squaresX == 0 ? Double.NaN : meanY - products / squaresX * meanX;
                    default -> throw new IllegalStateException(kind + " is of no pairs");
                };
        if (Double.isNaN(value)) {
            out.setNull(column);
        } else {
            out.setDouble(column, value);
        }
    }
}
