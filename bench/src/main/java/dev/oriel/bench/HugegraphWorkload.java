package dev.oriel.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The insertion loop of HugeGraph's PerfExample3, 100 vertices of three properties a commit, without and
/// with its two index labels; then edges, paths and a count.
///
/// The article's loop makes each name by `String.format` and keeps each id in a map inside of the measured
/// time: `article`. `names-built` measures the engine: names are there before.
public final class HugegraphWorkload implements Workload {
    private final @Nullable HugegraphSizes sizes;

    /// As users run it.
    public HugegraphWorkload() {
        this.sizes = null;
    }

    /// With other sizes than the scale's.
    HugegraphWorkload(HugegraphSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public String name() {
        return "hugegraph";
    }

    @Override
    public String summary() {
        return "a property graph: insert vertices and edges, walk paths, count by indexes";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof GraphSubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<Scenario> scenarios = new ArrayList<>();
        for (Durability durability : List.of(Durability.WRITTEN, Durability.MEMORY)) {
            List<String> names =
                    subjects.stream()
                            .filter(subject ->
                                    subject instanceof GraphSubject graph
                                            && graph.durability() == durability)
                            .map(Subject::name)
                            .toList();
            if (!names.isEmpty()) {
                scenarios.add(
                        new Scenario(
                                prefix(durability),
                                HugegraphRun.cases(prefix(durability)),
                                names,
                                Duration.ofSeconds(scale == Scale.QUICK ? 15 : 120),
                                20,
                                List.of(),
                                0));
            }
        }
        return scenarios;
    }

    private static String prefix(Durability durability) {
        return durability == Durability.MEMORY ? "memory" : "written";
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws IOException {
        HugegraphSizes of = sizes == null ? HugegraphSizes.of(run.scale()) : sizes;
        new HugegraphRun(run, (GraphSubject) subject, of, scenario.name()).run();
    }
}
