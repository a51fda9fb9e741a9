package dev.oriel.bench.run;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.bench.Scale;
import dev.oriel.bench.results.Origin;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.SampleResults;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ResumptionTest {
    private final Results earlier = new SampleResults().rate("jdbm/get", "oriel", 1.0).build();

    @Test
    void theSameGoesOn() {
        assertDoesNotThrow(() -> resumption("2 cores", "abc1234", 7).check(earlier));
    }

    @Test
    void anotherCommitMachineOrSeedDoesNot() {
        assertEquals(
                "run.json holds a run of commit abc1234, this one is of def5678. Go back to that, or"
                        + " write to another file.",
                refusal(resumption("2 cores", "def5678", 7)));
        assertEquals(
                "run.json holds a run of machine 2 cores, this one is of 4 cores. Go back to that,"
                        + " or write to another file.",
                refusal(resumption("4 cores", "abc1234", 7)));
        assertEquals(
                "run.json holds a run of seed 7, this one is of 8. Go back to that, or write to"
                        + " another file.",
                refusal(resumption("2 cores", "abc1234", 8)));
    }

    private String refusal(Resumption resumption) {
        return String.valueOf(
                assertThrows(UserError.class, () -> resumption.check(earlier)).getMessage());
    }

    private static Resumption resumption(String machine, String commit, long seed) {
        return new Resumption(
                Path.of("run.json"),
                new Origin(machine, commit),
                new Options(
                        Scale.QUICK, "", Duration.ofMinutes(1), 3, 0.05, Path.of("."), seed, ""));
    }
}
