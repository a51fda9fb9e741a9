package dev.oriel.bench.axion;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.sql.SqlSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/// The workload of the article on Axion: 5,000 pairs of short strings with an index on the first, `val > ?`, and
/// the first 10 rows read. It also measures the costs of its two kinds of index: filling, opening, memory,
/// modifying.
///
/// Queries of databases in memory and on disk are compared with each other, since they write nothing. Cases that
/// write carry their durability class in their names.
///
/// Each form of the query has a JVM of its own. A quick run has only the forms with both columns, and of the peers
/// only databases in memory, the fastest, with which Oriel's databases on disk are compared.
public final class AxionWorkload implements Workload {
    private static final String QUERY = "query/";
    private static final String WRITE = "write/";
    private static final String OPEN = "open";
    private static final String MEMORY = "memory";
    private static final int ROUNDS_MAX = 20;

    /// The memory of a database is the same in each process, except for a few pages.
    private static final int MEMORY_ROUNDS_MAX = 2;

    private final Function<Scale, AxionPace> paces;

    /// A workload with the usual sizes.
    public AxionWorkload() {
        this(AxionPace::of);
    }

    /// A workload with other sizes, for tests.
    AxionWorkload(Function<Scale, AxionPace> paces) {
        this.paces = paces;
    }

    @Override
    public String name() {
        return "axion";
    }

    @Override
    public String summary() {
        return "10 of 5,000 rows by an index: the Axion article's query, beside SQL databases";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof SqlSubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        boolean quick = scale == Scale.QUICK;
        List<Scenario> scenarios = new ArrayList<>();
        for (AxionForm form : AxionForm.values()) {
            if (!quick || form.columns() == 2) {
                List<String> names = names(subjects, one -> !quick || asksInQuick(one, form));
                scenarios.add(
                        scenario(
                                QUERY + form.label(),
                                List.of(form.caseName("cold"), form.caseName("warm")),
                                names,
                                quick ? 4 : 8,
                                ROUNDS_MAX));
            }
        }
        Predicate<SqlSubject> usual = one -> !quick || !one.special();
        for (Durability durability : Durability.values()) {
            if (!quick || durability == Durability.MEMORY || durability == Durability.WRITTEN) {
                scenarios.add(
                        writes(durability, names(subjects, writers(durability, quick)), quick));
            }
        }
        List<String> onDisk = names(subjects, usual.and(one -> !one.inMemory()));
        scenarios.add(
                scenario(OPEN, List.of(AxionOpening.CASE), onDisk, quick ? 3 : 6, ROUNDS_MAX));
        scenarios.add(
                scenario(
                        MEMORY,
                        List.of(AxionMemory.CASE),
                        names(subjects, usual),
                        2,
                        MEMORY_ROUNDS_MAX));
        return scenarios.stream().filter(one -> !one.subjects().isEmpty()).toList();
    }

    private static boolean asksInQuick(SqlSubject subject, AxionForm form) {
        boolean fast = subject.inMemory() || subject.product().equals("oriel");
        return fast && !(subject.special() && form.limited());
    }

    /// Filter of subjects. A quick run includes on-disk databases without WRITTEN, to report them as unable.
    private static Predicate<SqlSubject> writers(Durability durability, boolean quick) {
        return one ->
                !(quick && one.special())
                        && (one.durabilities().contains(durability)
                                || (quick && durability == Durability.WRITTEN && !one.inMemory()));
    }

    private static Scenario writes(Durability durability, List<String> names, boolean quick) {
        List<String> cases =
                List.of(
                        AxionWrites.caseName("insert", durability),
                        AxionWrites.caseName("update", durability),
                        AxionWrites.caseName("delete-insert", durability));
        return scenario(WRITE + lower(durability), cases, names, quick ? 4 : 9, ROUNDS_MAX);
    }

    private static Scenario scenario(
            String name, List<String> cases, List<String> names, int seconds, int roundsMax) {
        return new Scenario(
                name, cases, names, Duration.ofSeconds(seconds), roundsMax, List.of(), 0);
    }

    private static List<String> names(List<Subject> subjects, Predicate<SqlSubject> wanted) {
        return subjects.stream()
                .filter(one -> one instanceof SqlSubject sql && wanted.test(sql))
                .map(Subject::name)
                .toList();
    }

    private static AxionForm form(String label) {
        return Arrays.stream(AxionForm.values())
                .filter(form -> form.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(label));
    }

    private static String lower(Durability durability) {
        return durability.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        SqlSubject sql = (SqlSubject) subject;
        AxionPace pace = paces.apply(run.scale());
        String name = scenario.name();
        if (name.startsWith(QUERY)) {
            new AxionQueries(sql, pace, run).measure(form(name.substring(QUERY.length())));
        } else if (name.startsWith(WRITE)) {
            String wanted = name.substring(WRITE.length()).toUpperCase(Locale.ROOT);
            write(scenario, sql, pace, Durability.valueOf(wanted), run);
        } else if (name.equals(OPEN)) {
            new AxionOpening(sql, pace, run).measure();
        } else {
            AxionMemory.measure(sql, pace, run);
        }
    }

    private static void write(
            Scenario scenario, SqlSubject subject, AxionPace pace, Durability durability, Run run)
            throws Exception {
        if (subject.durabilities().contains(durability)) {
            new AxionWrites(subject, pace, durability, run).measure();
            return;
        }
        for (String caseName : scenario.cases()) {
            run.cannot(
                    caseName,
                    subject.name()
                            + " commits only as "
                            + subject.durabilities()
                            + "; a full run measures those");
        }
    }
}
