package dev.oriel.compare;

import dev.oriel.profiler.AgentJar;
import dev.oriel.profiler.ProbeCost;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.RunFile;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.WaitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs a program once, with the profiler in every JVM that it starts, and collects their recordings. The agent is
/// given by the environment, so that it reaches JVMs behind scripts too.
final class ProfiledRun {
    private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final String MARK = "@oriel ";
    private static final int OUTPUT_LINES = 20;
    private static final String SAMPLES =
            ";samples=cpu,allocation,monitor,park,wait,file-force,file-read,file-write,"
                    + "socket-read,socket-write";

    /// Shortest wait in microseconds that is recorded: an event costs a microsecond or two.
    private static final int WAITS_MICROS = 50;

    private final Compare compare;
    private final String methods;
    private final Set<String> without;

    /// Whether as many calls are timed as the run bears, and nothing else is measured.
    private final boolean timed;

    private final Path folder;
    private final Path agent;

    /// Runs into folders below `folder`.
    ProfiledRun(Compare compare, Path folder) throws IOException {
        this(compare, compare.methods(), Set.of(), false, folder, AgentJar.in(folder));
    }

    private ProfiledRun(
            Compare compare,
            String methods,
            Set<String> without,
            boolean timed,
            Path folder,
            Path agent) {
        this.compare = compare;
        this.methods = methods;
        this.without = without;
        this.timed = timed;
        this.folder = folder;
        this.agent = agent;
    }

    /// This run with other methods to record exactly.
    ProfiledRun withMethods(String patterns) {
        return new ProfiledRun(compare, patterns, without, false, folder, agent);
    }

    /// Patterns of the methods whose calls are recorded.
    String methods() {
        return methods;
    }

    /// This run without a record of the calls of some methods.
    ///
    /// @param names `owner.method` of each
    ProfiledRun without(Set<String> names) {
        return new ProfiledRun(compare, methods, names, false, folder, agent);
    }

    /// This run with a record of the calls of a few methods, which are timed however short they are. Those that take
    /// most of the run to record are counted only.
    ProfiledRun timing(Set<String> patterns) {
        return new ProfiledRun(compare, String.join(",", patterns), Set.of(), true, folder, agent);
    }

    /// Whether calls of any method are recorded.
    boolean recordsCalls() {
        return !methods.isEmpty() || !compare.per().isEmpty();
    }

    /// The program's own reports on its work.
    static final class Said {
        double operations;
        @Nullable String check;
        final Deque<String> last = new ArrayDeque<>();
        long hash = 1469598103934665603L;

        void line(String line) {
            if (last.size() == OUTPUT_LINES) {
                last.removeFirst();
            }
            last.addLast(line);
            for (int i = 0; i < line.length(); i++) {
                hash = (hash ^ line.charAt(i)) * 1099511628211L; // FNV-1a
            }
            hash = (hash ^ '\n') * 1099511628211L;
            if (line.startsWith(MARK + "operations ")) {
                operations += Double.parseDouble(line.substring(MARK.length() + 11).strip());
            } else if (line.startsWith(MARK + "check ")) {
                String value = line.substring(MARK.length() + 6).strip();
                check = check == null ? value : check + " " + value;
            }
        }
    }

    /// A run that has ended.
    ///
    /// @param files the recordings of its JVMs
    record Taken(Program program, List<ProfileResult> files, Said said) {
        /// The results that it reported.
        @Nullable String check(boolean sameOutput) {
            return sameOutput ? Long.toHexString(said.hash) : said.check;
        }
    }

    /// Runs it, and uses its own measurement of the cost of recording.
    ///
    /// @throws CompareFailure if it fails, hands nothing over, or did no operation
    ForkCosts run(Program program) throws IOException, InterruptedException, CompareFailure {
        Taken taken = take(program);
        return costs(taken, RunCosts.leastCost(taken.files()));
    }

    /// Runs it.
    ///
    /// @throws CompareFailure if it fails or hands nothing over
    Taken take(Program program) throws IOException, InterruptedException, CompareFailure {
        Path place = Files.createTempDirectory(folder, "run");
        try {
            Said said = new Said();
            FreshProcess.Exit exit = start(program, place, said);
            if (exit.code() != 0) {
                throw new CompareFailure(failed(program, exit, said));
            }
            return new Taken(program, runFiles(program, place, exit, said), said);
        } catch (NumberFormatException e) {
            throw new CompareFailure(
                    program.name() + " said '@oriel operations' without a number after it", e);
        } finally {
            Folders.remove(place);
        }
    }

    private FreshProcess.Exit start(Program program, Path place, Said said)
            throws IOException, InterruptedException, CompareFailure {
        FreshProcess process =
                new FreshProcess(
                        program.resolved(),
                        Map.of(TOOL_OPTIONS, toolOptions(place)),
                        program.folder(),
                        compare.timeout());
        try {
            return process.run(said::line);
        } catch (IOException e) {
            throw new CompareFailure(
                    "'%s' cannot be started: is '%s' a program on the path, or in %s? %s"
                            .formatted(
                                    program.name(),
                                    program.command().getFirst(),
                                    program.folder(),
                                    e.getMessage()),
                    e);
        }
    }

