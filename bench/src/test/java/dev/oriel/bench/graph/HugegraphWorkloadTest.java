package dev.oriel.bench.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Measurement;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our graph on the disk and in memory does every case, and reads the same.
class HugegraphWorkloadTest {
    private static final HugegraphSizes TINY =
            new HugegraphSizes(
                    400,
                    800,
                    600,
                    4_000,
                    20,
                    300,
                    600,
                    2_000,
                    Duration.ofMillis(1),
                    Duration.ofMillis(1),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(60));

    private final Workload workload = new HugegraphWorkload(TINY);
    private final List<Subject> subjects = new OrielGraphSubjects().subjects();
    @TempDir private Path folder;

    @Test
    void everyCaseIsMeasuredOnce() throws Exception {
        for (Scenario scenario : workload.scenarios(Scale.QUICK, subjects)) {
            for (Subject subject : subjects) {
                if (scenario.subjects().contains(subject.name())) {
                    Told told = told(scenario, subject);
                    assertEquals(List.of(), told.cannot());
                    Set<String> expected = new HashSet<>(scenario.cases());
                    if (subject.name().equals("oriel-memory")) {
                        expected.removeIf(name -> name.endsWith("/size"));
                    }
                    assertEquals(expected, new HashSet<>(told.cases()), scenario.name());
                    for (Measurement one : told.measurements()) {
                        assertTrue(one.value() > 0, one.caseName());
                    }
                }
            }
        }
    }

    @Test
    void bothReadTheSameAndLinkBenchEndsWithTheSameGraph() throws Exception {
        Subject disk = subjects.getFirst();
        Subject memory = subjects.getLast();
        for (String name : List.of("scale-free", "air-routes")) {
            Scenario scenario = scenario(name);
            Told one = told(scenario, disk);
            Told other = told(scenario, memory);
            for (String caseName : scenario.cases()) {
                if (!caseName.endsWith("/size")) {
                    long sum = one.of(caseName, "rate").checksum();
                    assertNotEquals(0, sum, caseName);
                    assertEquals(sum, other.of(caseName, "rate").checksum(), caseName);
                }
            }
        }
        Measurement written = told(scenario("written"), disk).of(mix("written"), "rate");
        Measurement synced = told(scenario("synced"), disk).of(mix("synced"), "rate");
        Measurement inMemory = told(scenario("memory"), memory).of(mix("memory"), "rate");
        assertEquals(written.checksum(), synced.checksum());
        assertEquals(written.checksum(), inMemory.checksum());
    }

    private static String mix(String scenario) {
        return "hugegraph/" + scenario + "/linkbench";
    }

    private Scenario scenario(String name) {
        return workload.scenarios(Scale.QUICK, subjects).stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Told told(Scenario scenario, Subject subject) throws Exception {
        return Told.by(workload, scenario, subject, Scale.QUICK, folder);
    }

    @Test
    void fewPeopleHaveManyFriends() {
        int people = 10_000;
        ScaleFree graph = ScaleFree.of(people, 100_000, 3);
        int[] degrees = new int[people];
        for (int i = 0; i < graph.edges(); i++) {
            assertNotEquals(graph.source(i), graph.target(i));
            assertTrue(
                    i == 0
                            || graph.source(i - 1) < graph.source(i)
                            || graph.target(i - 1) < graph.target(i));
            degrees[graph.source(i)]++;
        }
        Arrays.sort(degrees);
        assertTrue(degrees[people - 1] > 400, "" + degrees[people - 1]);
        assertTrue(degrees[people / 2] <= 10, "" + degrees[people / 2]);
    }

    @Test
    void theAirRoutesAreThere() throws Exception {
        ReadGraph graph = ReadGraph.airRoutes();
        assertEquals(3_504, graph.people());
        assertEquals(50_637, graph.edges());
        assertEquals("ATL", graph.name(0));
    }
}
