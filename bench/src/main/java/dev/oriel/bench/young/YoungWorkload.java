package dev.oriel.bench.young;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Jars;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.measure.ChildJvm;
import dev.oriel.bench.sql.SqlSubject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The work of test suites, commands and small services on a database before their JVM is a second old, each time
/// in a fresh one. `schema` makes 30 tables with keys and indexes, puts 20 rows into each, asks 150 queries and
/// drops everything, three times (`again`, `third`) in new databases. `inserts` puts 5,000 rows into a table in
/// one transaction. `databases` makes forty databases one after the other, each with two tables and a few rows, as
/// forty tests do.
///
/// Times are from before the process is started until the step is done. They are from the JVM whose last step is
/// the median of several; beside them are the processor time of all threads and the number of classes loaded.
public final class YoungWorkload implements Workload {
    private static final int ROUNDS_MAX = 20;

    private static final List<Work> WORKS =
            List.of(
                    new Work(
                            "schema",
                            3,
                            List.of("tables", "rows", "queries", "dropped", "again", "third")),
                    new Work("inserts", 1, List.of("inserted")),
                    new Work("databases", 40, List.of("ended")));

    /// The work of a JVM, and its reported steps.
    private record Work(String label, int databases, List<String> steps) {
        private static Work of(String label) {
            return WORKS.stream()
                    .filter(work -> work.label.equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("No work " + label));
        }
    }

    /// For the service loader.
    public YoungWorkload() {}

    @Override
    public String name() {
        return "young";
    }

    @Override
    public String summary() {
        return "a schema, rows and queries in the first second of a fresh JVM";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof SqlSubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<Scenario> scenarios = new ArrayList<>();
        for (Durability durability :
                List.of(Durability.MEMORY, Durability.WRITTEN, Durability.SYNC)) {
            List<String> able = new ArrayList<>();
            for (Subject subject : subjects) {
                if (subject instanceof SqlSubject sql && takes(sql, durability)) {
                    able.add(subject.name());
                }
            }
            for (Work work : WORKS) {
                scenarios.add(scenario(work, durability, able, scale));
            }
        }
        return scenarios;
    }

    private static boolean takes(SqlSubject subject, Durability durability) {
        return !subject.special()
                && !subject.name().contains("-array")
                && subject.durabilities().contains(durability);
    }

    private static Scenario scenario(
            Work work, Durability durability, List<String> subjects, Scale scale) {
        return new Scenario(
                work.label() + "/" + durability.name().toLowerCase(Locale.ROOT),
                cases(work, durability),
                subjects,
                Duration.ofSeconds(scale == Scale.QUICK ? 6 : 14),
                ROUNDS_MAX,
                List.of(),
                0);
    }

    private static List<String> cases(Work work, Durability durability) {
        String suffix = "/" + durability.name().toLowerCase(Locale.ROOT);
        return work.steps.stream()
                .map(step -> "young/" + work.label() + "-" + step + suffix)
                .toList();
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        String[] parts = scenario.name().split("/", -1);
        Work work = Work.of(parts[0]);
        Durability durability = Durability.valueOf(parts[1].toUpperCase(Locale.ROOT));
        SqlSubject sql = (SqlSubject) subject;
        List<Path> jars = new ArrayList<>(Jars.of(sql.classes()));
        jars.add(Jars.of(YoungStart.class));
        ChildJvm child = new ChildJvm(sql.jvmArgs(), jars, YoungStart.class);
        run.phase("starting JVMs");
        int starts = run.scale() == Scale.QUICK ? 3 : 7;
        List<ChildJvm.Answer> answers = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            answers.add(child.run(arguments(work, sql, durability, run.folder(), i)));
        }
        answers.sort(Comparator.comparingLong(YoungWorkload::ended));
        tell(run, cases(work, durability), durability, answers.get(starts / 2));
    }

    private static List<String> arguments(
            Work work, SqlSubject subject, Durability durability, Path folder, int start) {
        List<String> arguments = new ArrayList<>();
        arguments.add(work.label());
        arguments.add(subject.ending().name());
        arguments.add(subject.createIndex("{index}", "{table}", "{column}"));
        arguments.add(subject.limitClause().replace("10", "3"));
        for (int i = 0; i < work.databases; i++) {
            arguments.add(subject.url(folder.resolve("db" + start + "x" + i), durability));
        }
        return arguments;
    }

    /// Time of the end of the last step.
    private static long ended(ChildJvm.Answer answer) {
        return answer.nanos() - answer.numbers().getLast();
    }

    private static void tell(
            Run run, List<String> cases, Durability durability, ChildJvm.Answer answer) {
        List<Long> numbers = answer.numbers();
        for (int i = 0; i < cases.size(); i++) {
            double millis = (answer.nanos() - numbers.get(YoungStart.FIGURES + i)) / 1e6;
            run.measured(
                    new Measurement(
                            cases.get(i),
                            "time",
                            "ms",
                            millis,
                            Double.NaN,
                            Double.NaN,
                            durability,
                            numbers.get(0)));
        }
        String last = cases.getLast();
        run.figure(last, "classes", "classes", (double) numbers.get(1), durability);
        run.figure(last, "processor", "ms", numbers.get(2) / 1e6, durability);
    }
}
