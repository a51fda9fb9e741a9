package dev.oriel.compare;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Estimates over runs in fresh JVMs. Measurements are positive, their noise multiplies, and a disturbance of one
/// round affects all subjects of it. So means are taken of logarithms, and two subjects are compared round by
/// round. (Tried on simulated runs that do not differ: a paired t interval of log ratios alarms on 4-6 % of them,
/// pooled iterations on 25 %.)
public final class Statistics {
    private Statistics() {}

    /// The geometric mean of the runs, with the interval of Student's t over their logarithms.
    public static Interval mean(double[] runs) {
        if (runs.length == 0) {
            throw new IllegalArgumentException("A mean needs one run at least");
        }
        double[] logs = new double[runs.length];
        for (int i = 0; i < runs.length; i++) {
            if (!(runs[i] > 0) || Double.isInfinite(runs[i])) {
                throw new IllegalArgumentException("Run " + i + " is not positive: " + runs[i]);
            }
            logs[i] = Math.log(runs[i]);
        }
        return ofLogs(logs);
    }

    /// The ratio `b / a` of runs paired by round.
    public static Interval ratio(double[] a, double[] b) {
        if (a.length != b.length) {
            throw new IllegalArgumentException(a.length + " runs against " + b.length);
        }
        double[] ratios = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            ratios[i] = b[i] / a[i];
        }
        return mean(ratios);
    }

    private static Interval ofLogs(double[] logs) {
        int n = logs.length;
        double mean = Arrays.stream(logs).average().orElseThrow();
        if (n == 1) {
            return new Interval(Math.exp(mean), 0, Double.POSITIVE_INFINITY, 1);
        }
        double half = t975(n - 1) * deviation(logs, mean) / Math.sqrt(n);
        return new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), n);
    }

    private static double deviation(double[] values, double mean) {
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / (values.length - 1));
    }

    /// The probability that pairs without a difference lie at least this far apart: Student's t, two-sided. 1 with
    /// fewer than two pairs.
    public static double pValue(double[] a, double[] b) {
        return pValue(a, b, 1);
    }

    /// The probability of so great a mean if the values differ from 0 by chance alone; 1 for fewer than two.
    static double chanceOfMean(double[] values) {
        if (values.length < 2) {
            return 1;
        }
        double mean = Arrays.stream(values).average().orElse(0);
        double error = deviation(values, mean) / Math.sqrt(values.length);
        return error > 0 ? tails(Math.abs(mean) / error, values.length - 1.0) : mean == 0 ? 1 : 0;
    }

    /// `pValue(a, b)` if the spread is known to be `widening` times the spread of the pairs.
    static double pValue(double[] a, double[] b, double widening) {
        int n = a.length;
        if (n < 2) {
            return 1;
        }
        double[] logs = logRatios(a, b);
        double mean = Arrays.stream(logs).average().orElseThrow();
        double error = widening * deviation(logs, mean) / Math.sqrt(n);
        if (error == 0) {
            return mean == 0 ? 1 : 0;
        }
        double t = Math.abs(mean / error);
        return tails(t, n - 1);
    }

    /// The probability that Student's t lies at least `t` from 0, two-sided.
    static double tails(double t, double freedom) {
        return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
    }

    /// The standard error of the difference of two unpaired means of logarithms, and its degrees of freedom
    /// (Welch).
    record Welch(double difference, double error, double freedom) {}

    /// Compares runs that are not paired by round. Takes two runs of each side.
    static Welch welch(double[] a, double[] b) {
        double[] logsA = Arrays.stream(a).map(Math::log).toArray();
        double[] logsB = Arrays.stream(b).map(Math::log).toArray();
        double meanA = Arrays.stream(logsA).average().orElseThrow();
        double meanB = Arrays.stream(logsB).average().orElseThrow();
        double partA = square(deviation(logsA, meanA)) / a.length;
        double partB = square(deviation(logsB, meanB)) / b.length;
        double sum = partA + partB;
        double freedom =
                sum == 0
                        ? a.length + b.length - 2
                        : square(sum)
                                / (square(partA) / (a.length - 1) + square(partB) / (b.length - 1));
        return new Welch(meanB - meanA, Math.sqrt(sum), freedom);
    }

    private static double square(double x) {
        return x * x;
    }

    /// Factor by which an interval from the pairs `a`, `b` has to be widened, given guard pairs of the same thing
    /// against itself. It is 1 unless the spread of `a` and `b` explains the distance of the guard pairs with a
    /// probability under 5 % only (for two guard pairs, at 1.73 times that spread).
    static double widening(double[] a, double[] b, double[] once, double[] again) {
        if (a.length < 2 || once.length == 0) {
            return 1;
        }
        double[] logs = logRatios(a, b);
        double spread = deviation(logs, Arrays.stream(logs).average().orElseThrow());
        double squares = Arrays.stream(logRatios(once, again)).map(x -> x * x).sum();
        double guard = Math.sqrt(squares / once.length);
        double usual = 1.73 * spread;
        return guard > usual && spread > 0 ? guard / usual : 1;
    }

    private static double[] logRatios(double[] a, double[] b) {
        double[] logs = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            logs[i] = Math.log(b[i] / a[i]);
        }
        return logs;
    }

    /// Selects the comparisons that differ, with an expected share of at most `q` wrong ones among them (Benjamini
    /// and Hochberg).
    public static boolean[] significant(double[] pValues, double q) {
        int n = pValues.length;
        Integer[] order = IntStream.range(0, n).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> pValues[i]));
        int last = -1;
        for (int rank = 0; rank < n; rank++) {
            if (pValues[order[rank]] <= q * (rank + 1) / n) {
                last = rank;
            }
        }
        boolean[] found = new boolean[n];
        for (int rank = 0; rank <= last; rank++) {
            found[order[rank]] = true;
        }
        return found;
    }

    /// The 97.5 % quantile of Student's t: half of a 5 % error on each side.
    static double t975(double freedom) {
        return quantile(0.975, freedom);
    }

    /// The quantile of Student's t for the probability `share`, at least 0.5.
    static double quantile(double share, double freedom) {
        double outside = 2 * (1 - share);
        double low = 0;
        double high = 100_000; // with 1 degree of freedom a tail of 0.00001 begins at 31,831
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if (tails(middle, freedom) > outside) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /// The regularized incomplete beta function, by its continued fraction in the way of
    /// Lentz, which converges in tens of steps for the arguments of t.
    static double incompleteBeta(double x, double a, double b) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        double front =
                Math.exp(
                        logGamma(a + b)
                                - logGamma(a)
                                - logGamma(b)
                                + a * Math.log(x)
                                + b * Math.log(1 - x));
        return x < (a + 1) / (a + b + 2)
                ? front * fraction(x, a, b) / a
                : 1 - front * fraction(1 - x, b, a) / b;
    }

    private static double fraction(double x, double a, double b) {
        double tiny = 1e-300;
        double c = 1;
        double d = 1 / nonZero(1 - (a + b) * x / (a + 1), tiny);
        double result = d;
        for (int m = 1; m < 1000; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / nonZero(1 + even * d, tiny);
            c = nonZero(1 + even / c, tiny);
            result *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / nonZero(1 + odd * d, tiny);
            c = nonZero(1 + odd / c, tiny);
            double step = d * c;
            result *= step;
            if (Math.abs(step - 1) < 1e-15) {
                break;
            }
        }
        return result;
    }

    private static double nonZero(double value, double tiny) {
        return Math.abs(value) < tiny ? tiny : value;
    }

    /// Stirling's series after shifting the argument to 10 or more.
    static double logGamma(double x) {
        double shift = 0;
        double z = x;
        while (z < 10) {
            shift += Math.log(z);
            z++;
        }
        double inverse = 1 / z;
        double square = inverse * inverse;
        double series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260)));
        return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
    }
}
