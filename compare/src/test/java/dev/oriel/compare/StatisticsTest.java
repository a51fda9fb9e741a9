package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class StatisticsTest {
    @Test
    void quantilesAreThoseOfTheTables() {
        assertEquals(12.706, Statistics.t975(1), 0.001);
        assertEquals(4.303, Statistics.t975(2), 0.001);
        assertEquals(2.776, Statistics.t975(4), 0.001);
        assertEquals(2.262, Statistics.t975(9), 0.001);
        assertEquals(1.984, Statistics.t975(100), 0.001);
    }

    @Test
    void gammaIsThatOfTheTables() {
        assertEquals(Math.log(24), Statistics.logGamma(5), 1e-9);
        assertEquals(0.5 * Math.log(Math.PI), Statistics.logGamma(0.5), 1e-9);
    }

    @Test
    void ratioCancelsWhatDisturbsARound() {
        double[] a = {100, 200, 50, 400};
        double[] b = {151, 298, 75.2, 601};
        Interval ratio = Statistics.ratio(a, b);
        assertEquals(1.5, ratio.value(), 0.01);
        assertTrue(ratio.halfWidth() < 0.02, ratio::toString);
        assertTrue(Statistics.mean(b).halfWidth() > 1);
        assertTrue(Statistics.pValue(a, b) < 0.001);
    }

    @Test
    void oneRunHasNoInterval() {
        Interval one = Statistics.mean(new double[] {3});
        assertFalse(one.closed());
        assertEquals(3, one.value(), 1e-12);
        assertEquals(1, Statistics.pValue(new double[] {1}, new double[] {2}));
    }

    @Test
    void whatIsNotPositiveIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Statistics.mean(new double[] {1, 0, 2}));
        assertThrows(IllegalArgumentException.class, () -> Statistics.mean(new double[0]));
        assertThrows(
                IllegalArgumentException.class,
                () -> Statistics.ratio(new double[] {1}, new double[] {1, 2}));
    }

    @Test
    void falseDiscoveriesAreBoundedByRank() {
        boolean[] found =
                Statistics.significant(new double[] {0.04, 0.001, 0.9, 0.012, 0.03}, 0.05);
        assertArrayEquals(new boolean[] {true, true, false, true, true}, found);
        found = Statistics.significant(new double[] {0.02, 0.5, 0.9}, 0.05);
        assertArrayEquals(new boolean[] {false, false, false}, found);
    }

    /// Noise as on a shared machine: 5 % drift shared by a round, 3 % between JVMs.
    @Test
    void intervalsCoverTheTruthAsOftenAsTheySay() {
        SplittableRandom random = new SplittableRandom(20);
        int trials = 3000;
        int covered = 0;
        int alarms = 0;
        for (int trial = 0; trial < trials; trial++) {
            double[] a = new double[6];
            double[] b = new double[6];
            for (int i = 0; i < a.length; i++) {
                double drift = Math.exp(0.05 * random.nextGaussian());
                a[i] = 100 * drift * Math.exp(0.03 * random.nextGaussian());
                b[i] = 180 * drift * Math.exp(0.03 * random.nextGaussian());
            }
            Interval ratio = Statistics.ratio(a, b);
            covered += ratio.low() <= 1.8 && 1.8 <= ratio.high() ? 1 : 0;
            double[] same = b.clone();
            for (int i = 0; i < same.length; i++) {
                same[i] *= Math.exp(0.04 * random.nextGaussian());
            }
            alarms += Statistics.pValue(b, same) < 0.05 ? 1 : 0;
        }
        assertEquals(0.95, (double) covered / trials, 0.015);
        assertEquals(0.05, (double) alarms / trials, 0.015);
    }

    @Test
    void guardPairsThatDifferWidenTheInterval() {
        double[] a = {100, 101, 99, 100, 100, 101};
        double[] b = {103, 104, 102.5, 103, 103.5, 104};
        double[] calm = {100, 100};
        Change sure = Change.of(a, b, calm, new double[] {100.5, 99.8});
        assertEquals(Verdict.SLOWER, sure.verdict());
        assertFalse(sure.noisy());
        Change unsure = Change.of(a, b, calm, new double[] {109, 95});
        assertEquals(Verdict.UNKNOWN, unsure.verdict());
        assertTrue(unsure.noisy());
        assertEquals(sure.ratio().value(), unsure.ratio().value(), 1e-12);
        assertTrue(unsure.pValue() > sure.pValue());
        assertTrue(unsure.morePairs(0.02) > 0);
        assertEquals(0, sure.morePairs(0.02));
    }

    @Test
    void nothingOnBothSidesIsTheSame() {
        Series nothing =
                new Series(new double[3], new double[3], new double[0], new double[0], false);
        assertEquals(Verdict.SAME, nothing.change().verdict());
        Change sampled = nothing.sampled(new double[3], new double[3]).change();
        assertEquals(Verdict.UNKNOWN, sampled.verdict());
        assertEquals(0, new Forecast(0.05).morePairs(sampled)); // and not one more for ever
    }

    /// Short runs may have no sample at all, the first ones, too: five are still too few to tell.
    @Test
    void whatIsSampledIsNotExactWhereTheFirstRunsHaveNoSample() {
        Pairs pairs = Pairs.apart(List.of(sampled(0), sampled(5)), List.of(sampled(0), sampled(1)));
        Comparison comparison = Comparison.of(pairs);
        assertEquals(List.of(), comparison.methods().get(Measure.CPU));
    }

    private static ForkCosts sampled(int samples) {
        CostNode get = new CostNode("a.B.get", 0, 1e6 * samples, samples, false, List.of());
        List<CostNode> below = samples == 0 ? List.of() : List.of(get);
        CostNode root = new CostNode("", 0, 0, 0, false, below);
        return new ForkCosts(1, Map.of(), Map.of(Measure.CPU, root), null);
    }

    @Test
    void equalCostsAreTheSame() {
        double[] a = {100, 120, 90, 110, 95, 130};
        double[] b = {100.1, 119.8, 90.05, 110.1, 94.9, 130.2};
        assertEquals(Verdict.SAME, Change.of(a, b, new double[0], new double[0]).verdict());
        assertEquals(
                Verdict.FASTER,
                Change.of(b, new double[] {50, 60, 45, 55, 47, 65}, new double[0], new double[0])
                        .verdict());
    }
}
