package dev.oriel.bench.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.SampleResults;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GraphTargetsTest {
    private final SampleResults results = new SampleResults();

    private Outcome outcome(String words) {
        Results built = results.build();
        return Targets.of(new Measured(built, new Comparisons(built))).stream()
                .filter(outcome -> outcome.target().workload().equals("hugegraph"))
                .filter(outcome -> outcome.target().text().contains(words))
                .findFirst()
                .orElseThrow();
    }

    private double worst(String words) {
        return Objects.requireNonNull(outcome(words).worst()).figure().value();
    }

    @Test
    void verticesAreHeldAgainstHugeGraphAloneAndAgainstAMillion() {
        String plain = "hugegraph/written/vertices/plain/names-built";
        results.rate(plain, "oriel", 1_100_000.0)
                .rate(plain, "hugegraph", 250_000.0)
                .rate(plain, "arcadedb", 500_000.0);
        assertEquals(4.4, worst("vertices without index labels >= 5x"), 1e-9);
        assertEquals(Status.NOT_MET, outcome("vertices without index labels >= 5x").status());
        assertEquals(Status.MET, outcome("1 M/s").status());
        assertEquals(Status.NOT_MEASURED, outcome("two index labels").status());
        assertEquals(Status.NOT_MEASURED, outcome("edges, chain").status());
    }

    @Test
    void readsAreHeldAgainstWhatIsOnDiskAndHopsAgainstTinkerGraphToo() {
        String near = "hugegraph/scale-free/hops/1";
        String far = "hugegraph/air-routes/hops/3";
        results.rate(near, "oriel", 300.0)
                .memoryRate(near, "oriel-memory", 350.0)
                .memoryRate(near, "tinkergraph", 400.0)
                .rate(near, "neo4j", 200.0)
                .rate(far, "oriel", 100.0)
                .memoryRate(far, "tinkergraph", 80.0)
                .rate(far, "neo4j", 50.0);
        assertEquals(1.5, worst("persistent peer"), 1e-9);
        assertEquals(Status.MET, outcome("persistent peer").status());
        assertEquals(1.25, worst("2 and 3 hops"), 1e-9);
        assertEquals(Status.MET, outcome("2 and 3 hops").status());
    }

    @Test
    void edgesAreHeldInBothOrdersAndMemoryAgainstTinkerGraph() {
        results.rate("hugegraph/written/edges/chain", "oriel", 600.0)
                .rate("hugegraph/written/edges/chain", "hugegraph", 100.0)
                .rate("hugegraph/written/edges/random", "oriel", 400.0)
                .rate("hugegraph/written/edges/random", "hugegraph", 100.0)
                .memoryRate("hugegraph/memory/edges/random", "oriel-memory", 9.0)
                .memoryRate("hugegraph/memory/edges/random", "tinkergraph", 10.0);
        assertEquals(4, worst("edges, chain"), 1e-9);
        assertEquals(Status.NOT_MET, outcome("edges, chain").status());
        assertEquals(0.9, worst("in memory"), 1e-9);
    }
}
