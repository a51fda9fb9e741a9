package dev.oriel.bench.cold;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Jars;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.axion.AxionForm;
import dev.oriel.bench.axion.AxionPace;
import dev.oriel.bench.axion.AxionTable;
import dev.oriel.bench.axion.AxionWords;
import dev.oriel.bench.measure.ChildJvm;
import dev.oriel.bench.sql.SqlSubject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// First query of a fresh JVM on an existing database on disk: `ORDER BY ... LIMIT 10` over both columns of the
/// Axion article's table.
///
/// `first-query` is the time from just before the process starts until it has read the tenth row, measured by the
/// parent. `open` is the part from the call that opens the database to the tenth row. Both are medians of several
/// JVMs, with default options and the flags that the product requires. The class path has the product's jars and
/// the benchmark's main class. `jvm` is an empty main method. Closing is not timed. The files are in the page
/// cache.
public final class ColdWorkload implements Workload {
    private static final String FIRST_QUERY = "cold/first-query";
    private static final String OPEN = "cold/open";
    private static final String JVM = "cold/jvm";
    private static final int ROUNDS_MAX = 20;

    private final int rows;

    /// A workload with the usual size.
    public ColdWorkload() {
        this(AxionPace.of(Scale.QUICK).rows());
    }

    /// A workload with another size, for tests.
    ColdWorkload(int rows) {
        this.rows = rows;
    }

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public String summary() {
        return "the first query of a fresh JVM to an existing database";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof SqlSubject || subject instanceof ColdFloor;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<String> floor = new ArrayList<>();
        List<String> onDisk = new ArrayList<>();
        for (Subject subject : subjects) {
            if (subject instanceof ColdFloor) {
                floor.add(subject.name());
            } else if (subject instanceof SqlSubject sql && !sql.inMemory() && !sql.special()) {
                onDisk.add(subject.name());
            }
        }
        boolean quick = scale == Scale.QUICK;
        return List.of(
                scenario("jvm", List.of(JVM), floor, 1),
                scenario("first-query", List.of(FIRST_QUERY, OPEN), onDisk, quick ? 3 : 7));
    }

    private static Scenario scenario(
            String name, List<String> cases, List<String> subjects, int seconds) {
        return new Scenario(
                name, cases, subjects, Duration.ofSeconds(seconds), ROUNDS_MAX, List.of(), 0);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        int starts = run.scale() == Scale.QUICK ? 3 : 7;
        if (subject instanceof SqlSubject sql) {
            firstQuery(sql, starts, run);
        } else {
            ChildJvm empty =
                    new ChildJvm(List.of(), List.of(Jars.of(ColdStart.class)), ColdStart.class);
            List<ChildJvm.Answer> answers = answers(empty, List.of(), starts);
            double millis = median(answers, ChildJvm.Answer::nanos).nanos() / 1e6;
            run.figure(JVM, "time", "ms", millis, Durability.MEMORY);
        }
    }

    private void firstQuery(SqlSubject subject, int starts, Run run) throws Exception {
        run.phase("loading");
        AxionWords words = AxionWords.of(rows, run.seed());
        Path folder = run.folder().resolve("db");
        Durability durability = subject.usual();
        subject.close(new AxionTable(subject, words).make(folder, durability));
        run.phase("starting JVMs");
        List<Path> jars = new ArrayList<>(Jars.of(subject.classes()));
        jars.add(Jars.of(ColdStart.class));
        ChildJvm child = new ChildJvm(subject.jvmArgs(), jars, ColdStart.class);
        List<String> arguments =
                List.of(
                        subject.url(folder, durability),
                        AxionForm.LIMIT_BOTH.sql(subject),
                        first(words),
                        subject.ending().name());
        List<ChildJvm.Answer> answers = answers(child, arguments, starts);
        tell(
                run,
                FIRST_QUERY,
                durability,
                median(answers, ChildJvm.Answer::nanos).nanos(),
                answers);
        long open = opening(median(answers, ColdWorkload::opening));
        tell(run, OPEN, durability, open, answers);
    }

    /// The first word in the order of the index.
    private static String first(AxionWords words) {
        return IntStream.range(0, words.rows())
                .mapToObj(words::first)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static List<ChildJvm.Answer> answers(ChildJvm child, List<String> arguments, int starts)
            throws Exception {
        List<ChildJvm.Answer> answers = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            answers.add(child.run(arguments));
        }
        return answers;
    }

    private static ChildJvm.Answer median(
            List<ChildJvm.Answer> answers, ToLongFunction<ChildJvm.Answer> by) {
        return answers.stream()
                .sorted(Comparator.comparingLong(by))
                .toList()
                .get(answers.size() / 2);
    }

    private static long opening(ChildJvm.Answer answer) {
        return answer.numbers().getFirst();
    }

    private static void tell(
            Run run,
            String caseName,
            Durability durability,
            long nanos,
            List<ChildJvm.Answer> answers) {
        long sum = answers.getFirst().numbers().get(1);
        run.measured(
                new Measurement(
                        caseName,
                        "time",
                        "ms",
                        nanos / 1e6,
                        Double.NaN,
                        Double.NaN,
                        durability,
                        sum));
    }
}
