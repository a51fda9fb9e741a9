package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The projects in `samples/hikari` and `samples/hibernate`: built as they stand, and run.
class SampleProjectsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hikari    | com.example.Transfers | The accounts hold 80000 after 4000 transfers",
                "hibernate | com.example.Library   | 3 of 3 jobs done, each by one worker"
            })
    void sampleDoesWhatItSays(String name, String main, String line)
            throws IOException, InterruptedException {
        Path classes = build(name);
        Path output = folder.resolve("output.txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-ea",
                                "-cp",
                                classes
                                        + File.pathSeparator
                                        + System.getProperty("java.class.path"),
                                main)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(10, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.readAllLines(output);
        assertTrue(ended && process.exitValue() == 0, () -> String.join("\n", lines));
        assertTrue(lines.contains(line), () -> String.join("\n", lines));
    }

    private Path build(String name) throws IOException {
        Path sources =
                Path.of(System.getProperty("oriel.root", ".."), "samples", name, "src/main/java");
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager system = compiler.getStandardFileManager(null, null, null)) {
            boolean done =
                    compiler.getTask(
                                    messages,
                                    system,
                                    null,
                                    List.of(
                                            "-d",
                                            classes.toString(),
                                            "-proc:none",
                                            "-cp",
                                            System.getProperty("java.class.path")),
                                    null,
                                    system.getJavaFileObjectsFromPaths(files))
                            .call();
            assertTrue(done, messages::toString);
        }
        return classes;
    }
}
