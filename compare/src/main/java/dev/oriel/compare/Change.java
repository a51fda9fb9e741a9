package dev.oriel.compare;

/// How the cost of one thing changed from A to B.
///
/// @param ratio cost of B / cost of A
/// @param pValue how likely pairs that do not differ lie this far apart
/// @param verdict against the zone of equivalence
/// @param noisy whether A against itself differed more than A and B vary, so that the interval was
///     widened
public record Change(Interval ratio, double pValue, Verdict verdict, boolean noisy) {
    /// Differences within this share are no differences to anybody.
    public static final double ZONE = 0.02;

    /// Compares costs paired by round, beside guard pairs of A against itself: what those differ by,
    /// A and B may differ by without any reason.
    ///
    /// @param again costs of A, one a guard pair
    /// @param once the costs of A they are paired with
    public static Change of(double[] costA, double[] costB, double[] once, double[] again) {
        double widening = Statistics.widening(costA, costB, once, again);
        Interval ratio = Statistics.ratio(costA, costB).widened(widening);
        double pValue = Statistics.pValue(costA, costB, widening);
        return new Change(ratio, pValue, verdict(ratio), widening > 1);
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

    /// How many pairs more would bring the half width down to `share`, at the spread seen so far; 0
    /// where it is there already.
    public int morePairs(double share) {
        if (!ratio.closed()) {
            return 2;
        }
        double factor = Math.log(ratio.high() / ratio.value()) / Math.log(1 + share);
        return Math.max(0, (int) Math.ceil(ratio.runs() * factor * factor) - ratio.runs());
    }
}
