package dev.oriel.bench.couchbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CouchbaseWorkloadTest {
    @Test
    void allWaysFindTheSameStatuses() {
        for (int code = 0; code <= 0xFFFF; code++) {
            WireStatus expected = WireStatus.byValues(code);
            assertEquals(expected, WireStatus.byCached(code));
            assertEquals(expected, WireStatus.byReordered(code));
            assertEquals(expected, WireStatus.byTwo(code));
            assertEquals(expected, WireStatus.byIf(code));
            assertEquals(expected, WireStatus.bySwitch(code));
        }
        int[] known = Arrays.stream(WireStatus.values()).mapToInt(WireStatus::code).toArray();
        List<Subject> subjects = new StatusSubjects().subjects();
        int sum = ((StatusDecoding) subjects.getFirst()).loop().applyAsInt(known);
        for (Subject subject : subjects) {
            assertEquals(sum, ((StatusDecoding) subject).loop().applyAsInt(known), subject.name());
        }
    }

    @Test
    void scenariosTakeTheirOwnSubjectsAlone() {
        Workload workload = new CouchbaseWorkload();
        List<Scenario> scenarios = workload.scenarios(Scale.QUICK, new StatusSubjects().subjects());
        assertEquals(6, scenarios.size());
        for (Scenario scenario : scenarios) {
            assertEquals(StatusSubjects.OURS, scenario.subjects().getFirst());
            assertEquals(7, scenario.subjects().size());
            assertTrue(scenario.cases().getFirst().matches("couchbase(/[a-z0-9.-]+)+"));
        }
    }

    @Test
    void serversTakePartWhereTheySpeakWhatIsSpoken() {
        List<Scenario> scenarios =
                new CouchbaseWorkload().scenarios(Scale.QUICK, new ServerSubjects().subjects());
        for (Scenario scenario : scenarios) {
            if (scenario.name().startsWith("status/")) {
                assertEquals(List.of(), scenario.subjects());
                continue;
            }
            assertEquals(ServerSubjects.OURS, scenario.subjects().getFirst());
            boolean any = scenario.name().matches("pipelined-16|idle/.*");
            assertEquals(any, scenario.subjects().contains("redis"), scenario.name());
            assertTrue(scenario.subjects().contains("memcached"));
        }
    }
}
