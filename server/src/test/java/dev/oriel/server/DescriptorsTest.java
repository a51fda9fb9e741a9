package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that has few file descriptors, in a process of its own, because a limit holds for a process.
final class DescriptorsTest {
    private static final int LIMIT = 300;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private ServerProcess start() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "There is no shell to set limits with");
        return new ServerProcess(
                List.of("/bin/sh", "-c", "ulimit -n " + LIMIT + "; exec \"$@\"", "sh"),
                LimitedTarget.class,
                folder.resolve("log").toString());
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(String what, Look look) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!look.isSo()) {
            assertTrue(System.nanoTime() < deadline, what);
            Thread.onSpinWait();
        }
    }

    @FunctionalInterface
    private interface Look {
        boolean isSo() throws Exception;
    }

    @Test
    void fewerClientsAreServedThanTheOptionsSayAndTheOthersAreTold() throws Exception {
        try (ServerProcess server = start();
                Wire probe = new Wire(server.port(1))) {
            assertTrue(log().contains("raise `ulimit -n` or lower --connections"), log());
            List<Wire> clients = new ArrayList<>();
            int served = 0;
            for (int i = 0; i < LIMIT; i++) {
                Wire client = new Wire(server.port(0));
                clients.add(client);
                served += isServed(client) ? 1 : 0;
            }
            assertTrue(served > 20 && served < LIMIT - Descriptors.FILES, served + " are served");
            assertTrue(probe.http("/health/ready").startsWith("HTTP/1.1 200 "));
            for (Wire client : clients) {
                client.close();
            }
            await(
                    "a new client is served",
                    () -> {
                        try (Wire client = new Wire(server.port(0))) {
                            return isServed(client);
                        }
                    });
        }
    }

    /// Whether the client is served; the others get the sentence that memcached has for them.
    private static boolean isServed(Wire client) throws IOException {
        client.sendUntilClosed("mn\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        String line;
        try {
            line = client.line();
        } catch (
                IOException reset) { // what was sent came after the end, and took the words with it
            return false;
        }
        assertTrue(line.equals("MN\r\n") || line.startsWith("ERROR Too many") || line.isEmpty());
        return line.equals("MN\r\n");
    }

    @Test
    void aServerWithoutDescriptorsServesItsClientsAndTakesOthersWhenThereAreSomeAgain()
            throws Exception {
        try (ServerProcess server = start();
                Wire old = new Wire(server.port(0));
                Wire probe = new Wire(server.port(1))) {
            assertEquals("STORED\r\n", old.send("set a 0 0 1\r\n1\r\n").line());
            assertTrue(probe.http("/health/ready").startsWith("HTTP/1.1 200 "));
            server.tell("take 3");
            List<Wire> clients = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                clients.add(new Wire(server.port(0)).send("set a 0 0 1\r\n1\r\n"));
            }
            await(
                    "health names the descriptors",
                    () -> {
                        String health = probe.http("/health/ready");
                        return health.startsWith("HTTP/1.1 503 ")
                                && health.contains("\"memcached\":{\"status\":\"down\"");
                    });
            assertTrue(log().contains("A connection could not be accepted"), log());
            assertEquals("MN\r\n", old.send("mn\r\n").line());
            server.tell("free");
            for (Wire client : clients) {
                assertEquals("STORED\r\n", client.line(), this::log);
                client.close();
            }
            await(
                    "health is well again",
                    () -> probe.http("/health/ready").startsWith("HTTP/1.1 200 "));
        }
    }
}
