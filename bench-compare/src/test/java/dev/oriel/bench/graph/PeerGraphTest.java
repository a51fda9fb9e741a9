package dev.oriel.bench.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Launch;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.peers.PeerGraphSubjects;
import dev.oriel.bench.run.Forked;
import dev.oriel.bench.run.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every graph peer, in the JVM that it is measured in, counts the same hops on the air routes as ours does.
class PeerGraphTest {
    private static final String CASES = "air-routes/hops/[123]";

    private final Catalog catalog = new Catalog();
    @TempDir private Path folder;

    static List<String> subjects() {
        return new PeerGraphSubjects().subjects().stream().map(Subject::name).toList();
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void countsTheSameHops(String name) throws Exception {
        assertEquals(sums("oriel"), sums(name));
    }

    private Map<String, Long> sums(String name) throws Exception {
        Workload workload = catalog.workload("hugegraph");
        Subject subject = catalog.subject(workload, name);
        Launch launch = subject.launch();
        assumeTrue(launch == null || launch.missing().isEmpty(), "its JDK is not installed");
        Scenario scenario =
                workload.scenarios(Scale.QUICK, catalog.subjects()).stream()
                        .filter(one -> one.name().equals("air-routes"))
                        .findFirst()
                        .orElseThrow();
        Options options =
                new Options(
                        Scale.QUICK, CASES, Duration.ofMinutes(5), 1, 1, folder, 1, "oriel bench");
        Forked forked =
                Forked.run(
                        System.getProperty("java.class.path"),
                        options,
                        workload,
                        scenario,
                        subject,
                        Duration.ofMinutes(5),
                        _ -> {});
        assertNull(forked.failure());
        Map<String, Long> sums = new TreeMap<>();
        forked.measurements().forEach(one -> sums.put(one.caseName(), one.checksum()));
        assertEquals(3, sums.size(), forked.cannots().toString());
        return sums;
    }
}
