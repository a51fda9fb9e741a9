package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.CallDetail;
import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.Histogram;
import dev.oriel.profiler.ProfileFormatException;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.RunFile;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.Totals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordedTest {
    @TempDir private Path folder;

    @Test
    void forksOfBenchmarksAreRuns() throws IOException, CompareFailure {
        Path a = jmh("a", "thrpt", "ops/us", "split", 0.1, 0.101, 0.099, 0.1);
        Path b = jmh("b", "thrpt", "ops/us", "split", 0.05, 0.0505, 0.0495, 0.05);
        Comparison comparison =
                Objects.requireNonNull(Recorded.compare(a, b).get("com.Bench.run {n=9}"));
        Difference wall = Objects.requireNonNull(comparison.operation().get(Measure.WALL));
        assertEquals(10_000, wall.costA(), 100);
        assertEquals(20_000, wall.costB(), 200);
        assertEquals(Verdict.SLOWER, wall.change().verdict());
        assertEquals(2, wall.change().ratio().value(), 0.01);
        assertTrue(comparison.worse());
        assertFalse(comparison.inTurns());
        assertEquals("com.Words.split", comparison.causes().getFirst().method().name());
        assertEquals(
                "com.Words.split costs 2.00x [1.97, 2.03] per operation, because each call takes"
                        + " longer",
                comparison.causes().getFirst().method().sentence());
        assertEquals(1, comparison.causes().getFirst().method().callsA(), 1e-9);
    }

    /// JMH writes an empty array for a fork none of whose iterations has a result of that name.
    @Test
    void aMethodThatAForkDoesNotNameCostNothingThere() throws IOException, CompareFailure {
        String json =
                """
                [{"benchmark": "com.Bench.run", "mode": "avgt", "threads": 1,
                  "primaryMetric": {"score": 0, "scoreUnit": "ns/op",
                    "rawData": [[100, 100], [101, 101], [99, 99]]},
                  "secondaryMetrics": {
                    "oriel.time.com.Words.split": {"rawData": [[50, 50], [51, 51], [49, 49]]},
                    "oriel.time.com.Words.rare": {"rawData": [[2], [], [2, 2]]}}}]
                """;
        Path a = Files.writeString(folder.resolve("a.json"), json);
        Path b = Files.writeString(folder.resolve("b.json"), json);
        Comparison comparison = Recorded.compare(a, b).values().iterator().next();
        String text = new ComparisonText("a", "b").withTables().of(comparison);
        assertFalse(text.contains("NaN"), text);
        assertTrue(text.contains("com.Words.split"), text);
        MethodChange rare =
                Objects.requireNonNull(comparison.methods().get(Measure.TIME)).getLast();
        assertEquals("com.Words.rare", rare.name());
        assertEquals(1, rare.self().costA(), 1e-9); // (1 + 0 + 2) / 3
    }

    @Test
    void oneBenchmarkInTwoModesIsTwo() throws IOException, CompareFailure {
        String json =
                """
                [{"benchmark": "com.Bench.run", "mode": "avgt", "threads": 1,
                  "primaryMetric": {"score": 0, "scoreUnit": "ns/op", "rawData": [[100], [101]]}},
                 {"benchmark": "com.Bench.run", "mode": "ss", "threads": 1,
                  "primaryMetric": {"score": 0, "scoreUnit": "us/op", "rawData": [[3], [4]]}}]
                """;
        Path a = Files.writeString(folder.resolve("a.json"), json);
        assertEquals(
                List.of("com.Bench.run", "com.Bench.run (ss)"),
                List.copyOf(Recorded.compare(a, a).keySet()));
    }

    @Test
    void oneForkHasNoIntervalAndNoVerdict() throws IOException, CompareFailure {
        Path a = jmh("a", "avgt", "ns/op", "split", 100);
        Path b = jmh("b", "avgt", "ns/op", "split", 300);
        Comparison comparison = Recorded.compare(a, b).values().iterator().next();
        assertFalse(comparison.worse());
        assertTrue(comparison.unknown());
        String text = new ComparisonText("a", "b").withTables().of(comparison);
        assertTrue(text.contains("No interval: one run each."), text);
        assertTrue(text.contains("3.00x (no interval)"), text);
    }

    @Test
    void unitsThatDifferAreNotCompared() throws IOException {
        Path a = jmh("a", "avgt", "ns/op", "split", 100, 101);
        Path b = jmh("b", "thrpt", "ops/ms", "split", 100, 101);
        assertFails("was not measured alike, so it cannot be compared: mode avgt", a, b);
        Path bytes = jmh("c", "avgt", "B/op", "split", 100, 101);
        assertFails("the unit 'B/op', which is neither a time nor a rate", bytes, a);
    }

    @Test
    void whatIsNoResultIsNamed() throws IOException {
        Path a = jmh("a", "avgt", "ns/op", "split", 100, 101);
        Path other = Files.writeString(folder.resolve("other.json"), "{\"x\": 1}");
        assertFails("does not hold results of JMH", a, other);
        Path broken = Files.writeString(folder.resolve("broken.json"), "[{");
        assertFails("is not JSON", a, broken);
        assertFails("is a recording or a folder of them", a, folder);
    }

    @Test
    void recordingsAreComparedByShares() throws IOException, CompareFailure {
        Path a = recording("a.jfr");
        Path b = recording("b.jfr");
        Comparison comparison = Objects.requireNonNull(Recorded.compare(a, b).get(""));
        assertEquals(1, comparison.pairs());
        assertFalse(comparison.differs());
        assertTrue(comparison.methods().containsKey(Measure.BYTES_SHARE));
        assertTrue(
                new ComparisonText("a", "b").of(comparison).contains("No interval: one run each."));
    }

    @Test
    void runFilesAreComparedByWhatAnOperationCosts() throws IOException, CompareFailure {
        Path a = Files.createDirectory(folder.resolve("a"));
        Path b = Files.createDirectory(folder.resolve("b"));
        for (int i = 0; i < 4; i++) {
            // As long a run of B does half of the operations.
            run(a.resolve(i + ".orun"), 1_000, 1_000_000 + 1_000 * i, SampleKind.CPU);
            run(b.resolve(i + ".orun"), 500, 1_000_000 + 1_500 * i, SampleKind.CPU);
        }
        Comparison comparison = Objects.requireNonNull(Recorded.compare(a, b).get(""));
        Difference cpu = Objects.requireNonNull(comparison.operation().get(Measure.CPU));
        assertEquals(2, cpu.change().ratio().value(), 0.01);
        assertEquals("a.B.get", comparison.causes().getFirst().method().name());
        assertTrue(
                comparison.causes().stream()
                        .anyMatch(cause -> cause.method().measure() == Measure.TIME));
        assertTrue(comparison.worse());
    }

    @Test
    void processorTimeOfMethodsIsThatOfTheSamplesThereAre() throws IOException, CompareFailure {
        Path a = run(folder.resolve("a.orun"), 1_000, 1_000_000, SampleKind.CPU_TIME);
        Path b = run(folder.resolve("b.orun"), 1_000, 1_000_000, SampleKind.CPU_TIME);
        Comparison comparison = Objects.requireNonNull(Recorded.compare(a, b).get(""));
        assertEquals(
                List.of("a.B.get"),
                comparison.methods().getOrDefault(Measure.CPU, List.of()).stream()
                        .map(MethodChange::name)
                        .toList());
    }

    @Test
    void recordingsInDifferentUnitsAreNotCompared() throws IOException {
        Path cpu = run(folder.resolve("cpu.orun"), 10, 1_000, SampleKind.CPU);
        Path time = run(folder.resolve("time.orun"), 10, 1_000, SampleKind.CPU_TIME);
        assertFails("A holds samples of CPU, B of CPU time. Record both alike", cpu, time);
        Path uncounted = run(folder.resolve("uncounted.orun"), -1, 1_000, SampleKind.CPU);
        assertFails("their costs have different units: record all of them alike", cpu, uncounted);
        Path parks = folder.resolve("parks.collapsed");
        RunFile.write(
                new ProfileResult(
                        Instant.EPOCH,
                        1,
                        0,
                        0,
                        List.of(),
                        List.of(new Sample(SampleKind.PARK, 0, "main", stack(), 5)),
                        List.of()),
                parks);
        assertFails("have nothing in common that can be compared", uncounted, parks);
    }

    @Test
    void emptyAndUnreadableRecordingsAreNamed() throws IOException {
        Path cpu = run(folder.resolve("cpu.orun"), 10, 1_000, SampleKind.CPU);
        Path empty = folder.resolve("empty.orun");
        RunFile.write(
                new ProfileResult(Instant.EPOCH, 0, 0, 0, List.of(), List.of(), List.of()), empty);
        assertFails("holds no call and no sample", cpu, empty);
        assertFails("There is no recording in", cpu, Files.createDirectory(folder.resolve("no")));
        byte[] whole = Files.readAllBytes(cpu);
        Path half =
                Files.write(folder.resolve("half.orun"), Arrays.copyOf(whole, whole.length / 2));
        ProfileFormatException unreadable =
                assertThrows(ProfileFormatException.class, () -> Recorded.compare(cpu, half));
        assertTrue(String.valueOf(unreadable.getMessage()).contains("half.orun"));
    }

    /// Stacks of other tools have shares alone.
    @Test
    void collapsedStacksAreComparedByShares() throws IOException, CompareFailure {
        Path a = Files.writeString(folder.resolve("a.collapsed"), "m;a.B.x 90\nm;a.B.y 10\n");
        Path b = Files.writeString(folder.resolve("b.collapsed"), "m;a.B.x 50\nm;a.B.y 50\n");
        Comparison comparison = Objects.requireNonNull(Recorded.compare(a, b).get(""));
        MethodChange x =
                Objects.requireNonNull(comparison.methods().get(Measure.CPU_SHARE)).stream()
                        .filter(change -> change.name().equals("a.B.x"))
                        .findFirst()
                        .orElseThrow();
        assertEquals(90, x.total().costA(), 0.01);
        assertEquals(50, x.total().costB(), 0.01);
    }

    /// As an overload does that calls another, and what comes back to it from deeper.
    @Test
    void callsThatAMethodMakesOfItselfAreNoOperations() {
        CallDetail detail = new CallDetail(0, 500, 0, 0, 0, Histogram.EMPTY);
        CallNode deeper = new CallNode("a.B.sell", 7, 10, 10, 1, 1, List.of());
        CallNode sell = new CallNode("a.B.sell", 1_000, 90, 80, 1, 1, detail, List.of(deeper));
        CallNode main = new CallNode("a.B.main", 1, 100, 10, 100, 100, List.of(sell));
        ProfileResult result =
                new ProfileResult(Instant.EPOCH, 100, 0, 0, List.of(main), List.of(), List.of());
        assertEquals(500, new RunCosts(List.of(result)).calls("a.B.sell"));
        assertEquals(1, new RunCosts(List.of(result)).calls("a.B.main"));
    }

    private static List<Sample.StackFrame> stack() {
        return List.of(Sample.StackFrame.parse("a.B.get:7"));
    }

    /// A run of one method, which took `nanos` for each of a thousand calls.
    private static Path run(Path file, long operations, long nanos, SampleKind kind)
            throws IOException {
        long all = 1_000 * nanos;
        CallNode get = new CallNode("a.B.get", 1_000, all, all, nanos, nanos, List.of());
        ProfileResult result =
                new ProfileResult(
                                Instant.EPOCH,
                                all,
                                0,
                                0,
                                List.of(get),
                                List.of(new Sample(kind, 0, "main", stack(), 100, 100, "")),
                                List.of())
                        .withTotals(new Totals(operations, all, 1_000_000, 1, 0, 1));
        RunFile.write(result, file);
        return file;
    }

    private void assertFails(String message, Path a, Path b) {
        CompareFailure failure = assertThrows(CompareFailure.class, () -> Recorded.compare(a, b));
        assertTrue(String.valueOf(failure.getMessage()).contains(message), failure::toString);
    }

    private Path recording(String name) throws IOException {
        Path file = folder.resolve(name);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
            recording.start();
            long sum = 0;
            for (int i = 0; i < 20_000; i++) {
                sum += new byte[1_000 + i % 7].length;
            }
            assertTrue(sum > 0);
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    /// Results of one benchmark with a fork for each score, as JMH writes them; its one method costs
    /// half of the operation.
    private Path jmh(String name, String mode, String unit, String method, double... forks)
            throws IOException {
        boolean rate = unit.startsWith("ops/");
        String scores = raw(forks);
        String costs = raw(Arrays.stream(forks).map(x -> rate ? 500 / x : x / 2).toArray());
        String calls = raw(Arrays.stream(forks).map(x -> 1).toArray());
        String json =
                """
                [{"benchmark": "com.Bench.run", "mode": "%s", "threads": 1, "params": {"n": "9"},
                  "primaryMetric": {"score": 0, "scoreUnit": "%s", "rawData": [%s]},
                  "secondaryMetrics": {
                    "oriel.time.com.Words.%s": {"scoreUnit": "ns/op", "rawData": [%s]},
                    "oriel.calls.com.Words.%s": {"scoreUnit": "calls/op", "rawData": [%s]}}}]
                """
                        .formatted(mode, unit, scores, method, costs, method, calls);
        return Files.writeString(folder.resolve(name + ".json"), json);
    }

    /// Two iterations a fork.
    private static String raw(double[] forks) {
        return Arrays.stream(forks)
                .mapToObj(score -> "[" + score + ", " + score + "]")
                .collect(Collectors.joining(", "));
    }
}
