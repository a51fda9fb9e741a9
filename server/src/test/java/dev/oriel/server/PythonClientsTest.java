package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.testkit.TestCertificate;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Python's pymemcache and bmemcached, as they are published. They are installed into a folder of the build by
/// Python's own tools; if that cannot be done, because there is no Python or no way to its packages, the tests are
/// skipped and say so.
final class PythonClientsTest {
    @RegisterExtension final Served served = new Served();

    private static final List<String> PACKAGES =
            List.of("pymemcache==4.0.0", "python-binary-memcached==0.33.0");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void pymemcacheWorks() throws Exception {
        assertPasses("pymemcache_script.py", Integer.toString(served.start()));
    }

    @Test
    void pymemcacheWorksOverTls() throws Exception {
        int port = startEncrypted(ServerOptions.defaults());
        assertPasses("pymemcache_script.py", Integer.toString(port), chain().toString());
    }

    @Test
    void bmemcachedLogsInOverTls() throws Exception {
        int port = startEncrypted(ServerOptions.defaults().withUsers(Map.of("ada", "secret")));
        assertPasses("bmemcached_script.py", Integer.toString(port), chain().toString());
    }

    private Path chain() {
        return folder.resolve("chain.pem");
    }

    private int startEncrypted(ServerOptions options) throws Exception {
        Path key = folder.resolve("key.pem");
        TestCertificate.make(folder).write(chain(), key);
        return served.start(options.withPorts(0, -1, -1).withCertificate(chain(), key))
                .memcachedPort();
    }

    private void assertPasses(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(python().toString()));
        Path file = folder.resolve(script);
        try (InputStream in = getClass().getResourceAsStream("/" + script)) {
            assertNotNull(in);
            Files.write(file, in.readAllBytes());
        }
        command.add(file.toString());
        command.addAll(List.of(arguments));
        Run run = run(command);
        assertEquals(0, run.status, run.said);
        assertTrue(run.said.endsWith("passed\n"), run.said);
    }

    /// The Python that has the clients.
    private static Path python() throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
        assumeTrue(there, "There is no python3, so its clients are not asked");
        Path packages = Path.of("target", "python-clients").toAbsolutePath();
        Path python = packages.resolve("bin").resolve("python");
        Path done = packages.resolve("installed " + String.join(" ", PACKAGES));
        if (!Files.exists(done)) {
            Run made = run(List.of("python3", "-m", "venv", packages.toString()));
            assumeTrue(made.status == 0, "Python cannot make a folder of packages: " + made.said);
            List<String> install =
                    new ArrayList<>(
                            List.of(
                                    python.toString(),
                                    "-m",
                                    "pip",
                                    "install",
                                    "--quiet",
                                    "--disable-pip-version-check"));
            install.addAll(PACKAGES);
            Run installed = run(install);
            assumeTrue(installed.status == 0, PACKAGES + " cannot be installed: " + installed.said);
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
