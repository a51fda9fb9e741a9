package dev.oriel.bench.voron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The article's point shows the article's finding by counts, which no busy machine can blur.
class VoronWorkloadTest {
    private static final int TRANSACTIONS = 1_000;

    private record Counts(long keys, long equals, VoronWorkout.Parts parts) {}

    private static Map<String, Counts> counts() {
        Map<String, Counts> counts = new HashMap<>();
        for (VersionSubject design : VersionMapTest.designs()) {
            CountedKey.reset();
            VersionMap map = design.open(CountedKey::new);
            VoronWorkout.Parts parts =
                    new VoronWorkout(VoronWorkload.ARTICLE, 1).runInParts(map, TRANSACTIONS);
            counts.put(design.name(), new Counts(map.keys(), CountedKey.compared(), parts));
        }
        return counts;
    }

    @Test
    void theArticlesPointKeepsItsProperty() {
        VoronShape shape = VoronWorkload.ARTICLE;
        Map<String, Counts> counts = counts();
        Counts old = counts.get(VoronSubjects.OLD);
        Counts made = counts.get(VoronSubjects.NEW);
        Counts fixed = counts.get(VoronSubjects.FIXED);
        Counts ours = counts.get(VoronSubjects.OURS);
        assertTrue(old != null && made != null && fixed != null && ours != null);

        assertEquals(shape.range(), made.keys, "the new design keeps every key");
        for (Counts shrinking : List.of(old, fixed, ours)) {
            assertEquals(shape.pages(), shrinking.keys, "the last transaction's pages");
            assertTrue(shrinking.parts.visited * 5 < made.parts.visited);
            assertEquals(made.parts.checksum, shrinking.parts.checksum);
        }
        long lookups = (long) shape.lookups() * TRANSACTIONS;
        assertTrue(
                made.equals - old.equals > lookups * 4 / 5,
                "lookups that missed find dead keys: " + old.equals + ", " + made.equals);
        assertTrue(fixed.equals - old.equals < lookups / 100);
        assertTrue(
                made.parts.changeBytes * 3 < old.parts.changeBytes * 2,
                "it allocates less: " + old.parts.changeBytes + ", " + made.parts.changeBytes);
    }

    @Test
    void scenariosTakeTheirOwnSubjectsAlone() {
        Workload workload = new VoronWorkload();
        for (Scale scale : Scale.values()) {
            List<Scenario> scenarios = workload.scenarios(scale, new VoronSubjects().subjects());
            assertEquals(
                    scenarios.size(),
                    scenarios.stream().map(Scenario::name).distinct().count(),
                    "names are unique");
            for (Scenario scenario : scenarios) {
                assertEquals(VoronSubjects.OURS, scenario.subjects().getFirst());
                assertEquals(4, scenario.subjects().size());
                assertTrue(scenario.cases().getFirst().matches("voron(/[a-z0-9.-]+)+"));
            }
        }
    }
}
