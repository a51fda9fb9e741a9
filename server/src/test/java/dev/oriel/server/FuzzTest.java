package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Damaged, cut and invented requests, in pieces of any size, straight into the decoders: no exception,
/// no endless loop, and the same answers however the bytes are cut. `-Dfuzz=` says how many.
final class FuzzTest {
    private static final Account USER = new Account(new User("u", Map.of("*", Role.ADMIN)), "p");

    @RegisterExtension final Served served = new Served();

    private static final int ROUNDS = Integer.getInteger("fuzz", 3_000);
    private static final String[] WORDS = {
        "get",
        "gets",
        "gat",
        "set",
        "add",
        "cas",
        "append",
        "incr",
        "decr",
        "touch",
        "delete",
        "flush_all",
        "verbosity",
        "stats",
        "version",
        "mg",
        "ms",
        "md",
        "ma",
        "mn",
        "me",
        "noreply",
        "a",
        "bb",
        "0",
        "1",
        "5",
        "-1",
        "18446744073709551615",
        "99999999999999999999",
        "v",
        "c",
        "t",
        "k",
        "q",
        "T0",
        "MA",
        "D5",
        "N0",
        "Oxyz",
        "b",
        "YQ==",
        "\0",
        "\u00fc"
    };

    private OrielServer server() {
        return served.start(
                ServerOptions.defaults()
                        .withPorts(-1, -1, -1)
                        .withUsers(Map.of("u", "p"))
                        .withValueBytesMax(4_096));
    }

