package dev.oriel.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A new JVM for one run. What it prints is handed over line by line; the last lines of its
/// standard error are kept for the message if it fails.
///
/// @param java the `java` program
/// @param jvmArgs its options
/// @param classPath of the program
/// @param mainClass of the program
/// @param arguments of the program
/// @param folder its working directory
/// @param timeout after which it is ended
/// @param group a limit on its memory, or null
public record FreshJvm(
        Path java,
        List<String> jvmArgs,
        String classPath,
        String mainClass,
        List<String> arguments,
        Path folder,
        Duration timeout,
        @Nullable MemoryLimit group) {
    private static final int ERROR_LINES = 40;

    /// How a run ended.
    ///
    /// @param code the exit code; -1 where it was ended because its time was up
    /// @param errors the last lines of its standard error
    public record Exit(int code, String errors) {}

    /// The `java` of the JVM that runs this.
    public static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// Runs it to its end.
    ///
    /// @throws InterruptedException after ending the process
    public Exit run(Consumer<String> lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command()).directory(folder.toFile()).start();
        try {
            process.getOutputStream().close();
            Deque<String> errors = new ArrayDeque<>();
            Thread out = reader(process.inputReader(StandardCharsets.UTF_8), lines);
            Thread err =
                    reader(process.errorReader(StandardCharsets.UTF_8), line -> keep(errors, line));
            boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                end(process);
            }
            out.join();
            err.join();
            return new Exit(ended ? process.exitValue() : -1, String.join("\n", errors));
        } finally {
            end(process);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (group != null) {
            command.addAll(group.prefix());
        }
        command.add(java.toString());
        command.addAll(jvmArgs);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }

    private static void keep(Deque<String> errors, String line) {
        if (errors.size() == ERROR_LINES) {
            errors.removeFirst();
        }
        errors.addLast(line);
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

    /// Ends it and what it started.
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }
}
