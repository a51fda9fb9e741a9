package dev.oriel.compare;

import java.util.Arrays;

/// The cost of one thing in every run, per operation, and how it changed. Immutable: the given arrays must not be
/// changed.
final class Series {
    /// Costs in the runs of A.
    private final double[] a;

    /// Costs in the runs of B; paired with the runs of A unless `unpaired`.
    private final double[] b;

    /// Guard pairs: the runs of A with a repetition, and the costs of the repetitions.
    private final double[] once;

    private final double[] again;

    /// Number of observations of each cost; empty if costs are exact.
    private final double[] samplesA;

    private final double[] samplesB;

    /// Whether the runs of A and B took no turns.
    private final boolean unpaired;

    /// Number of samples per run below which their number says more about the error than their spread.
    private static final int FEW_SAMPLES = 25;

    /// Number of samples on one side from which none on the other prove that the cost is absent there.
    private static final int SURE_SAMPLES = 12;

    /// Exact costs of runs that may have taken turns, with further runs of A as guards.
    Series(double[] a, double[] b, double[] once, double[] again, boolean unpaired) {
        this(a, b, once, again, new double[0], new double[0], unpaired);
    }

    private Series(
            double[] a,
            double[] b,
            double[] once,
            double[] again,
            double[] samplesA,
            double[] samplesB,
            boolean unpaired) {
        this.a = a;
        this.b = b;
        this.once = once;
        this.again = again;
        this.samplesA = samplesA;
        this.samplesB = samplesB;
        this.unpaired = unpaired;
    }

    /// These costs, estimated from samples.
    Series sampled(double[] ofA, double[] ofB) {
        return new Series(a, b, once, again, ofA, ofB, unpaired);
    }

    /// The change of the series, without regard to other comparisons.
    Change change() {
        int runs = Math.min(a.length, b.length);
        if (sum(a) == 0 || sum(b) == 0) {
            return absent(sum(a) == 0, runs);
        }
        if (samplesA.length > 0 && (few(samplesA) || few(samplesB))) {
            return pooled(runs);
        }
        double least = leastPositive();
        double[] costA = positive(a, least);
        double[] costB = positive(b, least);
        if (unpaired) {
            return Change.unpaired(costA, costB);
        }
        return Change.of(costA, costB, positive(once, least), positive(again, least));
    }

    /// Whether it was observed often enough for a verdict.
    boolean isSeen() {
        return samplesA.length == 0 || Math.max(sum(samplesA), sum(samplesB)) >= SURE_SAMPLES;
    }

    /// The mean cost of A, per operation.
    double meanA() {
        return mean(a);
    }

    /// The mean cost of B, per operation.
    double meanB() {
        return mean(b);
    }

    /// B's cost less A's.
    double delta() {
        return meanB() - meanA();
    }

    private Change absent(boolean inA, int runs) {
        if (sum(inA ? b : a) == 0) {
            boolean exact = samplesA.length == 0;
            return exact && runs >= 2 // exactly nothing on both sides
                    ? new Change(new Interval(1, 1, 1, runs), 1, Verdict.SAME, false)
                    : unknown(runs);
        }
        double[] samples = inA ? samplesB : samplesA;
        if (samples.length > 0) {
            double seen = sum(samples);
            return seen >= SURE_SAMPLES
                    ? Change.oneSided(inA, Math.pow(0.5, seen), runs)
                    : unknown(runs);
        }
        boolean always = Arrays.stream(inA ? b : a).allMatch(cost -> cost > 0);
        double pValue = Math.pow(0.5, a.length + b.length - 1);
        return always && runs >= 3 ? Change.oneSided(inA, pValue, runs) : unknown(runs);
    }

    /// For few samples: all runs of a side together, with the error of counting. The error is greater if the runs
    /// differ by more than counting explains.
    private Change pooled(int runs) {
        double countA = sum(samplesA) + 0.5;
        double countB = sum(samplesB) + 0.5;
        double each = (sum(a) + sum(b)) / (countA + countB) / 2;
        double ratio = (mean(b) + each / b.length) / (mean(a) + each / a.length);
        if (runs < 2) {
            return new Change(
                    new Interval(ratio, 0, Double.POSITIVE_INFINITY, 1), 1, Verdict.UNKNOWN, false);
        }
        double excess = Math.max(1, (dispersion(samplesA) + dispersion(samplesB)) / 2);
        double error = Math.sqrt(excess * (1 / countA + 1 / countB));
        return Change.ofLog(Math.log(ratio), error, 2.0 * (runs - 1), runs);
    }

    private Change unknown(int runs) {
        Interval open = new Interval(1, 0, Double.POSITIVE_INFINITY, runs);
        return new Change(open, 1, Verdict.UNKNOWN, false);
    }

    private static boolean few(double[] samples) {
        return sum(samples) < FEW_SAMPLES * samples.length;
    }

    /// The variance of counts over their mean: 1 if only chance is at work.
    private static double dispersion(double[] counts) {
        double mean = mean(counts);
        if (counts.length < 2 || mean == 0) {
            return 1;
        }
        double squares = 0;
        for (double count : counts) {
            squares += (count - mean) * (count - mean);
        }
        return squares / (counts.length - 1) / mean;
    }

    /// The substitute for zero: half of the least cost. A rare event may have been absent from a run.
    private double leastPositive() {
        double least = Double.POSITIVE_INFINITY;
        for (double[] costs : new double[][] {a, b, again}) {
            for (double cost : costs) {
                least = cost > 0 ? Math.min(least, cost) : least;
            }
        }
        return least / 2;
    }

    private static double[] positive(double[] costs, double otherwise) {
        return Arrays.stream(costs).map(cost -> cost > 0 ? cost : otherwise).toArray();
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private static double mean(double[] values) {
        return values.length == 0 ? 0 : sum(values) / values.length;
    }
}
