package dev.oriel.compare;

import java.util.HashMap;
import java.util.Map;

/// Computes the number of pairs of runs that would settle an unknown verdict. An estimate has to clear two bars. Its
/// interval has to lie outside of the zone of equivalence, or inside. Its p-value has to lie below the threshold for so
/// many comparisons at once. With `n` pairs of spread `s` the error is `s / sqrt(n)`. An estimate clears a bar 8 times
/// in 10 if its expectation clears it by as many errors as the 80 % quantile of Student's t. Confined to one thread,
/// because it caches quantiles.
final class Forecast {
    /// Greatest number of pairs that is computed: more are not practicable.
    static final int PAIRS_MAX = 1_000;

    private static final double POWER = 0.8;

    /// Threshold for the p-value of one more difference than is named already.
    private final double threshold;

    private final Map<Integer, Bars> bars = new HashMap<>();

    /// Number of standard errors by which the expectation has to clear each bar.
    private record Bars(double interval, double family) {}

    Forecast(double threshold) {
        this.threshold = threshold;
    }

    /// Number of pairs beyond the pairs of `change`; 0 if its verdict is known. [#PAIRS_MAX] for that many or
    /// more, as if the ratio lies at the edge of the zone.
    int morePairs(Change change) {
        Interval ratio = change.ratio();
        if (change.verdict() != Verdict.UNKNOWN) {
            return 0;
        }
        int runs = ratio.runs();
        if (!ratio.closed() || runs < 2) {
            return Math.max(
                    0, Compare.PAIRS_MIN - runs); // beyond that the number cannot be estimated
        }
        double half = Math.log(ratio.high() / ratio.value());
        double spread = half * Math.sqrt(runs) / Statistics.t975(runs - 1);
        double effect = Math.abs(Math.log(ratio.value()));
        int fewest = runs + 1;
        int most = runs + PAIRS_MAX;
        while (fewest < most) {
            int middle = (fewest + most) >>> 1;
            if (tells(effect, spread, middle)) {
                most = middle;
            } else {
                fewest = middle + 1;
            }
        }
        return fewest - runs;
    }

    private boolean tells(double effect, double spread, int pairs) {
        double zone = Math.log(1 + Change.ZONE);
        double error = spread / Math.sqrt(pairs);
        Bars clear = bars.computeIfAbsent(pairs - 1, this::bars);
        if (effect <= zone) {
            return zone - effect >= clear.interval * error;
        }
        return effect - zone >= clear.interval * error && effect >= clear.family * error;
    }

    private Bars bars(int freedom) {
        double power = Statistics.quantile(POWER, freedom);
        return new Bars(
                Statistics.t975(freedom) + power,
                Statistics.quantile(1 - threshold / 2, freedom) + power);
    }
}
