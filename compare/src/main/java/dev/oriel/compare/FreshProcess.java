package dev.oriel.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A new process for one run. Its output is handed over line by line; the last lines of its standard error are
/// kept for the message if it fails.
///
/// @param command the program and its arguments
/// @param environment additions to this process's own environment
/// @param folder its working directory
/// @param timeout time after which it is ended
public record FreshProcess(
        List<String> command, Map<String, String> environment, Path folder, Duration timeout) {
    private static final int ERROR_LINES = 40;

    /// A variable that all processes of a run inherit. It finds those that outlive their parents.
    private static final String MARK = "ORIEL_FRESH_PROCESS";

    /// How long output may stay open after the end of the process, before processes that it left behind are ended.
    private static final Duration OUTPUT_MAX = Duration.ofSeconds(2);

    /// How long it is read after that: there may be much of it, and little time on a busy machine.
    private static final Duration READING_MAX = Duration.ofSeconds(60);

    /// Copies the list and the map.
    public FreshProcess {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// The end of a run.
    ///
    /// @param code the exit code; -1 if it was ended at its timeout
    /// @param errors the last lines of its standard error
    public record Exit(int code, String errors) {}

    /// Runs it to its end. Processes that it leaves behind are ended, on Linux also those that have lost their parent.
    /// If `lines` throws, the process goes on without its further lines being taken; the exception is rethrown here
    /// when the process has ended.
    ///
    /// @throws InterruptedException after ending the process
    public Exit run(Consumer<String> lines) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        String mark = UUID.randomUUID().toString();
        builder.environment().put(MARK, mark);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            Deque<String> errors = new ArrayDeque<>();
            AtomicReference<@Nullable RuntimeException> refused = new AtomicReference<>();
            Thread out =
                    reader(
                            process.inputReader(StandardCharsets.UTF_8),
                            line -> take(line, lines, refused));
            Thread err =
                    reader(process.errorReader(StandardCharsets.UTF_8), line -> keep(errors, line));
            boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                end(process);
            }
            out.join(OUTPUT_MAX);
            err.join(OUTPUT_MAX);
            endLeft(mark);
            out.join(READING_MAX);
            err.join(READING_MAX);
            RuntimeException wrong = refused.get();
            if (wrong != null) {
                throw wrong;
            }
            return new Exit(ended ? process.exitValue() : -1, joined(errors));
        } finally {
            end(process);
            endLeft(mark);
        }
    }

    /// Hands a line over, unless an earlier one failed: the rest is read only so that the process can end.
    private static void take(
            String line,
            Consumer<String> lines,
            AtomicReference<@Nullable RuntimeException> refused) {
        if (refused.get() != null) {
            return;
        }
        try {
            lines.accept(line);
        } catch (RuntimeException e) {
            refused.set(e);
        }
    }

    private static void keep(Deque<String> errors, String line) {
        if (line.startsWith("Picked up JAVA_TOOL_OPTIONS:")) {
            return; // the JVM's own remark on our addition
        }
        synchronized (errors) {
            if (errors.size() == ERROR_LINES) {
                errors.removeFirst();
            }
            errors.addLast(line);
        }
    }

    private static String joined(Deque<String> errors) {
        synchronized (errors) {
            return String.join("\n", errors);
        }
    }

    private static Thread reader(BufferedReader from, Consumer<String> lines) {
        return Thread.ofVirtual()
                .start(() -> {
                    try (from) {
                        for (String line = from.readLine(); line != null; line = from.readLine()) {
                            lines.accept(line);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /// Ends it and its descendants.
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }

    /// Ends the processes that have a mark. Nothing is known of the environments of processes other than by the files
    /// of Linux.
    private static void endLeft(String mark) {
        Path all = Path.of("/proc");
        if (!Files.isDirectory(all)) {
            return;
        }
        String variable = MARK + "=" + mark;
        for (ProcessHandle each : ProcessHandle.allProcesses().toList()) {
            Path environment = all.resolve(each.pid() + "/environ");
            if (Files.isReadable(environment) && has(environment, variable)) {
                each.destroyForcibly();
            }
        }
    }

    private static boolean has(Path environment, String variable) {
        try {
            byte[] bytes = Files.readAllBytes(environment);
            return new String(bytes, StandardCharsets.ISO_8859_1).contains(variable);
        } catch (IOException e) {
            return false; // it has ended meanwhile, or is another user's
        }
    }
}
