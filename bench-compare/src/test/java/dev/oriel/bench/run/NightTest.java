package dev.oriel.bench.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A run of everything beside everybody is a night's work, and the quick run that the documents name is
/// twenty minutes', however slow a subject is.
class NightTest {
    private static final Set<String> QUICK_PEERS =
            Set.of("h2", "hsqldb", "sqlite", "lmdb", "rocksdb");

    private final Catalog catalog = new Catalog();

    @Test
    void aRoundOfEverythingFitsIntoANight() {
        ends(catalog.workloads(), catalog.subjects(), Scale.FULL, Duration.ofHours(9));
    }

    @Test
    void theQuickRunOfTheDocumentsFitsIntoTwentyMinutes() {
        List<Workload> chosen =
                List.of("axion", "jdbm", "voron", "cold", "limits").stream()
                        .map(catalog::workload)
                        .toList();
        List<Subject> subjects =
                catalog.subjects().stream()
                        .filter(one -> Catalog.ours(one) || QUICK_PEERS.contains(one.product()))
                        .toList();
        ends(chosen, subjects, Scale.QUICK, Duration.ofMinutes(19));
    }

    /// Where everybody takes all the time there is for him.
    private static void ends(
            List<Workload> workloads, List<Subject> subjects, Scale scale, Duration budget) {
        List<Scenario> runs =
                workloads.stream()
                        .flatMap(workload -> workload.scenarios(scale, subjects).stream())
                        .flatMap(scenario -> scenario.subjects().stream().map(name -> scenario))
                        .toList();
        Duration claims =
                runs.stream().map(Scenario::expected).reduce(Duration.ZERO, Duration::plus);
        TimeBudget allotment = new TimeBudget(budget, claims);
        assertTrue(allotment.isBinding(), runs.size() + " runs claim " + claims);
        Duration elapsed = Duration.ZERO;
        for (Scenario run : runs) {
            elapsed = elapsed.plus(allotment.first(run, elapsed));
        }
        assertTrue(elapsed.compareTo(budget) <= 0, "it ends after " + elapsed);
    }
}
