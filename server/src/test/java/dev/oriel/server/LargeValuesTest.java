package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many clients with long values at once, in a process whose memory holds a few of them: each request waits for its
/// turn and is done, none is refused, and no connection is lost.
final class LargeValuesTest {
    private static final int CLIENTS = 40;
    private static final int KEYS = 4;
    private static final int VALUE_BYTES = 10 << 20;
    private static final int PART_BYTES = 64 << 10;
    private static final byte[] VALUE = new byte[VALUE_BYTES];

    static {
        new SplittableRandom(5).nextBytes(VALUE);
    }

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void fortyClientsWithTenMegabytesEachAreAllServed() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        try (ServerProcess server =
                        new ServerProcess(
                                List.of(), KillTarget.class, folder.resolve("data").toString());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                all.add(
                        clients.submit(() -> {
                            work(server.port(0), number, refused);
                            return null;
                        }));
            }
            for (Future<?> one : all) {
                one.get();
            }
            try (Wire wire = new Wire(server.port(0))) {
                assertEquals("MN\r\n", wire.send("mn\r\n").line());
            }
        }
        assertEquals(0, refused.get(), "requests refused");
    }

    private static void work(int port, int number, AtomicInteger refused) throws Exception {
        String key = "k" + number % KEYS;
        byte[] set =
                ("set " + key + " 0 0 " + VALUE_BYTES + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (Wire wire = new Wire(port)) {
            wire.send(set);
            for (int stored = 0; stored < 3; ) { // the later ones read the former
                wire.send(VALUE);
                if (stored < 2) { // the head of the next one comes before the answer
                    wire.send(join("\r\n".getBytes(StandardCharsets.US_ASCII), set));
                } else {
                    wire.send("\r\n");
                }
                String answer = wire.line();
                refused.addAndGet(isRefusal(answer) ? 1 : 0);
                stored++;
            }
            for (int read = 0; read < 3; ) {
                String head = wire.send((read == 1 ? "gat 0 " : "get ") + key + "\r\n").line();
                if (isRefusal(head)) {
                    refused.incrementAndGet();
                    continue;
                }
                assertEquals("VALUE " + key + " 0 " + VALUE_BYTES + "\r\n", head);
                for (int at = 0; at < VALUE_BYTES; at += PART_BYTES) {
                    byte[] part = Arrays.copyOfRange(VALUE, at, at + PART_BYTES);
                    assertTrue(Arrays.equals(part, wire.bytes(PART_BYTES)), "the value is whole");
                }
                assertEquals("\r\n", wire.line());
                assertEquals("END\r\n", wire.line());
                read++;
            }
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static boolean isRefusal(String answer) {
        if (answer.equals("STORED\r\n") || answer.startsWith("VALUE ")) {
            return false;
        }
        assertTrue(answer.startsWith("SERVER_ERROR out of memory"), "answered: " + answer);
        return true;
    }
}
