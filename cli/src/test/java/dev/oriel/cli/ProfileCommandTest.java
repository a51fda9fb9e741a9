package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.Probe;
import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.RunFile;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileCommandTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir private Path directory;

    @AfterEach
    void forgetTheAgent() {
        System.clearProperty("oriel.agent");
    }

    @Test
    void reportSaysWhatBoundsTheProgramAndWhatItCalled() throws IOException {
        Path file = profile();
        Run run = oriel("profile", "report", file.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith("Bound by CPU: "), run.out());
        assertTrue(run.out().contains("a.B.get"), run.out());
        assertTrue(run.out().contains("CPU: 3 samples"), run.out());
    }

    @Test
    void everyEndingIsConvertedTo() throws IOException {
        Path file = profile();
        for (String ending :
                List.of("html", "collapsed", "speedscope.json", "pb.gz", "hprof", "csv", "orun")) {
            Path to = directory.resolve("to." + ending);
            Run run = oriel("profile", "convert", file.toString(), to.toString());
            assertEquals(0, run.exitCode(), run.err());
            assertTrue(run.out().startsWith(to + ": "), run.out());
            assertTrue(Files.size(to) > 10, ending);
        }
        assertEquals(
                ProfileReader.read(file).roots(),
                ProfileReader.read(directory.resolve("to.orun")).roots());
    }

    @Test
    void topShowsTheHottestFirst() throws IOException {
        Run run = oriel("profile", "top", "--kind", "cpu", profile().toString());
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("3  100.0      3  100.0  a.B.get"), run.out());
    }

    @Test
    void whatCannotBeDoneIsSaid() throws IOException {
        Path file = profile();
        Path odd = Files.writeString(directory.resolve("odd.jfr"), "no recording");
        assertFails("there is no file", "profile", "report", "nowhere.jfr");
        assertFails("no format that is known", "profile", "report", odd.toString());
        assertFails("there is no format named x", "profile", "report", "-f", "x", file.toString());
        assertFails("no kind of samples named x", "profile", "top", "--kind", "x", file.toString());
        assertFails("belongs to no format", "profile", "convert", file.toString(), "to.xyz");
        assertFails("there is no process 999999999", "profile", "top", "999999999");
    }

    @Test
    void versionsOfJavaAreUnderstood() {
        assertEquals(8, AgentJar.version("java version \"1.8.0_402\""));
        assertEquals(17, AgentJar.version("openjdk version \"17.0.2\" 2022-01-18"));
        assertEquals(25, AgentJar.version("openjdk version \"25\" 2025-09-16"));
        assertEquals(26, AgentJar.version("openjdk version \"26-ea\""));
        assertEquals(0, AgentJar.version("gibberish"));
    }

    @Test
    void programIsRunUnderTheAgent() throws Exception {
        packTheAgent();
        Path out = directory.resolve("run.orun");
        Path program = directory.resolve("Counting.java");
        Files.writeString(
                program,
                """
                public class Counting {
                    public static void main(String[] arguments) {
                        long sum = 0;
                        for (int i = 0; i < 1000; i++) sum += square(i);
                        if (sum == 0) throw new IllegalStateException();
                    }
                    static long square(long x) { return x * x; }
                }
                """);
        Run run =
                oriel(
                        "profile",
                        "run",
                        "--include",
                        "Counting",
                        "--samples",
                        "none",
                        "-o",
                        out.toString(),
                        "--",
                        JAVA,
                        "-Xmx256m",
                        program.toString());
        // A program in one source file is compiled into memory, by a loader that sees the agent.
        assertEquals(0, run.exitCode(), run.err() + run.out());
        CallNode main = ProfileReader.read(out).roots().getFirst();
        assertEquals("Counting.main", main.name());
        assertEquals(1_000, main.children().getFirst().calls());
        assertTrue(run.out().contains("Counting.square"), run.out());
    }

    @Test
    void runThatRecordsNothingSaysWhatToDo() throws Exception {
        packTheAgent();
        Path out = directory.resolve("run.orun");
        Run run =
                oriel(
                        "profile",
                        "run",
                        "--samples",
                        "none",
                        "-o",
                        out.toString(),
                        "--",
                        JAVA,
                        "-version");
        assertTrue(
                run.exitCode() == 1, () -> "exit code " + run.exitCode() + run.out() + run.err());
        assertTrue(
                (run.out() + run.err()).contains("left no profile")
                        || run.out().contains("name some with --include"),
                run.out() + run.err());
    }

    private void assertFails(String reason, String... words) {
        Run run = oriel(words);
        assertEquals(1, run.exitCode(), run.out());
        assertTrue(run.err().contains(reason), run.err());
    }

    private Run oriel(String... words) {
        return Run.oriel(directory, "", words);
    }

    private Path profile() throws IOException {
        CallNode get = new CallNode("a.B.get", 10, 5_000_000, 5_000_000, 1, 900_000, List.of());
        Sample sample =
                new Sample(
                        SampleKind.CPU,
                        0,
                        "main",
                        List.of(Sample.StackFrame.parse("a.B.get:7")),
                        3);
        Path file = directory.resolve("profile.orun");
        RunFile.write(
                new ProfileResult(
                        Instant.EPOCH, 6_000_000, 50, 0, List.of(get), List.of(sample), List.of()),
                file);
        return file;
    }

    /// The profiler's classes as the jar that a release has.
    private void packTheAgent() throws IOException, URISyntaxException {
        Path classes =
                Path.of(Probe.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(classes)) {
            return;
        }
        Path jar = directory.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", "dev.oriel.profiler.Agent");
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                packed.write(Files.readAllBytes(file));
                packed.closeEntry();
            }
        }
        System.setProperty("oriel.agent", jar.toString());
    }
}
