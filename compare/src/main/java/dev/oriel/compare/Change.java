package dev.oriel.compare;

/// How the cost of one thing changed from A to B.
///
/// @param ratio cost of B / cost of A; infinite if A has none, 0 if B has none
/// @param pValue the probability of so great a difference if A and B are equal
/// @param verdict against the zone of equivalence
/// @param noisy whether A against itself differed more than A and B vary, so that the interval was
///     widened
public record Change(Interval ratio, double pValue, Verdict verdict, boolean noisy) {
    /// Half width of the zone of equivalence: smaller differences do not matter.
    public static final double ZONE = 0.02;

    /// Compares costs paired by round, with guard pairs of A against itself: their differences are noise, which A
    /// and B may show too.
    ///
    /// @param again costs of A, one a guard pair
    /// @param once the costs of A they are paired with
    public static Change of(double[] costA, double[] costB, double[] once, double[] again) {
        double widening = Statistics.widening(costA, costB, once, again);
        Interval ratio = Statistics.ratio(costA, costB).widened(widening);
        double pValue = Statistics.pValue(costA, costB, widening);
        return new Change(ratio, pValue, verdict(ratio), widening > 1);
    }

    /// Compares costs of runs that are not paired. With one run on a side there is no interval.
    public static Change unpaired(double[] costA, double[] costB) {
        if (costA.length < 2 || costB.length < 2) {
            double value = Statistics.mean(costB).value() / Statistics.mean(costA).value();
            Interval open = new Interval(value, 0, Double.POSITIVE_INFINITY, 1);
            return new Change(open, 1, Verdict.UNKNOWN, false);
        }
        Statistics.Welch welch = Statistics.welch(costA, costB);
        int runs = Math.min(costA.length, costB.length);
        return ofLog(welch.difference(), welch.error(), welch.freedom(), runs);
    }

    /// Tests a difference of logarithms with a known standard error and degrees of freedom.
    static Change ofLog(double difference, double error, double freedom, int runs) {
        double half = Statistics.t975(freedom) * error;
        Interval ratio =
                new Interval(
                        Math.exp(difference),
                        Math.exp(difference - half),
                        Math.exp(difference + half),
                        runs);
        double pValue =
                error > 0
                        ? Statistics.tails(Math.abs(difference / error), freedom)
                        : difference == 0 ? 1 : 0;
        return new Change(ratio, pValue, verdict(ratio), false);
    }

    /// A cost that only one of the two has, by chance with the probability `pValue`.
    static Change oneSided(boolean isNew, double pValue, int runs) {
        double value = isNew ? Double.POSITIVE_INFINITY : 0;
        Interval ratio = new Interval(value, value, value, runs);
        return new Change(ratio, pValue, isNew ? Verdict.NEW : Verdict.GONE, false);
    }

    /// This estimate with an unknown verdict: it does not stand out among many.
    Change unsettled() {
        return new Change(ratio, pValue, Verdict.UNKNOWN, noisy);
    }

    /// Whether the verdict is that B differs from A.
    public boolean differs() {
        return switch (verdict) {
            case SLOWER, FASTER, NEW, GONE -> true;
            case SAME, UNKNOWN -> false;
        };
    }

    private static Verdict verdict(Interval ratio) {
        if (ratio.low() > 1 + ZONE) {
            return Verdict.SLOWER;
        }
        if (ratio.high() < 1 / (1 + ZONE)) {
            return Verdict.FASTER;
        }
        boolean same = ratio.low() > 1 / (1 + ZONE) && ratio.high() < 1 + ZONE;
        return same ? Verdict.SAME : Verdict.UNKNOWN;
    }

    /// Number of further pairs that would bring the half width down to `share`, at the spread seen so far; 0 if the
    /// share is reached already.
    public int morePairs(double share) {
        if (verdict == Verdict.NEW || verdict == Verdict.GONE) {
            return 0;
        }
        if (!ratio.closed()) {
            return 2;
        }
        double factor = Math.log(ratio.high() / ratio.value()) / Math.log(1 + share);
        return Math.max(0, (int) Math.ceil(ratio.runs() * factor * factor) - ratio.runs());
    }
}
