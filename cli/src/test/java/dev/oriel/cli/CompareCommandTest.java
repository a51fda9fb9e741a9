package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.RunFile;
import dev.oriel.profiler.Totals;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The command with programs that are not ours. What is judged is what they allocate, which differs
/// on no machine from run to run.
class CompareCommandTest {
    private static final List<String> HOW =
            List.of("--methods", "Work", "--per", "Work::step", "--no-samples", "--pairs", "3");

    @TempDir private Path directory;

    @Test
    void commandThatCostsMoreIsNamedAndTold() throws Exception {
        String a = "java -cp '" + work("a", 1_000) + "' Work";
        String b = "java -cp '" + work("b", 3_032) + "' Work";
        Path html = directory.resolve("page.html");
        Run run = compare("--a", a, "--b", b, "--html", html.toString(), "--all");
        assertToldMore(run);
        assertTrue(run.out().contains("Work.step allocates 3.00x ["), run.out());
        assertTrue(run.out().contains("because each call allocates more."), run.out());
        assertTrue(run.out().contains("methods by allocation"), run.out());
        assertTrue(run.err().contains("pair 3 of 3"), run.err());
        assertTrue(Files.readString(html).contains("Work.step"));
    }

    /// It allocates more, exactly. Time decides where it tells, and on a machine that does other work it
    /// may tell anything; but whatever is said, the exit code says it too.
    private static void assertToldMore(Run run) {
        String first = run.out().lines().findFirst().orElse("");
        boolean less = first.startsWith("B is faster") || first.startsWith("B costs less");
        boolean more = first.startsWith("B is slower") || first.startsWith("B costs more");
        assertTrue(less || more, run.out() + run.err());
        assertEquals(more ? 3 : 0, run.exitCode(), run.out() + run.err());
        assertTrue(run.out().contains(": Work.step "), run.out());
        assertTrue(run.out().contains(" allocates 3.00x ["), run.out());
    }

