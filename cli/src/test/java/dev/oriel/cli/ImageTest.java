package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The image of the Dockerfile, built and run by docker or podman; skipped if neither answers. `-Dimage.engine=PATH`
/// names another engine.
@SuppressWarnings("NullAway") // a folder above is there, or the test fails
final class ImageTest {
    private static final Duration BUILD_MAX = Duration.ofMinutes(30);
    private static final Duration CALL_MAX = Duration.ofMinutes(3);
    private static final String SQL =
            "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (40), (2); SELECT SUM(n) AS total FROM t";

    /// Name of the image, the container and the volume.
    private final String name = "oriel-test-" + ProcessHandle.current().pid();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private String engine = "";

    /// Outcome of a call of the engine.
    private record Said(int exitCode, String out, String err) {}

    @BeforeEach
    void findEngine() throws Exception {
        String named = System.getProperty("image.engine", "");
        Stream<String> known = named.isEmpty() ? Stream.of("docker", "podman") : Stream.of(named);
        for (String each : known.filter(ImageTest::isProgram).toList()) {
            engine = each;
            if (call(CALL_MAX, "", "info").exitCode() == 0) {
                return;
            }
            engine = "";
        }
        assumeTrue(!engine.isEmpty(), "There is no container engine that answers");
    }

    @AfterEach
    void remove() throws Exception {
        if (!engine.isEmpty()) {
            call(CALL_MAX, "", "rm", "-f", name);
            call(CALL_MAX, "", "volume", "rm", "-f", name);
            call(CALL_MAX, "", "rmi", "-f", name);
        }
    }

    @Test
    void theImageAnswersQueriesServesAndEndsInOrder() throws Exception {
        done(BUILD_MAX, "", "build", "-t", name, root().toString());
        done(CALL_MAX, "", "volume", "create", name);
        List<String> once = List.of("--rm", "-i");
        String rows = done(CALL_MAX, "", run(once, "sql", "/data", "--format", "csv", "-c", SQL));
        assertEquals("42", rows.strip().lines().toList().getLast(), rows);
        done(
                CALL_MAX,
                "correct horse battery\n",
                run(once, "user", "add", "/data", "ada", "--grant", "*=admin"));
        done(CALL_MAX, "", run(List.of("-d", "--name", name)));
        awaitHealth();
        done(CALL_MAX, "", "stop", "-t", "60", name);
        String code = done(CALL_MAX, "", "inspect", "-f", "{{.State.ExitCode}}", name);
        assertEquals("0", code.strip(), this::logs);
    }

    /// The words that run the image in a container as strict as the Dockerfile advises; `words` replace its command.
    private String[] run(List<String> options, String... words) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(options);
        all.addAll(List.of("--read-only", "--tmpfs", "/tmp", "-v", name + ":/data", name));
        all.addAll(Arrays.asList(words));
        return all.toArray(String[]::new);
    }

    /// Runs the image's health check in the container until it succeeds; each call starts a JVM.
    private void awaitHealth() throws Exception {
        List<String> words = new ArrayList<>(List.of("exec", name));
        words.addAll(healthCheck());
        long begun = System.nanoTime();
        while (call(CALL_MAX, "", words.toArray(String[]::new)).exitCode() != 0) {
            if (System.nanoTime() - begun > CALL_MAX.toNanos()) {
                fail("The server does not become healthy: " + logs());
            }
        }
    }

    private static List<String> healthCheck() throws IOException {
        Matcher check =
                Pattern.compile("HEALTHCHECK [^\\[]*CMD \\[(.*)]")
                        .matcher(Files.readString(root().resolve("Dockerfile")));
        assertTrue(check.find());
        return Arrays.stream(check.group(1).split(", ", -1))
                .map(word -> word.replace("\"", ""))
                .toList();
    }

    private String logs() {
        try {
            Said said = call(CALL_MAX, "", "logs", name);
            return said.out() + said.err();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("Dockerfile"))) {
            at = at.getParent();
        }
        return at;
    }

    private static boolean isProgram(String named) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each).resolve(named)));
    }

    private String done(Duration max, String in, String... words)
            throws IOException, InterruptedException {
        Said said = call(max, in, words);
        assertEquals(
                0, said.exitCode(), () -> String.join(" ", words) + ": " + said.err() + said.out());
        return said.out();
    }

    private Said call(Duration max, String in, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(engine));
        command.addAll(Arrays.asList(words));
        Path input = Files.writeString(folder.resolve("in"), in);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(input.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        if (!process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
            fail(String.join(" ", command) + " has not ended: " + Files.readString(err));
        }
        return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
