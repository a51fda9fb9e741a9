package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// That comparisons are right as often as they say: on runs that were recorded once from real JVMs
/// on a busy machine, and on made-up ones whose noise is known. `scripts/compare-proof` records.
final class ProofTest {
    private static final long SEED = 20;

    @Test
    void recordedRunsAreJudgedRightAsOftenAsTheIntervalsSay() throws IOException {
        judgedRight(new Resampling(recorded("proof-runs.txt"), ProofCase.ALL, 40));
    }

    @Test
    void recordedAllocationsAreJudgedRightAsOftenAsTheIntervalsSay() throws IOException {
        judgedRight(new Resampling(recorded("proof-allocations.txt"), ProofCase.ALLOCATIONS, 10));
    }

    private static void judgedRight(Resampling runs) {
        Resampling.Tally tally = runs.run(SEED);
        System.out.println("seed " + SEED + ": " + tally);
        assertEquals(200, tally.changed());
        assertTrue(tally.both() >= 186, tally::toString);
        assertTrue(tally.alarms() <= 10, tally::toString);
    }

    /// What the command says of comparisons that cannot tell: so many pairs more would. With an 80 %
    /// probability, so that out of 100 trials fewer than 70 are a fault, and half of the pairs tell
    /// clearly less often.
    @Test
    void asManyPairsAsAreForecastTell() throws IOException {
        Resampling.Forecasts forecasts =
                new Resampling(recorded("proof-runs.txt"), ProofCase.ALL, 8).forecast(SEED);
        System.out.println("seed " + SEED + ": " + forecasts);
        assertTrue(forecasts.tried() >= 50, forecasts::toString);
        assertTrue(forecasts.told() >= 0.7 * forecasts.tried(), forecasts::toString);
        assertTrue(forecasts.toldByHalf() < forecasts.told(), forecasts::toString);
    }

    /// Noise as on a shared machine: 10 % drift shared by a round, 5 % between JVMs, 3 % of each method
    /// on its own.
    @Test
    void madeUpRunsAreJudgedRightAsOftenAsTheIntervalsSay() {
        SplittableRandom random = new SplittableRandom(SEED);
        int covered = 0;
        int named = 0;
        int alarms = 0;
        int trials = 400;
        for (int trial = 0; trial < trials; trial++) {
            ProofCase one = ProofCase.ALL.get(trial % ProofCase.ALL.size());
            ProofCase.Outcome outcome = one.judge(Comparison.of(pairs(random, one)));
            covered += outcome.covered() ? 1 : 0;
            named += outcome.named() ? 1 : 0;
            alarms += Comparison.of(pairs(random, null)).differs() ? 1 : 0;
        }
        String tally = "of " + trials + ": " + covered + " covered, " + named + " named, " + alarms;
        assertTrue(covered >= 0.93 * trials, tally);
        assertTrue(named >= 0.93 * trials, tally);
        assertTrue(alarms <= 0.05 * trials, tally);
    }

    /// Two runs that differ by little beside their noise: nothing may be claimed, whatever they say.
    @Test
    void smallNoisyProgramsStayUnknown() {
        SplittableRandom random = new SplittableRandom(SEED);
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < 3; i++) {
            pairs.add(run(random, 0.5, 1, "parse", 1), run(random, 0.5, 1, "parse", 1.1));
        }
        Comparison comparison = Comparison.of(pairs);
        assertTrue(comparison.unknown());
        assertTrue(!comparison.differs() && !comparison.worse());
        assertTrue(comparison.morePairs() > 10);
        String text = new ComparisonText("a", "b").withTables().of(comparison);
        assertTrue(text.contains("Cannot tell"), text);
        assertTrue(text.contains(" more pairs needed to tell"), text);
        boolean worthIt = comparison.morePairs() < Forecast.PAIRS_MAX;
        assertEquals(worthIt, text.contains("--pairs " + (3 + comparison.morePairs()) + "."), text);
        assertTrue(text.contains("unknown +"), text);
    }

    private static Pairs pairs(SplittableRandom random, @Nullable ProofCase one) {
        Pairs pairs = Pairs.inTurns();
        for (int i = 0; i < 8; i++) {
            double drift = Math.exp(0.1 * random.nextGaussian());
            ForkCosts a = run(random, 0.05, drift, "", 1);
            pairs.add(
                    a,
                    one == null
                            ? run(random, 0.05, drift, "", 1)
                            : run(random, 0.05, drift, one.program(), one.truth()));
            if (i % 3 == 0) {
                pairs.guard(run(random, 0.05, drift, "", 1));
            }
        }
        return pairs;
    }

    /// A run of the shop in which a method costs `factor` times as much.
    private static ForkCosts run(
            SplittableRandom random, double noise, double drift, String change, double factor) {
        double whole = drift * Math.exp(noise * random.nextGaussian());
        double calls = change.startsWith("lookups") ? 2 * factor : 2;
        CostNode lookup = node(random, "lookup", calls, whole * of(change, "lookup", factor) * 20);
        CostNode parse = node(random, "parse", 1, whole * of(change, "parse", factor) * 20);
        CostNode format = node(random, "format", 1, whole * of(change, "format", factor) * 20);
        CostNode find = node(random, "find", 1, whole * 2, lookup);
        CostNode sell = node(random, "sell", 1, whole * 2, parse, find, format);
        return new ForkCosts(
                1_000,
                Map.of(Measure.WALL, 1_000 * sell.total()),
                Map.of(Measure.TIME, new CostNode("", 0, 0, 0, false, List.of(sell))),
                null);
    }

    private static double of(String change, String method, double factor) {
        return change.startsWith(method) ? factor : 1;
    }

    private static CostNode node(
            SplittableRandom random, String name, double calls, double cost, CostNode... children) {
        double own = cost * Math.exp(0.03 * random.nextGaussian());
        return new CostNode(
                "dev.oriel.compare.fixture.Shop." + name,
                Math.rint(calls * 1_000),
                own * 1_000,
                0,
                false,
                List.of(children));
    }

    private static List<String> recorded(String name) throws IOException {
        try (InputStream in = ProofTest.class.getResourceAsStream(name)) {
            assertTrue(in != null, name + " is missing");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
