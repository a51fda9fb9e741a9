package dev.oriel.cli;

import dev.oriel.compare.Checkout;
import dev.oriel.compare.Compare;
import dev.oriel.compare.CompareFailure;
import dev.oriel.compare.Comparison;
import dev.oriel.compare.ComparisonHtml;
import dev.oriel.compare.ComparisonJson;
import dev.oriel.compare.ComparisonText;
import dev.oriel.compare.Program;
import dev.oriel.compare.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `oriel compare`: compares two programs, method by method.
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Compare two programs, method by method, with intervals.",
        synopsisHeading = "%nUsage: ",
        customSynopsis = {
            "@|bold oriel compare|@ --a COMMAND --b COMMAND [@|yellow OPTION|@...]",
            "       @|bold oriel compare|@ OLD.jar NEW.jar [@|yellow OPTION|@...]",
            "       @|bold oriel compare|@ REV REV --build COMMAND --run COMMAND [@|yellow"
                    + " OPTION|@...]",
            "       @|bold oriel compare|@ A.json B.json    (results of JMH)",
            "       @|bold oriel compare|@ A.jfr B.jfr      (recordings of any kind, or folders of"
                    + " them)"
        },
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:An operation of B does not cost more, as far as can be told.",
            "1:It failed; standard error says why.",
            "2:It was used wrongly.",
            "3:An operation of B costs more.",
            "4:It cannot be told (only with --certain)."
        },
        description = {
            "",
            "Runs both in fresh JVMs, in turns, with the profiler in them, and says what an"
                    + " operation costs in B over what it costs in A, with 95 %% intervals, and which"
                    + " method a difference comes from. Of all that is named, at most 5 %% is expected"
                    + " to be named wrongly. docs/compare.md explains it."
        })
