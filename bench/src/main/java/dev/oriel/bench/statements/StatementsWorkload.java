package dev.oriel.bench.statements;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.measure.WarmUp;
import dev.oriel.bench.sql.SqlSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// Statements one by one, beside the cases of `axion`. Rows are written by their key, each a commit, and in
/// batches of 1,000; rows and numbers are read by their key. Further cases are statements that were never seen
/// before, and a sort and a join of many rows in a small heap.
public final class StatementsWorkload implements Workload {
    static final String BIG = "big";
    private static final String WRITE = "write/";
    private static final String SELECT = "select";
    private static final String AD_HOC = "ad-hoc";
    private static final int ROUNDS_MAX = 2;

    private final StatementsPace quick;

    /// A workload with the usual pace.
    public StatementsWorkload() {
        this(StatementsPace.QUICK);
    }

    /// A workload with another pace for quick runs, for tests.
    StatementsWorkload(StatementsPace quick) {
        this.quick = quick;
    }

    /// Sizes and durations.
    ///
    /// @param rows rows of the table that is read and written by key
    /// @param texts statements that are planned once each
    /// @param bigRows rows of the table that is sorted and joined
    /// @param bigLimit time limit of a sort or join
    record StatementsPace(
            int rows,
            WarmUp warmUp,
            Duration measured,
            int texts,
            int bigRows,
            String bigHeap,
            Duration bigLimit) {
        static final StatementsPace QUICK =
                new StatementsPace(
                        20_000,
                        new WarmUp(Duration.ofMillis(200), Duration.ofMillis(800)),
                        Duration.ofMillis(700),
                        10_000,
                        200_000,
                        "-Xmx128m",
                        Duration.ofSeconds(5));
        static final StatementsPace FULL =
                new StatementsPace(
                        200_000,
                        new WarmUp(Duration.ofMillis(500), Duration.ofSeconds(6)),
                        Duration.ofSeconds(2),
                        10_000,
                        1_000_000,
                        "-Xmx256m",
                        Duration.ofSeconds(120));
    }

    private StatementsPace pace(Scale scale) {
        return scale == Scale.QUICK ? quick : StatementsPace.FULL;
    }

    @Override
    public String name() {
        return "statements";
    }

    @Override
    public String summary() {
        return "rows by key, batches, new texts, a sort and a join in little memory";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof SqlSubject sql && sql.general();
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<Scenario> scenarios = new ArrayList<>();
        boolean isQuick = scale == Scale.QUICK;
        StatementsPace pace = pace(scale);
        for (Durability durability :
                List.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC)) {
            scenarios.add(
                    scenario(
                            WRITE + durability.name().toLowerCase(Locale.ROOT),
                            StatementsWrites.cases(durability),
                            names(subjects, one -> one.durabilities().contains(durability)),
                            isQuick ? 9 : 45));
        }
        List<String> all = names(subjects, one -> true);
        scenarios.add(scenario(SELECT, StatementsReads.CASES, all, isQuick ? 4 : 20));
        scenarios.add(scenario(AD_HOC, AdHocStatements.CASES, all, isQuick ? 5 : 25));
        scenarios.add(
                new Scenario(
                        BIG,
                        BigStatements.cases(pace.bigRows()),
                        all,
                        Duration.ofSeconds(isQuick ? 6 : 60),
                        ROUNDS_MAX,
                        List.of(pace.bigHeap()),
                        0));
        return scenarios.stream().filter(one -> !one.subjects().isEmpty()).toList();
    }

    private static Scenario scenario(
            String name, List<String> cases, List<String> subjects, int seconds) {
        return new Scenario(
                name, cases, subjects, Duration.ofSeconds(seconds), ROUNDS_MAX, List.of(), 0);
    }

    private List<String> names(List<Subject> subjects, Predicate<SqlSubject> wanted) {
        return subjects.stream()
                .filter(this::takes)
                .filter(one -> wanted.test((SqlSubject) one))
                .map(Subject::name)
                .toList();
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        SqlSubject sql = (SqlSubject) subject;
        StatementsPace pace = pace(run.scale());
        switch (scenario.name()) {
            case SELECT -> new StatementsReads(sql, pace, run).measure();
            case AD_HOC -> new AdHocStatements(sql, pace, run).measure();
            case BIG -> new BigStatements(sql, pace, run).measure();
            default -> {
                String durability = scenario.name().substring(WRITE.length());
                new StatementsWrites(
                                sql,
                                pace,
                                Durability.valueOf(durability.toUpperCase(Locale.ROOT)),
                                run)
                        .measure();
            }
        }
    }
}
