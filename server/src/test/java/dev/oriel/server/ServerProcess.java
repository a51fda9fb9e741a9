package dev.oriel.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A server in a process of its own, whose main class prints `port PORT...` when it serves.
final class ServerProcess implements AutoCloseable {
    private static final int MINUTES_MAX = 3;

    private final Process process;
    private final BufferedReader lines;
    private final int[] ports;

    /// @param before the words before `java`, for example a shell that sets limits first
    ServerProcess(List<String> before, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(classPath(main));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        lines = process.inputReader();
        ports =
                Stream.of(await("port ").split(" ", -1))
                        .skip(1)
                        .mapToInt(Integer::parseInt)
                        .toArray();
    }

    private static String classPath(Class<?> main) {
        String name = main.getName().substring(main.getName().lastIndexOf('.') + 1) + ".class";
        Path tests =
                Path.of(URI.create(String.valueOf(main.getResource(name))))
                        .resolve("../../../..")
                        .normalize();
        return Stream.of(
                        tests.toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// The next line that begins so; the JVM may have something to say before it. A process that says nothing for
    /// some minutes is killed.
    private String await(String begin) throws IOException {
        CompletableFuture<Void> late =
                CompletableFuture.runAsync(
                        process::destroyForcibly,
                        CompletableFuture.delayedExecutor(MINUTES_MAX, TimeUnit.MINUTES));
        try {
            return next(begin);
        } finally {
            late.cancel(false);
        }
    }

    private String next(String begin) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(begin)) {
                return line;
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("The server did not start, has ended or was too slow: " + said);
    }

    int port(int index) {
        return ports[index];
    }

    long pid() {
        return process.pid();
    }

    /// Its resident memory.
    long residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(pid()), "status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("The system does not say how much memory the server has");
    }

    /// Sends a line to its standard input and waits for `done`.
    void tell(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
        await("done");
    }

    /// By SIGKILL: nothing is closed in order.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) { // it was told to end all the same
            Thread.currentThread().interrupt();
        }
    }
}
