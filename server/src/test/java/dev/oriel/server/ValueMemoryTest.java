package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Only long values that requests read, change and send are counted.
final class ValueMemoryTest {
    @RegisterExtension final Served served = new Served();

    private static final ServerOptions ANY = ServerOptions.defaults().withPorts(0, -1, -1);
    private static final byte[] NONE = {};
    private static final int LENGTH = 1 << 20;

    /// Memory for the change of such a value.
    private static final long CHANGE = 8L * LENGTH;

    private OrielServer withLongValue(ServerOptions options) {
        OrielServer server = served.start(options);
        String json = "{\"a\":1,\"b\":\"" + "x".repeat(LENGTH - 14) + "\"}";
        served.database.bucket("default").upsert("big", json.getBytes(StandardCharsets.UTF_8));
        return server;
    }

    private static void await(BooleanSupplier reached) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!reached.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "it does not happen");
            Thread.onSpinWait();
        }
    }

    private static void awaitAllGivenBack(OrielServer server) {
        await(() ->
                server.memory().takenBytes()
                                + server.answers().takenBytes()
                                + server.changes().takenBytes()
                        == 0);
    }

    /// Bytes of memory that `request` takes.
    private static long taken(OrielServer server, Wire wire, String request) throws Exception {
        long before = server.longValues().sum();
        String answer = wire.ask(request);
        assertTrue(!answer.contains("ERROR"), answer);
        long taken = server.longValues().sum() - before;
        awaitAllGivenBack(server);
        return taken;
    }

    private static long taken(OrielServer server, Wire wire, byte[] request) throws Exception {
        long before = server.longValues().sum();
        assertEquals(Status.SUCCESS.code(), wire.send(request).response().status());
        long taken = server.longValues().sum() - before;
        awaitAllGivenBack(server);
        return taken;
    }

    @Test
    void aChangeThatKeepsALongValueHasMemoryForIt() throws Exception {
        OrielServer server = withLongValue(ANY);
        try (Wire text = new Wire(server.memcachedPort())) {
            assertEquals(CHANGE + LENGTH, taken(server, text, "gat 0 big\r\n"));
            assertEquals(CHANGE, taken(server, text, "touch big 0\r\n"));
            assertEquals(CHANGE + LENGTH, taken(server, text, "mg big T0 v\r\n"));
            assertEquals(CHANGE, taken(server, text, "mg big T0 s\r\n"));
            assertEquals(CHANGE, taken(server, text, "md big I\r\n"));
            assertEquals(CHANGE + 8, taken(server, text, "append big 0 0 1\r\nx\r\n"));
            assertEquals(0, taken(server, text, "touch none 0\r\n"));
        }
    }

    @Test
    void theBinaryProtocolCountsTheSame() throws Exception {
        OrielServer server = withLongValue(ANY);
        try (Wire wire = new Wire(server.memcachedPort())) {
            byte[] gat = Wire.request(Opcode.GAT, 0, 0, new byte[4], "big", NONE);
            assertEquals(CHANGE + LENGTH, taken(server, wire, gat));
            byte[] touch = Wire.request(Opcode.TOUCH, 0, 0, new byte[4], "big", NONE);
            assertEquals(CHANGE, taken(server, wire, touch));
            byte[] path = ByteBuffer.allocate(3).putShort((short) 1).array();
            byte[] value = {'a', '2'};
            byte[] upsert = Wire.request(Opcode.PATH_UPSERT, 0, 0, path, "big", value);
            assertEquals(CHANGE + 16, taken(server, wire, upsert), "the edit's value counts too");
            byte[] lock = Wire.request(Opcode.GET_LOCKED, 0, 0, NONE, "big", NONE);
            assertEquals(CHANGE + LENGTH, taken(server, wire, lock));
        }
    }

    @Test
    void aReadThatSendsNoValueNeedsNoMemory() throws Exception {
        OrielServer server = withLongValue(ANY);
        try (Wire text = new Wire(server.memcachedPort());
                Wire binary = new Wire(server.memcachedPort())) {
            for (String request :
                    new String[] {
                        "me big\r\n", "mg big s\r\n", "cas big 0 0 1 0\r\n1\r\n", "md big C0\r\n"
                    }) {
                assertEquals(0, taken(server, text, request), request);
            }
            byte[] meta = Wire.request(Opcode.GET_META, 0, 0, NONE, "big", NONE);
            assertEquals(0, taken(server, binary, meta));
            assertEquals(LENGTH, taken(server, text, "get big\r\n"));
        }
    }

    /// A part of a long value is sent, and the head of a long value follows at once: it waits without memory that
    /// others wait for.
    @Test
    void aPartOfALongValueKeepsNoMemoryForTheWhole() throws Exception {
        OrielServer server = withLongValue(ANY.withMemoryBytesMax(1 << 20));
        byte[] path = {0, 1, 0};
        byte[] part = Wire.request(Opcode.PATH_GET, 0, 0, path, "big", new byte[] {'a'});
        byte[] next = Wire.request(Opcode.SET, 0, 0, new byte[8], "k", new byte[LENGTH / 2]);
        byte[] both = Arrays.copyOf(part, part.length + 100);
        System.arraycopy(next, 0, both, part.length, 100);
        int length = 600_000;
        try (Wire holder = new Wire(server.memcachedPort());
                Wire wire = new Wire(server.memcachedPort())) {
            holder.send("set k 0 0 " + length + "\r\n");
            await(() -> server.memory().takenBytes() == length);
            wire.send(both);
            await(() -> server.memory().waiting() == 1);
            assertEquals(0, server.answers().takenBytes());
            holder.send(new byte[length]).send("\r\n");
            assertEquals("STORED\r\n", holder.line());
            assertEquals("1", wire.response().text());
        }
        awaitAllGivenBack(server);
    }

    /// A long line of keys holds memory until all its answers are read. The first such line waits for a session, so
    /// another thread answers it; the second is answered by the network thread.
    @Test
    void whoDoesNotReadTheAnswersToALongLineIsClosedIfOthersWait() throws Exception {
        OrielServer server = served.start(ANY.withThreads(1).withMemoryBytesMax(1 << 20));
        server.stallNanos(TimeUnit.MILLISECONDS.toNanos(100));
        served.database.bucket("default").upsert("k", new byte[50_000]);
        int length = 600_000;
        for (int round = 1; round <= 2; round++) {
            try (Wire slow = new Wire(server.memcachedPort());
                    Wire other = new Wire(server.memcachedPort())) {
                slow.send("get" + " k".repeat(50_000));
                await(() -> server.memory().takenBytes() == 1 << 20);
                slow.send("\r\n");
                other.send("set a 0 0 " + length + "\r\n").send(new byte[length]).send("\r\n");
                assertEquals("STORED\r\n", other.line());
                assertEquals(round, server.metrics().stalledClosed.sum());
                assertTrue(slow.isOver());
            }
            awaitAllGivenBack(server);
        }
    }
}
