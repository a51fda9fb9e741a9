package dev.oriel.bench.tpcc;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.sql.SqlSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// TPC-C's five transactions in their standard mix, as fast as terminals can send them (without think time), at
/// READ COMMITTED, in each class of durability: committed transactions a second.
///
/// A transaction that fails because of another is run again and counts once. The clock stops when the database is
/// closed; it is opened again then, and TPC-C's consistency conditions must hold. `p50` and the other percentiles
/// are of new orders.
public final class TpccWorkload implements Workload {
    private static final int ROUNDS_MAX = 2;

    /// Derby's options. A transaction waits for `deadlockTimeout` seconds before it looks for deadlocks; 20 by
    /// default, which its documents advise to lower if there are many.
    private static final List<String> OPTIONS =
            List.of("-Dderby.locks.deadlockTimeout=1", "-Dderby.locks.waitTimeout=10");

    private final TpccPace quick;

    /// A workload with the usual pace.
    public TpccWorkload() {
        this(new TpccPace("tenth", TpccSize.TENTH, Duration.ofSeconds(4), Duration.ofSeconds(2)));
    }

    /// A workload with another pace for quick runs, for tests.
    TpccWorkload(TpccPace quick) {
        this.quick = quick;
    }

    /// Size and duration of a run.
    ///
    /// @param label name of the size in names of cases
    record TpccPace(String label, TpccSize size, Duration warmUp, Duration measured) {}

    @Override
    public String name() {
        return "tpcc";
    }

    @Override
    public String summary() {
        return "TPC-C: transactions of 1 and 16 terminals, beside SQL databases on disk";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof SqlSubject sql && sql.general();
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<Scenario> scenarios = new ArrayList<>();
        for (TpccPace pace : paces(scale)) {
            for (Durability durability : List.of(Durability.WRITTEN, Durability.SYNC)) {
                List<String> names =
                        subjects.stream()
                                .filter(one ->
                                        takes(one)
                                                && ((SqlSubject) one)
                                                        .durabilities()
                                                        .contains(durability))
                                .map(Subject::name)
                                .toList();
                for (int terminals : List.of(1, 16)) {
                    String name = scenarioName(durability, terminals, pace);
                    if (!names.isEmpty()) {
                        scenarios.add(
                                new Scenario(
                                        name,
                                        List.of("tpcc/" + name),
                                        names,
                                        expected(pace),
                                        ROUNDS_MAX,
                                        OPTIONS,
                                        0));
                    }
                }
            }
        }
        return scenarios;
    }

    private static String scenarioName(Durability durability, int terminals, TpccPace pace) {
        return durability.name().toLowerCase(Locale.ROOT)
                + "/terminals-"
                + terminals
                + "/warehouses-"
                + pace.label();
    }

    private static Duration expected(TpccPace pace) {
        long rows = (long) pace.size().warehouses() * pace.size().items();
        return pace.warmUp().plus(pace.measured()).plus(Duration.ofMillis(1_000 + rows / 20));
    }

    private List<TpccPace> paces(Scale scale) {
        return switch (scale) {
            case QUICK -> List.of(quick);
            case FULL ->
                    List.of(
                            new TpccPace(
                                    "1",
                                    TpccSize.FULL,
                                    Duration.ofSeconds(10),
                                    Duration.ofSeconds(10)),
                            new TpccPace(
                                    "4",
                                    new TpccSize(
                                            4,
                                            TpccSize.FULL.districts(),
                                            TpccSize.FULL.customers(),
                                            TpccSize.FULL.items()),
                                    Duration.ofSeconds(10),
                                    Duration.ofSeconds(10)));
        };
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        for (TpccPace pace : paces(run.scale())) {
            for (Durability durability : List.of(Durability.WRITTEN, Durability.SYNC)) {
                for (int terminals : List.of(1, 16)) {
                    if (scenario.name().equals(scenarioName(durability, terminals, pace))) {
                        new TpccRun((SqlSubject) subject, durability, terminals, pace, run)
                                .measure(scenario.cases().getFirst());
                    }
                }
            }
        }
    }
}
