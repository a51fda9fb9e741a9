package dev.oriel.bench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Answer;
import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
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
        assertEquals(Double.POSITIVE_INFINITY, figures.widest(Set.of("oriel")));
        figures.beginRound();
        figures.add("oriel", rate(101, 1));
        assertTrue(figures.widest(Set.of("oriel")) < 1);
        figures.add("stopped", rate(50, 1));
        assertTrue(figures.widest(Set.of("oriel")) < 1, "who runs no more wants no other");
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

    private static final Answer RIGHT = new Answer(1, 5, List.of(16.3862, 0.0499));

    private List<Results.Note> differencesOf(Answer derbys) {
        figures.beginRound();
        figures.add("derby-disk", new Answer.Answered("w/q", derbys));
        figures.add("oriel", new Answer.Answered("w/q", RIGHT));
        return figures.differences();
    }

    @Test
    void quotientsMayDifferByOneInAHundred() {
        assertEquals(List.of(), differencesOf(new Answer(2, 5, List.of(16.38, 0.049))));
        assertEquals(List.of(), differencesOf(new Answer(2, 5, List.of(16.5, 0.05))));
    }

    @Test
    void quotientsThatDifferByMoreAreNamed() {
        Results.Note note = new Results.Note("w/q", "derby-disk", "read something else than oriel");
        assertEquals(List.of(note), differencesOf(new Answer(2, 5, List.of(16.56, 0.05))));
        assertEquals(List.of(note), differencesOf(new Answer(2, 5, List.of(16.38, 0.06))));
        assertEquals(List.of(note), differencesOf(new Answer(2, 5, List.of(16.38))));
    }

    @Test
    void whatIsNoQuotientMayNotDiffer() {
        Results.Note note = new Results.Note("w/q", "derby-disk", "read something else than oriel");
        assertEquals(List.of(note), differencesOf(new Answer(1, 6, RIGHT.quotients())));
    }

    /// Who has all digits is held to all of them: its sum is in its measurement.
    @Test
    void whoDividesExactlyIsHeldToEachDigit() {
        figures.beginRound();
        figures.add("duckdb", new Answer.Answered("w/c", new Answer(2, 5, List.of(16.38, 0.05))));
        figures.add("duckdb", rate(1, 2));
        figures.add("oriel", new Answer.Answered("w/c", RIGHT));
        figures.add("oriel", rate(1, 1));
        assertEquals(1, figures.differences().size());
    }

    private static Measurement rate(double value, long checksum) {
        return new Measurement(
                "w/c", "rate", "ops/s", value, 5, Double.NaN, Durability.WRITTEN, checksum);
    }
}
