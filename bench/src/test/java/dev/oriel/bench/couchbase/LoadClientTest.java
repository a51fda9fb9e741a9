package dev.oriel.bench.couchbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.server.OrielServer;
import dev.oriel.server.ServerLog;
import dev.oriel.server.ServerOptions;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The client that drives the servers: against ours, in this JVM.
final class LoadClientTest {
    private static final KeyValueData DATA = KeyValueData.of(7);

    @Test
    void everyRequestIsAnsweredAndEveryValueIsTheRightOne() throws Exception {
        ServerOptions options = ServerOptions.defaults().withPorts(0, -1, -1);
        try (Database database = Database.inMemory();
                OrielServer server = OrielServer.start(database, options, new ServerLog(null))) {
            for (WireProtocol spoken : List.of(WireProtocol.TEXT, WireProtocol.BINARY)) {
                for (int depth : new int[] {1, 16}) {
                    try (LoadClient client =
                            new LoadClient(spoken, server.memcachedPort(), 3, depth, DATA, 1)) {
                        client.fill();
                        Latencies latencies = new Latencies();
                        long answers = client.run(100_000_000, latencies);
                        assertTrue(answers > 0);
                        assertEquals(answers, latencies.count() * depth);
                    }
                }
            }
            KeyValueData large = KeyValueData.of(7, 1_024);
            try (LoadClient client =
                    new LoadClient(WireProtocol.TEXT, server.memcachedPort(), 256, 1, large, 1)) {
                client.fill();
                assertTrue(client.run(100_000_000, new Latencies()) > 0);
                long gets = gets(server);
                client.setsAlone();
                assertTrue(client.run(100_000_000, new Latencies()) > 0);
                assertEquals(gets, gets(server));
            }
            try (LoadClient client =
                    new LoadClient(WireProtocol.TEXT, server.memcachedPort(), 1, 1, DATA, 1)) {
                client.fill();
            }
            byte[] value = DATA.values()[3].clone();
            value[50]++;
            String key = new String(DATA.keys()[3], StandardCharsets.US_ASCII);
            long _ = database.bucket("default").upsert(key, value);
            try (LoadClient client =
                    new LoadClient(WireProtocol.BINARY, server.memcachedPort(), 1, 16, DATA, 1)) {
                IllegalStateException wrong =
                        assertThrows(
                                IllegalStateException.class,
                                () -> client.run(30_000_000_000L, new Latencies()));
                assertEquals("A value is not what was stored", wrong.getMessage());
            }
        }
    }

    private static long gets(OrielServer server) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.memcachedPort())) {
            socket.getOutputStream().write("stats\r\nquit\r\n".getBytes(StandardCharsets.US_ASCII));
            String stats =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return Long.parseLong(stats.replaceAll("(?s).*STAT cmd_get (\\d+)\r\n.*", "$1"));
        }
    }

    @Test
    void whatRedisAnswersIsUnderstood() {
        byte[] get = WireProtocol.ascii("$100\r\n" + "x".repeat(100) + "\r\n+OK\r\n");
        assertEquals(108, WireProtocol.RESP.answerBytes(get, 0, get.length, true, 20, 100));
        assertEquals(0, WireProtocol.RESP.answerBytes(get, 0, 107, true, 20, 100));
        assertEquals(5, WireProtocol.RESP.answerBytes(get, 108, 5, false, 20, 100));
        assertThrows(
                IllegalStateException.class,
                () ->
                        WireProtocol.RESP.answerBytes(
                                WireProtocol.ascii("$-1\r\n"), 0, 5, true, 20, 100));
    }
}
