package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.RunFile;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        assertFails("not a known format", "profile", "report", odd.toString());
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

    /// The machine's default Java is often an older one; this is what it says of itself.
    @Test
    void agentOnOlderJavaIsRefusedWithTheWayOut() throws Exception {
        packTheAgent();
        Path old = directory.resolve("java");
        Files.writeString(old, "#!/bin/sh\necho 'openjdk version \"17.0.2\" 2022-01-18' >&2\n");
        assertTrue(old.toFile().setExecutable(true));
        assertFails(
                "is Java 17, and the agent needs 25 or later. Run the program with "
                        + JAVA
                        + " in its place, or add --no-agent",
                "profile",
                "run",
                "--",
                old.toString(),
                "Program");
    }

    @Test
    void commandThatStartsNoJvmIsToldWhatItTakes() throws Exception {
        packTheAgent();
        String out = directory.resolve("none.orun").toString();
        assertFails(
                "'sh -c exit 3' has to start a JVM of Java 25 or later",
                "profile",
                "run",
                "-o",
                out,
                "--",
                "sh",
                "-c",
                "exit 3");
        assertFails(
                "ended with exit code 3", "profile", "run", "-o", out, "--", "sh", "-c", "exit 3");
        assertFails(
                "the program cannot be started",
                "profile",
                "run",
                "-o",
                out,
                "--",
                directory.resolve("absent").toString());
    }

    /// Such a command is told of the agent by its environment, where blanks part the options.
    @Test
    void theProfileOfACommandMayLieInAFolderWithBlanks() throws Exception {
        packTheAgent();
        Path out = Files.createDirectory(directory.resolve("my work")).resolve("run.orun");
        String classes =
                compiled("Plain", "static void step() {}", "for (int i = 0; i < 9; i++) step();");
        Run run =
                oriel(
                        "profile",
                        "run",
                        "--include",
                        "Plain",
                        "--samples",
                        "none",
                        "-o",
                        out.toString(),
                        "--",
                        "sh",
                        "-c",
                        "'%s' -cp '%s' Plain".formatted(JAVA, classes));
        assertEquals(0, run.exitCode(), run.out() + run.err());
        assertTrue(run.out().contains("Plain.step"), run.out());
    }

    @Test
    void wrongWordsOfRunAreRefusedBeforeTheProgramRuns() {
        String[][] wrong = {
            {"--samples", "cpu,heat", "no kind of samples named heat"},
            {"--tree", "deep", "--tree takes allocation, expand, timed, and not 'deep'"},
            {"--engine", "steam", "--engine takes jfr, async, and not 'steam'"},
            {"--every", "0", "--every takes milliseconds, 1 or more"},
            {"-o", "no/such/folder/x.orun", "to write no/such/folder/x.orun into"},
            {"-o", "page.html", "-o takes a file that ends in .orun, and not page.html"},
            {"-o", "page", "-o takes a file that ends in .orun, and not page;"}
        };
        for (String[] words : wrong) {
            assertFails(
                    words[2], "profile", "run", words[0], words[1], "--", "nothing-that-is-run");
        }
    }

    /// A JVM without the module, as a small runtime image is.
    @Test
    void withoutFlightRecorderThereIsTheTreeAndANote() throws Exception {
        packTheAgent();
        Path out = directory.resolve("run.orun");
        String classes =
                compiled("Plain", "static void step() {}", "for (int i = 0; i < 9; i++) step();");
        Run run =
                oriel(
                        "profile",
                        "run",
                        "-i",
                        "Plain",
                        "-o",
                        out.toString(),
                        "--",
                        JAVA,
                        "--limit-modules",
                        "java.base,java.instrument",
                        "-cp",
                        classes,
                        "Plain");
        assertEquals(0, run.exitCode(), run.out() + run.err());
        assertTrue(
                run.out().contains("note: No samples: the module jdk.jfr is not part"), run.out());
        assertTrue(run.out().contains("Plain.step"), run.out());
    }

    /// What a JVM says whose image was linked without the module.
    @Test
    void withoutFlightRecorderThereIsNothingToReadWithoutTheAgent() throws Exception {
        Path small = directory.resolve("java");
        Files.writeString(
                small, "#!/bin/sh\necho 'FindException: Module jdk.jfr not found' >&2\nexit 1\n");
        assertTrue(small.toFile().setExecutable(true));
        assertFails(
                "has to start a JVM that has the Flight Recorder (the module jdk.jfr)",
                "profile",
                "run",
                "--no-agent",
                "-o",
                directory.resolve("run.orun").toString(),
                "--",
                small.toString(),
                "Plain");
    }

    @Test
    void withoutAgentTheFlightRecorderAloneIsRead() throws Exception {
        String classes =
                compiled(
                        "Busy",
                        "static double x = 2;",
                        "long end = System.nanoTime() + Long.parseLong(words[0]) * 1_000_000;"
                                + " while (System.nanoTime() < end) x = Math.sqrt(x + 1);");
        Run run = busy(classes, 600);
        for (int millis = 2_000; millis < 40_000 && !run.out().contains("Busy.main"); millis *= 4) {
            run = busy(classes, millis); // others have the processor, so it is sampled seldom
        }
        assertTrue(run.out().contains("Busy.main"), run.out());
    }

    private Run busy(String classes, int millis) {
        Path out = directory.resolve("run" + millis + ".orun");
        Run run =
                oriel(
                        "profile",
                        "run",
                        "--no-agent",
                        "-o",
                        out.toString(),
                        "--",
                        JAVA,
                        "-cp",
                        classes,
                        "Busy",
                        "" + millis);
        assertEquals(0, run.exitCode(), run.out() + run.err());
        return run;
    }

    @Test
    void probesThatAreNotBalancedAreToldOf() throws Exception {
        packTheAgent();
        Path out = directory.resolve("run.orun");
        String classes =
                compiled(
                        "Forgetful",
                        "static final dev.oriel.profiler.Probe OUTER ="
                                + " dev.oriel.profiler.Probe.of(Forgetful.class, \"outer\"), INNER ="
                                + " dev.oriel.profiler.Probe.of(Forgetful.class, \"inner\");",
                        "for (int i = 0; i < 5; i++) { long outer = OUTER.enter(); INNER.enter();"
                                + " OUTER.exit(outer); }");
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
                        "-cp",
                        classes,
                        "Forgetful");
        assertEquals(0, run.exitCode(), run.out() + run.err());
        assertTrue(
                run.out()
                        .contains(
                                "note: 5 calls never told that they ended, and were ended with"
                                        + " their callers: a probe's exit belongs into a finally."),
                run.out());
    }

    @Test
    void unreadableRecordingsAreNamedWithWhatIsWrong() throws IOException {
        Path whole = profile();
        byte[] bytes = Files.readAllBytes(whole);
        Path half =
                Files.write(directory.resolve("half.orun"), Arrays.copyOf(bytes, bytes.length / 2));
        assertFails("half.orun is damaged", "profile", "report", half.toString());
        Path cut =
                Files.write(
                        directory.resolve("cut.jfr"), new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1});
        assertFails(
                "the recording cannot be read; was it cut off?", "profile", "top", cut.toString());
        Path empty = Files.createFile(directory.resolve("empty.jfr"));
        assertFails("empty.jfr is empty", "profile", "convert", empty.toString(), "x.html");
        assertFails(
                "is a folder; name the profile in it", "profile", "report", directory.toString());
        assertFails(
                "there is nothing at absent.jar, which --classes names",
                "profile",
                "report",
                "--classes",
                "absent.jar",
                whole.toString());
    }

    @Test
    void emptyRunSaysThatNothingWasRecorded() throws IOException {
        Path file = directory.resolve("empty.orun");
        RunFile.write(
                new ProfileResult(Instant.EPOCH, 0, 0, 0, List.of(), List.of(), List.of()), file);
        Run run = oriel("profile", "report", file.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(
                run.out().contains("Nothing was recorded: no call met a probe, and no sample"),
                run.out());
    }

    @Test
    void topLooksAtARunningJvm() throws Exception {
        Process process = spinning();
        try {
            Run run = top(process.pid());
            for (int i = 0; i < 20 && !run.out().contains("Spinning.main"); i++) {
                run = top(process.pid()); // others have the processor, so it is sampled seldom
            }
            assertTrue(run.out().contains("Spinning.main"), run.out());
        } finally {
            process.destroyForcibly();
        }
        assertFails("take numbers from 1 on", "profile", "top", "--times", "0", "1");
    }

    /// It ends itself a second after it began to be recorded.
    @Test
    void topSaysThatTheProcessHasEnded() throws Exception {
        String classes =
                compiled(
                        "Leaving",
                        "static boolean seen() { return jdk.jfr.FlightRecorder.getFlightRecorder()"
                                + ".getRecordings().stream().anyMatch(each -> each.getState()"
                                + " == jdk.jfr.RecordingState.RUNNING); }",
                        "System.out.println(); while (!seen()) Thread.onSpinWait();"
                                + " java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000L);");
        Process process = new ProcessBuilder(JAVA, "-cp", classes, "Leaving").start();
        try {
            assertEquals("", process.inputReader().readLine(), "it runs");
            Run run = oriel("profile", "top", "--every", "1", "--times", "900", "" + process.pid());
            assertEquals(1, run.exitCode(), run.out());
            assertTrue(run.err().contains("process " + process.pid() + " has ended"), run.err());
        } finally {
            process.destroyForcibly();
        }
    }

    /// As Ctrl-C ends it.
    @Test
    void topThatIsEndedEndsItsRecording() throws Exception {
        Process process = spinning();
        Process top =
                new ProcessBuilder(
                                JAVA,
                                "-cp",
                                System.getProperty("jdk.module.path", "")
                                        + System.getProperty("path.separator")
                                        + System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "profile",
                                "top",
                                "--every",
                                "1",
                                "--times",
                                "1000",
                                String.valueOf(process.pid()))
                        .redirectErrorStream(true)
                        .start();
        try {
            assertNotNull(top.inputReader().readLine(), "it looks");
            top.destroy();
            assertTrue(top.waitFor(5, TimeUnit.MINUTES));
            String recordings = recordings(process.pid());
            assertTrue(recordings.startsWith(process.pid() + ":"), recordings);
            assertFalse(recordings.contains("oriel-top"), recordings);
        } finally {
            top.destroyForcibly();
            process.destroyForcibly();
        }
    }

    private static String recordings(long process) throws IOException {
        Process jcmd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                String.valueOf(process),
                                "JFR.check")
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader out = jcmd.inputReader()) {
            return String.join("\n", out.readAllLines());
        }
    }

    /// A program that runs for ten minutes, and has begun to.
    private Process spinning() throws IOException {
        String classes =
                compiled(
                        "Spinning",
                        "static double x = 2;",
                        "System.out.println(); long end = System.nanoTime() + 600_000_000_000L;"
                                + " while (System.nanoTime() < end) x = Math.sqrt(x + 1);");
        Process process = new ProcessBuilder(JAVA, "-cp", classes, "Spinning").start();
        assertEquals("", process.inputReader().readLine(), "it runs");
        return process;
    }

    private Run top(long process) {
        Run run =
                oriel(
                        "profile",
                        "top",
                        "--every",
                        "1",
                        "--times",
                        "2",
                        "-n",
                        "5",
                        String.valueOf(process));
        assertEquals(0, run.exitCode(), run.out() + run.err());
        return run;
    }

    /// A class with those members and that main method, compiled; the class path to run it with.
    private String compiled(String name, String members, String main) throws IOException {
        Path source = directory.resolve(name + ".java");
        Files.writeString(
                source,
                "public class %s { %s public static void main(String[] words) { %s } }"
                        .formatted(name, members, main));
        return PackedAgent.compile(directory.resolve(name), List.of(source)).toString();
    }

    private void packTheAgent() throws IOException, URISyntaxException {
        PackedAgent.in(directory);
    }
}