    /// As by Ctrl-C or `kill`.
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void comparisonThatIsEndedLeavesNothing() throws Exception {
        String path =
                System.getProperty("jdk.module.path", "")
                        + File.pathSeparator
                        + System.getProperty("java.class.path");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String slow = "java -cp '" + path + "' " + Sleeping.class.getName();
        String temporary = "-Djava.io.tmpdir=" + directory;
        Process process =
                new ProcessBuilder(
                                java,
                                temporary,
                                "-cp",
                                path,
                                Main.class.getName(),
                                "compare",
                                "--a",
                                slow,
                                "--b",
                                slow)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("output.txt").toFile())
                        .start();
        List<ProcessHandle> runs = List.of();
        while (process.isAlive() && runs.isEmpty()) {
            Thread.sleep(100);
            runs = process.descendants().toList();
        }
        process.destroy();
        int code = process.waitFor();
        String output = Files.readString(directory.resolve("output.txt"));
        assertEquals(128 + 15, code, output);
        assertTrue(!runs.isEmpty() && runs.stream().noneMatch(ProcessHandle::isAlive), output);
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.filter(Files::isDirectory).toList());
        }
    }

    /// What does not end by itself.
    static final class Sleeping {
        private Sleeping() {}

        public static void main(String[] words) throws InterruptedException {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /// A method inside costs more, the operation a tenth: no gate may refuse that.
    @Test
    void exitCodeFollowsTheOperation() throws IOException {
        Path a = withMethod("a.json", "[[100, 101], [100, 99], [101, 100]]", 1);
        Path b = withMethod("b.json", "[[10, 10.1], [10, 9.9], [10.1, 10]]", 5);
        Path page = directory.resolve("page.html");
        Path figures = directory.resolve("figures.json");
        String[] files = {"--html", page.toString(), "--json", figures.toString()};
        Run run =
                oriel(
                        "compare",
                        a.toString(),
                        b.toString(),
                        files[0],
                        files[1],
                        files[2],
                        files[3]);
        assertEquals(0, run.exitCode(), run.out() + run.err());
        assertTrue(run.out().contains("B is faster: an operation takes 10"), run.out());
        assertTrue(run.out().contains("com.Words.split costs 5.00x"), run.out());
        assertTrue(Files.readString(page).contains("<strong>B is faster: an operation takes 10"));
        String json = Files.readString(figures);
        assertTrue(json.contains("\"worse\" : false"), json);
        assertTrue(json.contains("\"verdict\" : \"faster\""), json);
        assertEquals(3, oriel("compare", b.toString(), a.toString()).exitCode());
    }

    private Path withMethod(String name, String scores, double cost) throws IOException {
        String costs =
                "[[%s, %s], [%s, %s], [%s, %s]]"
                        .formatted(cost, cost, cost * 1.001, cost, cost, cost * 1.002);
        return Files.writeString(
                directory.resolve(name),
                """
                [{"benchmark": "com.Bench.run", "mode": "avgt", "threads": 1,
                  "primaryMetric": {"score": 0, "scoreUnit": "ns/op", "rawData": %s},
                  "secondaryMetrics": {"oriel.time.com.Words.split":
                    {"scoreUnit": "ns/op", "rawData": %s}}}]
                """
                        .formatted(scores, costs));
    }

    @Test
    void jarsAreCompared() throws Exception {
        Path a = jar(work("a", 1_000));
        Path b = jar(work("b", 3_032));
        Run run = compare(a.toString(), b.toString(), "--args", "some words");
        assertToldMore(run);
        assertTrue(run.out().lines().count() <= 10, run.out());
    }

    @Test
    void revisionsOfGitAreBuiltAndCompared() throws Exception {
        Path repository = Files.createDirectory(directory.resolve("repository"));
        git(repository, "init", "-q");
        for (int bytes : new int[] {1_000, 3_032}) {
            Files.writeString(repository.resolve("Work.java"), source(bytes));
            git(repository, "add", "Work.java");
            git(repository, "commit", "-q", "-m", "Allocate " + bytes);
        }
        String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
        Run run =
                compare(
                        "HEAD~1",
                        "HEAD",
                        "--repository",
                        repository.toString(),
                        "--build",
                        javac + " -d out Work.java",
                        "--run",
                        "java -cp out Work");
        assertToldMore(run);
        assertTrue(run.out().contains("\n  A: HEAD~1 ("), run.out());
        assertFails(
                "git does not know the revision 'nowhere'",
                1,
                "nowhere",
                "HEAD",
                "--repository",
                repository.toString(),
                "--build",
                "true",
                "--run",
                "true");
        assertFails(
                "HEAD cannot be built",
                1,
                "HEAD",
                "HEAD",
                "--repository",
                repository.toString(),
                "--build",
                "false",
                "--run",
                "true");
    }

    @Test
    void resultsOfJmhAreComparedAndOneForkIsNotCertain() throws IOException {
        Path a = jmh("a.json", "avgt", "ns/op", "[[100, 101], [100, 99], [101, 100]]");
        Path b = jmh("b.json", "avgt", "ns/op", "[[200, 201], [200, 199], [201, 200]]");
        Run run = oriel("compare", a.toString(), b.toString());
        assertEquals(3, run.exitCode(), run.out() + run.err());
        assertTrue(
                run.out()
                        .startsWith(
                                "== com.Bench.run\n"
                                        + "B is slower: an operation takes 100 % longer"),
                run.out());
        Path once = jmh("once.json", "avgt", "ns/op", "[[100]]");
        Run unsure = oriel("compare", once.toString(), once.toString(), "--certain");
        assertEquals(4, unsure.exitCode(), unsure.out());
        assertTrue(unsure.out().contains("No interval: one run each."), unsure.out());
        assertEquals(0, oriel("compare", once.toString(), once.toString()).exitCode());
        Path rate = jmh("rate.json", "thrpt", "ops/s", "[[100]]");
        assertFails("was not measured alike", 1, a.toString(), rate.toString());
        Path bytes = jmh("bytes.json", "avgt", "B/op", "[[100]]");
        assertFails(
                "the unit 'B/op', which is neither a time nor a rate",
                1,
                a.toString(),
                bytes.toString());
    }

    @Test
    void recordingsOfAnyKindAreCompared() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (long nanos : new long[] {1_000, 1_500}) {
            Path folder = Files.createDirectory(directory.resolve("runs-" + nanos));
            for (int i = 0; i < 4; i++) {
                RunFile.write(recorded(nanos * 1_000 + i), folder.resolve(i + ".orun"));
            }
            folders.add(folder);
        }
        Run run = oriel("compare", folders.get(0).toString(), folders.get(1).toString());
        assertEquals(3, run.exitCode(), run.out() + run.err());
        assertTrue(run.out().startsWith("B is slower: an operation takes 50 % longer"), run.out());
        assertTrue(run.out().contains("Cause: a.B.get costs 1.50x [1.5"), run.out());
        Path stacks = Files.writeString(directory.resolve("a.collapsed"), "a;b 500\n");
        Run shares = oriel("compare", stacks.toString(), stacks.toString());
        assertEquals(0, shares.exitCode(), shares.out() + shares.err());
        assertTrue(shares.out().startsWith("Cannot tell: one run each has no interval.\n"));
        Run tables = oriel("compare", stacks.toString(), stacks.toString(), "--all");
        assertTrue(tables.out().contains("share of processor time"), tables.out());
        assertEquals(
                4, oriel("compare", stacks.toString(), stacks.toString(), "--certain").exitCode());
    }

    @Test
    void whatCannotBeComparedIsSaid() throws Exception {
        Path jmh = jmh("a.json", "avgt", "ns/op", "[[100]]");
        Path stacks = Files.writeString(directory.resolve("a.collapsed"), "a;b 5\n");
        assertFails("Name two things to compare", 2, "--a", "java");
        assertFails("absent is not a file or folder", 2, jmh.toString(), "absent");
        assertFails("take both: --build", 2, "HEAD", "HEAD~1", "--build", "true");
        assertFails("is results of JMH", 1, jmh.toString(), stacks.toString());
        Path odd = Files.writeString(directory.resolve("odd.jfr"), "no recording");
        assertFails("odd.jfr: not a known format", 1, odd.toString(), odd.toString());
        assertFails("Too few pairs: 2", 2, "--a", "java", "--b", "java", "--pairs", "2");
        assertFails("is 'nothing-here' a program on the path", 1, both("nothing-here"));
        assertFails("ended with code 7", 1, both("sh -c 'echo closed; exit 7'"));
        assertFails("No JVM of echo hello handed a profile over", 1, both("echo hello"));
        String old = "UnsupportedClassVersionError: dev/oriel/profiler/Agent has been compiled";
        assertFails(
                "Its JVM is older than Java 25",
                1,
                both("sh -c 'echo \"" + old + "\" >&2; exit 1'"));
        String unlike = "java -cp '" + work("check", 1_000) + "' Work";
        assertFails(
                "The results differ",
                1,
                "--a",
                unlike + " one",
                "--b",
                unlike + " another",
                "--methods",
                "Work",
                "--no-samples");
    }

    private static String[] both(String command) {
        return new String[] {"--a", command, "--b", command};
    }

    private void assertFails(String reason, int exitCode, String... words) {
        List<String> all = new ArrayList<>(List.of("compare"));
        all.addAll(List.of(words));
        Run run = oriel(all.toArray(String[]::new));
        assertEquals(exitCode, run.exitCode(), run.out() + run.err());
        assertTrue(run.err().contains(reason), run.err());
    }

    private Run compare(String... words) {
        List<String> all = new ArrayList<>(List.of("compare"));
        all.addAll(List.of(words));
        all.addAll(HOW);
        return oriel(all.toArray(String[]::new));
    }

    private Run oriel(String... words) {
        return Run.oriel(directory, "", words);
    }

    private static String source(int bytes) {
        return """
        public class Work {
            static byte[] kept;
            static void step() { kept = new byte[%d]; }
            public static void main(String[] words) {
                for (int i = 0; i < 20_000; i++) step();
                System.out.println("@oriel check " + String.join(" ", words));
            }
        }
        """
                .formatted(bytes);
    }

    /// A program that allocates so many bytes a step, beside 16 of each array.
    private Path work(String name, int bytes) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(name));
        Path file = Files.writeString(folder.resolve("Work.java"), source(bytes));
        return PackedAgent.compile(folder.resolve("classes"), List.of(file));
    }

    private static Path jar(Path classes) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Work");
        Path jar = classes.resolveSibling("work.jar");
        PackedAgent.pack(classes, jar, manifest);
        return jar;
    }

    private static ProfileResult recorded(long nanos) {
        CallNode get = new CallNode("a.B.get", 100, nanos, nanos, 1, nanos, List.of());
        return new ProfileResult(Instant.EPOCH, nanos, 0, 0, List.of(get), List.of(), List.of())
                .withTotals(new Totals(100, nanos, 1_000, 1, 0, 1));
    }

    private Path jmh(String name, String mode, String unit, String raw) throws IOException {
        return Files.writeString(
                directory.resolve(name),
                """
                [{"benchmark": "com.Bench.run", "mode": "%s", "threads": 1,
                  "primaryMetric": {"score": 0, "scoreUnit": "%s", "rawData": %s},
                  "secondaryMetrics": {}}]
                """
                        .formatted(mode, unit, raw));
    }

    private static void git(Path folder, String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "git",
                                "-c",
                                "user.name=Somebody",
                                "-c",
                                "user.email=somebody@example.com",
                                "-c",
                                "commit.gpgsign=false"));
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = String.join("\n", process.inputReader().readAllLines());
        assertEquals(0, process.waitFor(), said);
    }
}
