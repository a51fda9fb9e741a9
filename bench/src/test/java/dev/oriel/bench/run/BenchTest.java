package dev.oriel.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Subject;
import dev.oriel.bench.TinyWorkload;
import dev.oriel.bench.Workload;
import dev.oriel.bench.command.BenchCommand;
import dev.oriel.bench.results.Origin;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.ResultsFile;
import dev.oriel.compare.FreshJvm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
    void aRunOfOneRoundEndsAfterItHoweverWideItsIntervalsAre()
            throws IOException, InterruptedException {
        Bench bench = bench(List.of("oriel-tiny", "same"), "", 1, Double.POSITIVE_INFINITY);
        assertTrue(bench.run());
        Results results = bench.results("today", new Origin("here", "abc"));
        assertEquals(Map.of("tiny/sum", 1), results.rounds());
        assertEquals(1, passes.get());
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
    void whoIsLateIsSaidToBeAndNotAskedAgain() throws IOException, InterruptedException {
        List<String> names = List.of("oriel-tiny", "late");
        Bench bench = bench(names, "");
        assertTrue(bench.run());
        Results results = bench.results("today", new Origin("here", "abc"));
        String said = "stopped at 7 records after 3 s";
        assertEquals(List.of(new Results.Note("tiny/sum", "late", said)), results.notes());
        Results.Result late =
                results.results().stream()
                        .filter(one -> one.subject().equals("late"))
                        .findFirst()
                        .orElseThrow();
        assertEquals(
                Arrays.asList(false, true, true),
                late.samples().stream().map(Objects::isNull).toList());
        assertEquals("as it comes", results.settings().get("late"));

        Bench second = bench(names, "", 4, 0);
        second.resume(results);
        text.reset();
        assertTrue(second.run());
        assertFalse(printed().contains("late (round"), printed());
    }

    /// A JVM is ended when its time is over; what it told until then stands.
    @Test
    void whoHasNoTimeLeftIsEnded() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(TinyWorkload.HANG), "");
        Files.writeString(folder.resolve(TinyWorkload.ONCE), "");
        Workload tiny = catalog.workload("tiny");
        Subject slow = catalog.subject(tiny, "slow");
        Forked forked =
                Forked.run(
                        System.getProperty("java.class.path"),
                        options("", 3, 0),
                        tiny,
                        tiny.scenarios(Scale.QUICK, List.of(slow)).getFirst(),
                        slow,
                        Duration.ofSeconds(8),
                        _ -> {});
        assertTrue(forked.late());
        assertEquals("stopped after 8 s, while waiting", forked.failure());
        assertEquals(1, forked.measurements().size());
    }

    /// The run is killed while a subject is measured: its JVM ends by itself, and the same command goes
    /// on with what was found before.
    @Test
    void aRunThatWasKilledInTheMiddleOfASubjectIsGoneOnWith() throws Exception {
        Path databases = Files.createDirectories(folder.resolve("databases"));
        Path file = folder.resolve("run.json");
        Files.writeString(databases.resolve(TinyWorkload.HANG), "");
        Process run = start(databases, file);
        try {
            await(run, "slow (round 2)");
            ProcessHandle child = child(run);
            run.destroyForcibly().waitFor();
            child.onExit().get(2, TimeUnit.MINUTES);
        } finally {
            run.destroyForcibly();
        }
        Results earlier = ResultsFile.read(file);
        assertEquals(Map.of("tiny/sum", 1), earlier.rounds());
        assertEquals(
                "./oriel bench tiny --peers=oriel-tiny,same,slow --dir=databases --json=run.json --rounds=3",
                earlier.command());
        assertEquals(1, abandoned(databases).size());
        Temporary.sweep(databases);
        assertEquals(List.of(), abandoned(databases));

        Bench second = bench(List.of("oriel-tiny", "same", "slow"), "", 3, 1e9);
        second.resume(earlier);
        assertTrue(second.run());
        Results whole = second.results("today", new Origin("here", "abc"));
        assertEquals(Map.of("tiny/sum", 3), whole.rounds());
        assertEquals(3, whole.results().size());
        for (int i = 0; i < 3; i++) {
            Results.Result one = whole.results().get(i);
            assertEquals(3, one.samples().size());
            assertEquals(earlier.results().get(i).samples(), one.samples().subList(0, 1));
        }
    }

    private static Process start(Path databases, Path file) throws IOException {
        return new ProcessBuilder(
                        FreshJvm.ownJava().toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchCommand.class.getName(),
                        "tiny",
                        "--peers=oriel-tiny,same,slow",
                        "--dir=" + databases,
                        "--json=" + file,
                        "--rounds=3")
                .redirectErrorStream(true)
                .start();
    }

    private static void await(Process run, String words) throws IOException {
        BufferedReader lines = run.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.contains(words)) {
                return;
            }
        }
        fail("It never said '" + words + "' but: " + said);
    }

    private static ProcessHandle child(Process run) {
        while (true) {
            Optional<ProcessHandle> child = run.children().findFirst();
            if (child.isPresent()) {
                return child.get();
            }
            assertTrue(run.isAlive(), "it has ended");
            Thread.onSpinWait();
        }
    }

    private static List<Path> abandoned(Path databases) throws IOException {
        try (Stream<Path> all = Files.list(databases)) {
            return all.filter(Files::isDirectory).toList();
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
        Options options = options(cases, rounds, widthGoal);
        Progress progress = new Progress(new PrintStream(text, true, StandardCharsets.UTF_8), 0);
        return new Bench(
                catalog,
                options,
                List.of(catalog.workload("tiny")),
                subjects,
                progress,
                _ -> passes.incrementAndGet());
    }

    private Options options(String cases, int rounds, double widthGoal) {
        return new Options(
                Scale.QUICK,
                cases,
                Duration.ofMinutes(10),
                rounds,
                widthGoal,
                folder,
                1,
                "./oriel bench");
    }

    private String printed() {
        return text.toString(StandardCharsets.UTF_8);
    }
}
