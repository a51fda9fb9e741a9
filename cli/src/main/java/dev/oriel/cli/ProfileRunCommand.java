package dev.oriel.cli;

import dev.oriel.profiler.ClassCode;
import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.ReportFormat;
import dev.oriel.profiler.RunFile;
import dev.oriel.profiler.SummaryReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel profile run`: runs a program under the profiler's agent.
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Run a program and profile it.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Runs the command with the profiler as an agent, from its start to its end, and says"
                    + " what it found. Of a command that is not java, every JVM that it starts is"
                    + " profiled, and the last one to end is kept."
        })
final class ProfileRunCommand implements Callable<Integer> {
    private static final long TICK_MILLIS = 500;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ProfileCommand parent;

    @Option(
            names = {"-i", "--include"},
            paramLabel = "PATTERNS",
            description =
                    "Methods to time exactly: com.acme.** (a package and those below), com.acme.*,"
                            + " com.acme.Order, com.acme.Order::total*; with commas between.")
    private @Nullable String include;

    @Option(
            names = {"-x", "--exclude"},
            paramLabel = "PATTERNS",
            description = "Methods excluded from these.")
    private @Nullable String exclude;

    @Option(
            names = "--samples",
            paramLabel = "KINDS",
            description =
                    "usual, none, or some: cpu, cpu-time, allocation, file-force ... (usual).")
    private @Nullable String samples;

    @Option(
            names = "--every",
            paramLabel = "MILLIS",
            description = "Time between two samples of a thread (10).")
    private @Nullable Integer every;

    @Option(
            names = "--tree",
            paramLabel = "HOW",
            description =
                    "allocation: bytes of each method; expand: a node for each level of a"
                            + " recursion; timed: never count without timing.")
    private @Nullable String tree;

    @Option(
            names = "--budget",
            paramLabel = "PERCENT",
            description =
                    "How much of the time in calls recording may take; past it the shortest calls are"
                            + " only counted, and then left out (20).")
    private @Nullable Double budget;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "jfr, or async: async-profiler, on the program's class path (jfr).")
    private @Nullable String engine;

    @Option(
            names = "--no-agent",
            description = "Take samples by the Flight Recorder alone, of any JVM from 11 on.")
    private boolean noAgent;

    @Option(
            names = "--classes",
            paramLabel = "PATH",
            description =
                    "Class path of the program, which makes advice more certain (that of the"
                            + " command).")
    private @Nullable String classes;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "profile.orun",
            description = "Where the profile is written, a name that ends in .orun (profile.orun).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path output;

    @Parameters(
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The program, after --: java -jar acme.jar ...")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<String> command;

    @Override
    public Integer call() throws IOException, InterruptedException, Failure {
        check();
        Screen screen = parent.environment().screen();
        Path made = noAgent ? Files.createTempFile("oriel", ".jfr") : output.toAbsolutePath();
        Files.deleteIfExists(made);
        ClassCode code =
                classes == null
                        ? ClassCode.of(ClassPath.ofCommand(command))
                        : ProfileFiles.code(classes);
        ProcessBuilder builder = builder(made);
        int exitCode = run(builder, screen);
        if (!Files.isRegularFile(made)) {
            throw new Failure(nothingLeft(exitCode));
        }
        ProfileResult result = ProfileReader.read(made);
        if (noAgent) {
            RunFile.write(result, output);
            Files.delete(made);
        }
        PrintWriter out = screen.out();
        if (exitCode != 0) {
            out.println("The program ended with exit code " + exitCode + ".");
        }
        new SummaryReport(code).write(result, out);
        advise(result, out);
        out.println();
        out.println(
                "The profile: "
                        + output
                        + ". As a page: oriel profile convert "
                        + output
                        + " "
                        + page());
        out.flush();
        return result.isEmpty() ? 1 : 0;
    }

    /// Makes the agent's checks before the program runs.
    private void check() throws Failure {
        Path folder = output.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new Failure("there is no folder " + folder + " to write " + output + " into");
        }
        if (ReportFormat.of(output) != ReportFormat.RUN) {
            throw new Failure(
                    "-o takes a file that ends in .orun, and not "
                            + output
                            + "; oriel profile convert makes other formats of it");
        }
        if (every != null && every <= 0) {
            throw new Failure("--every takes milliseconds, 1 or more, and not " + every);
        }
        if (budget != null && !(budget > 0 && budget <= 100)) {
            throw new Failure("--budget takes a percentage up to 100, and not " + budget);
        }
        for (String word : samples == null ? new String[0] : samples.split(",", -1)) {
            if (!word.strip().equals("usual") && !word.strip().equals("none")) {
                ProfileFiles.kind(word.strip());
            }
        }
        oneOf("--tree", tree, List.of("allocation", "expand", "timed"));
        oneOf("--engine", engine, List.of("jfr", "async"));
    }

    private static void oneOf(String option, @Nullable String value, List<String> known)
            throws Failure {
        for (String word : value == null ? new String[0] : value.split(",", -1)) {
            if (!known.contains(word.strip())) {
                throw new Failure(
                        "%s takes %s, and not '%s'"
                                .formatted(option, String.join(", ", known), word.strip()));
            }
        }
    }

    private String nothingLeft(int exitCode) {
        String words = String.join(" ", command);
        return "the program ended with exit code %d and left no profile. ".formatted(exitCode)
                + (noAgent
                        ? "'%s' has to start a JVM that has the Flight Recorder (the module jdk.jfr), which must end by itself"
                                .formatted(words)
                        : "'%s' has to start a JVM of Java 25 or later, which must end by itself and not be killed; older ones can be recorded with --no-agent"
                                .formatted(words));
    }

    private ProcessBuilder builder(Path made) throws IOException, InterruptedException, Failure {
        String option = noAgent ? recorder(made) : agent(made);
        List<String> words = new ArrayList<>(command);
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        if (AgentJar.isJava(words.getFirst())) {
            if (!noAgent) {
                AgentJar.check(words.getFirst());
            }
            words.add(1, option);
            words.addAll(1, AgentJar.EXACT_FRAMES);
        } else {
            // The JVM splits it at blanks outside quotes.
            String quoted = String.join(" ", AgentJar.EXACT_FRAMES) + " '" + option + "'";
            builder.environment().merge("JAVA_TOOL_OPTIONS", quoted, (a, b) -> a + " " + b);
        }
        return builder;
    }

    private static String recorder(Path made) {
        return "-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=" + made;
    }

    private String agent(Path made) throws Failure {
        StringBuilder options = new StringBuilder("-javaagent:").append(AgentJar.path());
        options.append("=report=").append(made);
        add(options, "include", include);
        add(options, "exclude", exclude);
        add(options, "samples", samples);
        add(options, "every", every);
        add(options, "tree", tree);
        add(options, "budget", budget);
        add(options, "engine", engine);
        return options.toString();
    }

    private static void add(StringBuilder options, String name, @Nullable Object value) {
        if (value != null) {
            options.append(';').append(name).append('=').append(value);
        }
    }

    /// Runs to the end; on a terminal, a line below the program's output shows the time.
    private static int run(ProcessBuilder builder, Screen screen)
            throws InterruptedException, Failure {
        long started = System.nanoTime();
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new Failure("the program cannot be started: " + e.getMessage(), e);
        }
        PrintWriter out = screen.out();
        while (!process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (screen.terminal()) {
                out.print(
                        "\r  recording %s\033[K\r"
                                .formatted(Figures.time(System.nanoTime() - started)));
                out.flush();
            }
        }
        if (screen.terminal()) {
            out.print("\r\033[K");
        }
        return process.exitValue();
    }

    private void advise(ProfileResult result, PrintWriter out) {
        if (result.roots().isEmpty() && !noAgent) {
            out.println();
            out.println(
                    include == null
                            ? "No method was timed exactly: name some with --include 'com.acme.**',"
                                    + " or mark them with @Watched."
                            : "No method that was called matches --include " + include + ".");
        }
    }

    private String page() {
        String name = output.toString();
        return (name.endsWith(".orun") ? name.substring(0, name.length() - 5) : name) + ".html";
    }
}
