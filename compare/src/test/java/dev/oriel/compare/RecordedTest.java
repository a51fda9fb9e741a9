package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
                "com.Words.split costs 2.00x [1.97, 2.03] per operation, because each call takes longer",
                comparison.causes().getFirst().method().sentence());
    }

    @Test
    void oneForkHasNoIntervalAndNoVerdict() throws IOException, CompareFailure {
        Path a = jmh("a", "avgt", "ns/op", "split", 100);
        Path b = jmh("b", "avgt", "ns/op", "split", 300);
        Comparison comparison = Recorded.compare(a, b).values().iterator().next();
        assertFalse(comparison.worse());
        assertTrue(comparison.unknown());
        String text = new ComparisonText("a", "b").of(comparison);
        assertTrue(text.contains("No interval: one run each."), text);
        assertTrue(text.contains("3.00x (no interval)"), text);
    }

    @Test
    void unitsThatDifferAreNotCompared() throws IOException {
        Path a = jmh("a", "avgt", "ns/op", "split", 100, 101);
        Path b = jmh("b", "thrpt", "ops/ms", "split", 100, 101);
        assertFails("was not measured alike: mode avgt", a, b);
        Path bytes = jmh("c", "avgt", "B/op", "split", 100, 101);
        assertFails("the unit 'B/op', which is no time and no rate", bytes, a);
    }

    @Test
    void whatIsNoResultIsNamed() throws IOException {
        Path a = jmh("a", "avgt", "ns/op", "split", 100, 101);
        Path other = Files.writeString(folder.resolve("other.json"), "{\"x\": 1}");
        assertFails("does not hold results of JMH", a, other);
        Path broken = Files.writeString(folder.resolve("broken.json"), "[{");
        assertFails("is no JSON", a, broken);
        assertFails("is a recording of the Flight Recorder", a, folder);
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
