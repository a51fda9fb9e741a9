package dev.oriel.bench.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfilerWorkloadTest {
    private final Workload workload = new ProfilerWorkload();
    private final List<Subject> subjects = new ProfilerSubjects().subjects();

    @Test
    void everyCaseHasASubjectOfOurs() {
        List<String> cases = new ArrayList<>();
        for (Scenario scenario : workload.scenarios(Scale.QUICK, subjects)) {
            assertEquals(1, scenario.subjects().size(), scenario.name());
            assertTrue(scenario.subjects().getFirst().startsWith("oriel"));
            cases.addAll(scenario.cases());
        }
        assertTrue(cases.contains("profiler/call/timed"), cases.toString());
        assertTrue(cases.contains("profiler/always-on/axion/limit-disk"), cases.toString());
        assertEquals(10, cases.size());
    }

    @Test
    void probesSeeEveryCallAndChangeNoResult() throws Exception {
        for (Subject subject : subjects) {
            if (subject instanceof ProbedLoop loop && loop.measures() != ProbedLoop.Case.SAMPLED) {
                loop.begin();
                int rounds = loop.measures() == ProbedLoop.Case.COUNTED ? 1_000 : 10;
                long calls = 0;
                for (int i = 0; i < rounds; i++) {
                    assertEquals(loop.plain(4_000), loop.watched(4_000), loop.name());
                    calls += 4_000;
                }
                if (loop.measures()
                        != ProbedLoop.Case.COUNTED) { // it depends on the machine's speed
                    loop.check(calls);
                } else {
                    endQuietly(loop, calls);
                }
            }
        }
    }

    private static void endQuietly(ProbedLoop loop, long calls) throws Exception {
        try {
            loop.check(calls);
        } catch (IllegalStateException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("were not timed"), e.getMessage());
        }
    }
}
