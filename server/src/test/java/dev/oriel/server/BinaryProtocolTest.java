package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Status;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The binary protocol beyond what memccapable looks at.
final class BinaryProtocolTest {
    @RegisterExtension final Served served = new Served();

    private static final byte[] NONE = {};

    private static byte[] store(int flags, int expiry) {
        return ByteBuffer.allocate(8).putInt(flags).putInt(expiry).array();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] quiet(int opcode, int opaque, String key) {
        return Wire.request(opcode, opaque, 0, NONE, key, NONE);
    }

    @Test
    void quietReadsAnswerHitsAloneAndTheOthersInTheirOrder() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(Wire.request(Opcode.SETQ, 1, 0, store(9, 0), "a", bytes("one")));
            all.writeBytes(quiet(Opcode.GETKQ, 2, "absent"));
            all.writeBytes(quiet(Opcode.GETKQ, 3, "a"));
            all.writeBytes(quiet(Opcode.GETK, 4, "absent"));
            all.writeBytes(quiet(0x14, 5, "absent")); // deleteq says what is wrong
            all.writeBytes(quiet(Opcode.NOOP, 6, ""));
            wire.send(all.toByteArray());
            Wire.Response hit = wire.response();
            assertEquals(3, hit.opaque());
            assertEquals("one", hit.text());
            assertEquals("a", new String(hit.key(), StandardCharsets.UTF_8));
            assertArrayEquals(new byte[] {0, 0, 0, 9}, hit.extras());
            Wire.Response miss = wire.response();
            assertEquals(4, miss.opaque());
            assertEquals(Status.NOT_FOUND.code(), miss.status());
            assertEquals("absent", new String(miss.key(), StandardCharsets.UTF_8));
            assertEquals(5, wire.response().opaque());
            assertEquals(6, wire.response().opaque());
        }
    }

    @Test
    void aNumberIsDemandedAndCounted() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            wire.send(Wire.request(Opcode.SET, 1, 0, store(0, 0), "a", bytes("1")));
            long cas = wire.response().cas();
            assertTrue(cas > 0);
            wire.send(Wire.request(Opcode.SET, 1, cas + 1, store(0, 0), "a", bytes("2")));
            assertEquals(Status.EXISTS.code(), wire.response().status());
            wire.send(Wire.request(Opcode.SET, 1, cas, store(0, 0), "b", bytes("2")));
            assertEquals(Status.NOT_FOUND.code(), wire.response().status());
            wire.send(Wire.request(Opcode.DELETE, 1, cas, NONE, "a", NONE));
            Wire.Response deleted = wire.response();
            assertEquals(Status.SUCCESS.code(), deleted.status());
            assertEquals(0, deleted.cas());
        }
    }

    @Test
    void malformedRequestsAreRefusedAndTheNextOneIsServed() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            for (byte[] request :
                    new byte[][] {
                        Wire.request(Opcode.SET, 1, 0, NONE, "a", bytes("1")),
                        Wire.request(Opcode.GET, 1, 0, NONE, "", NONE),
                        Wire.request(Opcode.GET, 1, 0, NONE, "k".repeat(251), NONE),
                        Wire.request(Opcode.GET, 1, 0, NONE, "a", bytes("x")),
                        Wire.request(Opcode.INCREMENT, 1, 0, store(0, 0), "a", NONE),
                        Wire.request(Opcode.TOUCH, 1, 0, NONE, "a", NONE),
                        Wire.request(Opcode.MULTI_LOOKUP, 1, 0, NONE, "a", NONE),
                    }) {
                wire.send(request);
                Wire.Response refused = wire.response();
                boolean expected =
                        refused.status() == Status.INVALID.code()
                                || refused.status() == Status.COMBINATION_INVALID.code();
                assertTrue(expected, "opcode " + request[1] + ": " + refused.status());
            }
            wire.send(Wire.request(0x7e, 7, 0, NONE, "a", NONE));
            Wire.Response unknown = wire.response();
            assertEquals(Status.UNKNOWN_COMMAND.code(), unknown.status());
            assertEquals(7, unknown.opaque());
        }
    }

    @Test
    void aValueThatIsTooLongIsRefusedWithoutKeepingIt() throws Exception {
        int port =
                served.start(ServerOptions.defaults().withPorts(0, -1, -1).withValueBytesMax(1_000))
                        .memcachedPort();
        try (Wire wire = new Wire(port)) {
            wire.send(Wire.request(Opcode.SET, 1, 0, store(0, 0), "a", new byte[200_000]));
            assertEquals(Status.TOO_BIG.code(), wire.response().status());
            wire.send(Wire.request(Opcode.SET, 1, 0, store(0, 0), "a", new byte[1_001]));
            assertEquals(Status.TOO_BIG.code(), wire.response().status());
            wire.send(Wire.request(Opcode.SET, 2, 0, store(0, 0), "a", new byte[1_000]));
            assertEquals(Status.SUCCESS.code(), wire.response().status());
        }
    }

    @Test
    void aKeyThatIsNoTextIsRefused() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            byte[] request = Wire.request(Opcode.SET, 1, 0, store(0, 0), "ab", bytes("1"));
            request[32] = (byte) 0xC3; // the begin of a letter whose end does not come
            wire.send(request);
            assertEquals(Status.INVALID.code(), wire.response().status());
        }
    }
}
