package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.internal.Layers;
import dev.oriel.kv.Status;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Clients that are slow, rude, greedy or confused. Each test sees that the others are served meanwhile, that
/// every connection goes, and that no memory is left behind.
final class RobustnessTest {
    @RegisterExtension final Served served = new Served();

    private static final ServerOptions ANY = ServerOptions.defaults().withPorts(0, -1, 0);
    private static final byte[] NONE = {};
    private static final int DEEP = 10_000;
    private static final long GROWTH_BYTES_MAX = 8 << 20;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void awaitGone(OrielServer server) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (server.connectionCount() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(0, server.connectionCount(), "connections that are left");
    }

    /// What the network's buffers take, in bytes.
    private static long bufferBytes() {
        ByteBufAllocatorMetric metric =
                ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return metric.usedHeapMemory() + metric.usedDirectMemory();
    }

    @SuppressWarnings("SystemGc") // garbage is no growth
    private static long heapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /// What is done again and again takes no more memory than when it was done for the first times.
    private static void assertNoGrowth(int rounds, Rude work) throws Exception {
        long heap = 0;
        long buffers = 0;
        for (int round = 0; round < rounds; round++) {
            work.run();
            if (round == rounds / 3) {
                heap = heapBytes();
                buffers = bufferBytes();
            }
        }
        // What a connection has had is given back by another thread, some moments after it has
        // gone.
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        long moreHeap;
        long moreBuffers;
        do {
            moreHeap = heapBytes() - heap;
            moreBuffers = bufferBytes() - buffers;
        } while (Math.max(moreHeap, moreBuffers) >= GROWTH_BYTES_MAX
                && System.nanoTime() < deadline);
        assertTrue(moreHeap < GROWTH_BYTES_MAX, moreHeap + " bytes of the heap are not given back");
        assertTrue(
                moreBuffers < GROWTH_BYTES_MAX,
                moreBuffers + " bytes of buffers are not given back");
    }

    @FunctionalInterface
    private interface Rude {
        void run() throws Exception;
    }

