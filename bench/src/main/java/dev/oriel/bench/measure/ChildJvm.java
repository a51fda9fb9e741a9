package dev.oriel.bench.measure;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A JVM started by a run for a measurement that needs its own process. It has a class path of its own, and the
/// same JDK.
///
/// @param options of the JVM
/// @param main the main class
public record ChildJvm(List<String> options, List<Path> classPath, Class<?> main) {
    /// Prefix of the line by which the child reports that it is done.
    public static final String MARK = "@child ";

    /// The child's report.
    ///
    /// @param nanos time from before its start until its line was read
    /// @param numbers numbers in the line
    public record Answer(long nanos, List<Long> numbers) {}

    /// Starts the JVM, waits for its line, then for its end.
    public Answer run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(
                classPath.stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        command.add(main.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        long start = System.nanoTime();
        Process process = builder.start();
        process.getOutputStream().close();
        long nanos = 0;
        List<Long> numbers = List.of();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MARK)) {
                    nanos = System.nanoTime() - start;
                    numbers =
                            Arrays.stream(line.substring(MARK.length()).split(" ", -1))
                                    .map(Long::valueOf)
                                    .toList();
                }
            }
        } finally {
            process.destroy(); // has ended, unless reading failed
        }
        int status = process.waitFor();
        if (status != 0 || nanos == 0) {
            throw new IOException(main.getSimpleName() + " ended with status " + status);
        }
        return new Answer(nanos, numbers);
    }
}
