package dev.oriel.bench;

import static dev.oriel.bench.Durability.ASYNC;
import static dev.oriel.bench.Durability.SYNC;
import static dev.oriel.bench.Durability.WRITTEN;
import static dev.oriel.bench.JdbmParameters.AT_RANDOM;
import static dev.oriel.bench.JdbmParameters.IN_ORDER;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The scenarios of records, by scale.
final class JdbmScenarios {
    static final String COMMITS = "commits";
    static final String COMMITS_WRITTEN = "commits-written";
    static final String BULK = "bulk";
    static final String NO_TRANSACTIONS = "no-transactions";
    static final String LARGER_THAN_MEMORY = "larger-than-memory";
    static final int[] COMMITTERS = {1, 8, 64};

    /// What the last two load.
    static final JdbmParameters MILLION = new JdbmParameters(IN_ORDER, 1_000_000, 150, WRITTEN);

    /// 1 GB of data, for a process that may have a quarter of it.
    static final JdbmParameters GIGABYTE = new JdbmParameters(IN_ORDER, 712_000, 1_500, WRITTEN);

    /// Other ways of products that are there already. Where three rounds have to fit into twenty minutes,
    /// they take part where the way matters: in single commits.
    private static final Set<String> VARIANTS = Set.of("oriel-records", "rocksdb-recycled");

    private static final long MEMORY_BYTES_MAX = 256L << 20;
    private static final int ROUNDS_MAX = 20;
    private static final int ROUNDS_MAX_LARGE = 3;

    private final List<Scenario> scenarios = new ArrayList<>();
    private final List<String> all;
    private final List<String> single;

    private JdbmScenarios(List<Subject> subjects) {
        List<RecordSubject> records =
                subjects.stream()
                        .filter(RecordSubject.class::isInstance)
                        .map(RecordSubject.class::cast)
                        .sorted(Comparator.comparing(one -> !one.product().equals("oriel")))
                        .toList();
        all = records.stream().map(Subject::name).toList();
        single = records.stream().filter(one -> !one.bulkOnly()).map(Subject::name).toList();
    }

    static List<Scenario> of(Scale scale, List<Subject> subjects) {
        JdbmScenarios made = new JdbmScenarios(subjects);
        switch (scale) {
            case QUICK -> made.quick();
            case FULL -> made.full();
        }
        return made.scenarios;
    }

    private void quick() {
        List<String> main = single.stream().filter(name -> !VARIANTS.contains(name)).toList();
        records(new JdbmParameters(IN_ORDER, 300_000, 150, WRITTEN), main);
        records(new JdbmParameters(AT_RANDOM, 100_000, 150, WRITTEN), main);
        commits(8, 4);
        add(NO_TRANSACTIONS, List.of(noTransactions()), main, 5);
    }

    private void full() {
        for (int valueBytes : new int[] {150, 1_500}) {
            for (int count : new int[] {10_000, 1_000_000, 10_000_000}) {
                for (String order : List.of(IN_ORDER, AT_RANDOM)) {
                    for (Durability durability : List.of(WRITTEN, SYNC, ASYNC)) {
                        // Ten million differ from one by the size of the trees, not by the class.
                        if (count <= 1_000_000 || durability == WRITTEN) {
                            records(
                                    new JdbmParameters(order, count, valueBytes, durability),
                                    single);
                        }
                    }
                }
            }
        }
        commits(18, 8);
        add(NO_TRANSACTIONS, List.of(noTransactions()), single, 30);
        add(BULK, List.of(bulk()), all, 25);
        scenarios.add(
                new Scenario(
                        LARGER_THAN_MEMORY,
                        List.of(larger("insert"), larger("scan"), larger("get")),
                        single,
                        Duration.ofSeconds(90),
                        ROUNDS_MAX_LARGE,
                        List.of("-Xmx96m"),
                        MEMORY_BYTES_MAX));
    }

    static String noTransactions() {
        return "jdbm/no-transactions/" + MILLION.size();
    }

    static String bulk() {
        return "jdbm/bulk/" + MILLION.size();
    }

    static String larger(String what) {
        return "jdbm/larger-than-memory/" + what;
    }

    static String commits(int threads) {
        return "jdbm/commit/" + threads;
    }

    static String commitsWritten() {
        return "jdbm/commit-written/1";
    }

    private void records(JdbmParameters parameters, List<String> subjects) {
        long bytes = (long) parameters.count() * parameters.valueBytes();
        long perSecond = parameters.inOrder() ? 40_000_000 : 15_000_000; // of an average subject
        scenarios.add(
                new Scenario(
                        parameters.scenario(),
                        parameters.cases(),
                        subjects,
                        Duration.ofMillis(6_000 + bytes * 1_000 / perSecond),
                        parameters.count() > 1_000_000 ? ROUNDS_MAX_LARGE : ROUNDS_MAX,
                        List.of(),
                        0));
    }

    private void commits(int seconds, int secondsWritten) {
        List<String> cases = new ArrayList<>();
        for (int threads : COMMITTERS) {
            cases.add(commits(threads));
        }
        add(COMMITS, cases, single, seconds);
        add(COMMITS_WRITTEN, List.of(commitsWritten()), single, secondsWritten);
    }

    private void add(String name, List<String> cases, List<String> subjects, int seconds) {
        scenarios.add(
                new Scenario(
                        name,
                        cases,
                        subjects,
                        Duration.ofSeconds(seconds),
                        ROUNDS_MAX,
                        List.of(),
                        0));
    }
}
