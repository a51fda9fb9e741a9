package dev.oriel.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreWorkloadTest {
    private final Subject subject = new StoreSubjects().subjects().getFirst();
    private final StoreWorkload workload = new StoreWorkload(20_000_000, 40_000);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Told told(String scenario) throws Exception {
        Scenario found =
                workload.scenarios(Scale.QUICK, List.of(subject)).stream()
                        .filter(one -> one.name().equals(scenario))
                        .findFirst()
                        .orElseThrow();
        Told told = Told.by(workload, found, subject, Scale.QUICK, folder);
        assertEquals(new HashSet<>(found.cases()), new HashSet<>(told.cases()));
        return told;
    }

    @Test
    void openingAfterACrashReadsWhatTheLogHas() throws Exception {
        Told told = told(StoreWorkload.OPENING);
        List<String> cases = told.cases();
        assertTrue(told.measurements().stream().allMatch(one -> one.value() > 0));
        for (String each : cases) {
            assertTrue(told.of(each, "time").value() > 0);
        }
        for (String each : cases.subList(1, cases.size())) {
            assertTrue(told.of(each, "pages-in-memory").value() > 50, each);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {StoreWorkload.CHECKPOINTS, StoreWorkload.WRITERS})
    void commitsAreTimed(String scenario) throws Exception {
        Told told = told(scenario);
        for (String each : told.cases()) {
            assertTrue(told.of(each, "p50").value() > 0);
            assertTrue(told.of(each, "p99").value() >= told.of(each, "p50").value());
        }
    }
}
