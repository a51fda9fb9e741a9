package dev.oriel.bench.targets;

import dev.oriel.bench.couchbase.ServerSubjects;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.bench.targets.Target.Formula;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import dev.oriel.compare.Interval;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The targets of the workloads, as data, and their status on results.
public final class Targets {
    private static final String GETS = "jdbm/get/.*/(1000000|10000000)x\\d+(/.*)?";

    /// Bytes of a record's id, which are data as its value is.
    private static final int ID_BYTES = 8;

    /// Cases of servers with one request under way on a connection.
    private static final String SERVED = "couchbase/(loopback|memaslap|connections)/.*";

    private static final String TPCH_ALL = "tpch/all/.*";

    private static final Set<String> JAVA_PEERS = Set.of("h2-disk", "hsqldb-disk", "derby-disk");

    /// All cases of the page table except the one that only counts.
    private static final String TIMED_POINTS = "voron/(?!riddle).*";

    private static final List<Target> ALL =
            List.of(
                    atLeast(
                            "axion",
                            "open-ended: on disk >= 1.5x the fastest peer in memory",
                            1.5,
                            m ->
                                    m.lead(
                                            "axion/open-ended/(both|indexed)/warm",
                                            r -> !inMemory(r),
                                            Targets::inMemory)),
                    atLeast(
                            "axion",
                            "LIMIT 10: on disk >= 1.2x the fastest peer in memory",
                            1.2,
                            m ->
                                    m.lead(
                                            "axion/limit/(both|indexed)/warm",
                                            r -> !inMemory(r),
                                            Targets::inMemory)),
                    atLeast("jdbm", "inserts >= 1.2x", 1.2, m -> m.lead("jdbm/insert/.*")),
                    atLeast(
                            "jdbm",
                            "scans >= 1.5x, every value read",
                            1.5,
                            m -> m.lead("jdbm/scan/.*")),
                    atLeast(
                            "jdbm",
                            "gets of 1 M records >= 1.2x",
                            1.2,
                            m -> m.lead("jdbm/get/.*/1000000x\\d+(/.*)?")),
                    atLeast(
                            "jdbm",
                            "gets of 10 M records >= 1.2x",
                            1.2,
                            m -> m.lead("jdbm/get/.*/10000000x\\d+(/.*)?")),
                    atLeast(
                            "jdbm",
                            "data of 4x the memory: insertion >= 1.2x",
                            1.2,
                            m -> m.lead("jdbm/larger-than-memory/insert")),
                    atLeast(
                            "jdbm",
                            "data of 4x the memory: scanning >= 1.5x",
                            1.5,
                            m -> m.lead("jdbm/larger-than-memory/scan")),
                    atLeast(
                            "jdbm",
                            "data of 4x the memory: getting >= 1.2x",
                            1.2,
                            m -> m.lead("jdbm/larger-than-memory/get")),
                    atMost("jdbm", "bytes allocated by a get: 0 (< 1)", 1, m -> allocated(m, GETS)),
                    atLeast(
                            "jdbm",
                            "durable single commit >= 1.0x",
                            1.0,
                            m -> m.lead("jdbm/commit/1")),
                    atMost(
                            "jdbm",
                            "durable single commit <= 1.15x the fastest 4-KB sync, medians",
                            1.15,
                            m -> againstSync(m, "jdbm/commit/1")),
                    atLeast(
                            "jdbm",
                            "8 committers >= 3.5x one",
                            3.5,
                            m -> scaling(m, "jdbm/commit/8", "jdbm/commit/1")),
                    atLeast(
                            "jdbm",
                            "64 committers >= 6x one",
                            6,
                            m -> scaling(m, "jdbm/commit/64", "jdbm/commit/1")),
                    atMost(
                            "jdbm",
                            "files <= 1.15x of the data in order",
                            1.15,
                            m -> files(m, "jdbm/insert/in-order/.*")),
                    atMost(
                            "jdbm",
                            "files <= 1.6x of the data at random",
                            1.6,
                            m -> files(m, "jdbm/insert/at-random/.*")),
                    atLeast(
                            "voron",
                            "at every point >= 3x the faster of the article's two",
                            3,
                            m -> m.lead(TIMED_POINTS, any -> true, Targets::isArticles)),
                    atMost(
                            "voron",
                            "at every point <= 1/10 of its bytes",
                            0.1,
                            Targets::voronBytes),
                    atLeast(
                            "voron",
                            "at the article's point >= 20x",
                            20,
                            m -> m.lead("voron/article(/.*)?", any -> true, Targets::isArticles)),
                    atLeast(
                            "voron",
                            "the article happens: there its new design takes longer than its old (> 1x)",
                            1,
                            m -> articleHappens(m, "time")),
                    atMost(
                            "voron",
                            "the article happens: its new design allocates less than its old (< 1x)",
                            1,
                            m -> articleHappens(m, "allocated")),
                    atMost(
                            "couchbase",
                            "a status, known or not: <= 2 ns",
                            2,
                            m -> nanos(m, "couchbase/status/.*")),
                    atMost(
                            "couchbase",
                            "bytes allocated by a status: 0 (< 0.01)",
                            0.01,
                            m -> allocated(m, "couchbase/status/.*")),
                    atMost(
                            "couchbase",
                            "server's processor time of an operation <= 1.2x memcached's",
                            1.2,
                            m -> against(m, SERVED, "cpu", "memcached")),
                    atMost(
                            "couchbase",
                            "99 of 100 requests are answered within 1.2x memcached's time",
                            1.2,
                            m -> against(m, SERVED, "p99", "memcached")),
                    atMost(
                            "couchbase",
                            "2,000 connections: 999 of 1,000 requests are answered within 150 ms",
                            150e6,
                            m -> ours(m, "couchbase/connections/2000", "p99.9", "ns")),
                    atLeast(
                            "couchbase",
                            "rate >= 1.0x memcached's",
                            1,
                            m -> against(m, SERVED, "rate", "memcached")),
                    atLeast(
                            "couchbase",
                            "16 requests under way: rate >= 0.8x Redis's",
                            0.8,
                            m -> against(m, "couchbase/pipelined-16", "rate", "redis")),
                    atMost(
                            "couchbase",
                            "10,000 idle connections: memory of the server <= 60 MB",
                            60e6,
                            m -> ours(m, "couchbase/idle/10000", "memory", "B")),
                    atLeast(
                            "tpch",
                            "geometric mean of 22 questions >= 3x H2, HSQLDB, Derby and SQLite",
                            3,
                            m -> m.lead(TPCH_ALL, any -> true, Targets::isRowStore)),
                    atLeast(
                            "tpch",
                            "within 5x of DuckDB by one thread (>= 0.2x)",
                            0.2,
                            m -> m.lead(TPCH_ALL, any -> true, r -> !isRowStore(r))),
                    atLeast(
                            "tpcc",
                            "ahead of H2, HSQLDB and Derby",
                            1,
                            m -> m.lead("tpcc/.*", any -> true, Targets::isJava)),
                    atLeast(
                            "statements",
                            "rows written by key, and batches: ahead of every peer",
                            1,
                            m -> m.lead("statements/(insert|update|delete|batch-1000)/.*")),
                    atMost(
                            "statements",
                            "a prepared execution <= 500 ns",
                            500,
                            m -> nanos(m, "statements/select/number")),
                    atMost(
                            "statements",
                            "bytes allocated by a prepared execution <= 300",
                            300,
                            m -> allocated(m, "statements/select/number")),
                    atMost(
                            "statements",
                            "a statement not seen before is planned in <= 100 us",
                            100_000,
                            m -> nanos(m, "statements/ad-hoc/plan")),
                    atMost(
                            "cold",
                            "first query of a fresh JVM <= 0.6x the best peer's time",
                            0.6,
                            m -> shareOfTime(m, "cold/first-query(/.*)?")),
                    atMost(
                            "cold",
                            "opening an existing database <= 0.6x the best peer's time",
                            0.6,
                            m -> shareOfTime(m, "cold/open")));

