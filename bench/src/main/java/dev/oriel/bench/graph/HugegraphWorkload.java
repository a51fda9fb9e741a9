package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The insertion loop of HugeGraph's PerfExample3, 100 vertices of three properties a commit, without and with its
/// two index labels. Then edges, and reads of a random graph and of the world's air routes.
///
/// The article's loop makes each name by `String.format` and keeps each id in a map within the measured time:
/// `article`. `names-built` measures the engine alone, with names made before.
public final class HugegraphWorkload implements Workload {
    private static final List<Durability> CLASSES =
            List.of(Durability.WRITTEN, Durability.SYNC, Durability.MEMORY);

    private final @Nullable HugegraphSizes sizes;

    /// A workload with the sizes of the scale.
    public HugegraphWorkload() {
        this.sizes = null;
    }

    /// A workload with other sizes, for tests.
    HugegraphWorkload(HugegraphSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public String name() {
        return "hugegraph";
    }

    @Override
    public String summary() {
        return "a property graph: insert vertices and edges, look vertices up, count by hops and indexes";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof GraphSubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<Scenario> scenarios = new ArrayList<>();
        boolean quick = scale == Scale.QUICK;
        for (Durability durability : CLASSES) {
            scenarios.add(
                    scenario(
                            HugegraphWork.scenario(durability),
                            cases(durability),
                            named(subjects, one -> one.durabilities().contains(durability)),
                            Duration.ofSeconds(quick ? 24 : 300),
                            quick));
        }
        List<String> all = named(subjects, one -> true);
        scenarios.add(
                scenario(
                        HugegraphWork.SCALE_FREE,
                        GraphReads.cases(false),
                        all,
                        Duration.ofSeconds(quick ? 26 : 420),
                        quick));
        scenarios.add(
                scenario(
                        HugegraphWork.AIR_ROUTES,
                        GraphReads.cases(true),
                        all,
                        Duration.ofSeconds(quick ? 12 : 40),
                        quick));
        scenarios.add(
                scenario(
                        HugegraphWork.BULK,
                        GraphBulk.cases(),
                        named(subjects, one -> !one.durabilities().contains(Durability.MEMORY)),
                        Duration.ofSeconds(quick ? 20 : 150),
                        quick));
        scenarios.removeIf(scenario -> scenario.subjects().isEmpty());
        return scenarios;
    }

    private static List<String> cases(Durability durability) {
        List<String> cases = new ArrayList<>(GraphLoads.cases(durability));
        cases.add(LinkBench.caseName(durability));
        return cases;
    }

    private static Scenario scenario(
            String name,
            List<String> cases,
            List<String> subjects,
            Duration expected,
            boolean quick) {
        List<String> jvmArgs = quick ? List.of() : List.of("-Xmx4g");
        return new Scenario(name, cases, subjects, expected, quick ? 2 : 20, jvmArgs, 0);
    }

    private static List<String> named(List<Subject> subjects, Predicate<GraphSubject> wanted) {
        return subjects.stream()
                .filter(one -> one instanceof GraphSubject graph && wanted.test(graph))
                .map(Subject::name)
                .toList();
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws IOException {
        GraphSubject graph = (GraphSubject) subject;
        HugegraphWork.run(
                scenario.name(),
                graph,
                graph.durabilities().getFirst(),
                sizes == null ? HugegraphSizes.of(run.scale()) : sizes,
                run);
    }
}
