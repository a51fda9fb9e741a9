package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.server.AdminOptions;
import dev.oriel.server.OrielServer;
import dev.oriel.server.ServerLog;
import dev.oriel.server.ServerOptions;
import dev.oriel.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command of the image's health check, run in this process, against a server that speaks TLS.
@SuppressWarnings("NullAway") // a folder above is there, or the test fails
final class HealthCheckTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /// The words after the launcher's name, for the database in `path`.
    private static String[] words(Path path) throws IOException {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("Dockerfile"))) {
            at = at.getParent();
        }
        Matcher check =
                Pattern.compile("HEALTHCHECK [^\\[]*CMD \\[(.*)]")
                        .matcher(Files.readString(at.resolve("Dockerfile")));
        assertTrue(check.find());
        List<String> words =
                Arrays.stream(check.group(1).split(", ", -1))
                        .map(word -> word.replace("\"", ""))
                        .toList();
        int launcher = words.indexOf("/opt/oriel/oriel");
        assertTrue(launcher >= 0, words.toString());
        return words.subList(launcher + 1, words.size()).stream()
                .map(word -> word.equals("/data") ? path.toString() : word)
                .toArray(String[]::new);
    }

    @Test
    void itWorksWithTls() throws Exception {
        TestCertificate.make(folder).write(folder.resolve("chain.pem"), folder.resolve("key.pem"));
        Path db = folder.resolve("db");
        ServerOptions options =
                ServerOptions.defaults()
                        .withPorts(0, -1, 0)
                        .withCertificate(folder.resolve("chain.pem"), folder.resolve("key.pem"))
                        .withAdmin(AdminOptions.NONE.withSocket(db.resolve("admin.sock"), true));
        try (Database database = Database.open(db)) {
            try (OrielServer server = OrielServer.start(database, options, new ServerLog(null))) {
                assertTrue(server.httpPort() > 0);
                Run healthy = Run.oriel(folder, "", words(db));
                assertEquals(0, healthy.exitCode(), healthy.err());
            }
            assertEquals(1, Run.oriel(folder, "", words(db)).exitCode(), "the server has ended");
        }
    }
}
