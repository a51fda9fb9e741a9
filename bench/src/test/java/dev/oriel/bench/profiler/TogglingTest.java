package dev.oriel.bench.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Of work whose cost is known: the clock is moved on by the work itself.
class TogglingTest {
    private static final double BLOCK_NANOS = 100_000;

    private long now;

    /// Work that takes `factor` times as long when it is on, with noise, drift and now and then a
    /// pause.
    private Toggling.Work work(double factor, SplittableRandom random) {
        return new Toggling.Work() {
            private boolean turnedOn;

            @Override
            public void turn(boolean on) {
                turnedOn = on;
                now += 50_000;
            }

            @Override
            public void block(boolean on) {
                assertEquals(turnedOn, on);
                double drift = 1 + now / 1e10;
                double noise = 1 + 0.03 * random.nextGaussian();
                double pause = random.nextInt(50) == 0 ? 2_000_000 : 0;
                now += (long) (BLOCK_NANOS * drift * noise * (on ? factor : 1) + pause);
            }
        };
    }

    @Test
    void whatASwitchCostsIsFoundThroughNoiseDriftAndPauses() throws Exception {
        Toggling.Outcome outcome =
                new Toggling(() -> now, () -> now, 5)
                        .measure(work(1.008, new SplittableRandom(5)), 2_000_000_000L, 20);
        assertEquals(1.008, outcome.ratio().value(), 0.002);
        assertTrue(outcome.ratio().low() > 1 && outcome.ratio().high() < 1.012, outcome::toString);
        assertEquals(BLOCK_NANOS * 1.1, outcome.offNanos(), BLOCK_NANOS * 0.05);
        assertEquals(0.008 * outcome.offNanos(), outcome.cost().value(), 300);
    }

    /// Of 400 switches that cost nothing, the interval says so of about 95 in 100.
    @Test
    void intervalsAreAsWideAsTheySay() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        int covered = 0;
        for (int i = 0; i < 400; i++) {
            Toggling.Outcome outcome =
                    new Toggling(() -> now, () -> now, i).measure(work(1, random.split()), 1, 40);
            covered += outcome.ratio().low() <= 1 && outcome.ratio().high() >= 1 ? 1 : 0;
        }
        assertTrue(covered >= 365, covered + " of 400");
    }
}
