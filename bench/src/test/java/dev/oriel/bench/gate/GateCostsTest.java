package dev.oriel.bench.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The gate stops a loss, and not the noise of a machine.
final class GateCostsTest {
    private static final int CASES = 12;
    private static final int PAIRS = 6;
    private static final int GATES = 300;

    /// How far the same program differs between two JVMs, as a share.
    private static final double NOISE = 0.04;

    private final SplittableRandom random = Seed.of("GateCostsTest", 7);

    @Test
    void aTreeThatIsTheSamePasses() {
        int failed = 0;
        for (int i = 0; i < GATES; i++) {
            failed += gate(1).passed() ? 0 : 1;
        }
        // At most a twentieth is expected, and less, since a loss has to be beyond 2 % as well.
        assertTrue(failed <= GATES / 20, failed + " of " + GATES + " failed");
    }

    @Test
    void aLossInOneCaseIsFoundAndNamed() {
        int found = 0;
        for (int i = 0; i < GATES; i++) {
            GateCosts costs = gate(1.3);
            if (!costs.passed()) {
                found++;
                String line =
                        costs.table("main")
                                .lines()
                                .filter(one -> one.contains("case-3 "))
                                .findFirst()
                                .orElseThrow();
                assertTrue(line.contains("SLOWER"), line);
            }
        }
        assertTrue(found >= GATES * 95 / 100, found + " of " + GATES + " found");
    }

    @Test
    void aGainPasses() {
        assertTrue(gate(0.5).passed());
        assertTrue(gate(0.5).table("main").contains("faster"));
    }

    @Test
    void aLossOfLessThanTwoPercentConcernsNobody() {
        GateCosts costs = new GateCosts();
        for (int i = 0; i < PAIRS; i++) {
            costs.pair("axion/warm", "oriel", 100 + i * 0.001, 101 + i * 0.002);
        }
        assertTrue(costs.passed());
    }

    @Test
    void oneMachineAgainstItselfWidensTheIntervals() {
        GateCosts costs = new GateCosts();
        GateCosts guarded = new GateCosts();
        for (GateCosts each : new GateCosts[] {costs, guarded}) {
            for (int i = 0; i < PAIRS; i++) {
                each.pair("axion/warm", "oriel", 100, 112 + i);
            }
        }
        guarded.guard("axion/warm", "oriel", 100, 140);
        guarded.guard("axion/warm", "oriel", 100, 75);
        assertFalse(costs.passed());
        assertTrue(guarded.passed(), guarded.table("main"));
        assertTrue(guarded.table("main").contains("(noisy machine)"));
    }

    @Test
    void nothingMeasuredIsNothingLost() {
        assertTrue(new GateCosts().passed());
        assertEquals(
                "Cost of the working tree over that of main, 0 pairs\nNo case is significantly slower.\n",
                new GateCosts().table("main"));
    }

    /// Pairs of all cases; one of them costs `factor` times as much now.
    private GateCosts gate(double factor) {
        GateCosts costs = new GateCosts();
        for (int pair = 0; pair < PAIRS; pair++) {
            for (int i = 0; i < CASES; i++) {
                double former = noisy(100);
                costs.pair("case-" + i, "oriel", former, noisy(i == 3 ? 100 * factor : 100));
                if (pair % 3 == 0) {
                    costs.guard("case-" + i, "oriel", former, noisy(100));
                }
            }
        }
        return costs;
    }

    private double noisy(double cost) {
        return cost * Math.exp(NOISE * random.nextGaussian());
    }
}
