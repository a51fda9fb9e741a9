package dev.oriel.cli;

import dev.oriel.profiler.Probe;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// The profiler's jar, which is also the agent, and its requirements on a JVM.
final class AgentJar {
    /// Options with which a sampled JVM tells inlined methods and their lines exactly.
    static final List<String> EXACT_FRAMES = dev.oriel.profiler.AgentJar.EXACT_FRAMES;

    private static final int JAVA_MIN = 25;
    private static final long ANSWER_SECONDS_MAX = 30;

    private AgentJar() {}

    /// Path of the jar.
    static Path path() throws Failure {
        String given = System.getProperty("oriel.agent", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        CodeSource source = Probe.class.getProtectionDomain().getCodeSource();
        try {
            Path path = source == null ? null : Path.of(source.getLocation().toURI());
            if (path != null && Files.isRegularFile(path)) {
                return path;
            }
        } catch (URISyntaxException e) {
            throw new Failure("the profiler lies in a place that has no path: " + e.getInput(), e);
        }
        throw new Failure(
                "the profiler was not started from a jar, and only a jar can be an agent; name one"
                        + " with -Doriel.agent=oriel-profiler.jar");
    }

    /// Whether the first word of a command is the launcher of a JVM.
    static boolean isJava(String word) {
        String name = String.valueOf(Path.of(word).getFileName()).toLowerCase(Locale.ROOT);
        return name.equals("java") || name.equals("java.exe");
    }

    /// Refuses a JVM that cannot load the agent: its classes are for Java 25.
    static void check(String java) throws IOException, InterruptedException, Failure {
        Process process = start(java);
        String answer;
        try (var in = process.inputReader()) {
            answer = String.join("\n", in.readAllLines());
        }
        if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroy();
            throw new Failure(java + " does not answer to -version");
        }
        int version = version(answer);
        if (version > 0 && version < JAVA_MIN) {
            throw new Failure(
                    "%s is Java %d, and the agent needs %d or later. Run the program with %s in its place, or add --no-agent: then there are samples of any Java from 11 on, but no exact tree."
                            .formatted(java, version, JAVA_MIN, own()));
        }
    }

    private static Process start(String java) throws Failure {
        try {
            return new ProcessBuilder(List.of(java, "-version")).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new Failure(
                    "there is no program '%s'; this command itself runs on %s"
                            .formatted(java, own()),
                    e);
        }
    }

    /// Launcher of the JVM that runs this command, which can load the agent.
    static Path own() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// Parses the feature version from the output of `java -version`; 0 if it has none.
    static int version(String answer) {
        int quote = answer.indexOf('"');
        if (quote < 0) {
            return 0;
        }
        String[] parts = answer.substring(quote + 1).split("[.\"\\-+_]", 3);
        try {
            int first = Integer.parseInt(parts[0]);
            return first == 1 && parts.length > 1 ? Integer.parseInt(parts[1]) : first;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