    @Test
    void whoSendsAByteNowAndThenHoldsNobodyUp() throws Exception {
        OrielServer server = served.start(ANY);
        List<Wire> slow = new ArrayList<>();
        String[] begins = {"set slow 0 0 100000\r\nabc", "get ", "\u0080", "GET /heal"};
        for (int i = 0; i < 200; i++) {
            int port = i % 4 == 3 ? server.httpPort() : server.memcachedPort();
            slow.add(new Wire(port).send(begins[i % 4].getBytes(StandardCharsets.ISO_8859_1)));
        }
        long begun = System.nanoTime();
        try (Wire quick = new Wire(server.memcachedPort())) {
            for (int i = 0; i < 200; i++) {
                slow.get(i).send("x");
                assertEquals("STORED\r\n", quick.send("set a 0 0 1\r\n1\r\n").line());
                assertEquals("VALUE a 0 1\r\n1\r\nEND\r\n", quick.ask("get a\r\n"));
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(millis < 60_000, "400 requests took " + millis + " ms");
        for (Wire one : slow) {
            one.close();
        }
        awaitGone(server);
    }

    @Test
    void strangersThatStayAreClosedHoweverTheySend() throws Exception {
        OrielServer server = served.start(ANY.withUsers(Map.of("ada", "secret")));
        try (Wire known = new Wire(server.memcachedPort())) {
            assertEquals("STORED\r\n", known.send("set x 0 0 10\r\nada secret\r\n").line());
            server.strangerMillis(200); // for those who come from now on
            strangersAreClosed(server);
            assertEquals("END\r\n", known.ask("get a\r\n"));
        }
        awaitGone(server);
    }

    private static void strangersAreClosed(OrielServer server) throws Exception {
        try (Wire text = new Wire(server.memcachedPort());
                Wire http = new Wire(server.httpPort())) {
            CountDownLatch over = new CountDownLatch(2);
            for (Wire slow : List.of(text, http)) {
                Thread.startVirtualThread(() -> {
                    try {
                        while (true) {
                            slow.send("G");
                            Thread.sleep(20);
                        }
                    } catch (IOException | InterruptedException e) {
                        over.countDown();
                    }
                });
            }
            assertTrue(over.await(1, TimeUnit.MINUTES), "they are still connected");
        }
    }

    @Test
    void strangersCannotHaveMuchKept() throws Exception {
        OrielServer server = served.start(ANY.withUsers(Map.of("ada", "secret")));
        try (Wire text = new Wire(server.memcachedPort());
                Wire binary = new Wire(server.memcachedPort())) {
            text.send("set x 0 0 5000\r\n").send(new byte[5_000]).send("\r\nget a\r\n");
            assertEquals("SERVER_ERROR object too large for cache\r\n", text.line());
            assertEquals("CLIENT_ERROR unauthenticated\r\n", text.line());
            binary.send(Wire.request(Opcode.SET, 0, 0, new byte[8], "a", new byte[1 << 20]));
            assertEquals(Status.AUTH_ERROR.code(), binary.response().status());
            binary.send(Wire.request(Opcode.NOOP, 7, 0, NONE, "", NONE));
            assertEquals(7, binary.response().opaque());
        }
        awaitGone(server);
    }

    /// Half of the connection is closed when the last request has been sent.
    @Test
    void whoSendsNoMoreGetsAllAnswers() throws Exception {
        OrielServer server = served.start(ANY);
        assertNoGrowth(
                9,
                () -> {
                    try (Socket socket =
                            new Socket(InetAddress.getLoopbackAddress(), port(server))) {
                        socket.setSoTimeout(60_000);
                        String requests = "set a 0 0 1\r\n1\r\nget a\r\n".repeat(500) + "get unfin";
                        socket.getOutputStream().write(bytes(requests));
                        socket.shutdownOutput();
                        String all =
                                new String(
                                        socket.getInputStream().readAllBytes(),
                                        StandardCharsets.UTF_8);
                        assertEquals("STORED\r\nVALUE a 0 1\r\n1\r\nEND\r\n".repeat(500), all);
                    }
                });
        awaitGone(server);
    }

    private static int port(OrielServer server) {
        return server.memcachedPort();
    }

    @Test
    void whoGoesAwayInTheMiddleLeavesNothingBehind() throws Exception {
        OrielServer server = served.start(ANY);
        byte[] value = new byte[1 << 20];
        assertNoGrowth(
                12,
                () -> {
                    for (int i = 0; i < 5; i++) {
                        try (Wire wire = new Wire(port(server))) {
                            wire.send("set big 0 0 " + value.length + "\r\n").send(value);
                            if (i > 0) {
                                wire.send("\r\n" + "get big\r\n".repeat(20));
                            }
                            wire.reset(); // what was sent to it is never read
                        }
                    }
                    awaitGone(server);
                });
    }

    @Test
    void whatIsTooLongIsRefusedWithoutKeepingIt() throws Exception {
        OrielServer server = served.start(ANY.withValueBytesMax(10_000));
        byte[] much = new byte[4 << 20];
        java.util.Arrays.fill(much, (byte) 'x');
        assertNoGrowth(
                9,
                () -> {
                    try (Wire line = new Wire(port(server))) {
                        line.sendUntilClosed(much);
                        line.isOver();
                    }
                    try (Wire set = new Wire(port(server))) {
                        set.send("set a 0 0 " + much.length + "\r\n").send(much).send("\r\n");
                        assertEquals("SERVER_ERROR object too large for cache\r\n", set.line());
                        assertEquals("END\r\n", set.ask("get a\r\n"));
                    }
                    try (Wire binary = new Wire(port(server))) {
                        binary.send(Wire.request(Opcode.SET, 1, 0, new byte[8], "a", much));
                        assertEquals(Status.TOO_BIG.code(), binary.response().status());
                        binary.send(Wire.request(Opcode.NOOP, 2, 0, NONE, "", NONE));
                        assertEquals(2, binary.response().opaque());
                    }
                    try (Wire claims = new Wire(port(server))) { // 2 GB that never come
                        byte[] header = Wire.request(Opcode.SET, 1, 0, NONE, "", NONE);
                        ByteBuffer.wrap(header).putInt(8, Integer.MAX_VALUE);
                        claims.send(header);
                        assertEquals(Status.TOO_BIG.code(), claims.response().status());
                    }
                    try (Wire head = new Wire(server.httpPort())) {
                        head.send("GET / HTTP/1.1\r\nX: ").sendUntilClosed(much);
                        head.isOver();
                    }
                    try (Wire body = new Wire(server.httpPort())) {
                        body.send("POST / HTTP/1.1\r\nContent-Length: 999999\r\n\r\n");
                        assertTrue(body.all().startsWith("HTTP/1.1 400 "));
                    }
                });
        awaitGone(server);
    }

    @Test
    void oneProtocolAfterTheOtherOnOneConnectionIsNoAnswerToEither() throws Exception {
        OrielServer server = served.start(ANY);
        byte[] binary = Wire.request(Opcode.SET, 0, 0, new byte[8], "mixed", bytes("1"));
        for (int i = 0; i < 20; i++) {
            try (Wire wire = new Wire(port(server))) {
                assertEquals("END\r\n", wire.ask("get a\r\n"));
                wire.send(binary).send("\r\n"); // a line that is no command
                assertEquals("ERROR\r\n", wire.ask("").lines().toList().getFirst() + "\r\n");
            }
            try (Wire wire = new Wire(port(server))) {
                wire.send(Wire.request(Opcode.NOOP, 5, 0, NONE, "", NONE));
                assertEquals(5, wire.response().opaque());
                wire.send("get a\r\nset mixed 0 0 1\r\n1\r\n padding to a whole header");
                assertTrue(wire.isOver(), "nobody can tell where the next request begins");
            }
            try (Wire wire = new Wire(server.httpPort())) {
                wire.send("get a\r\n\r\n");
                assertTrue(wire.all().startsWith("HTTP/1.1 400 "));
            }
        }
        assertEquals(null, served.database.bucket("default").get("mixed"));
        awaitGone(server);
    }

    /// The deletion waits for who refers to the entry, and others of the same thread do not.
    @Test
    void aDeletionThatWaitsHoldsNobodyElseUp() throws Exception {
        OrielServer server = served.start(ANY.withThreads(1));
        try (Wire one = new Wire(port(server));
                Wire two = new Wire(port(server));
                var connection = served.database.connect();
                var statement = connection.createStatement()) {
            assertEquals("STORED\r\n", one.ask("set a 0 0 1\r\n1\r\n"));
            statement.execute(
                    "CREATE TABLE login (session VARCHAR(250) REFERENCES bucket_default (key))");
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO login VALUES ('a')");
            one.send("delete a\r\n");
            awaitLockWait();
            assertEquals("VALUE a 0 1\r\n1\r\nEND\r\n", two.ask("get a\r\n"));
            assertTrue(waits(), "the answer came when the deletion waited no more");
            connection.rollback();
            assertEquals("DELETED\r\n", one.line());
        }
        awaitGone(server);
    }

    private boolean waits() {
        return !Layers.tables(served.database).lockWaits().isEmpty();
    }

    private void awaitLockWait() {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!waits()) {
            assertTrue(System.nanoTime() < deadline, "nobody waits for a lock");
            Thread.onSpinWait();
        }
    }

    @Test
    void whatAWebPageSendsIsNotDone() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(port(server));
                Wire page = new Wire(port(server))) {
            assertEquals("STORED\r\n", wire.ask("set a 0 0 1\r\n1\r\n"));
            List<String> lines =
                    List.of(
                            "POST / HTTP/1.1",
                            "Host: 127.0.0.1",
                            "Content-Length: 17",
                            "",
                            "flush_all",
                            "quit");
            page.send(String.join("\r\n", lines) + "\r\n");
            assertEquals("", page.all());
            assertEquals("VALUE a 0 1\r\n1\r\nEND\r\n", wire.ask("get a\r\n"));
        }
        awaitGone(server);
    }

    @Test
    void whoAsksOftenOverHttpAndDoesNotReadIsWaitedFor() throws Exception {
        OrielServer server = served.start(ANY);
        int requests = 30_000;
        long most = 0;
        try (Wire wire = new Wire(server.httpPort())) {
            Thread sender = wire.sendAside(bytes("GET /metrics HTTP/1.1\r\n\r\n".repeat(requests)));
            for (int i = 0; i < requests; i++) {
                passOverAnswer(wire);
                most = i % 100 == 0 ? Math.max(most, bufferBytes()) : most;
            }
            sender.join();
        }
        assertTrue(most < 32 << 20, most + " bytes waited to be sent");
        awaitGone(server);
    }

    @Test
    void whoAsksForMuchInOneLineGetsItBitByBit() throws Exception {
        OrielServer server = served.start(ANY);
        int length = 4 << 20;
        int times = 32;
        try (Wire wire = new Wire(port(server))) {
            wire.send("set big 0 0 " + length + "\r\n").send(new byte[length]).send("\r\n");
            assertEquals("STORED\r\n", wire.line());
            wire.send("get" + " big".repeat(times) + "\r\n");
            for (int i = 0; i < times; i++) {
                assertEquals("VALUE big 0 " + length + "\r\n", wire.line());
                long waiting = bufferBytes();
                assertTrue(waiting < 64 << 20, waiting + " bytes wait to be sent");
                wire.skip(length + 2);
            }
            assertEquals("END\r\n", wire.line());
        }
        awaitGone(server);
    }

    @Test
    void whatIsNoFormIsRefusedInWords() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.httpPort())) {
            String post =
                    "POST /pools/default/buckets/default/scopes/s/collections HTTP/1.1\r\n"
                            + "Content-Length: 8\r\nConnection: close\r\n\r\nname=%z1";
            String said = wire.send(post).all();
            assertTrue(said.startsWith("HTTP/1.1 400 "), said);
        }
    }

    /// All protocols at once at one port, in pieces that fall anywhere, on the same counter.
    @Test
    void protocolsBesideEachOtherWorkOnTheSameEntries() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire text = new Wire(port(server));
                Wire meta = new Wire(port(server));
                Wire binary = new Wire(port(server))) {
            text.send("set n 0 0 1\r\n0\r\n");
            assertEquals("STORED\r\n", text.line());
            byte[] count =
                    Wire.request(
                            Opcode.INCREMENT,
                            0,
                            0,
                            ByteBuffer.allocate(20).putLong(1).array(),
                            "n",
                            NONE);
            int rounds = 300;
            for (int i = 0; i < rounds; i++) {
                int cut = i % count.length;
                binary.send(java.util.Arrays.copyOf(count, cut));
                text.send("incr n");
                meta.send("ma n");
                binary.send(java.util.Arrays.copyOfRange(count, cut, count.length));
                text.send(" 1\r\n");
                meta.send("\r\n");
            }
            for (int i = 0; i < rounds; i++) {
                assertEquals(Status.SUCCESS.code(), binary.response().status());
                assertTrue(text.line().matches("[0-9]+\r\n"));
                assertEquals("HD\r\n", meta.line());
            }
            int length = Integer.toString(3 * rounds).length();
            assertEquals(
                    "VALUE n 0 " + length + "\r\n" + 3 * rounds + "\r\nEND\r\n",
                    text.ask("get n\r\n"));
        }
        awaitGone(server);
    }

    /// Ten thousand requests before the first answer is read, in each protocol.
    @Test
    void deepPipelinesAreAnsweredInOrder() throws Exception {
        OrielServer server = served.start(ANY);
        assertNoGrowth(
                3,
                () -> {
                    deepText(server);
                    deepBinary(server);
                    deepHttp(server);
                });
        awaitGone(server);
    }

    private static void deepText(OrielServer server) throws Exception {
        try (Wire wire = new Wire(port(server))) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < DEEP; i++) {
                switch (i % 4) {
                    case 0 -> requests.append("set k 0 0 5\r\n%05d\r\n".formatted(i));
                    case 1 -> requests.append("get k\r\n");
                    case 2 -> requests.append("mg k v O").append(i).append("\r\n");
                    default -> requests.append("incr absent 1\r\n");
                }
            }
            Thread sender = wire.sendAside(bytes(requests.toString()));
            for (int i = 0; i < DEEP; i++) {
                String value = "%05d\r\n".formatted(i / 4 * 4);
                switch (i % 4) {
                    case 0 -> assertEquals("STORED\r\n", wire.line());
                    case 1 -> {
                        assertEquals("VALUE k 0 5\r\n", wire.line());
                        assertEquals(value, wire.line());
                        assertEquals("END\r\n", wire.line());
                    }
                    case 2 -> {
                        assertEquals("VA 5 O" + i + "\r\n", wire.line());
                        assertEquals(value, wire.line());
                    }
                    default -> assertEquals("NOT_FOUND\r\n", wire.line());
                }
            }
            sender.join();
        }
    }

    private static void deepBinary(OrielServer server) throws Exception {
        try (Wire wire = new Wire(port(server))) {
            ByteArrayOutputStream requests = new ByteArrayOutputStream();
            for (int i = 0; i < DEEP; i++) {
                byte[] value = bytes("v" + i);
                requests.writeBytes(
                        switch (i % 3) {
                            case 0 -> Wire.request(Opcode.SETQ, i, 0, new byte[8], "b", value);
                            case 1 -> Wire.request(Opcode.GET, i, 0, NONE, "b", NONE);
                            default -> Wire.request(Opcode.GETQ, i, 0, NONE, "absent", NONE);
                        });
            }
            requests.writeBytes(Wire.request(Opcode.NOOP, DEEP, 0, NONE, "", NONE));
            Thread sender = wire.sendAside(requests.toByteArray());
            for (int i = 1; i < DEEP; i += 3) {
                Wire.Response response = wire.response();
                assertEquals(i, response.opaque());
                assertEquals("v" + (i - 1), response.text());
            }
            assertEquals(DEEP, wire.response().opaque());
            sender.join();
        }
    }

    private static void deepHttp(OrielServer server) throws Exception {
        try (Wire wire = new Wire(server.httpPort())) {
            Thread sender = wire.sendAside(bytes("GET /health HTTP/1.1\r\n\r\n".repeat(DEEP)));
            for (int i = 0; i < DEEP; i++) {
                passOverAnswer(wire);
            }
            sender.join();
        }
    }

    private static void passOverAnswer(Wire wire) throws Exception {
        assertEquals("HTTP/1.1 200 OK\r\n", wire.line());
        String line = wire.line();
        int length = 0;
        while (!line.equals("\r\n")) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring(16).strip());
            }
            line = wire.line();
        }
        wire.skip(length);
    }
}