    private Targets() {}

    /// Outcomes of all targets.
    public static List<Outcome> of(Measured measured) {
        return Stream.of(ALL, GraphTargets.ALL, FacesTargets.ALL, ProfilerTargets.ALL)
                .flatMap(List::stream)
                .map(target -> new Outcome(target, target.formula().of(measured)))
                .toList();
    }

    /// The targets of the workloads in the results.
    public static List<Outcome> of(Results results, Measured measured) {
        List<String> workloads = new ArrayList<>(List.of(results.workload().split("\\s*,\\s*")));
        results.results().forEach(result -> workloads.add(Cases.workload(result.caseName())));
        return of(measured).stream()
                .filter(outcome -> workloads.contains(outcome.target().workload()))
                .toList();
    }

    /// Number of outcomes with the status.
    public static long count(List<Outcome> outcomes, Status status) {
        return outcomes.stream().filter(outcome -> outcome.status() == status).count();
    }

    private static boolean inMemory(Result result) {
        return result.durability().equals("memory");
    }

    /// Whether `result` is of one of the two designs compared in the article on Voron.
    private static boolean isArticles(Result result) {
        return result.subject().equals("voron-old") || result.subject().equals("voron-new");
    }

    private static Target atLeast(String workload, String text, double bound, Formula formula) {
        return new Target(workload, text, bound, true, formula);
    }

    private static Target atMost(String workload, String text, double bound, Formula formula) {
        return new Target(workload, text, bound, false, formula);
    }

    private static boolean isRowStore(Result result) {
        return !result.subject().startsWith("duckdb");
    }

    private static boolean isJava(Result result) {
        return JAVA_PEERS.contains(result.subject());
    }

    /// The time of ours alone, not compared with a peer.
    private static List<Check> nanos(Measured measured, String cases) {
        return measured.each(
                cases,
                table -> {
                    Row ours = table.ours();
                    return ours == null
                            ? null
                            : new Check(
                                    table.caseName(),
                                    exactly(Measured.perOp(ours.result())),
                                    "ns",
                                    "");
                });
    }