final class CompareCommand implements Callable<Integer> {
    private static final int WORSE = 3;
    private static final int UNKNOWN = 4;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            arity = "0..2",
            paramLabel = "A B",
            description = "Two jars, revisions of git, results of JMH, or recordings.")
    private List<String> sides = List.of();

    @Option(names = "--a", paramLabel = "COMMAND", description = "What is compared with.")
    private @Nullable String commandA;

    @Option(names = "--b", paramLabel = "COMMAND", description = "What is judged.")
    private @Nullable String commandB;

    @Option(names = "--args", paramLabel = "WORDS", description = "Arguments for both jars.")
    private String arguments = "";

    @Option(names = "--build", paramLabel = "COMMAND", description = "Builds a revision.")
    private @Nullable String build;

    @Option(names = "--run", paramLabel = "COMMAND", description = "Runs it, in its folder.")
    private @Nullable String run;

    @Option(
            names = "--repository",
            paramLabel = "FOLDER",
            defaultValue = "",
            description = "Of the revisions (the current folder).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path repository;

    @Option(
            names = "--methods",
            paramLabel = "PATTERNS",
            description = "Methods to record exactly, such as com.acme.**,org.x.Y::z*.")
    private String methods = "";

    @Option(
            names = "--per",
            paramLabel = "METHOD",
            description =
                    "Its calls are the operations: com.acme.Shop::sell, sell, or what @Watched"
                            + " calls it.")
    private String per = "";

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "Number of operations of a run, if the program does not print it.")
    private double operations;

    @Option(
            names = "--warmup",
            paramLabel = "MILLIS",
            description = "How long a run goes unrecorded; with --per.")
    private long warmupMillis;

    @Option(names = "--pairs", paramLabel = "N", description = "How many pairs of runs (10).")
    private int pairs = 10;

    @Option(
            names = "--no-samples",
            description = "Take no samples of processor time and allocation.")
    private boolean noSamples;

    @Option(names = "--same-output", description = "Fail unless all runs print the same.")
    private boolean sameOutput;

    @Option(
            names = "--duet",
            description =
                    "Run A and B at the same time, beside each other: on a machine that does other"
                            + " work meanwhile, and has two processors for them.")
    private boolean duet;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "After which a run is ended and fails (3600).")
    private long timeoutSeconds = 3600;

    @Option(names = "--certain", description = "Exit with 4 if there is no certain answer.")
    private boolean certain;

    @Option(
            names = "--all",
            description = "Show tables of the operation, all causes and methods, too.")
    private boolean all;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with flame graphs.")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, InterruptedException, Failure {
        try (TidyEnd _ = new TidyEnd()) {
            return compare();
        } catch (InterruptedException e) {
            throw new Failure("the comparison was ended before it was done; run it again", e);
        } catch (CompareFailure e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int compare() throws IOException, InterruptedException, CompareFailure {
        String a = commandA;
        String b = commandB;
        if (a != null && b != null && sides.isEmpty()) {
            return programs(Program.command(a, a), Program.command(b, b));
        }
        if (a != null || b != null || sides.size() != 2) {
            throw new IllegalArgumentException(
                    "Name two things to compare: --a COMMAND --b COMMAND, or two arguments");
        }
        Path first = Path.of(sides.get(0));
        Path second = Path.of(sides.get(1));
        if (build != null || run != null) {
            return revisions();
        }
        if (isJar(first) && isJar(second)) {
            return programs(jar(first), jar(second));
        }
        if (Recorded.is(first) && Recorded.is(second)) {
            return show(Recorded.compare(first, second), sides.get(0), sides.get(1));
        }
        for (Path side : List.of(first, second)) {
            if (!isJar(side) && !Recorded.is(side)) {
                throw new IllegalArgumentException(
                        side
                                + " is not a file or folder: name two jars, results of JMH"
                                + " (.json) or"
                                + " recordings (.jfr, .orun and others); revisions of git need"
                                + " --build and --run");
            }
        }
        throw new IllegalArgumentException("A jar cannot be compared with a recording");
    }

    private static boolean isJar(Path path) {
        return Files.isRegularFile(path) && path.toString().endsWith(".jar");
    }

    private Program jar(Path jar) {
        return Program.command(
                jar.toString(), "java -jar '" + jar.toAbsolutePath() + "' " + arguments);
    }

    private int revisions() throws IOException, InterruptedException, CompareFailure {
        if (build == null || run == null) {
            throw new IllegalArgumentException(
                    "Revisions take both: --build, a command that builds them, and --run, one that"
                            + " runs them in their folder");
        }
        Path root = repository.toAbsolutePath();
        List<String> building = Program.words(build);
        List<String> running = Program.words(run);
        String folder = "oriel-compare-" + ProcessHandle.current().pid();
        Path place = Files.createTempDirectory(folder);
        try (Checkout a = Checkout.build(root, sides.get(0), place.resolve("a"), building);
                Checkout b = Checkout.build(root, sides.get(1), place.resolve("b"), building)) {
            return programs(
                    new Program(a.name(), running, a.folder()),
                    new Program(b.name(), running, b.folder()));
        } finally {
            Files.deleteIfExists(place);
        }
    }

    private int programs(Program a, Program b)
            throws IOException, InterruptedException, CompareFailure {
        Compare compare =
                Compare.of(a, b)
                        .withSamples(true)
                        .withMethods(methods)
                        .withPer(per, Duration.ofMillis(warmupMillis))
                        .withOperations(operations)
                        .withPairs(pairs)
                        .withTimeout(Duration.ofSeconds(timeoutSeconds))
                        .withSamples(!noSamples);
        compare = sameOutput ? compare.withSameOutput() : compare;
        Environment environment = main.environment();
        Comparison comparison =
                (duet ? compare.withDuet() : compare)
                        .run(line -> {
                            environment.err().println("  " + line);
                            environment.err().flush();
                        });
        return show(Map.of("", comparison), a.name(), b.name());
    }

    /// Prints the comparisons; the exit code tells the result.
    private int show(Map<String, Comparison> comparisons, String a, String b) throws IOException {
        ComparisonText ten = new ComparisonText(a, b);
        ComparisonText text = all ? ten.withTables() : ten;
        List<String> shown = new ArrayList<>();
        comparisons.forEach((name, comparison) ->
                shown.add((name.isEmpty() ? "" : "== " + name + "\n") + text.of(comparison)));
        main.environment().out().print(String.join("\n", shown));
        main.environment().out().flush();
        if (html != null) {
            new ComparisonHtml(a, b).write(comparisons, html);
        }
        if (json != null) {
            new ComparisonJson(a, b).write(comparisons, json);
        }
        if (comparisons.values().stream().anyMatch(Comparison::worse)) {
            return WORSE;
        }
        boolean unknown = comparisons.values().stream().anyMatch(Comparison::unknown);
        return certain && unknown ? UNKNOWN : 0;
    }
}
