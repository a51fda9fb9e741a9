package dev.oriel.bench.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.SampleResults;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ProfilerTargetsTest {
    private static final String SHORT = "profiler/always-on/jdbm/get";
    private static final String LONG = "profiler/always-on/axion/limit";
    private final SampleResults results = new SampleResults();

    private Outcome outcome(String words) {
        Results built = results.build();
        return Targets.of(new Measured(built, new Comparisons(built))).stream()
                .filter(outcome -> outcome.target().workload().equals("profiler"))
                .filter(outcome -> outcome.target().text().contains(words))
                .findFirst()
                .orElseThrow();
    }

    private double worst(String words) {
        return Objects.requireNonNull(outcome(words).worst()).figure().value();
    }

    private void alwaysOn(String caseName, double offNanos, double ratio) {
        results.time(caseName, "oriel-always-on", offNanos * ratio)
                .figure(caseName, "oriel-always-on", "off", "ns/op", offNanos)
                .figure(caseName, "oriel-always-on", "on/off", "", ratio);
    }

    @Test
    void callsAreHeldToNanoseconds() {
        results.time("profiler/call/timed", "oriel-timed", 50.5)
                .time("profiler/call/timed", "perfutil", 90.0)
                .time("profiler/call/counted", "oriel-counted", 5.0);
        assertEquals(Status.NOT_MET, outcome("a timed call").status());
        assertEquals(50.5, worst("a timed call"), 1e-9);
        assertEquals(Status.MET, outcome("a counted call").status());
        assertEquals(Status.NOT_MEASURED, outcome("probe that is off").status());
    }

    @Test
    void aProbeThatIsOffIsHeldToNothing() {
        results.time("profiler/call/off", "oriel-off", 1.1)
                .figure("profiler/call/off", "oriel-off", "loop", "ns/op", 1.1)
                .figure("profiler/call/off", "oriel-off", "on/off", "", 1.2);
        assertEquals(0.22, worst("probe that is off"), 1e-9);
        assertEquals(Status.NOT_MET, outcome("probe that is off").status());
    }

    @Test
    void longStatementsAreHeldToAShareAndShortOnesToNanoseconds() {
        alwaysOn(SHORT, 1_000, 1.009);
        alwaysOn(LONG, 3_000, 1.009);
        assertEquals(1.009, worst("2 us or more"), 1e-9);
        assertEquals(9, worst("shorter statement"), 1e-9);
        assertEquals(Status.MET, outcome("2 us or more").status());
        assertEquals(Status.MET, outcome("shorter statement").status());
        alwaysOn("profiler/always-on/axion/open-ended", 2_500, 1.02);
        alwaysOn("profiler/always-on/jdbm/insert", 1_900, 1.01);
        assertEquals(1.02, worst("2 us or more"), 1e-9);
        assertEquals(19, worst("shorter statement"), 1e-9);
    }
}
