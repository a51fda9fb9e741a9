package dev.oriel.cli;

import dev.oriel.profiler.MethodReport;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.SampleReport;
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

/// `oriel profile top`: the hottest methods of a profile, or of a running JVM.
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Show the hottest methods of a running JVM, or of a profile.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Of a process, by its number, a recording of the Flight Recorder is started, read again"
                    + " and again, and ended; nothing is loaded into it. It must belong to the same"
                    + " user."
        })
final class ProfileTopCommand implements Callable<Integer> {
    private static final long ANSWER_SECONDS_MAX = 60;

    /// Number of checks for the end of a process: an ending one no longer answers, but exists for a while.
    private static final int ENDING_LOOKS = 20;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ProfileCommand parent;

    @Parameters(paramLabel = "PID|FILE", description = "A process, or a profile.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String what;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "The kind of samples: cpu, allocation, monitor ... (cpu).")
    private @Nullable String kind;

    @Option(
            names = {"-n", "--rows"},
            paramLabel = "N",
            defaultValue = "20",
            description = "How many methods (20).")
    private int rows;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Seconds between two looks at a process (2).")
    private int seconds;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "15",
            description = "How many looks at a process (15).")
    private int times;

    @Override
    public Integer call() throws IOException, InterruptedException, Failure {
        for (int number : List.of(rows, seconds, times)) {
            if (number < 1) {
                throw new Failure("--rows, --every and --times take numbers from 1 on");
            }
        }
        boolean process = what.chars().allMatch(Character::isDigit);
        if (process) {
            watch(Long.parseLong(what));
        } else {
            show(ProfileFiles.read(Path.of(what)));
        }
        return 0;
    }

    private void watch(long pid) throws IOException, InterruptedException, Failure {
        if (ProcessHandle.of(pid).isEmpty()) {
            throw new Failure("there is no process " + pid + "; jcmd lists those there are");
        }
        String name = "oriel-top-" + ProcessHandle.current().pid();
        Screen screen = parent.environment().screen();
        Path file = Files.createTempFile("oriel-top", ".jfr");
        // Ctrl-C, by which most users end the command, runs only hooks.
        Thread end = new Thread(() -> end(pid, name, file), "oriel-top-end");
        Runtime.getRuntime().addShutdownHook(end);
        boolean started = false;
        try {
            ask(pid, "JFR.start", "name=" + name, "settings=profile", "maxage=30s");
            started = true;
            for (int i = 0; i < times; i++) {
                TimeUnit.SECONDS.sleep(seconds);
                if (!dump(pid, name, file)) {
                    throw new Failure(
                            "process %d has ended%s"
                                    .formatted(
                                            pid,
                                            i == 0
                                                    ? " before it could be looked at"
                                                    : "; above is what it did last"));
                }
                if (screen.terminal()) {
                    screen.out().print("\033[H\033[2J");
                }
                show(ProfileFiles.read(file));
            }
        } finally {
            boolean alone = removed(end);
            if (alone && started) {
                end(pid, name, file);
            } else if (alone) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Makes the process write its recording to the file; false if it has ended.
    private static boolean dump(long pid, String name, Path file)
            throws IOException, InterruptedException, Failure {
        try {
            ask(pid, "JFR.dump", "name=" + name, "filename=" + file);
            return true;
        } catch (Failure e) {
            if (!hasEnded(pid)) {
                throw e;
            }
            return false;
        }
    }

    /// Whether a process that refused has ended, or ends now.
    private static boolean hasEnded(long pid) throws InterruptedException {
        for (int i = 0; i < ENDING_LOOKS && isAlive(pid); i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return !isAlive(pid);
    }

    /// Whether the process runs: one whose exit code is not collected yet still exists, without a command.
    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().command())
                .isPresent();
    }

    /// Removes the hook; false if the JVM is ending, so that the hook runs.
    private static boolean removed(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /// Ends the recording, if its process has not ended.
    private void end(long pid, String name, Path file) {
        try {
            if (isAlive(pid)) {
                ask(pid, "JFR.stop", "name=" + name);
            }
            Files.deleteIfExists(file);
        } catch (IOException | Failure e) {
            PrintWriter err = parent.environment().err();
            err.println("oriel: the recording " + name + " may still run: " + e.getMessage());
            err.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(ProfileResult result) throws IOException, Failure {
        PrintWriter out = parent.environment().screen().out();
        SampleKind wanted = ProfileFiles.kind(kind);
        if (wanted == null && !result.roots().isEmpty()) {
            new MethodReport(rows).write(result, out);
        } else {
            new SampleReport(wanted == null ? SampleKind.CPU : wanted, rows).write(result, out);
        }
        if (result.isEmpty()) {
            out.println("Nothing was recorded yet.");
        }
        out.flush();
    }

    /// Sends a command to a JVM with the JDK's `jcmd`.
    private static void ask(long pid, String... words)
            throws IOException, InterruptedException, Failure {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            throw new Failure("a process can only be watched from a JDK: there is no " + jcmd);
        }
        List<String> command = new ArrayList<>(List.of(jcmd.toString(), "" + pid));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer;
        try (var in = process.inputReader()) {
            answer = String.join("\n", in.readAllLines());
        }
        if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new Failure(
                    "process %d does not do %s; is it a JVM of this user, with the Flight Recorder? %s"
                            .formatted(pid, words[0], answer.lines().findFirst().orElse("")));
        }
    }
}
