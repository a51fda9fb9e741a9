package dev.oriel.bench.jdbm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Lines;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.WarmUp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbmWorkloadTest {
    private static final JdbmTimes SHORT =
            new JdbmTimes(
                    new WarmUp(Duration.ofMillis(1), Duration.ofMillis(5)),
                    Duration.ofMillis(4),
                    Duration.ofMinutes(1));

    private final JdbmWorkload workload = new JdbmWorkload(SHORT);
    private final RecordSubject subject = OrielRecordSubject.ofTree();

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"in-order/1300x150/written", "at-random/1300x1500/sync"})
    void insertsScansAndGets(String scenario) throws Exception {
        List<Measurement> measured = run(scenario);
        for (String what : List.of("insert", "scan", "get")) {
            assertTrue(value(measured, "jdbm/" + what + "/" + scenario, "rate") > 0);
        }
        String get = "jdbm/get/" + scenario;
        assertTrue(value(measured, get, "p50") > 0);
        assertTrue(value(measured, get, "p99") >= value(measured, get, "p50"));
        assertTrue(value(measured, "jdbm/insert/" + scenario, "file-ratio") > 1);
        assertTrue(measured.stream().allMatch(one -> one.value() > 0));
    }

    @Test
    void checksumsDependOnTheRecordsAlone() throws Exception {
        String scenario = "in-order/1300x150/written";
        assertEquals(checksums(run(scenario)), checksums(run(scenario)));
        assertTrue(checksums(run(scenario)).stream().filter(sum -> sum != 0).count() == 2);
    }

    @Test
    void committersCommit() throws Exception {
        List<Measurement> measured = run(JdbmScenarios.COMMITS);
        for (int threads : JdbmScenarios.COMMITTERS) {
            assertTrue(value(measured, "jdbm/commit/" + threads, "rate") > 0);
            assertTrue(value(measured, "jdbm/commit/" + threads, "p99") > 0);
        }
        assertTrue(value(run(JdbmScenarios.COMMITS_WRITTEN), "jdbm/commit-written/1", "rate") > 0);
    }

    /// The store's own ids are no numbers to be scattered, and are left out there.
    @Test
    void recordsUnderIdsOfTheStoreAreReadAsTheTreeIs() throws Exception {
        String scenario = "in-order/1300x150/written";
        List<Measurement> measured = run(OrielRecordSubject.ofRecords(), scenario);
        assertEquals(checksums(run(scenario)), checksums(measured));
        assertTrue(value(measured, "jdbm/get/" + scenario, "rate") > 0);
        assertEquals(List.of(), run(OrielRecordSubject.ofRecords(), "at-random/1300x150/written"));
    }

    @Test
    void aLoadThatIsStoppedHasFewerRecords() throws IOException {
        JdbmLoad.Opening opening = path -> subject.open(path, Durability.WRITTEN, 100_000);
        JdbmLoad.Plan plan = new JdbmLoad.Plan(100_000, 500, false);
        JdbmLoad load = new JdbmLoad(opening, new JdbmData(true, 150, 1), plan);
        Meter.Reading reading =
                load.measure(folder.resolve("store"), Duration.ZERO, Duration.ofNanos(1));
        assertTrue(reading.operations() < 100_000);
    }

    @ParameterizedTest
    @EnumSource(Scale.class)
    void scenariosHaveNamesOfTheirOwnAndCasesOfTheWorkload(Scale scale) {
        Set<String> names = new HashSet<>();
        Set<String> cases = new HashSet<>();
        for (Scenario scenario : workload.scenarios(scale, List.of(subject))) {
            assertTrue(names.add(scenario.name()), scenario.name());
            assertEquals(List.of("oriel"), scenario.subjects());
            for (String name : scenario.cases()) {
                assertTrue(name.startsWith("jdbm/") && cases.add(name), name);
            }
        }
        assertTrue(cases.contains("jdbm/commit/64"));
    }

    @Test
    void parametersAreReadBackFromTheName() {
        JdbmParameters parameters =
                new JdbmParameters("at-random", 1_000_000, 150, Durability.WRITTEN);
        assertEquals("jdbm/get/at-random/1000000x150/written", parameters.caseName("get"));
        assertEquals(parameters, JdbmParameters.parse(parameters.scenario()));
    }

    private static double value(List<Measurement> measured, String caseName, String metric) {
        List<Measurement> found =
                measured.stream()
                        .filter(one -> one.caseName().equals(caseName))
                        .filter(one -> one.metric().equals(metric))
                        .toList();
        assertEquals(1, found.size(), caseName + " " + metric);
        return found.getFirst().value();
    }

    private static List<Long> checksums(List<Measurement> measured) {
        return measured.stream()
                .filter(one -> one.metric().equals("rate"))
                .map(Measurement::checksum)
                .toList();
    }

    private List<Measurement> run(String scenario) throws Exception {
        return run(subject, scenario);
    }

    private List<Measurement> run(RecordSubject of, String scenario) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            Scenario one =
                    new Scenario(scenario, List.of(), List.of(), Duration.ZERO, 1, List.of(), 0);
            Path empty = Files.createTempDirectory(folder, "run");
            workload.run(one, of, new Run(Scale.QUICK, empty, 5, name -> true, out));
        }
        List<Measurement> measured = new ArrayList<>();
        for (String line : bytes.toString(StandardCharsets.UTF_8).split("\n", -1)) {
            String[] fields = line.split("\t", -1);
            if (fields.length > 1 && fields[1].equals(Lines.MEASURED)) {
                measured.add(Lines.measurement(fields));
            }
        }
        return measured;
    }
}
