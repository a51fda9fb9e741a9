package dev.oriel.bench.jdbm;

import static dev.oriel.bench.Durability.ASYNC;
import static dev.oriel.bench.Durability.SYNC;
import static dev.oriel.bench.Durability.WRITTEN;
import static dev.oriel.bench.jdbm.JdbmParameters.AT_RANDOM;
import static dev.oriel.bench.jdbm.JdbmParameters.IN_ORDER;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The scenarios of records, by scale.
final class JdbmScenarios {
    static final String COMMITS = "commits";
    static final String COMMITS_WRITTEN = "commits-written";
    static final String COMMITS_ASYNC = "commits-async";
    static final String BULK = "bulk";
    static final String NO_TRANSACTIONS = "no-transactions";
    static final String LARGER_THAN_MEMORY = "larger-than-memory";

    /// Prefix of names; the size follows.
    static final String LONG_VALUES = "long-values/";

    static final int[] COMMITTERS = {1, 8, 64};

    /// Load of the last two.
    static final JdbmParameters MILLION = new JdbmParameters(IN_ORDER, 1_000_000, 150, WRITTEN);

    /// 1 GB of data, for a process that may have a quarter of it.
    static final JdbmParameters GIGABYTE = new JdbmParameters(IN_ORDER, 712_000, 1_500, WRITTEN);

    /// Second configurations of products. If three rounds have to fit into twenty minutes, they take part only in
    /// single commits, for which the configuration matters. They do not take part in the largest loads either.
    private static final Set<String> VARIANTS =
            Set.of("oriel-direct", "oriel-records", "rocksdb-recycled", "xodus-prefixing");

    /// Subjects that take part with long values.
    private static final Set<String> TAKES_LONG_VALUES =
            Set.of("oriel", "rocksdb", "lmdb", "sqlite", "mvstore");

    private static final int LONG_VALUES_BYTES = 200_000_000;

    private static final int TEN_MILLION = 10_000_000;

    /// Time allowed for 15 GB at random; a slower subject is stopped if no time is left over.
    private static final Duration AT_RANDOM_MAX = Duration.ofMinutes(4);

    private static final long MEMORY_BYTES_MAX = 256L << 20;
    private static final int ROUNDS_MAX = 20;
    private static final int ROUNDS_MAX_LARGE = 3;

    private final List<Scenario> scenarios = new ArrayList<>();
    private final List<String> all;
    private final List<String> single;
    private final List<String> main;
    private final List<String> written;
    private final List<String> syncOnly;

    private JdbmScenarios(List<Subject> subjects) {
        List<RecordSubject> records =
                subjects.stream()
                        .filter(RecordSubject.class::isInstance)
                        .map(RecordSubject.class::cast)
                        .sorted(Comparator.comparing(one -> !one.product().equals("oriel")))
                        .toList();
        all = records.stream().map(Subject::name).toList();
        single = single(records, one -> true);
        main = single.stream().filter(name -> !VARIANTS.contains(name)).toList();
        written = single(records, one -> one.durabilities().contains(WRITTEN));
        syncOnly =
                single(
                        records,
                        one -> one.name().equals("oriel") || !one.durabilities().contains(WRITTEN));
    }

    private static List<String> single(
            List<RecordSubject> records, Predicate<RecordSubject> wanted) {
        return records.stream()
                .filter(one -> !one.bulkOnly())
                .filter(wanted)
                .map(Subject::name)
                .toList();
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
        records(new JdbmParameters(IN_ORDER, 300_000, 150, WRITTEN), main);
        records(new JdbmParameters(AT_RANDOM, 100_000, 150, WRITTEN), main);
        commits(8, 4);
        add(NO_TRANSACTIONS, List.of(noTransactions()), main, 5);
    }

