package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.TestCertificate;
import io.netty.handler.ssl.SslContext;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Encrypted connections, with a certificate that the JDK's keytool makes for the test.
final class TlsTest {
    @RegisterExtension final Served served = new Served();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /// Writes the PEM files of a new certificate.
    private TestCertificate write(Path chain, Path key) throws Exception {
        TestCertificate made = TestCertificate.make(folder);
        made.write(chain, key);
        return made;
    }

    private static SSLSocket connect(TestCertificate made, int port) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", made.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static BufferedReader send(SSLSocket socket, String requests) throws Exception {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
        return new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    @Test
    void aClientBeyondTheLimitIsClosedAndTheLogHasTheReason() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        TestCertificate made = write(chain, key);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerLog events = new ServerLog(new PrintStream(log, true, StandardCharsets.UTF_8));
        ServerOptions options =
                ServerOptions.defaults()
                        .withPorts(0, -1, -1)
                        .withConnectionsMax(1)
                        .withCertificate(chain, key);
        try (OrielServer server = OrielServer.start(served.database, options, events);
                SSLSocket first = connect(made, server.memcachedPort())) {
            assertEquals("END", send(first, "get a\r\n").readLine());
            try (SSLSocket second = connect(made, server.memcachedPort())) {
                assertThrows(IOException.class, () -> send(second, "get a\r\n").readLine());
            }
        }
        String said = log.toString(StandardCharsets.UTF_8);
        assertTrue(
                said.contains(
                        "\"level\":\"warn\",\"event\":\"A connection was refused: there are too many\","
                                + "\"address\":\"127.0.0.1\",\"listener\":\"memcached\",\"tls\":\"true\""),
                said);
    }

    @Test
    void requestsAreAnsweredOverTlsAndNotInTheClear() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        TestCertificate made = write(chain, key);
        ServerOptions options = ServerOptions.defaults().withPorts(0, -1, -1);
        int port = served.start(options.withCertificate(chain, key)).memcachedPort();
        try (SSLSocket socket = connect(made, port)) {
            BufferedReader in = send(socket, "set a 0 0 1\r\n1\r\nget a\r\n");
            assertEquals("STORED", in.readLine());
            assertEquals("VALUE a 0 1", in.readLine());
        }
        try (Wire clear = new Wire(port)) {
            clear.send("get a\r\n");
            assertTrue(clear.isOver(), "nothing is said to who speaks in the clear");
        }
    }

    /// A file that is no certificate changes nothing; a new certificate is taken without a new start, and
    /// who is connected stays so.
    @Test
    void aNewCertificateIsTakenWhileTheServerRuns() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        TestCertificate first = write(chain, key);
        ServerOptions options = ServerOptions.defaults().withPorts(0, -1, -1);
        OrielServer server = served.start(options.withCertificate(chain, key));
        int port = server.memcachedPort();
        try (SSLSocket old = connect(first, port)) {
            BufferedReader in = send(old, "mn\r\n");
            assertEquals("MN", in.readLine());
            Files.writeString(chain, "half of it");
            server.lookForChanges();
            try (SSLSocket still = connect(first, port)) {
                assertEquals("MN", send(still, "mn\r\n").readLine());
            }
            TestCertificate second = write(chain, key);
            server.lookForChanges();
            try (SSLSocket fresh = connect(second, port)) {
                assertEquals("MN", send(fresh, "mn\r\n").readLine());
            }
            try (SSLSocket stale = connect(first, port)) {
                assertThrows(javax.net.ssl.SSLHandshakeException.class, stale::startHandshake);
            }
            old.getOutputStream().write("mn\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals("MN", in.readLine());
        }
    }

    /// The key is a pipe here, so that the certificate changes between the reading of both.
    @Test
    void aCertificateThatChangesWhileItIsReadIsReadAgain() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path firstKey = folder.resolve("first.pem");
        Path secondKey = folder.resolve("second.pem");
        Path key = folder.resolve("key.pem");
        assumeTrue(
                new ProcessBuilder("mkfifo", key.toString()).start().waitFor() == 0,
                "this system has no named pipes");
        write(chain, firstKey);
        TestCertificate second = TestCertificate.make(folder);
        Certificate certificate = new Certificate(chain, key, new ServerLog(null));
        Thread reading = Thread.ofPlatform().start(certificate::read);
        try (OutputStream out = Files.newOutputStream(key)) { // it has read the certificate
            second.write(chain, secondKey);
            out.write(Files.readAllBytes(firstKey));
        }
        reading.join();
        SslContext before = certificate.context();
        assertNotNull(before);
        FileTime time = Files.getLastModifiedTime(key);
        Files.move(secondKey, key, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(key, time);
        certificate.refresh();
        assertNotSame(before, certificate.context());
    }

    /// Netty names an unencrypted request by all its bytes.
    @Test
    void whatIsSentInTheClearIsNotLogged() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        write(chain, key);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        ServerLog log = new ServerLog(new PrintStream(lines, true, StandardCharsets.UTF_8));
        ServerOptions options =
                ServerOptions.defaults()
                        .withPorts(0, -1, -1)
                        .withUsers(Map.of("ada", "pa55word"))
                        .withCertificate(chain, key);
        try (Database database = Database.inMemory();
                OrielServer server = OrielServer.start(database, options, log)) {
            for (int i = 0; i < 50; i++) {
                try (Wire clear = new Wire(server.memcachedPort())) {
                    clear.send("set x 0 0 12\r\nada pa55word\r\n");
                    assertTrue(clear.isOver(), "nothing is said to who speaks in the clear");
                }
            }
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (server.metrics().handshakeFailures.sum() < 50) { // the client sees the end first
                assertTrue(System.nanoTime() < deadline, "a failure was not counted");
                Thread.onSpinWait();
            }
        }
        String said = lines.toString(StandardCharsets.UTF_8);
        String hex = HexFormat.of().formatHex("pa55word".getBytes(StandardCharsets.US_ASCII));
        assertFalse(said.contains("pa55word") || said.contains(hex), said);
        String event =
                "\"event\":\"A TLS connection failed and was closed\",\"address\":\"127.0.0.1\","
                        + "\"listener\":\"memcached\",\"reason\":\"The client does not speak TLS\"";
        assertTrue(said.contains(event), said);
        int count = said.split(Pattern.quote(event), -1).length - 1;
        assertTrue(count < 50, "each is a line: " + count);
    }

    /// Keys in the older forms of OpenSSL, and one of another certificate.
    @Test
    void keysOfEachFormAreReadAndThoseOfOthersAreRefused() throws Exception {
        assumeTrue(openssl("version") == 0, "openssl is not installed");
        for (String kind : new String[] {"rsa", "ec"}) {
            String[] options =
                    kind.equals("rsa")
                            ? new String[] {"-newkey", "rsa:2048"}
                            : new String[] {
                                "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"
                            };
            String key = folder.resolve(kind + ".key").toString();
            String old = folder.resolve(kind + ".old").toString();
            String chain = folder.resolve(kind + ".pem").toString();
            assertEquals(
                    0,
                    openssl(
                            "req",
                            "-x509",
                            "-nodes",
                            "-subj",
                            "/CN=localhost",
                            options[0],
                            options[1],
                            "-keyout",
                            key,
                            "-out",
                            chain,
                            "-batch",
                            options.length > 2 ? options[2] : "-days",
                            options.length > 2 ? options[3] : "3"));
            assertEquals(
                    0,
                    openssl(
                            kind,
                            "-in",
                            key,
                            "-out",
                            old,
                            kind.equals("rsa") ? "-traditional" : "-no_public"));
            for (String form : new String[] {key, old}) {
                Certificate certificate =
                        new Certificate(Path.of(chain), Path.of(form), new ServerLog(null));
                certificate.read();
                assertNotNull(certificate.context(), form);
                assertExpiry(certificate.expiryMillis(), chain, form);
            }
        }
        for (String[] pair : new String[][] {{"rsa", "ec"}, {"ec", "rsa"}}) {
            Path chain = folder.resolve(pair[0] + ".pem");
            Path key = folder.resolve(pair[1] + ".key");
            UsageException mixed =
                    assertThrows(
                            UsageException.class,
                            () -> new Certificate(chain, key, new ServerLog(null)).read());
            assertTrue(
                    String.valueOf(mixed.getMessage()).contains("do not belong together"),
                    mixed.getMessage());
        }
    }

    static final String EXPIRY = "oriel_tls_certificate_expiry_timestamp_seconds";

    @Test
    void theExpiryIsAMetric() throws Exception {
        Path chain = folder.resolve("c.pem");
        Path key = folder.resolve("k.pem");
        TestCertificate.make(folder).write(chain, key);
        ServerOptions options = ServerOptions.defaults().withPorts(0, -1, -1);
        OrielServer server = served.start(options.withCertificate(chain, key));
        long seconds = server.certificate().expiryMillis() / 1_000;
        assertTrue(Prometheus.of(server).contains("\n" + EXPIRY + " " + seconds + "\n"));
    }

    /// Two weeks before the expiry warnings begin, once a day.
    private static void assertExpiry(long expiryMillis, String chain, String key) {
        assertTrue(expiryMillis > System.currentTimeMillis());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ServerLog log = new ServerLog(new PrintStream(said, true, StandardCharsets.UTF_8));
        Certificate certificate = new Certificate(Path.of(chain), Path.of(key), log);
        certificate.read();
        certificate.tellExpiry(expiryMillis - TimeUnit.DAYS.toMillis(15));
        assertEquals(0, said.size());
        certificate.tellExpiry(expiryMillis - TimeUnit.DAYS.toMillis(13));
        certificate.tellExpiry(expiryMillis - TimeUnit.DAYS.toMillis(13) + 1_000);
        certificate.tellExpiry(expiryMillis + 1);
        String[] lines = said.toString(StandardCharsets.UTF_8).strip().split("\n", -1);
        assertEquals(2, lines.length);
        assertTrue(lines[0].contains("The certificate expires soon"), lines[0]);
        assertTrue(lines[1].contains("The certificate has expired"), lines[1]);
    }

    private static int openssl(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor();
        } catch (IOException missing) {
            return -1;
        }
    }

    @Test
    void aCertificateThatIsNoneIsNamed() throws Exception {
        Path none = Files.writeString(folder.resolve("none.pem"), "no certificate");
        ServerOptions options = ServerOptions.defaults().withPorts(0, -1, -1);
        UsageException wrong =
                assertThrows(
                        UsageException.class,
                        () -> served.start(options.withCertificate(none, none)));
        assertTrue(wrong.context().startsWith("certificate=" + none + " reason="), wrong.context());
        assertThrows(UsageException.class, () -> served.start(options.withCertificate(none, null)));
    }
}
