package dev.oriel.bench.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.Workload;
import dev.oriel.bench.measure.WarmUp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our subjects do each scenario of the workload, and find all that they have written.
final class FacesWorkloadTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void transactionsReadsAndMaps() throws Exception {
        Workload workload = new FacesWorkload(new FacesPace(new WarmUp(SOON, SOON), SOON), 2_000);
        List<Subject> subjects = new FacesSubjects().subjects();
        int runs = 0;
        for (Scenario scenario : workload.scenarios(Scale.QUICK, subjects)) {
            for (Subject subject : subjects) {
                if (!scenario.subjects().contains(subject.name())) {
                    continue;
                }
                Path own = folder.resolve("run" + runs++);
                Told told = Told.by(workload, scenario, subject, Scale.QUICK, own);
                assertEquals(List.of(), told.cannot());
                assertEquals(
                        new TreeSet<>(scenario.cases()),
                        new TreeSet<>(told.cases()),
                        scenario.name());
                told.measurements().forEach(one -> assertTrue(one.value() > 0, one::toString));
            }
        }
        assertEquals(9, runs);
    }
}
