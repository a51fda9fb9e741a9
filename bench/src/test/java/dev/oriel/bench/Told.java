package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs a scenario in this JVM and keeps what it tells.
public record Told(List<Measurement> measurements, List<String> cannot) {
    public static Told by(
            Workload workload, Scenario scenario, Subject subject, Scale scale, Path folder)
            throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            workload.run(scenario, subject, new Run(scale, folder, 7, name -> true, out));
        }
        List<Measurement> measurements = new ArrayList<>();
        List<String> cannot = new ArrayList<>();
        for (String line : bytes.toString(StandardCharsets.UTF_8).lines().toList()) {
            String[] fields = line.split("\t", -1);
            if (fields[1].equals(Lines.MEASURED)) {
                measurements.add(Lines.measurement(fields));
            } else if (fields[1].equals(Lines.CANNOT)) {
                cannot.add(fields[2]);
            }
        }
        return new Told(measurements, cannot);
    }

    /// Runs every scenario of a workload for ours, the first of `subjects`: each measures all its cases.
    public static void everyCase(List<Subject> subjects, Path folder, Workload workload)
            throws Exception {
        int at = 0;
        for (Scenario scenario : workload.scenarios(Scale.QUICK, subjects)) {
            assertEquals(List.of("oriel"), scenario.subjects());
            Told told =
                    by(
                            workload,
                            scenario,
                            subjects.getFirst(),
                            Scale.QUICK,
                            folder.resolve("run" + at++));
            assertEquals(List.of(), told.cannot());
            assertEquals(scenario.cases(), told.cases(), scenario.name());
            for (Measurement one : told.measurements()) {
                assertTrue(one.value() > 0, one.toString());
            }
        }
        assertTrue(at > 0);
    }

    public List<String> cases() {
        return measurements.stream().map(Measurement::caseName).distinct().toList();
    }

    /// The one figure of a case and metric.
    public Measurement of(String caseName, String metric) {
        return measurements.stream()
                .filter(one -> one.caseName().equals(caseName) && one.metric().equals(metric))
                .reduce((a, b) -> {
                    throw new IllegalStateException("Told twice: " + a);
                })
                .orElseThrow(() -> new IllegalStateException("Not told: " + caseName));
    }
}