    /// Each size by itself, in each order, in each class. Ten million differ from one by the size of the trees,
    /// not by the class: their class is WRITTEN, and SYNC for subjects without it, beside ours.
    private void full() {
        for (int valueBytes : new int[] {150, 1_500}) {
            for (int count : new int[] {10_000, 1_000_000}) {
                for (String order : List.of(IN_ORDER, AT_RANDOM)) {
                    for (Durability durability : List.of(WRITTEN, SYNC, ASYNC)) {
                        records(new JdbmParameters(order, count, valueBytes, durability), single);
                    }
                }
            }
        }
        for (String order : List.of(IN_ORDER, AT_RANDOM)) {
            records(new JdbmParameters(order, TEN_MILLION, 150, WRITTEN), written);
            records(new JdbmParameters(order, TEN_MILLION, 150, SYNC), syncOnly);
            // 15 GB each, and as much again while a store writes: without variants of one product.
            List<String> once = written.stream().filter(main::contains).toList();
            records(new JdbmParameters(order, TEN_MILLION, 1_500, WRITTEN), once);
        }
        longValues();
        commits(15, 6);
        add(COMMITS_ASYNC, List.of(commitsAsync()), single, 5);
        add(NO_TRANSACTIONS, List.of(noTransactions()), single, 14);
        add(BULK, List.of(bulk()), all, 14);
        scenarios.add(
                new Scenario(
                        LARGER_THAN_MEMORY,
                        List.of(larger("insert"), larger("scan"), larger("get")),
                        single,
                        Duration.ofSeconds(60),
                        ROUNDS_MAX_LARGE,
                        List.of("-Xmx96m"),
                        MEMORY_BYTES_MAX));
    }

    /// Values larger than a page, beside products that take them without special settings.
    private void longValues() {
        List<String> subjects = main.stream().filter(TAKES_LONG_VALUES::contains).toList();
        for (int valueBytes : new int[] {100_000, 1_000_000, 10_000_000}) {
            JdbmParameters parameters = longValues(valueBytes);
            String name = LONG_VALUES + parameters.size();
            List<String> cases = new ArrayList<>();
            for (String what : List.of("insert", "scan", "get")) {
                cases.add(longValues(name, what));
            }
            scenarios.add(
                    new Scenario(
                            name, cases, subjects, expected(parameters), ROUNDS_MAX, List.of(), 0));
        }
    }

    private static JdbmParameters longValues(int valueBytes) {
        int count = LONG_VALUES_BYTES / valueBytes;
        return new JdbmParameters(IN_ORDER, count, valueBytes, WRITTEN);
    }

    /// The load of the scenario `name` of long values.
    static JdbmParameters longValues(String name) {
        return longValues(Integer.parseInt(name.substring(name.indexOf('x') + 1)));
    }

    static String longValues(String name, String what) {
        return "jdbm/" + name + "/" + what;
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

    static String commitsAsync() {
        return "jdbm/commit-async/1";
    }

    private void records(JdbmParameters parameters, List<String> subjects) {
        scenarios.add(
                new Scenario(
                        parameters.scenario(),
                        parameters.cases(),
                        subjects,
                        expected(parameters),
                        parameters.count() > 1_000_000 ? ROUNDS_MAX_LARGE : ROUNDS_MAX,
                        List.of(),
                        0));
    }

    /// Expected average over all subjects; some only report that they cannot run the case. It is the sum of the
    /// warm-ups, the inserts at 500,000 records or 100 MB a second (slower at random), and the reads.
    private static Duration expected(JdbmParameters parameters) {
        long bytes = (long) parameters.count() * parameters.valueBytes();
        long nanos = Math.max(parameters.count() * 2_000L, bytes * 10);
        if (!parameters.inOrder()) {
            int slower = parameters.count() < TEN_MILLION ? 2 : 5;
            nanos = Math.min(slower * nanos, AT_RANDOM_MAX.toNanos());
        }
        boolean reads = parameters.durability() == WRITTEN;
        return Duration.ofNanos(nanos).plusMillis(reads ? 8_000 : 4_500);
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
