package dev.oriel.bench.targets;

import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The targets of the graph.
final class GraphTargets {
    private static final String ARTICLE = "hugegraph";
    private static final String PLAIN = "hugegraph/written/vertices/plain/names-built";
    private static final String READS =
            "hugegraph/(scale-free/(vertex-by-id|has-by-index|hops/.*)|air-routes/hops/.*)";
    private static final String FAR_HOPS = "hugegraph/(scale-free|air-routes)/hops/[23]";

    static final List<Target> ALL =
            List.of(
                    atLeast(
                            "vertices without index labels >= 5x HugeGraph",
                            5,
                            m -> lead(m, PLAIN)),
                    atLeast(
                            "vertices without index labels >= 1 M/s, names built before",
                            1e6,
                            m -> rate(m, PLAIN)),
                    atLeast(
                            "vertices with two index labels >= 3x HugeGraph",
                            3,
                            m -> lead(m, "hugegraph/written/vertices/indexed/names-built")),
                    atLeast(
                            "edges, chain and random, >= 5x HugeGraph",
                            5,
                            m -> lead(m, "hugegraph/written/edges/.*")),
                    atLeast(
                            "in memory: vertices and edges >= 1x TinkerGraph",
                            1,
                            m -> m.lead("hugegraph/memory/(vertices|edges)/.*")),
                    atLeast(
                            "by id, by index, 1 to 3 hops >= 1x the fastest persistent peer",
                            1,
                            m -> onDisk(m, READS, GraphTargets::isPersistent)),
                    atLeast(
                            "2 and 3 hops, ours on disk, >= 1x TinkerGraph",
                            1,
                            m -> onDisk(m, FAR_HOPS, peer -> !isPersistent(peer))),
                    atLeast("bulk load of sorted edges >= 1 M edges/s", 1e6, GraphTargets::bulk));

    private GraphTargets() {}

    private static Target atLeast(String text, double bound, Target.Formula formula) {
        return new Target("hugegraph", text, bound, true, formula);
    }

    private static boolean isPersistent(Result result) {
        return !result.durability().equals("memory");
    }

    /// Against the article's engine alone.
    private static List<Check> lead(Measured measured, String cases) {
        return measured.lead(cases, any -> true, peer -> peer.subject().equals(ARTICLE));
    }

    private static List<Check> onDisk(Measured measured, String cases, Predicate<Result> peers) {
        return measured.lead(cases, GraphTargets::isPersistent, peers);
    }

    private static List<Check> rate(Measured measured, String caseName) {
        List<Check> checks = new ArrayList<>();
        measured.ours(caseName)
                .ifPresent(ours -> checks.add(new Check(caseName, of(ours), ours.unit(), "")));
        return checks;
    }

    private static List<Check> bulk(Measured measured) {
        List<Check> checks = new ArrayList<>(rate(measured, "hugegraph/bulk/sorted-edges"));
        checks.addAll(rate(measured, "hugegraph/bulk/sorted-edges/from-program"));
        return checks;
    }

    private static Interval of(Result ours) {
        Double low = ours.low();
        Double high = ours.high();
        return new Interval(
                ours.value(),
                low == null ? 0 : low,
                high == null ? Double.POSITIVE_INFINITY : high,
                ours.samples().size());
    }
}
