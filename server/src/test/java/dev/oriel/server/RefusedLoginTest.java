package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
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
                String sent = name + " guess-of-a-stranger";
                assertEquals(
                        "CLIENT_ERROR authentication failure\r\n",
                        wire.ask("set a 0 0 " + sent.length() + "\r\n" + sent + "\r\n"));
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
