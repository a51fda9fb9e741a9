package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import dev.oriel.server.Role;
import dev.oriel.server.User;
import dev.oriel.server.Users;
import dev.oriel.testkit.TestCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `oriel serve`: its options, and a real process that is told to end, and one that is killed.
class ServeCommandTest {
    private static final Pattern PORT = Pattern.compile("memcached at (\\d+)");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static void assertSays(String part, String text) {
        assertTrue(text.contains(part), text);
    }

    @Test
    void wrongOptionsAreNamed() throws IOException {
        String db = folder.resolve("db").toString();
        assertSays(
                "--memcached-port wants a number, and got x",
                Run.oriel(folder, "", "serve", db, "--memcached-port", "x").err());
        assertSays(
                "A server that listens to other machines needs users",
                Run.oriel(folder, "", "serve", db, "--host", "0.0.0.0").err());
        assertSays(
                "--durability is sync, written or async, and not rain",
                Run.oriel(folder, "", "serve", db, "--durability", "rain").err());
        Path file = folder.resolve("serve.properties");
        Files.writeString(file, "http-port = 0\nmemcachedport = 1\n");
        Run unknown = Run.oriel(folder, "", "serve", db, "--config", file.toString());
        assertEquals(1, unknown.exitCode());
        assertSays("has an option that is not known: memcachedport", unknown.err());
        Path users = folder.resolve("users");
        Files.writeString(users, "# who\nada\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r--r--"));
        assertSays(
                "everybody may read or change the file of users",
                Run.oriel(folder, "", "serve", db, "--users", users.toString()).err());
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r-----"));
        assertSays(
                "is not NAME:PASSWORD",
                Run.oriel(folder, "", "serve", db, "--users", users.toString()).err());
    }

    /// Whoever reads the log has to find the reason in it, in the log's form.
    @Test
    void whyItDoesNotStartIsALineOfTheLog() {
        String db = folder.resolve("db").toString();
        Run run = Run.oriel(folder, "", "serve", db, "--host", "0.0.0.0");
        assertEquals(1, run.exitCode());
        assertTrue(
                run.err()
                        .matches(
                                "(?s).*\\{\"time\":\"[^\"]+\",\"level\":\"error\","
                                        + "\"event\":\"The server could not start\","
                                        + "\"error\":\"A server that listens to other machines needs"
                                        + " users; .*\"}\n"),
                run.err());
        Run wrong = Run.oriel(folder, "", "serve", db, "--log-level", "loud");
        assertSays("\"error\":\"--log-level is info, warn or error, and not loud\"", wrong.err());
    }

    /// A client in the middle of a request does not keep the process.
    @Test
    void theEndWaitsForNoClient() throws Exception {
        Path file = folder.resolve("serve.properties");
        Files.writeString(file, "memcached-port = 0\n");
        Process process = serve(file);
        try (Socket half = new Socket(InetAddress.getLoopbackAddress(), port(process))) {
            half.getOutputStream()
                    .write("set a 0 0 100000\r\nabc".getBytes(StandardCharsets.US_ASCII));
            process.destroy();
            assertTrue(process.waitFor(2, TimeUnit.MINUTES), "it ends when told to");
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// Here no program may call the C library, so systemd cannot be told of the start.
    @Test
    void aStartThatFailsLateEndsWithAnError() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "systemd is Linux's");
        Path file = folder.resolve("serve.properties");
        Files.writeString(file, "memcached-port = 0\n");
        ProcessBuilder builder = builder(file, "--illegal-native-access=deny");
        builder.environment().put("NOTIFY_SOCKET", "@oriel");
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(2, TimeUnit.MINUTES), "it ends");
            String events = Files.readString(folder.resolve("events"));
            assertSays("\"event\":\"listening\"", events);
            assertSays("\"event\":\"The server could not start\"", events);
            assertEquals(1, process.exitValue(), events);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessServesUntilItIsToldToEndAndKeepsWhatItAnswered() throws Exception {
        Path file = folder.resolve("serve.properties");
        Files.writeString(file, "memcached-port = 0\nbucket = kept\n");
        Process first = serve(file);
        try {
            assertEquals("STORED", ask(port(first), "set a 0 0 1\r\n1\r\n"));
        } finally {
            first.destroyForcibly().waitFor(); // a process that dies keeps what it answered
        }
        Process second = serve(file);
        try {
            int port = port(second);
            assertEquals("VALUE a 0 1", ask(port, "get a\r\n"));
            assertEquals("STORED", ask(port, "set b 0 0 1\r\n2\r\n"));
            String events = Files.readString(folder.resolve("events"));
            assertSays("\"event\":\"The database is open\"", events);
            assertSays("\"closed_in_order\":\"false\",\"recovered_log_bytes\":\"", events);
            assertFalse(events.contains("\"recovered_commits\":\"0\""), events);
            second.destroy();
            assertTrue(second.waitFor(2, TimeUnit.MINUTES), "it ends when told to");
            assertEquals(0, second.exitValue());
            assertSays("\"event\":\"stopped\"", Files.readString(folder.resolve("events")));
        } finally {
            second.destroyForcibly().waitFor();
        }
        Run sql =
                Run.oriel(
                        folder,
                        "",
                        "sql",
                        folder.resolve("db").toString(),
                        "-c",
                        "SELECT key FROM bucket_kept ORDER BY key");
        assertEquals(0, sql.exitCode(), sql.err());
        assertSays("a", sql.out());
        assertSays("b", sql.out());
        Run check = Run.oriel(folder, "", "check", folder.resolve("db").toString());
        assertEquals("All is well.\n", check.out());
    }

    @Test
    void theStudioOfAServerAnswersToItsOneAddress() throws Exception {
        Path file = folder.resolve("serve.properties");
        Files.writeString(file, "memcached-port = 0\nstudio-port = 0\n");
        Process serving = serve(file);
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(serving.getInputStream(), StandardCharsets.UTF_8))) {
            assertSays("memcached at", String.valueOf(out.readLine()));
            String line = String.valueOf(out.readLine());
            assertSays("The studio is at http://127.0.0.1:", line);
            URI address = URI.create(line.substring(line.indexOf("http")));
            assertSays("303", status(address.getPort(), "/?" + address.getQuery()));
            assertSays("401", status(address.getPort(), "/?" + address.getQuery()));
            assertSays("works once", String.valueOf(out.readLine()));
            serving.destroy();
            assertTrue(serving.waitFor(2, TimeUnit.MINUTES), "it ends when told to");
        } finally {
            serving.destroyForcibly().waitFor();
        }
        assertSays(
                "--studio-port wants a number, and got x",
                Run.oriel(
                                folder,
                                "",
                                "serve",
                                folder.resolve("db").toString(),
                                "--studio-port",
                                "x")
                        .err());
    }

    @Test
    void theStudioIsOpenToOtherMachinesForUsersOverTlsAlone() throws Exception {
        Path db = folder.resolve("db");
        Run open =
                Run.oriel(
                        folder,
                        "",
                        "serve",
                        db.toString(),
                        "--memcached-port",
                        "0",
                        "--studio-port",
                        "0",
                        "--studio-host",
                        "0.0.0.0");
        assertEquals(1, open.exitCode());
        assertSays("a studio at 0.0.0.0 needs users and TLS", open.err());
        assertSays(
                "--studio-host is given without --studio-port",
                Run.oriel(folder, "", "serve", db.toString(), "--studio-host", "0.0.0.0").err());
        try (Database database = Database.open(db)) {
            Users users = Users.of(database);
            users.add("ada", "ada's own", Map.of(User.ALL_BUCKETS, Role.ADMIN));
            users.add("till", "till's own", Map.of(User.ALL_BUCKETS, Role.READ));
            users.add("bob", "bob's own", Map.of("orders", Role.ADMIN));
        }
        TestCertificate made = TestCertificate.make(folder);
        made.write(folder.resolve("chain.pem"), folder.resolve("key.pem"));
        Path file = folder.resolve("serve.properties");
        Files.writeString(
                file,
                "memcached-port = 0\nstudio-port = 0\nstudio-host = 0.0.0.0\ntls-certificate = %s\ntls-key = %s\n"
                        .formatted(folder.resolve("chain.pem"), folder.resolve("key.pem")));
        Process serving = serve(file);
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(serving.getInputStream(), StandardCharsets.UTF_8))) {
            assertSays("memcached at", String.valueOf(out.readLine()));
            String line = String.valueOf(out.readLine());
            assertSays("The studio is at https://localhost:", line);
            URI address = URI.create(line.substring(line.indexOf("https")));
            assertSays("log in there", String.valueOf(out.readLine()));
            assertEquals(403, login(made, address, "ada", "wrong"));
            assertEquals(403, login(made, address, "bob", "bob's own"));
            assertEquals(200, login(made, address, "ada", "ada's own"));
            assertEquals(200, login(made, address, "till", "till's own"));
            String events = Files.readString(folder.resolve("events"));
            assertSays("A login was refused", events);
            assertSays("STUDIO", events);
        } finally {
            serving.destroy();
            assertTrue(serving.waitFor(2, TimeUnit.MINUTES), "it ends when told to");
        }
    }

    /// Status of a login. An admin's page may change, a reader's may not.
    private static int login(TestCertificate made, URI address, String name, String password)
            throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("studio", made.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        HttpsURLConnection login = connection(context, address.resolve("/login"));
        login.setDoOutput(true);
        String body = "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, password);
        login.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        int status = login.getResponseCode();
        if (status == 200) {
            HttpsURLConnection about = connection(context, address.resolve("/api/v1/about"));
            String cookie = login.getHeaderField("Set-Cookie");
            about.setRequestProperty("Cookie", cookie.substring(0, cookie.indexOf(';')));
            String answer =
                    new String(about.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertSays("\"readOnly\":" + name.equals("till"), answer);
        }
        return status;
    }

    private static HttpsURLConnection connection(SSLContext context, URI address)
            throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) address.toURL().openConnection();
        connection.setSSLSocketFactory(context.getSocketFactory());
        return connection;
    }

    private static String status(int port, String path) throws IOException {
        return ask(port, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
    }

    private Process serve(Path file) throws IOException {
        return builder(file).start();
    }

    private ProcessBuilder builder(Path file, String... ofTheJvm) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of(ofTheJvm));
        words.addAll(
                List.of(
                        "-cp",
                        System.getProperty("jdk.module.path", "")
                                + System.getProperty("path.separator")
                                + System.getProperty("java.class.path"),
                        "-XX:+UseSerialGC",
                        Main.class.getName(),
                        "serve",
                        folder.resolve("db").toString(),
                        "--config",
                        file.toString()));
        return new ProcessBuilder(words).redirectError(folder.resolve("events").toFile());
    }

    private int port(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        assertFalse(line == null, Files.readString(folder.resolve("events")));
        Matcher port = PORT.matcher(line);
        assertTrue(port.find(), line);
        return Integer.parseInt(port.group(1));
    }

    private static String ask(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
