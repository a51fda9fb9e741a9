package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Totals;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Programs whose calls take 100 ns to record.
final class CostlyCallsTest {
    private static final long RECORDING = 100;

    @Test
    void methodThatIsCalledMostIsLeftOut() {
        List<ProfileResult> files = run(1_000_000, 5_000);
        assertEquals(Set.of("a.B.tiny"), CostlyCalls.of(files, ""));
        assertEquals(Set.of("a.B.work"), CostlyCalls.of(files, "tiny"));
        assertEquals(Set.of(), CostlyCalls.of(run(1_000_000, 500), ""));
    }

    /// Then few runs must do.
    @Test
    void recordingThatTakesLongerThanTheProgramIsTold() {
        assertTrue(CostlyCalls.doubleTheTime(run(1_000_000, 6_000)));
        assertFalse(CostlyCalls.doubleTheTime(run(1_000_000, 4_000)));
    }

    /// A run that takes `nanos` of processor time, with the cost of recording.
    private static List<ProfileResult> run(long nanos, long tinyCalls) {
        CallNode tiny = new CallNode("a.B.tiny", tinyCalls, 0, 0, 0, 0, List.of());
        CallNode work = new CallNode("a.B.work", 10, nanos, nanos, 1, nanos, List.of(tiny));
        return List.of(
                new ProfileResult(
                                Instant.EPOCH,
                                nanos,
                                RECORDING,
                                0,
                                List.of(work),
                                List.of(),
                                List.of())
                        .withTotals(new Totals(1, nanos, 0, 1, 0, 1)));
    }
}
