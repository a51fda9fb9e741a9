package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.spotify.folsom.AsciiMemcacheClient;
import com.spotify.folsom.BinaryMemcacheClient;
import com.spotify.folsom.GetResult;
import com.spotify.folsom.MemcacheClient;
import com.spotify.folsom.MemcacheClientBuilder;
import com.spotify.folsom.MemcacheStatus;
import com.spotify.folsom.client.tls.DefaultSSLEngineFactory;
import dev.oriel.testkit.TestCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.command.BinaryCommandFactory;
import net.rubyeye.xmemcached.command.TextCommandFactory;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.auth.AuthDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Clients that others have written, as they are published.
final class MemcachedClientsTest {
    /// They give up after some seconds by themselves, which a busy machine may take.
    private static final int PATIENCE_MILLIS = 60_000;

    @RegisterExtension final Served served = new Served();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final SSLContext encrypted = context();

    private static SSLContext context() {
        try {
            return SSLContext.getInstance("TLS");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has it", e);
        }
    }

    private static ConnectionFactoryBuilder spymemcached() {
        return new ConnectionFactoryBuilder().setOpTimeout(PATIENCE_MILLIS);
    }

    @Test
    void spymemcachedInBothProtocols() throws Exception {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), served.start());
        for (var protocol : ConnectionFactoryBuilder.Protocol.values()) {
            var factory = spymemcached().setProtocol(protocol).build();
            var client = new net.spy.memcached.MemcachedClient(factory, List.of(address));
            try {
                work(client);
            } finally {
                client.shutdown();
            }
        }
    }

    private static void work(net.spy.memcached.MemcachedClient client) throws Exception {
        assertTrue(client.flush().get());
        assertTrue(client.set("text", 0, "Grüße").get());
        assertEquals("Grüße", client.get("text"));
        assertFalse(client.add("text", 0, "x").get());
        assertTrue(client.replace("text", 0, List.of(1, 2)).get());
        assertEquals(List.of(1, 2), client.get("text"));
        CASValue<Object> read = client.gets("text");
        assertEquals(CASResponse.OK, client.cas("text", read.getCas(), "swapped"));
        assertEquals(CASResponse.EXISTS, client.cas("text", read.getCas(), "again"));
        assertEquals(7, client.incr("n", 5, 7));
        assertEquals(12, client.incr("n", 5));
        assertEquals(0, client.decr("n", 50));
        Map<String, Object> expected = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            assertTrue(client.set("k" + i, 0, "v" + i).get());
            expected.put("k" + i, "v" + i);
        }
        assertEquals(expected, client.getBulk(expected.keySet()));
        assertTrue(client.touch("text", 1_000).get());
        assertTrue(client.delete("text").get());
        assertNull(client.get("text"));
        assertEquals("1.6.0+oriel", client.getVersions().values().iterator().next());
        assertTrue(client.getStats().values().iterator().next().containsKey("cmd_get"));
    }

    @Test
    void spymemcachedLogsIn() throws Exception {
        OrielServer server =
                served.start(
                        ServerOptions.defaults()
                                .withPorts(0, -1, -1)
                                .withUsers(Map.of("ada", "secret")));
        var factory =
                spymemcached()
                        .setProtocol(ConnectionFactoryBuilder.Protocol.BINARY)
                        .setAuthDescriptor(
                                new AuthDescriptor(
                                        new String[] {"PLAIN"},
                                        new net.spy.memcached.auth.PlainCallbackHandler(
                                                "ada", "secret")))
                        .build();
        var address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.memcachedPort());
        var client = new net.spy.memcached.MemcachedClient(factory, List.of(address));
        try {
            assertTrue(client.set("a", 0, "1").get());
            assertEquals("1", client.get("a"));
        } finally {
            client.shutdown();
        }
    }

    /// A server with TLS, a user, and a certificate that the clients are given.
    private int startEncrypted() throws Exception {
        TestCertificate made = TestCertificate.make(folder);
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        made.write(chain, key);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", made.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        encrypted.init(null, trust.getTrustManagers(), null);
        return served.start(
                        ServerOptions.defaults()
                                .withPorts(0, -1, -1)
                                .withCertificate(chain, key)
                                .withUsers(Map.of("ada", "secret")))
                .memcachedPort();
    }

    @Test
    void folsomLogsInOverTls() throws Exception {
        int port = startEncrypted();
        BinaryMemcacheClient<String> client =
                MemcacheClientBuilder.newStringClient()
                        .withAddress("localhost", port)
                        .withConnectionTimeoutMillis(PATIENCE_MILLIS)
                        .withSSLEngineFactory(new DefaultSSLEngineFactory(encrypted, true))
                        .withUsernamePassword("ada", "secret")
                        .connectBinary();
        try {
            client.awaitConnected(60, TimeUnit.SECONDS);
            work(client);
        } finally {
            client.shutdown();
        }
    }

    @Test
    void xmemcachedInBothProtocols() throws Exception {
        int port = served.start();
        for (var commands : List.of(new TextCommandFactory(), new BinaryCommandFactory())) {
            var builder = new XMemcachedClientBuilder("127.0.0.1:" + port);
            builder.setCommandFactory(commands);
            builder.setOpTimeout(PATIENCE_MILLIS);
            builder.setConnectTimeout(PATIENCE_MILLIS);
            var client = builder.build();
            try {
                client.flushAll();
                assertTrue(client.set("a", 0, "1"));
                assertEquals("1", client.get("a"));
                assertTrue(client.append("a", "2"));
                assertTrue(client.prepend("a", "0"));
                assertEquals("012", client.get("a"));
                assertFalse(client.add("a", 0, "x"));
                assertTrue(client.cas("a", 0, "3", client.gets("a").getCas()));
                if (commands instanceof BinaryCommandFactory) { // in text it does not know how
                    assertEquals("3", client.getAndTouch("a", 1_000));
                }
                assertEquals(10, client.incr("n", 1, 10));
                assertEquals(11, client.incr("n", 1));
                client.set("b", 0, "4");
                assertEquals(Map.of("a", "3", "b", "4"), client.get(List.of("a", "b", "c")));
                assertTrue(client.delete("a"));
                assertNull(client.<String>get("a"));
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void folsomInBothProtocols() throws Exception {
        int port = served.start();
        AsciiMemcacheClient<String> text = folsom(port).connectAscii();
        try {
            text.awaitConnected(60, TimeUnit.SECONDS);
            work(text);
            assertEquals(MemcacheStatus.OK, done(text.set("n", "5", 0)));
            assertEquals(12, done(text.incr("n", 7)));
            assertEquals(0, done(text.decr("n", 100)));
        } finally {
            text.shutdown();
        }
        BinaryMemcacheClient<String> binary = folsom(port).connectBinary();
        try {
            binary.awaitConnected(60, TimeUnit.SECONDS);
            work(binary);
            assertEquals(5, done(binary.incr("m", 7, 5, 0)));
            assertEquals(12, done(binary.incr("m", 7, 5, 0)));
            assertEquals(0, done(binary.decr("m", 100, 5, 0)));
            assertEquals("2b", done(binary.getAndTouch("b", 60)));
            assertNull(done(binary.noop()));
        } finally {
            binary.shutdown();
        }
    }

    private static MemcacheClientBuilder<String> folsom(int port) {
        return MemcacheClientBuilder.newStringClient()
                .withAddress("127.0.0.1", port)
                .withConnectionTimeoutMillis(PATIENCE_MILLIS);
    }

    private static <T> T done(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void work(MemcacheClient<String> client) throws Exception {
        assertEquals(MemcacheStatus.OK, done(client.flushAll(0)));
        assertEquals(MemcacheStatus.OK, done(client.set("a", "Gr\u00fc\u00dfe", 0)));
        assertEquals("Gr\u00fc\u00dfe", done(client.get("a")));
        assertEquals(MemcacheStatus.ITEM_NOT_STORED, done(client.add("a", "x", 0)));
        assertEquals(MemcacheStatus.OK, done(client.add("b", "2", 60)));
        assertEquals(MemcacheStatus.OK, done(client.append("b", "b")));
        assertEquals(MemcacheStatus.ITEM_NOT_STORED, done(client.append("absent", "b")));
        assertEquals(MemcacheStatus.OK, done(client.replace("a", "1", 0)));
        GetResult<String> read = done(client.casGet("a"));
        assertEquals("1", read.getValue());
        assertEquals(MemcacheStatus.OK, done(client.set("a", "3", 0, read.getCas())));
        assertEquals(MemcacheStatus.KEY_EXISTS, done(client.set("a", "4", 0, read.getCas())));
        assertEquals(
                Map.of("a", "3", "b", "2b"), done(client.getAsMap(List.of("a", "b", "absent"))));
        List<CompletionStage<MemcacheStatus>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(client.set("k" + i, "v" + i, 0));
        }
        for (CompletionStage<MemcacheStatus> one : all) {
            assertEquals(MemcacheStatus.OK, done(one));
        }
        assertEquals("v499", done(client.get("k499")));
        assertEquals(MemcacheStatus.OK, done(client.touch("a", 60)));
        assertEquals(MemcacheStatus.KEY_NOT_FOUND, done(client.touch("absent", 60)));
        assertEquals(MemcacheStatus.OK, done(client.delete("a")));
        assertEquals(MemcacheStatus.KEY_NOT_FOUND, done(client.delete("a")));
        assertNull(done(client.get("a")));
    }

    @Test
    void folsomLogsIn() throws Exception {
        OrielServer server =
                served.start(
                        ServerOptions.defaults()
                                .withPorts(0, -1, -1)
                                .withUsers(Map.of("ada", "secret")));
        BinaryMemcacheClient<String> client =
                folsom(server.memcachedPort())
                        .withUsernamePassword("ada", "secret")
                        .connectBinary();
        try {
            client.awaitConnected(60, TimeUnit.SECONDS);
            assertEquals(MemcacheStatus.OK, done(client.set("a", "1", 0)));
            assertEquals("1", done(client.get("a")));
        } finally {
            client.shutdown();
        }
    }
}
