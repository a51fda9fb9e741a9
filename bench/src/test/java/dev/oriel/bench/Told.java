package dev.oriel.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs a scenario in this JVM and keeps what it tells.
record Told(List<Measurement> measurements, List<String> cannot) {
    static Told by(Workload workload, Scenario scenario, Subject subject, Scale scale, Path folder)
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

    List<String> cases() {
        return measurements.stream().map(Measurement::caseName).distinct().toList();
    }

    /// The one figure of a case and metric.
    Measurement of(String caseName, String metric) {
        return measurements.stream()
                .filter(one -> one.caseName().equals(caseName) && one.metric().equals(metric))
                .reduce((a, b) -> {
                    throw new IllegalStateException("Told twice: " + a);
                })
                .orElseThrow(() -> new IllegalStateException("Not told: " + caseName));
    }
}
