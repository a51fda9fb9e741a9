package dev.oriel.bench.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.run.Options;
import dev.oriel.bench.run.Progress;
import dev.oriel.bench.run.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gate, with real JVMs below it: this build against itself.
final class GateTest {
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    @TempDir private Path folder;

    /// A name like `oriel` stands for a subject of each kind, of which a workload takes one.
    @Test
    void everyPartRunsOnceAPair() {
        List<String> labels = gate(Gate.SMALL, 6).labels();
        assertFalse(labels.isEmpty());
        assertEquals(List.copyOf(new LinkedHashSet<>(labels)), labels);
    }

    @Test
    void saysHowManyPairsThereWere() throws IOException, InterruptedException, UserError {
        Gate gate = gate("^tiny/", 2);
        assertEquals(List.of("tiny/sum, oriel-tiny"), gate.labels());
        gate.run();
        List<String> said = text.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(2, said.size(), said.toString());
        assertTrue(
                said.getLast().contains("pair 2 of 2: tiny/sum, oriel-tiny, 1 left in this pass"),
                said.getLast());
        assertEquals(
                "Cost of the working tree over that of main, 2 pairs",
                gate.costs().table("main").lines().findFirst().orElseThrow());
    }

    private Gate gate(String cases, int pairs) {
        Options options =
                new Options(
                        Scale.QUICK,
                        cases,
                        Duration.ofMinutes(10),
                        pairs,
                        0,
                        folder,
                        1,
                        "./oriel bench");
        Progress progress = new Progress(new PrintStream(text, true, StandardCharsets.UTF_8), 0);
        return new Gate(options, System.getProperty("java.class.path"), progress);
    }
}
