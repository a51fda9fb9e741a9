package dev.oriel.bench.command;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.report.MarkdownReport;
import dev.oriel.bench.report.ResultsPage;
import dev.oriel.bench.results.Origin;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.ResultsFile;
import dev.oriel.bench.run.Bench;
import dev.oriel.bench.run.Options;
import dev.oriel.bench.run.Progress;
import dev.oriel.bench.run.Resumption;
import dev.oriel.bench.run.Temporary;
import dev.oriel.bench.run.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `oriel bench`: runs workloads, with peers if requested.
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Measure Oriel, beside its peers, in one run.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:All was measured, and all subjects read the same.",
            "1:Something failed, or read something else; the results hold the rest.",
            "2:It was used wrongly."
        },
        description = {
            "",
            "Each subject runs in fresh JVMs, the subjects of a scenario one after the other in"
                    + " changing order, round after round, until the 95 %% intervals are narrow or"
                    + " the time is up. Let nothing else run meanwhile."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel bench axion --quick",
            "  oriel bench axion,jdbm,voron,cold --peers h2,sqlite,lmdb --quick --html bench.html",
            "  oriel bench jdbm --peers all --case /get/",
            "  oriel bench --peers all --json night.json --resume",
            "  oriel bench agree monday.json tuesday.json",
            "  oriel bench gate HEAD~1"
        },
        subcommands = {GateCommand.class, ReportCommand.class, AgreeCommand.class})
