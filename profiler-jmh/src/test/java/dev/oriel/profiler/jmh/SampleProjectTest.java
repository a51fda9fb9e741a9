package dev.oriel.profiler.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The project in `samples/jmh`, which is not ours as far as JMH can tell: built as it stands, with
/// stock JMH, and run with the profiler.
class SampleProjectTest {
    private static final Path SAMPLE =
            Path.of(System.getProperty("oriel.root", ".."), "samples", "jmh");

    @TempDir private Path folder;

    @Test
    void methodsBecomeSecondaryResults() throws IOException, InterruptedException {
        build();
        // Samples are few where others have the processor: then it runs for longer.
        for (String time : List.of("400ms", "2s", "10s")) {
            Path json = folder.resolve("result" + time + ".json");
            String output = profiled(json, time);
            String results = Files.readString(json);
            assertEquals(1, score(results, "oriel.calls.com.example.Words.count"), 1e-3, output);
            assertEquals(1, score(results, "oriel.calls.com.example.Words.split"), 1e-3, output);
            double total = score(results, "oriel.total.com.example.Words.count");
            double parts =
                    score(results, "oriel.time.com.example.Words.count")
                            + score(results, "oriel.time.com.example.Words.split");
            assertEquals(total, parts, 0.01 * total, output);
            if (results.contains("oriel.cpu.") && results.contains("oriel.bytes.")) {
                return;
            }
        }
        fail("no samples of processor time or of allocation");
    }

    private String profiled(Path json, String time) throws IOException, InterruptedException {
        return jmh(
                "-prof",
                OrielProfiler.class.getName() + ":include=com.example.Words;samples=true;top=5",
                "-f",
                "1",
                "-wi",
                "1",
                "-i",
                "2",
                "-w",
                "200ms",
                "-r",
                time,
                "-rf",
                "json",
                "-rff",
                json.toString());
    }

    @Test
    void unknownOptionNamesTheKnownOnes() throws IOException, InterruptedException {
        build();
        String output = jmh("-prof", OrielProfiler.class.getName() + ":includes=com.example.Words");
        assertTrue(output.contains("Unknown option 'includes=com.example.Words'"), output);
        assertTrue(output.contains("include=PATTERNS"), output);
    }

    private static double score(String json, String label) {
        Matcher found =
                Pattern.compile(
                                "\""
                                        + Pattern.quote(label)
                                        + "\" : \\{\\s*\"score\" : ([0-9.Ee+-]+)")
                        .matcher(json);
        assertTrue(found.find(), () -> "no " + label + " in " + json);
        return Double.parseDouble(found.group(1));
    }

    private void build() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> sources;
        try (Stream<Path> files = Files.walk(SAMPLE.resolve("src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        StringWriter messages = new StringWriter();
        Path classes = Files.createDirectories(folder.resolve("classes"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean done =
                    compiler.getTask(
                                    messages,
                                    files,
                                    null,
                                    List.of(
                                            "-d",
                                            classes.toString(),
                                            "-cp",
                                            System.getProperty("java.class.path"),
                                            "-processor",
                                            "org.openjdk.jmh.generators.BenchmarkProcessor"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources))
                            .call();
            assertTrue(done, messages::toString);
        }
    }

    private String jmh(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(
                folder.resolve("classes")
                        + File.pathSeparator
                        + System.getProperty("java.class.path"));
        command.add("org.openjdk.jmh.Main");
        command.addAll(List.of(words));
        Path output = folder.resolve("output.txt");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        assertTrue(process.waitFor(10, TimeUnit.MINUTES), "it does not end");
        return Files.readString(output);
    }
}
