package dev.oriel.compare;

import java.util.Arrays;
import java.util.Collection;
import java.util.Random;

/// The shift of sampled costs of methods if nothing changed. The runs of A are split in two halves again and
/// again, and each time the greatest shift of all methods is noted. A method of B that shifts no further is not
/// named. With fewer than [#RUNS_MIN] runs of A nothing is known of chance, and none is named. Confined to one thread.
final class SampleSplits {
    private static final int SPLITS = 200;
    private static final double QUANTILE = 0.95;

    /// Least number of runs of A that can be split.
    private static final int RUNS_MIN = 4;

    private final int ofA;
    private final int ofB;
    private final double threshold;

    SampleSplits(Pairs pairs, Collection<AlignedMethod> methods) {
        ofA = pairs.a().size();
        ofB = pairs.b().size();
        int all = pairs.all().size();
        int[] same = new int[all - ofB];
        for (int i = 0; i < same.length; i++) {
            same[i] = i < ofA ? i : i + ofB;
        }
        threshold = same.length < RUNS_MIN ? Double.POSITIVE_INFINITY : threshold(same, methods);
    }

    /// Greatest shift by chance. Halves have half as many runs as A and B, so their shift is greater by the root
    /// of two.
    private double threshold(int[] same, Collection<AlignedMethod> methods) {
        Random random = new Random(same.length);
        double[] greatest = new double[SPLITS];
        int half = same.length / 2;
        for (int split = 0; split < SPLITS; split++) {
            for (int i = same.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                int moved = same[i];
                same[i] = same[j];
                same[j] = moved;
            }
            for (AlignedMethod method : methods) {
                double first = mean(method.total, same, 0, half);
                double second = mean(method.total, same, half, 2 * half);
                greatest[split] = Math.max(greatest[split], shift(first, second));
            }
        }
        Arrays.sort(greatest);
        double apart = Math.sqrt((double) half / Math.min(ofA, ofB));
        return greatest[(int) Math.ceil(QUANTILE * SPLITS) - 1] * apart;
    }

    /// Whether a method shifted further from A to B than any method does by chance.
    boolean isBeyond(AlignedMethod method) {
        double a = Arrays.stream(method.total, 0, ofA).average().orElse(0);
        double b = Arrays.stream(method.total, ofA, ofA + ofB).average().orElse(0);
        return shift(a, b) > threshold;
    }

    private static double mean(double[] costs, int[] runs, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += costs[runs[i]];
        }
        return sum / (to - from);
    }

    /// The shift relative to its noise: a sampled cost varies by its square root.
    private static double shift(double a, double b) {
        return a + b == 0 ? 0 : Math.abs(b - a) / Math.sqrt((a + b) / 2);
    }
}
