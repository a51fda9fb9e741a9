package dev.oriel.bench.report;

import dev.oriel.bench.targets.Target;
import java.util.List;
import java.util.Locale;

/// The sections of documents that explain missed targets: the profile, and the attempts.
final class Reasons {
    /// @param text beginning of the target's own text
    /// @param heading of the section
    /// @param document the document with the section; empty for docs/benchmarks.md
    record Reason(String workload, String text, String heading, String document) {
        Reason(String workload, String text, String heading) {
            this(workload, text, heading, "");
        }

        /// The anchor that Markdown makes of the heading.
        String anchor() {
            return document + "#" + heading.toLowerCase(Locale.ROOT).replace(' ', '-');
        }
    }

    static final List<Reason> ALL =
            List.of(
                    new Reason("axion", "LIMIT 10", "Short statements"),
                    new Reason("axion", "open-ended", "Short statements"),
                    new Reason("jdbm", "inserts", "Inserts"),
                    new Reason("jdbm", "scans", "Scans and gets"),
                    new Reason("jdbm", "gets", "Scans and gets"),
                    new Reason("jdbm", "data of", "Larger than memory"),
                    new Reason("jdbm", "durable", "Single commits"),
                    new Reason("jdbm", "8 committers", "Single commits"),
                    new Reason("jdbm", "64 committers", "Single commits"),
                    new Reason("jdbm", "files", "What a record takes on disk"),
                    new Reason("hugegraph", "vertices", "Vertices and edges"),
                    new Reason("hugegraph", "edges", "Vertices and edges"),
                    new Reason("hugegraph", "in memory", "Vertices and edges"),
                    new Reason("hugegraph", "by id", "Reads of a graph"),
                    new Reason("hugegraph", "2 and 3 hops", "Reads of a graph"),
                    new Reason("hugegraph", "bulk", "The bulk load of a graph"),
                    new Reason("voron", "at", "What a version of a page costs"),
                    new Reason("tpch", "geometric mean", "Long questions"),
                    new Reason("tpch", "within", "Long questions"),
                    new Reason("statements", "rows written", "Short statements"),
                    new Reason("cold", "first query", "The first query of a fresh JVM"),
                    new Reason("cold", "opening", "The first query of a fresh JVM"),
                    new Reason("profiler", "a timed call", "What a probe costs", "profiler.md"),
                    new Reason("profiler", "always on", "What it costs", "observability.md"));

    private Reasons() {}

    /// A link to the section, empty if there is none.
    static String link(Target target) {
        return ALL.stream()
                .filter(reason -> reason.workload().equals(target.workload()))
                .filter(reason -> target.text().startsWith(reason.text()))
                .findFirst()
                .map(reason -> ", [why](" + reason.anchor() + ")")
                .orElse("");
    }
}
