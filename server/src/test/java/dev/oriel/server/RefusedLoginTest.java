package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
