package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.UsageException;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
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

    private static final String PASSWORD = "changeit";

    private KeyStore keys() throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-keystore",
                                file.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private Path pem(String name, String kind, byte[] bytes) throws Exception {
        String text =
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void requestsAreAnsweredOverTlsAndNotInTheClear() throws Exception {
        KeyStore keys = keys();
        Path chain = pem("chain.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        Path key =
                pem(
                        "key.pem",
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        int port =
                served.start(
                                ServerOptions.defaults()
                                        .withPorts(0, -1, -1)
                                        .withCertificate(chain, key))
                        .memcachedPort();
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("set a 0 0 1\r\n1\r\nget a\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            assertEquals("STORED", in.readLine());
            assertEquals("VALUE a 0 1", in.readLine());
        }
        try (Wire clear = new Wire(port)) {
            clear.send("get a\r\n");
            assertTrue(clear.isOver(), "nothing is said to who speaks in the clear");
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
        assertEquals("certificate=" + none + " key=" + none, wrong.context());
        assertThrows(UsageException.class, () -> served.start(options.withCertificate(none, null)));
    }
}
