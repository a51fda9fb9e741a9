package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.kv.Status;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Who is let in, how much is taken, and how it ends.
final class ServerTest {
    @RegisterExtension final Served served = new Served();

    private static final ServerOptions ANY = ServerOptions.defaults().withPorts(0, -1, -1);
    private static final Map<String, String> USERS = Map.of("ada", "secret");

    @Test
    void strangersMustLogInFirstInEveryProtocol() throws Exception {
        OrielServer server = served.start(ANY.withUsers(USERS).withPorts(0, -1, 0));
        try (Wire text = new Wire(server.memcachedPort())) {
            assertEquals("CLIENT_ERROR unauthenticated\r\n", text.send("get a\r\n").line());
            text.send("set x 0 0 9\r\nada wrong\r\n");
            assertEquals("CLIENT_ERROR authentication failure\r\n", text.line());
            text.send("set x 0 0 10\r\nada secret\r\n");
            assertEquals("STORED\r\n", text.line());
            assertEquals("END\r\n", text.ask("get a\r\n"));
        }
        try (Wire binary = new Wire(server.memcachedPort())) {
            byte[] none = {};
            binary.send(Wire.request(Opcode.GET, 0, 0, none, "a", none));
            assertEquals(Status.AUTH_ERROR.code(), binary.response().status());
            binary.send(Wire.request(Opcode.SASL_LIST, 0, 0, none, "", none));
            assertTrue(binary.response().text().endsWith(" PLAIN"));
            byte[] wrong = "\0ada\0secreT".getBytes(StandardCharsets.UTF_8);
            binary.send(Wire.request(Opcode.SASL_AUTH, 0, 0, none, "PLAIN", wrong));
            assertEquals(Status.AUTH_ERROR.code(), binary.response().status());
            byte[] right = "\0ada\0secret".getBytes(StandardCharsets.UTF_8);
            binary.send(Wire.request(Opcode.SASL_AUTH, 0, 0, none, "PLAIN", right));
            assertEquals(Status.SUCCESS.code(), binary.response().status());
            binary.send(Wire.request(Opcode.GET, 0, 0, none, "a", none));
            assertEquals(Status.NOT_FOUND.code(), binary.response().status());
        }
        assertTrue(http(server, "/pools", "").startsWith("HTTP/1.1 401 "));
        String basic =
                Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));
        assertTrue(
                http(server, "/pools", "Authorization: Basic " + basic + "\r\n")
                        .startsWith("HTTP/1.1 200 "));
    }

    private static String http(OrielServer server, String path, String headers) throws Exception {
        try (Wire wire = new Wire(server.httpPort())) {
            wire.send("GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
            return wire.all();
        }
    }

    /// The example of RFC 7677, with its names and its own numbers in the place of ours.
    @Test
    void anExchangeOfScramProvesBothSides() {
        Accounts credentials = new Accounts(Users.of(served.database), USERS, new ServerLog(null));
        Scram scram = Scram.of("SCRAM-SHA256", credentials);
        assertTrue(scram != null && scram.first("n,,n=ada,r=abc") != null);
        assertEquals(null, scram.last("c=biws,r=abc,p=AAAA"));
        Scram other = Scram.of("SCRAM-SHA512", credentials);
        assertTrue(other != null);
        String challenge = other.first("n,,n=nobody,r=abc");
        assertTrue(challenge != null && challenge.startsWith("r=abc"), "" + challenge);
        assertEquals(null, other.last("c=biws," + challenge.split(",", -1)[0] + ",p=AAAA"));
        assertEquals(null, other.first("y,,n=ada,r=abc"));
        assertEquals(null, Scram.of("SCRAM-MD5", credentials));
    }

    @Test
    void othersAreListenedToOnlyWithUsers() {
        UsageException open =
                assertThrows(UsageException.class, () -> served.start(ANY.withHost("0.0.0.0")));
        assertEquals(
                "A server that listens to other machines needs users; give some, or listen at"
                        + " 127.0.0.1: host=0.0.0.0",
                open.getMessage());
        assertThrows(UsageException.class, () -> served.start(ANY.withPorts(0, 0, -1)));
        served.start(ANY.withHost("0.0.0.0").withUsers(USERS));
    }

    @Test
    void whoseBucketCannotBeEmptiedIsToldSo(@TempDir Path folder) throws Exception {
        DatabaseOptions impatient = DatabaseOptions.defaults().withWriteTimeoutMillis(200);
        try (Database database = Database.open(folder, impatient);
                OrielServer server = OrielServer.start(database, ANY, new ServerLog(null));
                Wire wire = new Wire(server.memcachedPort());
                var connection = database.connect();
                var statement = connection.createStatement()) {
            assertEquals("STORED\r\n", wire.ask("set a 0 0 1\r\n1\r\n"));
            statement.execute("BEGIN EXCLUSIVE");
            assertEquals("SERVER_ERROR temporary failure\r\n", wire.ask("flush_all\r\n"));
            statement.execute("ROLLBACK");
            assertEquals("OK\r\nEND\r\n", wire.ask("flush_all\r\nget a\r\n"));
        }
    }

    @Test
    void overHttpItIsSaidThatSomebodyKeepsTheDatabase(@TempDir Path folder) throws Exception {
        DatabaseOptions impatient = DatabaseOptions.defaults().withWriteTimeoutMillis(200);
        String collection =
                "POST /pools/default/buckets/default/scopes/s/collections HTTP/1.1\r\n"
                        + "Content-Length: 6\r\nConnection: close\r\n\r\nname=c";
        ServerOptions http = ANY.withPorts(-1, -1, 0);
        try (Database database = Database.open(folder, impatient);
                OrielServer server = OrielServer.start(database, http, new ServerLog(null));
                var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");
            try (Wire wire = new Wire(server.httpPort())) {
                String said = wire.send(collection).all();
                assertTrue(said.startsWith("HTTP/1.1 503 Service Unavailable\r\n"), said);
            }
            statement.execute("ROLLBACK");
            try (Wire wire = new Wire(server.httpPort())) {
                assertTrue(wire.send(collection).all().startsWith("HTTP/1.1 200 OK\r\n"));
            }
        }
    }

    @Test
    void aTakenPortIsSaidToBe() {
        OrielServer first = served.start(ANY);
        LimitException taken =
                assertThrows(
                        LimitException.class,
                        () ->
                                OrielServer.start(
                                        served.database,
                                        ANY.withPorts(first.memcachedPort(), -1, -1),
                                        new ServerLog(null)));
        assertTrue(taken.context().contains("127.0.0.1:" + first.memcachedPort()));
    }

    @Test
    void moreConnectionsThanAllowedAreClosedAtOnce() throws Exception {
        OrielServer server = served.start(ANY.withPorts(0, -1, 0).withConnectionsMax(2));
        try (Wire one = new Wire(server.memcachedPort());
                Wire two = new Wire(server.memcachedPort())) {
            assertEquals("END\r\n", one.ask("get a\r\n"));
            assertEquals("END\r\n", two.ask("get a\r\n"));
            try (Wire three = new Wire(server.memcachedPort())) {
                assertEquals("ERROR Too many open connections\r\n", three.line());
                assertTrue(three.isOver());
            }
            assertEquals("END\r\n", one.ask("get a\r\n"));
            assertTrue(http(server, "/health", "").startsWith("HTTP/1.1 200 "));
            assertTrue(http(server, "/metrics", "").contains("connections_rejected_total 1\n"));
        }
    }

    @Test
    void aSilentConnectionIsClosed() throws Exception {
        OrielServer server = served.start(ANY.withIdleMillis(50));
        try (Wire wire = new Wire(server.memcachedPort())) {
            assertTrue(wire.isOver());
        }
    }

    @Test
    void whoWaitsForAnAnswerIsNotSilent() throws Exception {
        int port = served.start(ANY.withIdleMillis(1_000)).memcachedPort();
        served.database.bucket("default").upsert("a", new byte[1]);
        try (var connection = served.database.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("UPDATE bucket_default SET flags = 1");
            try (Wire wire = new Wire(port)) {
                wire.send("set a 0 0 1\r\n1\r\n");
                try (Wire silent = new Wire(port)) {
                    assertTrue(silent.isOver());
                }
                connection.rollback();
                assertEquals("STORED\r\n", wire.line());
            }
        }
    }

    @Test
    void whoReadsALongAnswerIsNotSilent() throws Exception {
        int port = served.start(ANY.withIdleMillis(1_000)).memcachedPort();
        int length = 20 << 20;
        served.database.bucket("default").upsert("big", new byte[length]);
        try (Wire wire = new Wire(port)) {
            wire.send("get big\r\n");
            String first = wire.line();
            assertTrue(first.startsWith("VALUE big "), first);
            for (int read = 0; read < length; read += 1 << 20) {
                wire.skip(1 << 20);
                Thread.sleep(150); // it takes longer than the silence that is allowed
            }
            assertEquals("\r\nEND\r\n", wire.line() + wire.line());
        }
    }

    /// Two clients announce 600 KB each and send half of it: there is memory for one of them. What the
    /// other one sends is passed over, and it is served on.
    @Test
    void longValuesOnTheirWayHaveALimitTogether() throws Exception {
        OrielServer server = served.start(ANY.withMemoryBytesMax(1 << 20));
        int length = 600_000;
        byte[] half = new byte[length / 2];
        try (Wire one = new Wire(server.memcachedPort());
                Wire two = new Wire(server.memcachedPort())) {
            one.send("set a 0 0 " + length + "\r\n").send(half);
            awaitTaken(server, length);
            two.send("set b 0 0 " + length + "\r\n").send(half).send(half).send("\r\nmn\r\n");
            awaitWaiting(server, 1);
            assertEquals(length, server.memory().takenBytes(), "the second waits");
            one.send(half).send("\r\n");
            assertEquals("STORED\r\n", one.line());
            assertEquals("STORED\r\n", two.line());
            assertEquals("MN\r\n", two.line());
            awaitTaken(server, 0);
            assertEquals(0, server.metrics().refused.sum());
            one.send("set c 0 0 " + length + "\r\n").send(half);
            awaitTaken(server, length);
        }
        awaitTaken(server, 0); // who goes away gives back
        assertThrows(UsageException.class, () -> ANY.withMemoryBytesMax(1));
    }

    /// A client that has sent half of its value and goes on too slowly, or not at all, loses its place, but only if
    /// others wait.
    @Test
    @SuppressWarnings("try") // one leaves early
    void whoIsSlowWithALongValueIsClosedIfOthersWait() throws Exception {
        OrielServer server = served.start(ANY.withMemoryBytesMax(1 << 20));
        server.stallNanos(1_000_000);
        int length = 600_000;
        byte[] half = new byte[length / 2];
        try (Wire three = new Wire(server.memcachedPort())) {
            try (Wire one = new Wire(server.memcachedPort());
                    Wire two = new Wire(server.memcachedPort())) {
                one.send("set a 0 0 " + length + "\r\n").send(half);
                awaitTaken(server, length);
                server.lookForChanges();
                assertEquals(0, server.metrics().stalledClosed.sum());
                two.send("set b 0 0 " + length + "\r\n").send(half).send(half).send("\r\n");
                assertEquals("STORED\r\n", two.line());
                assertTrue(one.isOver());
                assertEquals(1, server.metrics().stalledClosed.sum());
                server.stallNanos(30_000_000_000L);
                two.send("set b 0 0 " + length + "\r\n").send(half);
                awaitTaken(server, length);
                three.send("set c 0 0 " + length + "\r\n");
                awaitWaiting(server, 1);
            }
            three.send(half).send(half).send("\r\n"); // one that has gone frees its memory too
            assertEquals("STORED\r\n", three.line());
        }
        awaitTaken(server, 0);
        assertEquals(0, server.memory().waiting());
    }

    @Test
    void longLinesOnTheirWayCountToo() throws Exception {
        OrielServer server = served.start(ANY.withUsers(USERS));
        try (Wire wire = new Wire(server.memcachedPort());
                Wire stranger = new Wire(server.memcachedPort())) {
            assertEquals("STORED\r\n", wire.send("set x 0 0 10\r\nada secret\r\n").line());
            wire.send("get" + " k".repeat(100_000));
            awaitTaken(server, 1 << 20);
            assertEquals("END\r\n", wire.send("\r\n").line());
            awaitTaken(server, 0);
            byte[] endless = "get k ".repeat(1 << 19).getBytes(StandardCharsets.UTF_8);
            wire.sendUntilClosed(endless);
            assertTrue(wire.isOver());
            stranger.send("get" + " k".repeat(3_000));
            assertEquals("CLIENT_ERROR line too long\r\n", stranger.line());
        }
        awaitTaken(server, 0);
    }

    private static void awaitWaiting(OrielServer server, int count) {
        long begun = System.nanoTime();
        while (server.memory().waiting() != count) {
            assertTrue(System.nanoTime() - begun < 60_000_000_000L, "requests wait");
            Thread.onSpinWait();
        }
    }

    private static void awaitTaken(OrielServer server, long bytes) {
        long begun = System.nanoTime();
        while (server.memory().takenBytes() != bytes) {
            assertTrue(System.nanoTime() - begun < 60_000_000_000L, "memory taken");
            Thread.onSpinWait();
        }
    }

    /// Fifty times 10 MB asked for at once, before a byte is read: what is not sent yet must not pile up.
    @Test
    void whoDoesNotReadIsWaitedFor() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire slow = new Wire(server.memcachedPort());
                Wire other = new Wire(server.memcachedPort())) {
            int length = 10 << 20;
            slow.send("set big 0 0 " + length + "\r\n").send(new byte[length]).send("\r\n");
            assertEquals("STORED\r\n", slow.line());
            slow.send("get big\r\n".repeat(50));
            for (int i = 0; i < 20; i++) {
                assertEquals("END\r\n", other.ask("get a\r\n"));
            }
            for (int i = 0; i < 50; i++) {
                assertEquals("VALUE big 0 " + length + "\r\n", slow.line());
                slow.skip(length + 2);
                assertEquals("END\r\n", slow.line());
            }
        }
    }

    @Test
    void requestsOnTheirWayAreAnsweredBeforeTheEnd() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort())) {
            wire.send("set a 0 0 1\r\n1\r\n".repeat(2_000));
            for (int i = 0; i < 100; i++) {
                assertEquals("STORED\r\n", wire.line());
            }
            server.close();
            server.close();
            String rest = wire.all();
            assertEquals(0, rest.length() % 8, "whole answers only");
            assertEquals("", rest.replace("STORED\r\n", ""));
        }
        assertThrows(java.io.IOException.class, () -> new Wire(server.memcachedPort()).close());
    }

    @Test
    void whoSpeaksAnOldHttpReadsToTheEnd() throws Exception {
        int port = served.start(ANY.withPorts(-1, -1, 0)).httpPort();
        try (Wire wire = new Wire(port)) {
            String answer = wire.send("GET /health HTTP/1.0\r\n\r\n").all();
            assertTrue(answer.contains("{\"status\":\"up\""), answer);
            assertTrue(answer.endsWith("}"), answer);
        }
    }

    @Test
    void healthAndMetricsAreForEverybody() throws Exception {
        OrielServer server = served.start(ANY.withUsers(USERS).withPorts(0, -1, 0));
        String network = "{\"status\":\"up\",\"parts\":{\"network\":{\"status\":\"up\"}";
        assertTrue(http(server, "/health", "").endsWith(network + "}}"));
        String ready = http(server, "/health/ready", "");
        String all =
                ",\"memcached\":{\"status\":\"up\"},\"http\":{\"status\":\"up\"},"
                        + "\"database\":{\"status\":\"up\"},\"writes\":{\"status\":\"up\"}}}";
        assertTrue(ready.endsWith(network + all), ready);
        String metrics = http(server, "/metrics", "");
        for (String line : metrics.split("\r\n\r\n", -1)[1].strip().split("\n", -1)) {
            assertTrue(
                    line.matches(
                            "# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\\{[a-z_]+=\"[^\"]+\"(,[a-z_]+=\"[^\"]+\")*})? [0-9.E-]+"),
                    line);
        }
        assertTrue(metrics.contains("\noriel_logins_total 0\n"), metrics);
        assertTrue(http(server, "/nothing", "").startsWith("HTTP/1.1 401 "));
    }

    @Test
    void theLogIsALineOfJsonForEachEvent() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ServerLog log = new ServerLog(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        OrielServer.start(served.database, ANY, log).close();
        String[] lines = bytes.toString(StandardCharsets.UTF_8).strip().split("\n", -1);
        assertEquals(3, lines.length);
        assertTrue(lines[0].contains("\"event\":\"starting\",\"version\":\""), lines[0]);
        assertTrue(lines[0].contains("\"heap_bytes_max\":\""), lines[0]);
        assertTrue(
                lines[1].matches(
                        "\\{\"time\":\"[^\"]+\",\"level\":\"info\",\"event\":\"listening\","
                                + "\"protocol\":\"memcached\",\"port\":\"\\d+\",\"tls\":\"false\"}"),
                lines[1]);
        assertFalse(lines[2].contains("error"));
    }
}
