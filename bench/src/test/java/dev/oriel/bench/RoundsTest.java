package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
    private final Rounds figures = new Rounds();

    @Test
    void samplesStandInTheOrderOfRoundsAndFailedOnesAreEmpty() {
        figures.beginRound();
        figures.add("oriel", rate(100, 1));
        figures.beginRound();
        figures.beginRound();
        figures.add("oriel", rate(110, 1));
        figures.beginRound();
        Results.Result result = figures.results().getFirst();
        assertEquals(Arrays.asList(100.0, null, 110.0, null), result.samples());
        assertEquals(Math.sqrt(100 * 110), result.value(), 1e-9);
        assertEquals("written", result.durability());
        assertEquals(5.0, result.cpuPerOp());
        assertNull(result.bytesPerOp());
    }

    @Test
    void aSingleRoundHasNoIntervalAndWantsAnother() {
        figures.beginRound();
        figures.add("oriel", rate(100, 1));
        assertNull(figures.results().getFirst().low());
        assertEquals(Double.POSITIVE_INFINITY, figures.widest());
        figures.beginRound();
        figures.add("oriel", rate(101, 1));
        assertTrue(figures.widest() < 1);
    }

    @Test
    void whoReadsSomethingElseIsNamed() {
        figures.beginRound();
        figures.add("aaa", rate(100, 7));
        figures.add("oriel", rate(100, 8));
        figures.add("zzz", rate(100, 8));
        assertEquals(
                List.of(new Results.Note("w/c", "aaa", "read something else than oriel")),
                figures.differences());
    }

    private static Measurement rate(double value, long checksum) {
        return new Measurement(
                "w/c", "rate", "ops/s", value, 5, Double.NaN, Durability.WRITTEN, checksum);
    }
}
