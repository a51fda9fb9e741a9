package dev.oriel.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A new JVM for one run. Its output is handed over line by line; the last lines of its standard error are kept
/// for the message if it fails.
///
/// @param java the `java` program
/// @param jvmArgs its options
/// @param classPath of the program
/// @param mainClass of the program
/// @param arguments of the program
/// @param folder its working directory
/// @param timeout time after which it is ended
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
    /// The `java` of the JVM that runs this.
    public static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// Runs it to its end.
    ///
    /// @throws InterruptedException after ending the process
    public FreshProcess.Exit run(Consumer<String> lines) throws IOException, InterruptedException {
        return new FreshProcess(command(), Map.of(), folder, timeout).run(lines);
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
}
