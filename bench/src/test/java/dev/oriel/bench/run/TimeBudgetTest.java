package dev.oriel.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scenario;
import dev.oriel.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Nobody is waited for so long that the run does not end when it is to end.
final class TimeBudgetTest {
    private static final Duration BUDGET = Duration.ofMinutes(10);

    @Test
    void oneMayTakeSeveralTimesItsClaimWhereThereIsTime() {
        Scenario one = scenario(10);
        TimeBudget allotment = new TimeBudget(BUDGET, Duration.ofSeconds(20));
        assertTrue(allotment.isBinding());
        assertEquals(Duration.ofSeconds(70), allotment.first(one, Duration.ZERO));
        assertEquals(Duration.ofSeconds(70), allotment.first(one, Duration.ofSeconds(70)));
        assertEquals(Duration.ofSeconds(4), allotment.again(one, Duration.ofSeconds(596)));
    }

    @Test
    void whatOthersClaimIsLeftToThem() {
        TimeBudget allotment = new TimeBudget(BUDGET, Duration.ofSeconds(590));
        assertEquals(Duration.ofSeconds(20), allotment.first(scenario(10), Duration.ZERO));
        assertFalse(allotment.fits(Duration.ofSeconds(5), Duration.ofSeconds(20)));
        assertEquals(Duration.ofMinutes(10), allotment.first(scenario(580), Duration.ZERO));
    }

    @Test
    void whereAllDoesNotFitNobodyIsStoppedForIt() {
        TimeBudget allotment = new TimeBudget(BUDGET, Duration.ofSeconds(601));
        assertFalse(allotment.isBinding());
        assertEquals(Duration.ofSeconds(70), allotment.first(scenario(10), BUDGET));
        assertTrue(allotment.fits(Duration.ofSeconds(5), Duration.ofSeconds(20)));
    }

    /// Each takes all that it may, or ends by itself.
    @Test
    void theFirstRoundEndsWithinTheBudgetHoweverSlowAnybodyIs() {
        SplittableRandom random = Seed.of("TimeBudgetTest", 20);
        for (int round = 0; round < 500; round++) {
            List<Scenario> all = new ArrayList<>();
            Duration claims = Duration.ZERO;
            while (true) {
                Scenario one = scenario(1 + random.nextInt(60));
                if (claims.plus(one.expected()).compareTo(BUDGET) > 0) {
                    break;
                }
                claims = claims.plus(one.expected());
                all.add(one);
            }
            TimeBudget allotment = new TimeBudget(BUDGET, claims);
            int slowOfTen = random.nextInt(11);
            Duration elapsed = Duration.ZERO;
            for (Scenario one : all) {
                Duration most = allotment.first(one, elapsed);
                assertTrue(most.compareTo(one.expected()) >= 0, "its claim is kept");
                boolean slow = random.nextInt(10) < slowOfTen;
                elapsed = elapsed.plus(slow ? most : one.expected().dividedBy(2));
            }
            assertTrue(elapsed.compareTo(BUDGET) <= 0, "it ends after " + elapsed);
        }
    }

    private static Scenario scenario(int seconds) {
        return new Scenario(
                "s", List.of(), List.of(), Duration.ofSeconds(seconds), 1, List.of(), 0);
    }
}
