package dev.oriel.bench.tpch;

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

/// The 22 questions of TPC-H to databases on disk, each by one thread, warm, with a limit of time.
///
/// `load` is the time of the load: tables, rows from files, indexes, statistics, until the database is closed; its
/// `file` is the size on disk then. `q1` to `q22` are the medians of answers, all rows read; `all` is their
/// geometric mean, in which an answer beyond the limit counts as the limit. Answers are compared by
/// [dev.oriel.bench.Answer].
public final class TpchWorkload implements Workload {
    static final int QUERIES = 22;

    private final TpchPace quick;

    /// A workload with the usual pace.
    public TpchWorkload() {
        this(TpchPace.QUICK);
    }

    /// A workload with another pace for quick runs, for tests.
    TpchWorkload(TpchPace quick) {
        this.quick = quick;
    }

    @Override
    public String name() {
        return "tpch";
    }

    @Override
    public String summary() {
        return "TPC-H: 22 long questions by one thread, beside SQL databases on disk";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof SqlSubject sql && sql.general();
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<String> names = subjects.stream().filter(this::takes).map(Subject::name).toList();
        List<Scenario> scenarios = new ArrayList<>();
        if (!names.isEmpty()) {
            for (TpchPace pace : paces(scale)) {
                scenarios.add(
                        new Scenario(
                                "scale-" + pace.label(),
                                cases(pace),
                                names,
                                pace.expected(),
                                pace.roundsMax(),
                                // From Derby's documents: pages of its cache, here half a gigabyte.
                                List.of("-Xmx4g", "-Dderby.storage.pageCacheSize=65536"),
                                0));
            }
        }
        return scenarios;
    }

    private List<TpchPace> paces(Scale scale) {
        return switch (scale) {
            case QUICK -> List.of(quick);
            case FULL -> List.of(TpchPace.TENTH, TpchPace.WHOLE);
        };
    }

    private static List<String> cases(TpchPace pace) {
        List<String> cases = new ArrayList<>();
        cases.add(caseName("load", pace));
        for (int i = 1; i <= QUERIES; i++) {
            cases.add(caseName("q" + i, pace));
        }
        cases.add(caseName("all", pace));
        return cases;
    }

    static String caseName(String what, TpchPace pace) {
        return "tpch/" + what + "/scale-" + pace.label().toLowerCase(Locale.ROOT);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        for (TpchPace pace : paces(run.scale())) {
            if (scenario.name().equals("scale-" + pace.label())) {
                new TpchRun((SqlSubject) subject, pace, run).measure();
            }
        }
    }

    /// Size and durations.
    ///
    /// @param factor factor of the size; 1 has six million lines of orders
    /// @param limit time limit of each question
    /// @param warmUp time that each question is repeated before it is measured
    /// @param measured time that it is repeated then; the median counts
    record TpchPace(
            double factor,
            Duration limit,
            Duration warmUp,
            Duration measured,
            Duration expected,
            int roundsMax) {
        static final TpchPace QUICK = of(0.01, 2_000, 700, 100, 24, 2);
        static final TpchPace TENTH = of(0.1, 20_000, 3_000, 1_000, 80, 3);
        static final TpchPace WHOLE = of(1, 15_000, 2_000, 0, 360, 2);

        static TpchPace of(
                double factor,
                int limitMillis,
                int warmUpMillis,
                int millis,
                int expectedSeconds,
                int roundsMax) {
            return new TpchPace(
                    factor,
                    Duration.ofMillis(limitMillis),
                    Duration.ofMillis(warmUpMillis),
                    Duration.ofMillis(millis),
                    Duration.ofSeconds(expectedSeconds),
                    roundsMax);
        }

        String label() {
            return factor == Math.rint(factor)
                    ? Long.toString((long) factor)
                    : Double.toString(factor);
        }
    }
}