public final class BenchCommand implements Callable<Integer> {
    /// An option's file name, together with the word before it.
    private static final Pattern FILE =
            Pattern.compile(
                    "(?:--(?:json|html|dir) |\\S* (--(?:json|html|dir)=))(?:.*/)?([^/]+/?)");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "WORKLOADS",
            description = "Which, between commas (all); --list names them.")
    private @Nullable String workloads;

    @Option(
            names = "--peers",
            paramLabel = "LIST",
            defaultValue = "none",
            description =
                    "Products or single subjects of them to run beside, between commas, or all or"
                            + " none (none). The launcher fetches and builds them the first time.")
    private String peers = "none";

    @Option(
            names = "--case",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "Only cases in whose name it is found.")
    private String cases = "";

    @Option(names = "--quick", description = "Smaller sizes, some minutes a workload.")
    private boolean quick;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description =
                    "Begin no further round after so long (19 with --quick, else 540); a first round of all"
                            + " ends within it, if it is expected to.")
    private @Nullable Integer minutes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "Exactly so many rounds, if the time allows them (at least 3, and more until"
                            + " intervals are narrow).")
    private @Nullable Integer rounds;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the databases lie, on a disk (target/bench).")
    private @Nullable Path dir;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "2003",
            description = "Of the data and of the order of runs (2003).")
    private long seed;

    @Option(
            names = "--resume",
            description =
                    "Go on with the run whose results the file of --json holds, if there is one yet:"
                            + " its rounds count.")
    private boolean resume;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write them as one HTML page.")
    private @Nullable Path html;

    @Option(
            names = "--list",
            description =
                    "Name workloads, scenarios and subjects, say how long they take; run nothing.")
    private boolean list;

    @Override
    public Integer call() throws IOException, InterruptedException, UserError {
        Catalog catalog = new Catalog();
        Options options = options();
        checkFolder("--json", json);
        checkFolder("--html", html);
        List<Workload> chosen = chosen(catalog);
        List<Subject> subjects = subjects(catalog);
        if (list) {
            print(chosen, subjects, options);
            Progress nobody = new Progress(System.err, 0);
            Bench all = new Bench(catalog, options, chosen, subjects, nobody, _ -> {});
            spec.commandLine().getOut().println(all.plan());
            return 0;
        }
        Files.createDirectories(options.folder());
        Temporary.sweep(options.folder());
        Origin origin = Origin.of(options.folder(), root());
        if (Files.getFileStore(options.folder()).type().equals("tmpfs")) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "oriel: " + options.folder() + " lies in memory; give --dir on a disk");
        }
        Progress progress = new Progress(System.err, Integer.getInteger("oriel.columns", 0));
        Bench bench =
                new Bench(catalog, options, chosen, subjects, progress, so -> write(so, origin));
        if (bench.isEmpty()) {
            throw wrong("No case has '%s' in its name; see --list".formatted(cases));
        }
        Results earlier = earlier(origin, options);
        if (earlier != null) {
            bench.resume(earlier);
        }
        spec.commandLine().getErr().printf("%s%n%s%n", origin.machine(), bench.plan());
        spec.commandLine().getErr().flush();
        boolean fine = bench.run();
        Results results = write(bench, origin);
        System.out.print(new MarkdownReport(results).all());
        return fine ? 0 : 1;
    }

    /// The run to resume; null to begin a new one.
    private @Nullable Results earlier(Origin origin, Options options)
            throws IOException, UserError {
        if (resume && json == null) {
            throw wrong("--resume needs --json FILE: the run to go on with");
        }
        if (!resume || json == null || !Files.exists(json)) {
            return null;
        }
        Results earlier = ResultsFile.read(json);
        new Resumption(json, origin, options).check(earlier);
        return earlier;
    }

    /// Checks before the run that results can be written: a night's work must not be lost.
    private void checkFolder(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().resolveSibling("");
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw wrong(
                    "%s %s: nothing can be written to the folder %s"
                            .formatted(option, file, folder));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private Options options() {
        if (rounds != null && rounds < 1) {
            throw wrong("--rounds must be at least 1, not %d".formatted(rounds));
        }
        if (minutes != null && minutes < 1) {
            throw wrong("--minutes must be at least 1, not %d".formatted(minutes));
        }
        try {
            Pattern.compile(cases);
        } catch (PatternSyntaxException e) {
            throw new ParameterException(
                    spec.commandLine(), "--case is no regular expression: " + e.getMessage(), e);
        }
        Path folder = dir == null ? root().resolve("target", "bench") : dir;
        int most = minutes != null ? minutes : (quick ? 19 : 540);
        return new Options(
                quick ? Scale.QUICK : Scale.FULL,
                cases,
                Duration.ofMinutes(most),
                rounds != null ? rounds : 3,
                rounds != null ? Double.POSITIVE_INFINITY : quick ? 0.05 : 0.02,
                folder,
                seed,
                commandLine());
    }

    static Path root() {
        return Path.of(System.getProperty("oriel.root", "."));
    }

    private List<Workload> chosen(Catalog catalog) {
        if (workloads == null) {
            return catalog.workloads();
        }
        Set<Workload> chosen = new LinkedHashSet<>();
        for (String name : workloads.split(",", -1)) {
            chosen.add(workload(catalog, name));
        }
        for (Workload workload : List.copyOf(chosen)) {
            workload.beside().forEach(name -> chosen.add(workload(catalog, name)));
        }
        return List.copyOf(chosen);
    }

    private Workload workload(Catalog catalog, String name) {
        return catalog.workloads().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        unknown(
                                "workload",
                                name,
                                catalog.workloads().stream().map(Workload::name).toList()));
    }

    private List<Subject> subjects(Catalog catalog) {
        List<Subject> others =
                catalog.subjects().stream().filter(one -> !Catalog.ours(one)).toList();
        List<String> known = others.stream().map(Subject::product).distinct().toList();
        List<String> wanted =
                switch (peers) {
                    case "none" -> List.of();
                    case "all" -> known;
                    default -> Arrays.asList(peers.split(",", -1));
                };
        for (String name : wanted) {
            if (others.stream().noneMatch(one -> isMeant(one, name))) {
                throw unknown("peer", name, known);
            }
        }
        return catalog.subjects().stream()
                .filter(one ->
                        Catalog.ours(one) || wanted.stream().anyMatch(name -> isMeant(one, name)))
                .toList();
    }

    /// Whether `name` is the product, or a subject of it, such as `mvstore` of `h2`.
    private static boolean isMeant(Subject subject, String name) {
        return subject.product().equals(name) || subject.name().equals(name);
    }

    private ParameterException unknown(String kind, String name, List<String> known) {
        return wrong(
                "There is no %s '%s'; there are %s"
                        .formatted(kind, name, String.join(", ", known)));
    }

    private void print(List<Workload> chosen, List<Subject> subjects, Options options) {
        var out = spec.commandLine().getOut();
        for (Workload workload : chosen) {
            out.printf("%s: %s%n", workload.name(), workload.summary());
            for (Scenario scenario : workload.scenarios(options.scale(), subjects)) {
                out.printf(
                        "  %s, about %d s each, at most %d: %s%n",
                        scenario.name(),
                        scenario.expected().toSeconds(),
                        scenario.most().toSeconds(),
                        String.join(", ", scenario.subjects()));
                scenario.cases().forEach(name -> out.printf("    %s%n", name));
            }
        }
        out.flush();
    }

    /// The command line as typed. Paths of files are reduced to their last part, so that the results do not
    /// disclose the user's folders.
    private String commandLine() {
        StringBuilder line = new StringBuilder("./oriel bench");
        String last = "";
        for (String word : spec.commandLine().getParseResult().originalArgs()) {
            Matcher file = FILE.matcher(last + " " + word);
            if (file.matches()) {
                String option = file.group(1);
                line.append(' ').append(option == null ? "" : option).append(file.group(2));
            } else {
                line.append(' ').append(word);
            }
            last = word;
        }
        return line.toString();
    }

    /// Writes the results; called after each round, so that an interrupted run keeps its figures.
    private Results write(Bench bench, Origin origin) {
        String now =
                ZonedDateTime.now(ZoneId.systemDefault())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
        Results results = bench.results(now, origin);
        try {
            if (json != null) {
                ResultsFile.write(results, json);
            }
            if (html != null) {
                new ResultsPage(results).write(html);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return results;
    }

    /// The program.
    public static void main(String[] words) {
        System.exit(commandLine(new BenchCommand()).execute(words));
    }

    /// The command, with errors reported in words for users.
    static CommandLine commandLine(BenchCommand bench) {
        Failures failures = new Failures();
        return new CommandLine(bench)
                .setCommandName("oriel bench")
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }
}
