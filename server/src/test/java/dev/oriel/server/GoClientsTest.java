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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// gomemcache and Couchbase's Go SDK, as they are published. Go builds them in a folder of the build; if there is no
/// Go, or no way to its modules, the tests are skipped and say so.
final class GoClientsTest {
    @RegisterExtension final Served served = new Served();

    @Test
    void gomemcacheWorks() throws Exception {
        Path client =
                client(
                        "gomemcache",
                        "github.com/bradfitz/gomemcache/memcache@v0.0.0-20260422231931-4d751bb6e37c");
        assertPasses(client, "127.0.0.1:" + served.start());
    }

    @Test
    void theCouchbaseSdkWorks() throws Exception {
        Path client = client("gocb", "github.com/couchbase/gocb/v2@v2.11.1");
        OrielServer server =
                served.start(
                        ServerOptions.defaults()
                                .withPorts(-1, 0, -1)
                                .withUsers(Map.of("ada", "secret")));
        assertPasses(client, "couchbase://127.0.0.1:" + server.couchbasePort());
    }

    private static void assertPasses(Path client, String address) throws Exception {
        Run run = run(Path.of("target"), client.toString(), address);
        assertEquals(0, run.status, run.said);
        assertTrue(run.said.endsWith("passed\n"), run.said);
    }

    /// The built program of that name.
    private static Path client(String name, String module) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "go")));
        assumeTrue(there, "There is no Go, so its clients are not asked");
        Path folder = Path.of("target", "go-clients", name).toAbsolutePath();
        Path built = folder.resolve("client");
        Files.createDirectories(folder);
        try (InputStream in = GoClientsTest.class.getResourceAsStream("/" + name + ".go")) {
            assertNotNull(in);
            Files.write(folder.resolve("main.go"), in.readAllBytes());
        }
        if (!Files.exists(folder.resolve("go.mod"))) {
            Run made = run(folder, "go", "mod", "init", "oriel.dev/clients");
            assumeTrue(made.status == 0, "Go cannot make a module: " + made.said);
        }
        Run got = run(folder, "go", "get", module);
        assumeTrue(got.status == 0, module + " cannot be had: " + got.said);
        Run tidied = run(folder, "go", "mod", "tidy");
        assumeTrue(tidied.status == 0, "The modules of " + name + " are missing: " + tidied.said);
        Run compiled = run(folder, "go", "build", "-o", built.toString(), ".");
        assertEquals(0, compiled.status, compiled.said);
        return built;
    }

    private record Run(int status, String said) {}

    private static Run run(Path folder, String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(command))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), said);
    }
}