    @Test
    void textInPieces() {
        Gen gen = new Gen(Seed.of("FuzzTest.text", 11));
        OrielServer server = server();
        long answered = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = damaged(gen, text(gen));
            Client client = new Client(server, Listener.MEMCACHED);
            if (gen.chance(90)) {
                client.login(USER);
            }
            answered += run(gen, new TextProtocol(client), bytes);
        }
        assertTrue(answered > ROUNDS, "answered " + answered);
    }

    @Test
    void binaryInPieces() {
        Gen gen = new Gen(Seed.of("FuzzTest.binary", 12));
        OrielServer server = server();
        long answered = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = damaged(gen, binary(gen));
            Listener listener = gen.chance(50) ? Listener.MEMCACHED : Listener.COUCHBASE;
            Client client = new Client(server, listener);
            if (gen.chance(90)) {
                client.login(USER);
            }
            answered += run(gen, new BinaryProtocol(client), bytes);
        }
        assertTrue(answered > ROUNDS, "answered " + answered);
    }

    @Test
    void httpInPieces() {
        Gen gen = new Gen(Seed.of("FuzzTest.http", 13));
        OrielServer server = server();
        for (int i = 0; i < ROUNDS; i++) {
            String request =
                    "GET /pools/default/buckets/default%s HTTP/1.1\r\nContent-Length: %s\r\n%s\r\n"
                            .formatted(
                                    gen.chance(50) ? "/scopes" : "",
                                    gen.chance(80) ? "0" : gen.text(3),
                                    gen.chance(50) ? "Authorization: Basic dTpw\r\n" : "");
            byte[] bytes = damaged(gen, request.repeat(2).getBytes(StandardCharsets.UTF_8));
            run(gen, new HttpProtocol(new Client(server, Listener.HTTP)), bytes);
        }
    }

    /// How many bytes are answered.
    private static long run(Gen gen, Protocol protocol, byte[] bytes) {
        Input in = new Input();
        Output out = new Output();
        long answered = 0;
        int at = 0;
        Protocol.Outcome outcome = Protocol.Outcome.WAITING;
        while (at < bytes.length && outcome != Protocol.Outcome.CLOSE) {
            int piece = Math.min(bytes.length - at, 1 + gen.below(gen.chance(30) ? 3 : 200));
            in.add(Unpooled.copiedBuffer(bytes, at, piece));
            at += piece;
            int steps = 0;
            do {
                outcome = protocol.run(in, out, true);
                ByteBuf some = out.take(UnpooledByteBufAllocator.DEFAULT);
                if (some != null) {
                    answered += some.readableBytes();
                    some.release();
                }
                assertTrue(++steps < 10_000, "it goes on for ever");
            } while (outcome == Protocol.Outcome.FULL);
        }
        protocol.close();
        return answered;
    }

    private static byte[] text(Gen gen) {
        StringBuilder lines = new StringBuilder();
        for (int i = 1 + gen.below(6); i > 0; i--) {
            if (gen.chance(40)) {
                String value = "x".repeat(gen.below(20));
                lines.append("set ").append(WORDS[gen.below(WORDS.length)]).append(" 0 0 ");
                lines.append(value.length()).append("\r\n").append(value).append("\r\n");
            } else {
                for (int w = 1 + gen.below(6); w > 0; w--) {
                    lines.append(WORDS[gen.below(WORDS.length)]).append(' ');
                }
                lines.append("\r\n");
            }
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] binary(Gen gen) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] usual = {
            Opcode.HELLO, Opcode.SELECT_BUCKET, Opcode.MULTI_LOOKUP, Opcode.MULTI_MUTATION,
            Opcode.SASL_AUTH, Opcode.SASL_STEP, Opcode.COLLECTION_ID, Opcode.GET_META
        };
        for (int i = 1 + gen.below(6); i > 0; i--) {
            int opcode = gen.chance(30) ? usual[gen.below(usual.length)] : gen.below(256);
            int[] extras = {0, 0, 4, 8, 20, 1, 5, 3};
            String key = opcode == Opcode.SELECT_BUCKET ? "default" : "key".substring(gen.below(4));
            byte[] request =
                    Wire.request(
                            opcode,
                            gen.anyInt(),
                            gen.chance(80) ? 0 : gen.anyLong(),
                            gen.bytes(0).length == 0 ? new byte[extras[gen.below(8)]] : NONE,
                            key,
                            gen.bytes(40));
            if (gen.chance(10)) {
                request[0] = 0x08;
            }
            out.writeBytes(request);
        }
        return out.toByteArray();
    }

    private static final byte[] NONE = {};

    private static byte[] damaged(Gen gen, byte[] bytes) {
        for (int i = gen.chance(60) ? gen.below(4) : 0; i > 0 && bytes.length > 0; i--) {
            bytes[gen.below(bytes.length)] = (byte) gen.anyInt();
        }
        return gen.chance(20) ? java.util.Arrays.copyOf(bytes, gen.below(bytes.length + 1)) : bytes;
    }

    @Test
    void answersAreTheSameHoweverTheBytesAreCut() {
        OrielServer server = server();
        byte[] bytes =
                String.join(
                                "\r\n",
                                "set a 1 0 3",
                                "abc",
                                "get a b",
                                "incr a 1",
                                "mg a v s",
                                "ms c 2 q",
                                "hi",
                                "delete a",
                                "foo",
                                "set z 0 0 1",
                                "xy",
                                "")
                        .getBytes(StandardCharsets.UTF_8);
        String whole = answers(server, bytes, bytes.length);
        assertTrue(whole.startsWith("STORED\r\nVALUE a 1 3\r\nabc\r\nEND\r\n"), whole);
        for (int piece = 1; piece < bytes.length; piece++) {
            assertEquals(whole, answers(server, bytes, piece), "pieces of " + piece);
        }
    }

    private static String answers(OrielServer server, byte[] bytes, int piece) {
        Client client = new Client(server, Listener.MEMCACHED);
        client.login(USER);
        TextProtocol protocol = new TextProtocol(client);
        Input in = new Input();
        Output out = new Output();
        for (int at = 0; at < bytes.length; at += piece) {
            in.add(Unpooled.copiedBuffer(bytes, at, Math.min(piece, bytes.length - at)));
            protocol.run(in, out, true);
        }
        protocol.close();
        ByteBuf all = out.take(UnpooledByteBufAllocator.DEFAULT);
        assertTrue(all != null);
        String text = all.toString(StandardCharsets.UTF_8);
        all.release();
        return text;
    }
}
