package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.fixture.Till;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent in a JVM of its own, given on the command line as a user would.
class AgentTest {
    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    @TempDir private Path directory;
    private Path jar;
    private Path program;
    private Path report;

    @BeforeEach
    void packTheAgentAndTheProgram() throws IOException, URISyntaxException {
        jar = directory.resolve("agent.jar");
        program = directory.resolve("program");
        report = directory.resolve("report.txt");
        Path fixtures =
                Path.of(Till.class.getResource("Till.class").toURI()).resolve("..").normalize();
        copyFixtures(fixtures, program.resolve("dev/oriel/profiler/fixture"));
        Path classes = Path.of(Probe.class.getResource("Probe.class").toURI());
        pack(classes.resolve("../../../..").normalize(), jar);
    }

    @Test
    void programIsProfiledAndReported() throws Exception {
        List<String> output =
                run(
                        "-javaagent:"
                                + jar
                                + "=include=dev.oriel.profiler.fixture.**;report="
                                + report,
                        "-cp",
                        program.toString(),
                        Till.class.getName());
        assertEquals(List.of("renamed", "6", "renamed"), output);
        String text = Files.readString(report);
        assertTrue(text.contains("Till.main"), text);
        assertTrue(text.contains("    till.sell"), text);
        assertTrue(text.contains("Shop.lambda$lambda$0"), text);
    }

    @Test
    void watchedMethodsAreRecordedWhereTheFlightRecorderIsMissing() throws Exception {
        List<String> output =
                run(
                        "--limit-modules=java.instrument",
                        "-javaagent:" + jar + "=report=" + report,
                        "-cp",
                        program.toString(),
                        Till.class.getName());
        assertEquals(List.of("renamed", "6", "renamed"), output);
        String text = Files.readString(report);
        assertTrue(text.contains("calls 2,"), text);
        assertTrue(text.contains("No samples: the module jdk.jfr"), text);
    }

    @Test
    void agentAndProfilerModuleAreOneWhereBothAreThere() throws Exception {
        List<String> output =
                run(
                        "-javaagent:" + jar + "=report=" + report,
                        "-p",
                        jar.toString(),
                        "--add-modules",
                        "dev.oriel.profiler",
                        "-cp",
                        program.toString(),
                        Till.class.getName());
        assertEquals(List.of("renamed", "6", "renamed"), output);
        assertTrue(Files.readString(report).contains("till.sell"));
    }

    @Test
    void probesAreTakenOutAndPutBackWhileTheProgramRuns() throws Exception {
        List<String> output =
                run(
                        "-javaagent:" + jar + "=include=dev.oriel.profiler.fixture.Shop",
                        "-cp",
                        program.toString(),
                        "dev.oriel.profiler.fixture.Switching");
        assertEquals(
                List.of(
                        "on: true",
                        "off: 0 calls, 0 classes",
                        "watched alone: true",
                        "on: true",
                        "given back: true"),
                output);
    }

    private List<String> run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        process.destroyForcibly().waitFor();
        List<String> lines = Files.readAllLines(output);
        assertTrue(ended, () -> "it does not end: " + String.join("\n", lines));
        assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
        return lines;
    }

    private static void copyFixtures(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName().toString()));
            }
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString().replace('\\', '/');
                if (!name.equals(MANIFEST)) {
                    packed.putNextEntry(new JarEntry(name));
                    Files.copy(file, packed);
                }
            }
        }
    }
}
