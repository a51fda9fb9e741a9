package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Python's pymemcache, as it is published. It is installed into a folder of the build by Python's own
/// tools; where that cannot be done, because there is no Python or no way to its packages, the test is
/// skipped and says so.
final class PymemcacheTest {
    @RegisterExtension final Served served = new Served();

    private static final String VERSION = "4.0.0";

    @Test
    void pymemcacheWorks() throws Exception {
        Path python = python();
        Path script = Files.createTempFile("pymemcache", ".py");
        try (InputStream in = getClass().getResourceAsStream("/pymemcache_script.py")) {
            assertNotNull(in);
            Files.write(script, in.readAllBytes());
        }
        String port = Integer.toString(served.start());
        Run run = run(List.of(python.toString(), script.toString(), port));
        Files.delete(script);
        assertEquals(0, run.status, run.said);
        assertTrue(run.said.endsWith("passed\n"), run.said);
    }

    /// The Python that has pymemcache.
    private static Path python() throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
        assumeTrue(there, "There is no python3, so pymemcache is not asked");
        Path folder = Path.of("target", "pymemcache-" + VERSION).toAbsolutePath();
        Path python = folder.resolve("bin").resolve("python");
        Path done = folder.resolve("installed");
        if (!Files.exists(done)) {
            Run made = run(List.of("python3", "-m", "venv", folder.toString()));
            assumeTrue(made.status == 0, "Python cannot make a folder of packages: " + made.said);
            Run installed =
                    run(
                            List.of(
                                    python.toString(),
                                    "-m",
                                    "pip",
                                    "install",
                                    "--quiet",
                                    "--disable-pip-version-check",
                                    "pymemcache==" + VERSION));
            assumeTrue(
                    installed.status == 0,
                    "pymemcache " + VERSION + " cannot be installed: " + installed.said);
            Files.createFile(done);
        }
        return python;
    }

    private record Run(int status, String said) {}

    private static Run run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), said);
    }
}