    private String toolOptions(Path place) {
        StringBuilder options = new StringBuilder();
        String before = System.getenv(TOOL_OPTIONS);
        if (before != null && !before.isBlank()) {
            options.append(before).append(' ');
        }
        options.append(String.join(" ", AgentJar.EXACT_FRAMES)).append(' ');
        return options.append(quoted(agentOption(place))).toString();
    }

    private String agentOption(Path place) {
        StringBuilder options = new StringBuilder("-javaagent:");
        options.append(agent).append("=run=").append(place);
        List<String> include = new ArrayList<>();
        if (!methods.isEmpty()) {
            include.add(methods);
        }
        if (!compare.per().isEmpty()) {
            include.add(new OperationMethod(compare.per()).pattern());
        }
        if (!include.isEmpty()) {
            options.append(";include=").append(String.join(",", include));
        }
        if (!without.isEmpty()) {
            String names = String.join("\n", without).replace(',', '*').replace('\n', ',');
            options.append(";without=").append(names);
        }
        Duration warmup = compare.warmup();
        if (!warmup.isZero()) {
            options.append(";warmup=").append(warmup.toMillis());
        }
        options.append(compare.samples() && !timed ? SAMPLES : ";samples=none");
        options.append(";waits=").append(WAITS_MICROS);
        if (timed) {
            options.append(";budget=50;tree=cpu,timed");
        } else if (!include.isEmpty()) {
            options.append(";tree=allocation,cpu");
        }
        return options.toString();
    }

    /// An option as one word of a list that the JVM splits at blanks outside quotes.
    private static String quoted(String option) {
        return "'" + option.replace("'", "'\"'\"'") + "'";
    }

    private static String failed(Program program, FreshProcess.Exit exit, Said said) {
        String how =
                exit.code() == -1
                        ? "did not end in time and was ended"
                        : "ended with code " + exit.code();
        List<String> shown = new ArrayList<>(said.last);
        shown.addAll(exit.errors().lines().toList());
        String output = shown.isEmpty() ? "It printed nothing." : String.join("\n  ", shown);
        String older =
                output.contains("UnsupportedClassVersionError: dev/oriel/")
                        ? "%nIts JVM is older than Java 25, which the profiler needs: name one of 25 or later, or say just java"
                                .formatted()
                        : "";
        return "%s %s: %s%n  %s%s"
                .formatted(program.name(), how, String.join(" ", program.command()), output, older);
    }

    private List<ProfileResult> runFiles(
            Program program, Path place, FreshProcess.Exit exit, Said said)
            throws IOException, CompareFailure {
        List<ProfileResult> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(place)) {
            List<Path> runs =
                    all.filter(file -> file.toString().endsWith(".run")).sorted().toList();
            for (Path file : runs) {
                files.add(RunFile.read(file));
            }
        }
        if (files.isEmpty()) {
            throw new CompareFailure(
                    "No JVM of "
                            + program.name()
                            + " handed a profile over. It must start one of Java 25 or later, which"
                            + " must end by itself and not by Runtime.halt; what was printed: "
                            + String.join("\n  ", said.last)
                            + exit.errors());
        }
        files.removeIf(file -> file.wallNanos() == 0);
        if (files.isEmpty()) {
            throw new CompareFailure(
                    "%s ended within the warm-up of %d ms: make the warm-up shorter, or the run longer"
                            .formatted(program.name(), compare.warmup().toMillis()));
        }
        return files;
    }

    /// The costs of a run.
    ///
    /// @param recording cost of recording a call, the same for all runs that are compared
    /// @throws CompareFailure if it did no operation
    ForkCosts costs(Taken taken, ProbeCost recording) throws CompareFailure {
        RunCosts costs = new RunCosts(taken.files(), recording);
        Map<Measure, Double> wholes = new EnumMap<>(Measure.class);
        wholes.putAll(costs.wholes());
        double operations = 1;
        if (!compare.per().isEmpty()) {
            String method =
                    new OperationMethod(compare.per()).in(costs.names(), taken.program().name());
            operations = costs.calls(method);
            put(wholes, Measure.TIME, costs.nanos(method));
            put(wholes, Measure.WORK, costs.workNanos(method));
        } else if (taken.said().operations > 0) {
            operations = taken.said().operations;
        } else if (compare.operations() > 0) {
            operations = compare.operations();
        }
        Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
        trees.putAll(costs.trees(recordsCalls(), compare.samples(), SampleKind.CPU));
        if (compare.samples()) {
            trees.put(Measure.BLOCKED, costs.waits(EnumSet.of(WaitKind.LOCK)));
            trees.put(
                    Measure.WAITING,
                    costs.waits(
                            EnumSet.of(
                                    WaitKind.SLEEP, WaitKind.HANDOFF, WaitKind.SYNC, WaitKind.IO)));
        }
        return new ForkCosts(operations, wholes, trees, taken.check(compare.sameOutput()));
    }

    private static void put(Map<Measure, Double> wholes, Measure measure, double nanos) {
        if (nanos > 0) {
            wholes.put(measure, nanos);
        }
    }
}
