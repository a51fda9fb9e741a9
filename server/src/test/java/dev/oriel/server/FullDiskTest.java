package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server whose disk is full: health, metrics and the log say so, and deletes make it well again. The disk is a
/// small one in memory, mounted for the server's process alone; without the right to mount one the test is skipped.
final class FullDiskTest {
    private static final int REFUSALS = 300;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static final String MOUNT = "mount -t tmpfs -o size=90m none \"$0\" && exec \"$@\"";

    private static boolean mayMount(Path at) throws Exception {
        Path unshare = Path.of("/usr/bin/unshare");
        return Files.isExecutable(unshare)
                && new ProcessBuilder("unshare", "-m", "sh", "-c", MOUNT, at.toString(), "true")
                                .start()
                                .waitFor()
                        == 0;
    }

    @Test
    void aFullDiskIsSeenInHealthMetricsAndLog() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(mayMount(disk), "This user may not mount a disk");
        try (ServerProcess server =
                        new ServerProcess(
                                List.of("unshare", "-m", "sh", "-c", MOUNT, disk.toString()),
                                LimitedTarget.class,
                                folder.resolve("log").toString(),
                                disk.resolve("data").toString());
                Wire wire = new Wire(server.port(0));
                Wire probe = new Wire(server.port(1))) {
            String value = "x".repeat(200_000);
            int stored = 0;
            int refused = 0;
            while (refused < REFUSALS) {
                String key = "k" + (stored + refused);
                String set = "set " + key + " 0 0 " + value.length() + "\r\n" + value + "\r\n";
                boolean done = wire.send(set).line().equals("STORED\r\n");
                stored += done ? 1 : 0;
                refused += done ? 0 : 1;
                assertTrue(stored < 1_000, "the disk does not fill up");
            }
            String health = probe.http("/health/ready");
            assertTrue(health.startsWith("HTTP/1.1 503 "), health);
            assertTrue(health.contains("\"writes\":{\"status\":\"down\""), health);
            assertTrue(probe.http("/health/live").startsWith("HTTP/1.1 200 "));
            String metrics = probe.http("/metrics");
            assertTrue(metrics.contains("\noriel_writes_refused 1\n"), metrics);
            assertTrue(
                    metrics.contains(
                            "\noriel_refused_writes_total{reason=\"disk_full\"} " + refused + "\n"),
                    metrics);
            assertTrue(metrics.contains("\noriel_disk_room_bytes "), metrics);
            String log = Files.readString(folder.resolve("log"));
            int lines = log.split("A change was refused", -1).length - 1;
            assertTrue(lines > 0 && lines < REFUSALS, lines + " lines");
            for (int i = 0; i < stored; i++) {
                assertEquals("DELETED\r\n", wire.send("delete k" + i + "\r\n").line());
            }
            assertEquals("STORED\r\n", wire.send("set a 0 0 1\r\n1\r\n").line());
            assertTrue(probe.http("/health/ready").startsWith("HTTP/1.1 200 "));
        }
    }
}
