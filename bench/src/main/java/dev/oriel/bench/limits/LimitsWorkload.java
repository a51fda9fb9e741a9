package dev.oriel.bench.limits;

import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Limits of the machine, so that a report can relate a figure to its limit. They are the times to make 4 KB
/// durable, write a file, copy memory, reach memory, sum bytes and read the clock.
public final class LimitsWorkload implements Workload {
    private static final String DISK = "disk";
    private static final String MEMORY = "memory";

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public String summary() {
        return "the machine's own limits: syncs, writes, copies, loads, checksums, clock";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof LimitsSubjects.Machine;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<String> machine =
                subjects.stream()
                        .filter(LimitsSubjects.Machine.class::isInstance)
                        .map(Subject::name)
                        .toList();
        return List.of(
                scenario(DISK, DiskLimits.CASES, machine),
                scenario(MEMORY, MemoryLimits.CASES, machine));
    }

    private static Scenario scenario(String name, List<String> cases, List<String> machine) {
        Duration expected = Duration.ofSeconds(6);
        return new Scenario(
                name, cases, machine, expected, Integer.MAX_VALUE, List.of("-Xmx1g"), 0);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws IOException {
        switch (scenario.name()) {
            case DISK -> new DiskLimits(run).measure();
            case MEMORY -> new MemoryLimits(run).measure();
            default -> throw new IllegalArgumentException(scenario.name());
        }
    }
}
