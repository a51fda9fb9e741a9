package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The parent process, with real JVMs below it.
final class BenchTest {
    private final Catalog catalog = new Catalog();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final AtomicInteger passes = new AtomicInteger();
    @TempDir private Path folder;

    @Test
    void equalSubjectsAreRepeatedAndCompared() throws IOException, InterruptedException {
        Bench bench = bench(List.of("oriel-tiny", "same", "unable"), "");
        assertTrue(bench.run());
        Results results = bench.results("today", new Origin("here", "abc"));
        assertEquals(Map.of("tiny/sum", 3), results.rounds());
        assertEquals(3, passes.get());
        assertEquals(2, results.results().size());
        for (Results.Result result : results.results()) {
            assertEquals(3, result.samples().size());
            assertTrue(result.samples().stream().allMatch(sample -> sample != null && sample > 0));
        }
        assertEquals(
                List.of(new Results.Note("tiny/sum", "unable", "it never could")), results.notes());
        assertTrue(printed().contains("tiny/sum: same (round 2)"), printed());
    }

    @Test
    void whoseJdkIsMissingSaysSoAndStartsNothing() throws IOException, InterruptedException {
        Bench bench = bench(List.of("oriel-tiny", "absent"), "");
        assertTrue(bench.run());
        assertEquals(
                List.of(new Results.Note("tiny/sum", "absent", "buy one")),
                bench.results("today", new Origin("here", "abc")).notes());
    }

    @Test
    void whoFailsTwiceRunsNoMoreAndTheOthersGoOn() throws IOException, InterruptedException {
        Bench bench = bench(List.of("oriel-tiny", "failing"), "");
        assertFalse(bench.run());
        Results results = bench.results("today", new Origin("here", "abc"));
        assertEquals(1, results.results().size());
        assertEquals(3, results.results().getFirst().samples().size());
        assertEquals("failing", results.notes().getFirst().subject());
        assertTrue(printed().contains("IllegalStateException: it fails"), printed());
        assertFalse(printed().contains("failing (round 3)"), printed());
    }

    @Test
    void whoReadsSomethingElseIsNamedAndFailsTheRun() throws IOException, InterruptedException {
        Bench bench = bench(List.of("oriel-tiny", "different"), "");
        assertFalse(bench.run());
        Results.Note note = bench.results("today", new Origin("here", "abc")).notes().getFirst();
        assertEquals("different", note.subject());
        assertEquals("read something else than oriel-tiny", note.text());
    }

    @Test
    void aRunGoesOnWhereAnEarlierOneEnded() throws IOException, InterruptedException {
        Bench first = bench(List.of("oriel-tiny", "same", "unable"), "", 2, 1e9);
        assertTrue(first.run());
        Results earlier = first.results("today", new Origin("here", "abc"));
        Path file = folder.resolve("run.json");
        ResultsFile.write(earlier, file);
        Bench second = bench(List.of("oriel-tiny", "same", "unable"), "", 3, 1e9);
        second.resume(ResultsFile.read(file));
        int before = passes.get();
        assertTrue(second.run());
        assertEquals(1, passes.get() - before, "one round is left of three");
        Results whole = second.results("today", new Origin("here", "abc"));
        assertEquals(Map.of("tiny/sum", 3), whole.rounds());
        assertEquals(earlier.notes(), whole.notes());
        for (Results.Result result : whole.results()) {
            Results.Result former =
                    ResultsFile.read(file).results().stream()
                            .filter(one -> one.subject().equals(result.subject()))
                            .findFirst()
                            .orElseThrow();
            assertEquals(3, result.samples().size());
            assertEquals(former.samples(), result.samples().subList(0, 2));
            assertEquals(former.durability(), result.durability());
        }
    }

    @Test
    void aPatternThatNoCaseHasLeavesNothing() {
        assertTrue(bench(List.of("oriel-tiny"), "no such case").isEmpty());
    }

    private Bench bench(List<String> names, String cases) {
        return bench(names, cases, 3, 0); // two may come out the same
    }

    private Bench bench(List<String> names, String cases, int rounds, double widthGoal) {
        List<Subject> subjects =
                catalog.subjects().stream().filter(one -> names.contains(one.name())).toList();
        Options options =
                new Options(
                        Scale.QUICK,
                        cases,
                        Duration.ofMinutes(10),
                        rounds,
                        widthGoal,
                        folder,
                        1,
                        "./oriel bench");
        Progress progress = new Progress(new PrintStream(text, true, StandardCharsets.UTF_8), 0);
        return new Bench(
                catalog,
                options,
                List.of(catalog.workload("tiny")),
                subjects,
                progress,
                _ -> passes.incrementAndGet());
    }

    private String printed() {
        return text.toString(StandardCharsets.UTF_8);
    }
}