    /// Our figure of a metric divided by that of one peer.
    private static List<Check> against(
            Measured measured, String cases, String metric, String peer) {
        List<Check> checks = new ArrayList<>();
        for (Result ours : measured.results(cases, metric)) {
            Result theirs = measured.result(ours.caseName(), peer, metric);
            if (theirs != null && ours.subject().equals(ServerSubjects.OURS)) {
                checks.add(new Check(ours.caseName(), Comparisons.quotient(ours, theirs), peer));
            }
        }
        return checks;
    }

    private static List<Check> ours(
            Measured measured, String caseName, String metric, String unit) {
        Result ours = measured.result(caseName, ServerSubjects.OURS, metric);
        return ours == null
                ? List.of()
                : List.of(new Check(caseName, exactly(ours.value()), unit, ""));
    }

    private static List<Check> allocated(Measured measured, String cases) {
        return measured.each(
                cases,
                table -> {
                    Row ours = table.ours();
                    Double bytes = ours == null ? null : ours.result().bytesPerOp();
                    return bytes == null
                            ? null
                            : new Check(table.caseName(), exactly(bytes), "B", "");
                });
    }

    /// A figure that has no interval.
    private static Interval exactly(double value) {
        return new Interval(value, 0, Double.POSITIVE_INFINITY, 1);
    }

    /// The median of a commit divided by the median of a sync; if only its rate is known, the mean.
    private static List<Check> againstSync(Measured measured, String caseName) {
        Optional<Result> ours = measured.ours(caseName);
        Optional<Result> sync = measured.limit("limits/sync(/.*)?");
        if (ours.isEmpty() || sync.isEmpty()) {
            return List.of();
        }
        Result median = measured.result(caseName, ours.get().subject(), "p50");
        Interval cost = Measured.cost(median == null ? ours.get() : median, sync.get());
        return List.of(new Check(caseName, cost, sync.get().caseName()));
    }

    private static List<Check> scaling(Measured measured, String many, String one) {
        Optional<Result> all = measured.ours(many);
        Optional<Result> single = measured.ours(one);
        return all.isEmpty() || single.isEmpty()
                ? List.of()
                : List.of(new Check(many, Measured.cost(single.get(), all.get()), one));
    }

    private static List<Check> files(Measured measured, String pattern) {
        List<Check> checks = new ArrayList<>();
        for (Result r : measured.results(pattern, "file")) {
            long data = Cases.valueBytes(r.caseName()) + ID_BYTES;
            double records = r.unit().endsWith("/op") ? 1 : Cases.count(r.caseName());
            if (data == ID_BYTES || !r.subject().equals(headlineOf(measured, r))) {
                continue;
            }
            double[] shares =
                    r.samples().stream()
                            .filter(sample -> sample != null && sample > 0)
                            .mapToDouble(sample -> sample / records / data)
                            .toArray();
            Interval share =
                    shares.length == 0
                            ? exactly(r.value() / records / data)
                            : Statistics.mean(shares);
            checks.add(new Check(r.caseName(), share, ""));
        }
        return checks;
    }

    /// The one of our subjects that represents us in the case and metric of a result.
    private static @Nullable String headlineOf(Measured measured, Result result) {
        Result ours =
                Comparisons.headline(
                        measured.results(Pattern.quote(result.caseName()), result.metric()));
        return ours == null ? null : ours.subject();
    }

    /// Bytes per operation reported by the workload (native memory included), or else heap bytes.
    private static List<Check> voronBytes(Measured measured) {
        return measured.each(
                TIMED_POINTS,
                table -> {
                    Row ours = table.ours();
                    Result faster = Measured.bestPeer(table, Targets::isArticles);
                    if (ours == null || faster == null) {
                        return null;
                    }
                    Result we = table.beside(ours.result().subject(), "allocated");
                    Result they = table.beside(faster.subject(), "allocated");
                    if (we != null && they != null) {
                        Interval share = Comparisons.quotient(we, they);
                        return new Check(table.caseName(), share, faster.subject());
                    }
                    Double bytes = ours.result().bytesPerOp();
                    Double theirs = faster.bytesPerOp();
                    return bytes == null || theirs == null || theirs <= 0
                            ? null
                            : new Check(
                                    table.caseName(), exactly(bytes / theirs), faster.subject());
                });
    }

    /// The article's new design compared with its old one, at the article's parameters.
    private static List<Check> articleHappens(Measured measured, String metric) {
        String caseName = "voron/article";
        Result now = measured.result(caseName, "voron-new", metric);
        Result before = measured.result(caseName, "voron-old", metric);
        return now == null || before == null
                ? List.of()
                : List.of(new Check(caseName, Comparisons.quotient(now, before), "voron-old"));
    }

    private static List<Check> shareOfTime(Measured measured, String pattern) {
        return measured.each(
                pattern,
                table -> {
                    Row ours = table.ours();
                    Row best = table.best();
                    return ours == null || best == null
                            ? null
                            : new Check(
                                    table.caseName(),
                                    Measured.cost(ours.result(), best.result()),
                                    best.result().subject());
                });
    }
}
