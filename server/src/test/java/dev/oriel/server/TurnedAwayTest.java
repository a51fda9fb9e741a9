package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Clients beyond the limit of connections at the port of Couchbase's clients.
final class TurnedAwayTest {
    @RegisterExtension final Served served = new Served();

    private static final byte[] NONE = {};
    private static final ServerOptions ONE =
            ServerOptions.defaults()
                    .withPorts(-1, 0, -1)
                    .withUsers(Map.of("ada", "secret"))
                    .withConnectionsMax(1);

    private static byte[] hello(int opaque) {
        return Wire.request(
                Opcode.HELLO, opaque, 0, NONE, "sdk", "12".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theirFirstRequestIsAnsweredWithTheStatus() throws Exception {
        OrielServer server = served.start(ONE);
        try (Wire first = new Wire(server.couchbasePort())) {
            first.send(hello(1));
            assertEquals(0, first.response().status());
            try (Wire second = new Wire(server.couchbasePort())) {
                byte[] request = hello(77);
                second.send(java.util.Arrays.copyOf(request, 10)); // in two pieces
                second.send(java.util.Arrays.copyOfRange(request, 10, request.length));
                Wire.Response refused = second.response();
                assertEquals(Status.RATE_CONNECTIONS.code(), refused.status());
                assertEquals(77, refused.opaque());
                assertEquals(Opcode.HELLO, refused.opcode());
                assertTrue(second.isOver());
            }
            assertEquals(1, server.metrics().rejected.sum());
        }
    }

    @Test
    void oneThatSaysNothingIsClosedAndManyAreClosedAtOnce() throws Exception {
        OrielServer server = served.start(ONE);
        try (Wire first = new Wire(server.couchbasePort())) {
            first.send(hello(1));
            assertEquals(0, first.response().status());
            List<Wire> silent = new ArrayList<>();
            for (int i = 0; i < 3 * TurnedAway.AWAITED_MAX; i++) {
                silent.add(new Wire(server.couchbasePort()));
            }
            long begun = System.nanoTime();
            for (Wire one : silent) {
                assertTrue(one.isOver());
                one.close();
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            assertTrue(seconds < 30, seconds + " s");
            first.send(hello(2));
            assertEquals(0, first.response().status());
        }
    }
}
