package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What `stats` tells of connections and of the bucket, and `/metrics` of each bucket and of the product.
final class StatsTest {
    @RegisterExtension final Served served = new Served();

    private static final ServerOptions ANY = ServerOptions.defaults().withPorts(0, -1, 0);

    @Test
    void connectionsAreListedByNumber() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire one = new Wire(server.memcachedPort());
                Wire two = new Wire(server.memcachedPort())) {
            one.ask("get a\r\n");
            two.ask("get a\r\n");
            String all = one.ask("stats conns\r\n");
            String listens = "_addr tcp:127.0.0.1:" + server.memcachedPort() + "\r\n";
            assertEquals(3, all.split(listens, -1).length, all);
            assertTrue(all.matches("(?s).*STAT \\d+:addr tcp:127.0.0.1\r\n.*"), all);
            Pattern waiting = Pattern.compile("STAT \\d+:state conn_waiting\r\n");
            long end = System.nanoTime() + 20_000_000_000L;
            String now = all; // an answer may come before its connection waits again
            while (!waiting.matcher(now).find()) {
                assertTrue(System.nanoTime() < end, now);
                now = one.ask("stats conns\r\n");
            }
            assertTrue(all.matches("(?s).*STAT \\d+:secs_since_last_cmd \\d+\r\n.*"), all);
        }
    }

    @Test
    void addressesOfOthersAreForAdmins() throws Exception {
        OrielServer server = served.start(ANY.withUsers(Map.of("root", "right-one")));
        server.users().add("till", "secret-one", Map.of("default", Role.READ));
        server.accounts().refresh();
        try (Wire wire = new Wire(server.memcachedPort())) {
            assertEquals("STORED\r\n", wire.send("set x 0 0 15\r\ntill secret-one\r\n").line());
            assertEquals("END\r\n", wire.ask("stats conns\r\n"));
        }
    }

    @Test
    void itemsAndBytesAreThoseOfTheBucket() throws Exception {
        OrielServer server = served.start(ANY);
        for (int i = 0; i < 300; i++) {
            served.database.bucket("other").upsert("k" + i, new byte[1_000]);
        }
        try (Wire wire = new Wire(server.memcachedPort())) {
            for (int i = 0; i < 7; i++) {
                assertEquals(
                        "STORED\r\n",
                        wire.ask("set k" + i + " 0 0 100\r\n" + "v".repeat(100) + "\r\n"));
            }
            String stats = wire.ask("stats\r\n");
            assertTrue(stats.contains("STAT curr_items 7\r\n"), stats);
            long bytes = Long.parseLong(stats.replaceAll("(?s).*STAT bytes (\\d+)\r\n.*", "$1"));
            assertTrue(bytes >= 700 && bytes < 1_400, bytes + " bytes");
        }
        try (Wire wire = new Wire(server.httpPort())) {
            String metrics = wire.http("/metrics");
            assertTrue(metrics.contains("oriel_bucket_items{bucket=\"other\"} 300\n"), metrics);
            String size =
                    metrics.replaceAll(
                            "(?s).*oriel_bucket_bytes\\{bucket=\"other\"} (\\d+)\n.*", "$1");
            assertTrue(Long.parseLong(size) >= 300_000 && Long.parseLong(size) < 360_000, size);
        }
    }

    @Test
    void theProductHasItsOwnVersionAndTheProtocolMemcacheds() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort());
                Wire http = new Wire(server.httpPort())) {
            assertEquals("VERSION 1.6.0+oriel\r\n", wire.ask("version\r\n"));
            String metrics = http.http("/metrics");
            String version = ProductVersion.number();
            assertTrue(metrics.contains("oriel_build_info{version=\"" + version + "\""), metrics);
            assertTrue(
                    metrics.contains(
                            "\ntarget_info{service_name=\"oriel\",service_version=\""
                                    + version
                                    + "\""),
                    metrics);
            assertFalse(metrics.contains("+oriel"), metrics);
        }
    }
}
