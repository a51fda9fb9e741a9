package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.server.AdminOptions;
import dev.oriel.server.OrielServer;
import dev.oriel.server.ServerLog;
import dev.oriel.server.ServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The image's health check, run as the image says, against a server that speaks TLS.
@SuppressWarnings("NullAway") // a folder above is there, or the test fails
final class HealthCheckTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

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

    private void makeCertificate() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "it",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                new String(PASSWORD))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("CERTIFICATE", keys.getCertificate("it").getEncoded(), "chain.pem");
        pem("PRIVATE KEY", keys.getKey("it", PASSWORD).getEncoded(), "key.pem");
    }

    private void pem(String kind, byte[] bytes, String file) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                folder.resolve(file),
                "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    @Test
    void itWorksWithTls() throws Exception {
        makeCertificate();
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
