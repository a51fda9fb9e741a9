package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import dev.oriel.store.UsageException;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Logins that are refused: the log, the counter, and answers that do not tell which names there are.
class RefusedLoginTest {
    private static final ServerOptions OPTIONS =
            ServerOptions.defaults().withPorts(0, -1, -1).withUsers(Map.of("root", "right-one"));

    @Test
    void aLineOfTheLogNamesAddressAndUserAndNoPassword() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerLog events = new ServerLog(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Database database = Database.inMemory();
                OrielServer server = OrielServer.start(database, OPTIONS, events);
                Wire wire = new Wire(server.memcachedPort())) {
            for (String name : new String[] {"root", "no\u001bbody", "x".repeat(500)}) {
                assertEquals(
                        "CLIENT_ERROR authentication failure\r\n",
                        answer(wire, name + " guess-of-a-stranger"));
            }
            assertEquals(3, server.metrics().loginFailures.sum());
        }
        String said = log.toString(StandardCharsets.UTF_8);
        assertTrue(said.contains("\"level\":\"warn\",\"event\":\"A login was refused\""), said);
        for (String user : new String[] {"root", "no?body", "x".repeat(100)}) {
            assertTrue(
                    said.contains(
                            "\"event\":\"A login was refused\",\"address\":\"127.0.0.1\","
                                    + "\"listener\":\"MEMCACHED\",\"user\":\""
                                    + user
                                    + "\""),
                    said);
        }
        assertFalse(said.contains("guess"), said);
    }

    /// The text protocol shows the password, so it must not be sent over a network without TLS.
    @Test
    void aLoginOverANetworkIsRefusedCountedAndLogged() throws Exception {
        InetAddress here =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(address ->
                                !address.isLoopbackAddress()
                                        && !address.isLinkLocalAddress()
                                        && address instanceof Inet4Address)
                        .findFirst()
                        .orElse(null);
        assumeTrue(here != null, "This machine has no address beside its loopback");
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerLog events = new ServerLog(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Database database = Database.inMemory();
                OrielServer server =
                        OrielServer.start(database, OPTIONS.withHost("0.0.0.0"), events);
                Socket socket = new Socket(here, server.memcachedPort())) {
            socket.getOutputStream()
                    .write("set a 0 0 14\r\nroot right-one\r\n".getBytes(StandardCharsets.UTF_8));
            BufferedReader answers =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertEquals("CLIENT_ERROR authentication failure", answers.readLine());
            assertEquals(1, server.metrics().loginFailures.sum());
        }
        String said = log.toString(StandardCharsets.UTF_8);
        assertTrue(said.contains("\"user\":\"root\",\"mechanism\":\"text, over a network"), said);
        assertFalse(said.contains("right-one"), said);
    }

    /// Nobody could add users afterwards.
    @Test
    void theLastAdminIsNotDropped() throws Exception {
        try (Database database = Database.inMemory()) {
            Users users = Users.of(database);
            users.add("ada", "secret", Map.of("*", Role.ADMIN));
            users.add("bob", "secret", Map.of("a", Role.READ));
            assertThrows(UsageException.class, () -> UserRequests.drop(users, "ada", false));
            assertThrows(
                    UsageException.class,
                    () -> UserRequests.put(users, "ada", "rights=a=read", false));
            UserRequests.put(users, "ada", "password=another", false);
            UserRequests.put(users, "ada", "rights=*=admin,a=read", false);
            UserRequests.drop(users, "bob", false);
            users.add("eve", "secret", Map.of("*", Role.ADMIN));
            UserRequests.drop(users, "ada", false);
            UserRequests.drop(users, "eve", true);
            assertEquals(List.of(), users.list());
        }
    }

    @Test
    void aLoginIsALineWithAddressUserAndMechanism() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerLog events = new ServerLog(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Database database = Database.inMemory();
                OrielServer server =
                        OrielServer.start(database, OPTIONS.withPorts(0, -1, 0), events);
                Wire text = new Wire(server.memcachedPort());
                Wire binary = new Wire(server.memcachedPort());
                Wire http = new Wire(server.httpPort())) {
            assertEquals("STORED\r\n", answer(text, "root right-one"));
            byte[] plain = "\0root\0right-one".getBytes(StandardCharsets.UTF_8);
            binary.send(Wire.request(Opcode.SASL_AUTH, 0, 0, new byte[0], "PLAIN", plain));
            assertEquals(0, binary.response().status());
            String both =
                    Base64.getEncoder()
                            .encodeToString("root:right-one".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 3; i++) {
                http.send(
                        "GET /pools HTTP/1.1\r\nAuthorization: Basic "
                                + both
                                + "\r\nConnection: "
                                + (i < 2 ? "keep-alive" : "close")
                                + "\r\n\r\n");
            }
            http.all();
        }
        String said = log.toString(StandardCharsets.UTF_8);
        for (String mechanism : new String[] {"text", "PLAIN", "Basic"}) {
            String line =
                    "\"level\":\"info\",\"event\":\"A login succeeded\",\"address\":\"127.0.0.1\","
                            + "\"listener\":\"%s\",\"user\":\"root\",\"mechanism\":\"%s\"}"
                                    .formatted(
                                            mechanism.equals("Basic") ? "HTTP" : "MEMCACHED",
                                            mechanism);
            assertEquals(2, said.split(Pattern.quote(line), -1).length, line + " once in " + said);
        }
        assertFalse(said.contains("right-one"), said);
    }

    private static String answer(Wire wire, String credentials) throws IOException {
        wire.send("set a 0 0 " + credentials.length() + "\r\n" + credentials + "\r\n");
        return wire.line();
    }

    @Test
    void guessesAreSlowedDownAndTheirOwnerGetsIn() throws Exception {
        try (Database database = Database.inMemory();
                OrielServer server = OrielServer.start(database, OPTIONS, new ServerLog(null));
                Wire wire = new Wire(server.memcachedPort())) {
            for (int i = 0; i < 3; i++) {
                answer(wire, "root guess" + i);
            }
            long begun = System.nanoTime();
            answer(wire, "root another-guess"); // 0.1 s
            answer(wire, "root a-third-guess"); // 0.2 s
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            assertTrue(millis >= 300, millis + " ms");
            assertEquals("STORED\r\n", answer(wire, "root right-one"));
        }
    }

    @Test
    void aServerThatEndsWaitsForNoGuess() throws Exception {
        try (Database database = Database.inMemory()) {
            OrielServer server = OrielServer.start(database, OPTIONS, new ServerLog(null));
            for (int i = 0; i < 20; i++) {
                server.loginDelays().failed("127.0.0.1", "root");
            }
            try (Wire wire = new Wire(server.memcachedPort())) {
                wire.send("set a 0 0 10\r\nroot guess\r\n");
                while (server.loginDelays().reserve("127.0.0.1", "x") >= 0) {
                    Thread.onSpinWait(); // until the guess, and others, have taken all turns
                }
                long begun = System.nanoTime();
                server.close();
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                assertTrue(millis < 4_000, millis + " ms");
            }
        }
    }

    @Test
    void theChallengeForAUserOfTheOptionsLooksLikeOthers() throws Exception {
        try (Database database = Database.inMemory()) {
            Users.of(database).add("ada", "password", Map.of());
            try (OrielServer server = OrielServer.start(database, OPTIONS, new ServerLog(null))) {
                for (String name : new String[] {"root", "ada", "nobody"}) {
                    Scram exchange =
                            Objects.requireNonNull(Scram.of("SCRAM-SHA512", server.accounts()));
                    String challenge = String.valueOf(exchange.first("n,,n=" + name + ",r=abc"));
                    assertTrue(challenge.endsWith(",i=15000"), name + ": " + challenge);
                }
            }
        }
    }
}
